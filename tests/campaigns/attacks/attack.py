"""An attack as a value, and the commands with which it is tried in a folder of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.harness.commands import Ran

SECRET: Final = "hunter2-of-the-organiser"
"""The text of the organiser's key and environment, which must not arrive anywhere."""
PROGRAM: Final = (sys.executable, "-P", "-m", "tourney")
"""The program, which imports nothing from the folder in which it starts, as the installed command does."""
SECONDS: Final = 90.0
"""The most seconds that a command may take on a busy machine."""
MOST_MEMORY: Final = 1_500_000_000
"""The bytes that no process of a command may take."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: its row in the attacker's table ("new" for one of ours), what is tried, and how.

    `act` gets an empty folder, and yields a line for each thing that got through.
    """

    row: str
    tried: str
    act: Callable[[Path], Iterable[str]]

    def found(self, folder: Path) -> list[str]:
        """Try it in the folder, and return what got through; an attack that cannot be tried is a fault, too."""
        try:
            return [f"{self.row}: {self.tried}: {ascii(found)[1:-1][:200]}" for found in self.act(folder)]
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are tried
            return [f"{self.row}: {self.tried}: was not tried: {type(error).__name__}: {ascii(str(error))[:300]}"]


def tourney(
    folder: Path, *words: str, seconds: float = SECONDS, env: Mapping[str, str] | None = None, given: str = ""
) -> Ran:
    """Run a command in the folder, with its database `club.db`; one that does not end, or takes too much, is killed.

    The exit code is -9 then, and standard error ends with a line that says why.
    """
    command = [*PROGRAM, *words]
    if "--db" not in words and words[0] != "bot":
        command += ["--db", "club.db"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder, env),
        stdin=subprocess.PIPE,
        stdout=open(folder / "out.txt", "w+b"),
        stderr=open(folder / "err.txt", "w+b"),
        start_new_session=True,
        preexec_fn=lambda: os.umask(0o022) and None,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(given.encode())
        process.stdin.close()
        why = _ended(process, seconds)
    texts = [(folder / name).read_text("utf-8", "replace") for name in ("out.txt", "err.txt")]
    return Ran(process.returncode, texts[0], texts[1] + why)


def environment(folder: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the organiser's environment: a home in the folder, a secret, English."""
    own = {"HOME": str(folder / "home"), "TOURNEY_SECRET": SECRET, "TOURNEY_LANG": "en", "COLUMNS": "200"}
    return {**os.environ, **own, **(more or {})}


def _ended(process: "subprocess.Popen[bytes]", seconds: float) -> str:
    """Wait for the end of a process, and return why it was killed ("" if it was not)."""
    until = time.monotonic() + seconds
    while process.poll() is None:
        most = max(map(memory, family(process.pid)), default=0)
        if most > MOST_MEMORY or time.monotonic() > until:
            for each in family(process.pid):
                kill(each)
            return f"\nkilled: it holds {most >> 20} MB" if most > MOST_MEMORY else "\nkilled: it does not end"
        time.sleep(0.05)
    return ""


def kill(process: int) -> None:
    """Kill a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def family(process: int) -> list[int]:
    """Return a process and all that it has started, as far as they have not left it."""
    parents = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def memory(process: int) -> int:
    """Return the bytes that a process holds now."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def running(word: str) -> list[int]:
    """Return the processes whose command line has this word."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                if word.encode() in (each / "cmdline").read_bytes():
                    found.append(int(each.name))
            except OSError:
                continue
    return found


def home(folder: Path) -> Path:
    """Make the organiser's home with a key in it, and return the key's file."""
    key = folder / "home" / ".ssh" / "id_rsa"
    key.parent.mkdir(parents=True)
    key.write_text(f"{SECRET} of the key\n", "utf-8")
    return key


def script(path: Path, text: str) -> Path:
    """Write a program that the shell runs, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return path


def refused(ran: Ran, what: str) -> Iterable[str]:
    """Yield what is wrong with a command that must be refused in one line."""
    lines = [line for line in ran.err.splitlines() if line and not line.startswith("hint: ")]
    if ran.code == 0:
        yield f"{what} is taken"
    elif ran.code < 0 or "Traceback" in ran.err or len(lines) > 1:
        yield f"{what}: exit code {ran.code}: {ran.err[-150:]}"


def marker(path: Path, how: str) -> Iterable[str]:
    """Yield a line if the marker of a program that must not run is there."""
    if path.exists():
        yield f"ran: {how}"


def each(rows: Sequence[tuple[str, str]], row: str, act: Callable[[Path, str], Iterable[str]]) -> list[Attack]:
    """Return an attack for each row of a table, which has a sentence and what differs."""
    return [Attack(row, tried, lambda folder, given=given: act(folder, given)) for tried, given in rows]
