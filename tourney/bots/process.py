"""A child process that speaks in lines: pipes with deadlines, and an end that it cannot refuse.

The child leads a session and a process group of its own, which is killed as a whole. Should this process be killed
itself, the keeper ends the children.
"""

import atexit
import os
import select
import sys
from codecs import BOM_UTF8
from contextlib import suppress
from functools import cache
from multiprocessing import util
from time import monotonic, sleep

from tourney.bots.faults import DIED, NO_ANSWER, SLOW, UNREADABLE, BotFault, cut
from tourney.bots.isolation.enclosure import Walled
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

CHUNK = 1 << 16
"""The most bytes read at once."""
MOST_DRAINED = 32
"""The number of reads of standard error at once: more than a pipe holds, and an end to a flood."""
LEAVE_SECONDS = 0.1
"""The time that a child has to end after `bye`."""
POLL_SECONDS = 0.002

_leaving: list[tuple[float, "Child"]] = []
"""Children that have been told to end, and until when they may."""


def refuse_on_windows() -> None:
    """Raise TourneyError USAGE where no bot can have a process of its own."""
    if sys.platform == "win32":
        raise TourneyError(
            ExitCode.USAGE,
            _("programs, WebAssembly modules, and classes in a process of their own cannot play on Windows"),
            _("use a Python class without --isolation, such as mine.py:Mine, or another system"),
        )


