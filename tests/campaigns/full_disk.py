"""Commands on a real file system that is full: exit code 0 or 5, one line that says so, and an intact database."""

import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.campaigns.campaign import Campaign, LackingError, Result
from tests.harness import desk
from tests.harness.crowd import crowd

CASES = 600
COMMANDS = """
player list|standings|status|log --last 5|db check|db backup|ratings|event list|player add Zoe|undo|event new Next
result void --round 1 --table 1 --reason x|db restore {copy}|event export --output {disk}/event.txt
print wall --output {disk}/wall.html|rating pool set people --tau 1
"""
KIBIBYTE = 1024


def run(part: float, seed: int) -> Sequence[Result]:
    """Run each command in turn, each time with another room on the disk."""
    rng, faults, codes = random.Random(seed), [], Counter[int]()
    with tempfile.TemporaryDirectory() as folder, _small_disk(Path(folder) / "disk") as disk:
        copy = desk.copied(Path(folder) / "copy.db", crowd, people=40, rounds=2)
        cases = max(1, round(CASES * part))
        for words in itertools.islice(itertools.cycle(COMMANDS.strip().replace("\n", "|").split("|")), cases):
            room = rng.randrange(0, 600 * KIBIBYTE, 4 * KIBIBYTE)
            codes[code := _tried(words.format(copy=copy, disk=disk), disk, copy, room, faults)] += 1
            if code not in (0, 5):
                faults.append(f"{words} with {room} bytes: exit code {code}")
    return [Result(cases, f"exit code 0: {codes[0]}, 5: {codes[5]}; {len(faults)} faults", tuple(faults))]


def _tried(words: str, disk: Path, copy: str, room: int, faults: list[str]) -> int:
    for found in disk.iterdir():
        shutil.rmtree(found) if found.is_dir() else found.unlink()
    db = shutil.copy(copy, disk / "club.db")
    (disk / "filler").write_bytes(bytes(shutil.disk_usage(disk).free - room))
    done = _command(*words.split(), "--db", str(db))
    lines = [line for line in done.stderr.splitlines() if not line.startswith("warning: ")]
    if done.returncode and not ("the disk is full" in done.stderr or "No space left" in done.stderr):
        faults.append(f"{words} with {room} bytes: {done.stderr}")
    elif len(lines) > 2 or "Traceback" in done.stderr:
        faults.append(f"{words} with {room} bytes: {len(lines)} lines")
    (disk / "filler").unlink()
    checked = _command("db", "check", "--db", str(db))
    if checked.returncode:
        faults.append(f"{words} with {room} bytes left: {checked.stdout}{checked.stderr}")
    return done.returncode


def _command(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TOURNEY_LANG": "en"}
    command = [sys.executable, "-m", "tourney", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


@contextmanager
def _small_disk(disk: Path) -> Iterator[Path]:
    """Mount a file system of 1 MB in memory. Raises LackingError where that is not allowed."""
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tourney-test", str(disk)]
    try:
        subprocess.run(mount, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise LackingError("only root on Linux can mount a small file system") from error
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


CAMPAIGN = Campaign("full-disk", run)
