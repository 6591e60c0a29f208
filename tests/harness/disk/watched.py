"""Programs whose operations on files are written down, or that are killed at one of them: `shim.c` does both.

Most commands are forked from a process that has imported the program, and so begin in milliseconds; each is a process
of its own, which ends by itself or by SIGKILL. Linux with a C compiler only.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal
from unittest.mock import patch

from tests.campaigns.campaign import LackingError

ROOT = Path(__file__).resolve().parents[3]
SHIM = Path(__file__).with_name("shim.c")

When = Literal[0, 1, 2]
"""Kill before an operation, in the middle of it (after half of a write), or after it."""


@dataclass(frozen=True, slots=True)
class Watch:
    """The folder that is watched, where its operations are written down, which of them kills, and a wrong clock."""

    folder: Path
    log: Path | None = None
    kill: int = 0
    when: When = 0
    clock: int = 0
    obeys: bool = False
    """True for a program that obeys the permissions of files, though root runs it; for forked ones only."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables that `shim.c` reads."""
        log = "" if self.log is None else str(self.log)
        values = {"ROOT": self.folder, "LOG": log, "KILL": self.kill, "HOW": self.when, "CLOCK": self.clock}
        return {f"SHIM_{name}": str(value) for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Ended:
    """The exit code of a program, or minus the signal that ended it, and its output."""

    code: int
    out: str
    err: str

    @property
    def refusal(self) -> list[str]:
        """The lines that it wrote to standard error, but for warnings: one and a hint where it was refused."""
        return [line for line in self.err.splitlines() if not line.startswith("warning: ")]


@cache
def shim() -> Path:
    """Compile the shim once in a process. Raises LackingError where that is impossible."""
    if sys.platform != "linux":
        raise LackingError("programs are watched on Linux only")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise LackingError("there is no C compiler")
    built = Path(_folder().name) / "shim.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(built), str(SHIM)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LackingError(f"the C compiler fails: {done.stderr.splitlines()[0]}")
    return built


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="shim-")


def home_in(folder: Path) -> str:
    """Return the place of the user's data for programs in a folder: an accident reaches the list of mirrors too."""
    return str(folder / "data")


@contextmanager
def at_home_in(folder: Path) -> Iterator[None]:
    """Let this process have the user's data where programs in that folder have them."""
    with patch.dict(os.environ, XDG_DATA_HOME=home_in(folder)):
        yield


class Programs:
    """Starts commands: `run` and `start` fork them, `run_anew` starts Python for one."""

    def __init__(self, outputs: Path) -> None:
        self._outputs, self._number = outputs, 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "LD_PRELOAD": str(shim()), "PYTHONPATH": str(ROOT), "TOURNEY_LANG": "en"}

    def _ask(self, **order: object) -> int:
        if self._process is None:
            command = [sys.executable, "-m", "tests.harness.disk.forking"]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self._process = subprocess.Popen(command, env=self._environment, text=True, cwd=ROOT, **pipes)
        to, answers = self._process.stdin, self._process.stdout
        assert to is not None
        assert answers is not None
        to.write(json.dumps(order) + "\n")
        to.flush()
        answer = answers.readline()
        assert answer, "the process that forks programs has ended"
        return int(answer)

    def start(self, words: Sequence[str], watch: Watch, folder: Path) -> "Running":
        """Start a command in a folder, with its database `club.db`."""
        self._number += 1
        output = self._outputs / str(self._number)
        for name in ("out", "err"):
            Path(f"{output}.{name}").touch()
        order = {
            "words": words,
            "folder": str(folder),
            "home": home_in(folder),
            "output": str(output),
            "shim": watch.environment,
            "obeys": watch.obeys,
        }
        return Running(self, self._ask(**order), output)

    def run(self, words: Sequence[str], watch: Watch, folder: Path) -> Ended:
        """Run a command to its end."""
        return self.start(words, watch, folder).ended()

    def run_anew(self, words: Sequence[str], watch: Watch, folder: Path) -> Ended:
        """Run a command as people do: `python -m tourney` in a process that is not forked from another."""
        environment = {**self._environment, **watch.environment, "TOURNEY_DB": str(folder / "club.db")}
        environment["XDG_DATA_HOME"] = home_in(folder)
        command = [sys.executable, "-m", "tourney", *words]
        streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8"}
        done = subprocess.run(command, env=environment, cwd=folder, check=False, **streams)
        return Ended(done.returncode, done.stdout, done.stderr)

    def close(self) -> None:
        """End the process that forks programs."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()


@dataclass(frozen=True, slots=True)
class Running:
    """A program that was started, and the beginning of the names of the files of its output."""

    programs: Programs
    pid: int
    output: Path

    @property
    def said(self) -> str:
        """Return what is written to standard output and standard error so far."""
        return self._text("out") + self._text("err")

    def _text(self, name: str) -> str:
        return Path(f"{self.output}.{name}").read_text(encoding="utf-8")

    @property
    def has_ended(self) -> bool:
        """Return whether the program has ended and waits for `ended`."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"

    def ended(self) -> Ended:
        """Wait for its end."""
        code = self.programs._ask(wait=self.pid, output=str(self.output))
        found = Ended(code, self._text("out"), self._text("err"))
        for name in ("out", "err"):
            Path(f"{self.output}.{name}").unlink()
        return found


@contextmanager
def programs() -> Iterator[Programs]:
    """Yield what starts programs. Raises LackingError where they cannot be watched."""
    shim()
    with tempfile.TemporaryDirectory(prefix="output-") as folder:
        starting = Programs(Path(folder))
        try:
            yield starting
        finally:
            starting.close()


def fast_folder() -> str | None:
    """Return a folder in memory for databases, where the system has one, so that no disk is waited for."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def wait_for(running: Running, text: str, seconds: float = 600.0) -> str | None:
    """Wait until a program has written the text, and return all that it has written; None if it has ended before."""
    end = time.monotonic() + seconds
    while text not in running.said:
        if running.has_ended:
            return None
        assert time.monotonic() < end, running.said
        time.sleep(0.005)
    return running.said