class Child:
    """A program behind a wall; all that it says is text in lines.

    Raises OSError if it cannot be started.
    """

    def __init__(self, walled: Walled) -> None:
        _end_at_exit(os.getpid())
        end_leaving()
        self._limits = walled.limits
        self._process = walled.popen()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._input, self._output, self._errors = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._errors, select.POLLIN)
        self._said = b""
        self._answered = 0
        self._skipping = False
        self._stderr = b""

    def begun(self) -> None:
        """Wait until the program has begun. Raises OSError if it cannot begin."""
        self._process.begun()

    @property
    def stderr(self) -> str:
        """The end of what the program wrote to its standard error."""
        return self._stderr.decode("utf-8", "replace")

    def last_errors(self) -> str:
        """Return what is kept of the standard error of a program that is to end, once it has, or its time is over."""
        self._epitaph()
        return self.stderr

    def errors(self) -> str:
        """Return the end of what a program that may run on has written to its standard error so far."""
        self._drain_errors()
        return self.stderr

    def forget_errors(self) -> None:
        """Forget what the program has written to its standard error so far."""
        self._drain_errors()
        self._stderr = b""

    def send(self, text: str, deadline: float) -> None:
        """Send the text; BotFault if the program is gone, or has not read it by the deadline."""
        rest = text.encode()
        self._answered = 0
        while True:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                self._wait_to_send(deadline)
            except OSError:
                raise BotFault(DIED, self._epitaph()) from None
            if not rest:
                return

    def receive(self, deadline: float) -> str:
        """Return the next line, without its end; BotFault if there is none by the deadline, or none that can be read.

        A line is too long as soon as all lines since the last `send` have more bytes than an answer may have; the
        rest of that line is thrown away.
        """
        is_late = False
        while True:
            line, end, rest = self._said.partition(b"\n")
            if end:
                self._said = rest
                self._answered += len(line) + 1
                if self._skipping:
                    self._skipping = False
                    continue
                if self._answered > self._limits.answer:
                    raise self._too_long()
                return _decoded(line)
            if self._skipping:
                self._said = b""
            elif self._answered + len(line) > self._limits.answer:
                self._said, self._skipping = b"", True
                raise self._too_long()
            if is_late:
                raise BotFault(SLOW, self.unended or NO_ANSWER)
            is_late = monotonic() > deadline  # what has come by then is read once more
            self._read(deadline)

    def _too_long(self) -> BotFault:
        return BotFault(UNREADABLE, f"an answer of more than {self._limits.answer} bytes", grave=True)

    def _wait_to_send(self, deadline: float) -> None:
        """Wait until the program reads; meanwhile its standard error is emptied, so that it is not the one to wait."""
        left = deadline - monotonic()
        if left <= 0:
            raise BotFault(SLOW, "does not read what it is told")
        poll = select.poll()
        poll.register(self._input, select.POLLOUT)
        poll.register(self._errors, select.POLLIN)
        ready = poll.poll(left * 1000)
        if any(pipe == self._errors for pipe, _event in ready) and not self._read_errors():
            select.select([], [self._input], [], max(0.0, min(left, LEAVE_SECONDS)))

    def _read(self, deadline: float) -> None:
        """Read what the program says until the deadline."""
        ready = self._poll.poll(max(0.0, deadline - monotonic()) * 1000)
        if not ready:
            raise BotFault(SLOW, self.unended or NO_ANSWER)
        for pipe, _event in ready:
            if pipe == self._errors:
                self._read_errors()
            else:
                said = os.read(pipe, CHUNK)
                if not said:
                    raise BotFault(DIED, self._epitaph())
                self._said += said

    @property
    def unended(self) -> str:
        """The fault of an answer of which only a part is there; '' if there is none."""
        return f"“{cut(self._said.decode('utf-8', 'replace'))}” has no line feed at its end" if self._said else ""

    def _read_errors(self) -> bool:
        """Keep the end of the standard error; return whether the program can still write there."""
        try:
            errors = os.read(self._errors, CHUNK)
        except BlockingIOError:
            return True
        if errors:
            self._stderr = (self._stderr + errors)[-self._limits.stderr :]
            return True
        self._poll.unregister(self._errors)
        return False

    def _epitaph(self) -> str:
        """Return how the program ended, with the last line of its standard error that is no line of a trace."""
        until = monotonic() + LEAVE_SECONDS / 2
        while not (ended := self._exit()) and monotonic() < until:
            sleep(POLL_SECONDS)
        self._drain_errors()
        lines = [line.strip() for line in self.stderr.splitlines() if not line.lstrip().startswith("at ")]
        last = next(filter(None, reversed(lines)), "")
        return ": ".join(filter(None, (ended or "closed its output", last)))

    def _drain_errors(self) -> None:
        with suppress(OSError):
            for _time in range(MOST_DRAINED):
                self._stderr = (self._stderr + os.read(self._errors, CHUNK))[-self._limits.stderr :]

    def _exit(self) -> str:
        """Return how the program ended, '' if it runs."""
        try:
            code = self._process.ended()
        except OSError as error:
            return f"cannot be started: {error.strerror}"
        if code is None:
            return ""
        return f"ended with exit code {code}" if code >= 0 else f"ended by signal {-code}"

    def leave(self, farewell: str) -> None:
        """Say farewell, and let the program end by itself; it is killed when LEAVE_SECONDS are over."""
        with suppress(OSError):
            os.write(self._input, farewell.encode())
        assert self._process.stdin is not None
        self._process.stdin.close()
        _leaving.append((monotonic() + LEAVE_SECONDS, self))

    def close_input(self) -> None:
        """Let the program read the end of its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def kill(self) -> None:
        """Kill the program with all that it has started, and wait for it."""
        self._process.end()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def leave_by(self, until: float) -> None:
        """Wait for a program that has been told to end, if a later game could tell that it still runs."""
        self._process.leave_by(until)

    @property
    def gone(self) -> bool:
        """True if the program has ended by itself."""
        return bool(self._exit())


@cache
def _end_at_exit(process: int) -> None:
    """Let this process end all its programs before it ends, however its games ended."""
    atexit.register(_end_all, process)
    util.Finalize(None, _end_all, (process,), exitpriority=0)  # those of a pool run no `atexit`


def _end_all(process: int) -> None:
    if process == os.getpid():
        end_leaving(at_once=True)


def end_leaving(at_once: bool = False) -> None:
    """Kill what is left of the programs that have ended, and those that had time to; `at_once`, all.

    Those that are followed by another game from the same server have ended then.
    """
    staying = []
    for until, child in _leaving:
        if not at_once:
            child.leave_by(until)
        if at_once or monotonic() >= until or child.gone:
            child.kill()
        else:
            staying.append((until, child))
    _leaving[:] = staying


def _decoded(line: bytes) -> str:
    if line.startswith(BOM_UTF8):
        raise BotFault(UNREADABLE, "an answer that begins with a byte order mark")
    try:
        return line.decode().rstrip("\r")
    except UnicodeDecodeError:
        raise BotFault(UNREADABLE, "an answer that is not UTF-8") from None
