"""Every command of a season on a real file system that is full: exit code 0 or 5, one line, and an intact database."""

import random
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.campaigns.campaign import Campaign, LackingError, Result, exit_codes, share_of
from tests.harness.disk.played import Season, Step
from tests.harness.disk.promises import continued, is_state, journal, opened
from tests.harness.disk.watched import Ended, Watch, programs
from tourney.domain.errors import ExitCode

CASES = 600
KIBIBYTE = 1024
MOST_ROOM = 400 * KIBIBYTE


def run(part: float, seed: int) -> Sequence[Result]:
    """Run the commands in turn, each time with another room on the disk."""
    rng, faults, codes = random.Random(seed), list[str](), Counter[int]()
    number = share_of(CASES, part)
    with programs() as starting, tempfile.TemporaryDirectory() as place, _small_disk(Path(place) / "disk") as disk:
        season = Season(Path(place), disk / "club")
        season.play(starting)
        for _turn, step in season.turns(number):
            room = rng.choice((0, rng.randrange(0, MOST_ROOM, 4 * KIBIBYTE)))
            (disk / "filler").write_bytes(bytes(max(0, shutil.disk_usage(disk).free - room)))
            done = starting.run(step.words, Watch(season.folder), season.folder)
            (disk / "filler").unlink()
            codes[done.code] += 1
            what = f"{' '.join(step.words)} with {room // KIBIBYTE} KiB"
            faults += [f"{what}: {fault}" for fault in _faults(season.folder, step, done)]
    tried = f"{len(season.steps)} commands in turn"
    return [Result(number, f"full disk, {tried}: {exit_codes(codes)}; {len(faults)} faults", tuple(faults))]


def _faults(folder: Path, step: Step, done: Ended) -> Iterator[str]:
    # The doctor looks for room on the disk: what it misses is on standard output, and a check that fails is code 1.
    refused, reasons = ExitCode.STORAGE, ("the disk is full", "No space left")
    if step.words[0] == "doctor":
        refused, reasons = ExitCode.REFUSED, ("MB free",)
    if done.code not in (ExitCode.DONE, refused):
        yield f"exit code {done.code}: {done.err}"
    elif done.code and not any(reason in f"{done.out}{done.err}" for reason in reasons):
        yield f"another reason: {done.out}{done.err}"
    if len(done.refusal) > 2 or "Traceback" in done.err:
        yield f"{len(done.refusal)} lines: {done.err}"
    yield from opened(folder)
    found = journal(folder / "club.db")
    if done.code == 0 and not is_state(found, step.before, step.after):
        yield "exit code 0, and not done"
    elif found != step.before and not is_state(found, step.before, step.after):
        yield "done half"
    yield from continued(folder)


@contextmanager
def _small_disk(disk: Path) -> Iterator[Path]:
    """Mount a file system of 16 MB in memory. Raises LackingError where that is not allowed."""
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tourney-test", str(disk)]
    try:
        subprocess.run(mount, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise LackingError("only root on Linux can mount a small file system") from error
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


CAMPAIGN = Campaign("full-disk", run)
