"""Run the program in a process of its own at a real terminal, a pseudo-terminal (pty). POSIX only."""

import codecs
import fcntl
import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path
from typing import Self

import psutil

CTRL_C, CTRL_D = "\x03", "\x04"
MAX_SECONDS = 300.0
"""The most seconds that a test waits for expected output, which only end a hang."""


class Terminal:
    """A terminal in which a command line runs: `wait` and `see` read until a text is shown, `type` presses keys.

    The terminal has 80 columns and 25 lines by default. Standard output goes to the file `output` if one is given.
    """

    def __init__(self, *words: str, output: Path | None = None, columns: int = 80, lines: int = 25, **env: str) -> None:
        self.shown = ""
        self._read_to = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            if output is not None:
                os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
            # A test run in the background ignores interrupts and hang-ups, and the program would inherit that.
            for number in (signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            termios.tcsetwinsize(0, (lines, columns))
            variables = {"TOURNEY_LANG": "en", "TERM": "dumb", "PYTHONWARNINGS": "ignore", **env}
            os.environ.pop("COLUMNS", None)
            os.execve(sys.executable, [sys.executable, "-m", "tourney", *words], {**os.environ, **variables})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._end)

    def wait(self, text: str) -> None:
        """Read until the text is shown after the text of the previous `wait`."""
        self.see(text)
        self._read_to = self.shown.index(text, self._read_to) + len(text)

    def see(self, *texts: str) -> str:
        """Read until one of the texts is shown and return it; the next `wait` still starts after the previous one."""
        until = time.monotonic() + MAX_SECONDS
        while True:
            new = self.shown[self._read_to :]
            shown = [text for text in texts if text in new]
            if shown:
                return min(shown, key=new.index)
            assert time.monotonic() < until, f"no {texts!r} in {new!r}"
            assert self._read_more(), f"the program ended without {texts!r}: {new!r}"

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        self.press(line + "\n")

    def press(self, keys: str) -> None:
        """Press keys, given as the characters that they send."""
        os.write(self._end, keys.encode())

    def until_read(self) -> None:
        """Wait until the program has read all lines that were typed and shown."""
        program = os.open(psutil.Process(self._pid).terminal(), os.O_RDWR | os.O_NOCTTY)
        while any(fcntl.ioctl(program, termios.FIONREAD, bytes(4))):
            time.sleep(0.01)
        os.close(program)

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size, of which the program is informed by SIGWINCH."""
        termios.tcsetwinsize(self._end, (lines, columns))

    def signal(self, number: int) -> None:
        """Send a signal to the program."""
        os.kill(self._pid, number)

    def code(self) -> int:
        """Read to the end of the output and return the exit code."""
        while self._read_more():
            pass
        until = time.monotonic() + MAX_SECONDS
        while not (ended := os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
            if time.monotonic() > until:
                os.kill(self._pid, signal.SIGKILL)
                raise AssertionError(f"the program does not end; it shows {self.shown[-500:]!r}")
            time.sleep(0.01)
        assert ended is not None
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def _read_more(self) -> bool:
        """Read the output that is available; return False at its end."""
        if not select.select([self._end], [], [], MAX_SECONDS)[0]:
            return False
        try:
            data = os.read(self._end, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        # What is read may end within a letter or a line end.
        self.shown = (self.shown + self._decoder.decode(data)).replace("\r\n", "\n")
        return bool(data)
