"""A real terminal for tests: the program in a process of its own, behind a pty. POSIX only."""

import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path
from typing import Self

CTRL_C, CTRL_D = "\x03", "\x04"
PATIENCE = 20.0
"""Seconds that a test waits for what must come."""


class Terminal:
    """Obeys a command line; `wait` and `see` read until something is shown, `type` presses keys.

    It is 80 columns wide unless told otherwise. Standard output may go to a file instead.
    """

    def __init__(self, *words: str, output: Path | None = None, columns: int = 80, **env: str) -> None:
        self.shown = ""
        self._read_to = 0
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            if output is not None:
                os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
            # A test run in the background has its interrupts ignored, and so would the program have.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            termios.tcsetwinsize(0, (25, columns))
            own = {"LANGUAGE": "en", "TERM": "dumb", "PYTHONWARNINGS": "ignore", **env}
            os.environ.pop("COLUMNS", None)
            os.execve(sys.executable, [sys.executable, "-m", "tourney", *words], {**os.environ, **own})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._end)

    def wait(self, wanted: str) -> None:
        """Read on until this is shown, behind what was waited for before."""
        self.see(wanted)
        self._read_to = self.shown.index(wanted, self._read_to) + len(wanted)

    def see(self, *wanted: str) -> str:
        """Which of these is shown first; what is waited for next may stand before it."""
        until = time.monotonic() + PATIENCE
        while True:
            new = self.shown[self._read_to :]
            there = [one for one in wanted if one in new]
            if there:
                return min(there, key=new.index)
            assert time.monotonic() < until, f"no {wanted!r} in {new!r}"
            assert self._more(), f"it ended without {wanted!r}: {new!r}"

    def type(self, line: str) -> None:
        """A line with its Enter."""
        self.press(line + "\n")

    def press(self, keys: str) -> None:
        """Keys as they are."""
        os.write(self._end, keys.encode())

    def signal(self, number: int) -> None:
        """A signal to the program."""
        os.kill(self._pid, number)

    def code(self) -> int:
        """Reads to the end; the exit code."""
        while self._more():
            pass
        until = time.monotonic() + PATIENCE
        while not (ended := os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
            if time.monotonic() > until:
                os.kill(self._pid, signal.SIGKILL)
                raise AssertionError(f"it does not end; it shows {self.shown[-500:]!r}")
            time.sleep(0.01)
        assert ended is not None
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def _more(self) -> bool:
        """Takes what has come; False at the end."""
        if not select.select([self._end], [], [], PATIENCE)[0]:
            return False
        try:
            data = os.read(self._end, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.shown += data.decode().replace("\r\n", "\n")
        return bool(data)
