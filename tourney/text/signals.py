"""Ctrl-C and other termination signals: where they may interrupt the work, and where they wait.

By itself Python raises KeyboardInterrupt between any two steps, even between a commit and the report of it, or while a
connection is being closed. `deferred` keeps interrupts out of a block, `interruptible` lets them into a part of it.
"""

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from types import FrameType
from typing import Literal, TextIO

ENDINGS = (signal.SIGINT, signal.SIGTERM) if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a request to terminate, a closed terminal (for which Windows ends the program at once)."""


def _nothing() -> None:
    """Do nothing."""


@dataclass(slots=True)
class _Gate:
    """The state of signal handling; there is one gate, since signals belong to the process."""

    open: bool = True
    deferred: bool = False
    ignoring: bool = False
    waiting: bool = False
    stop: Literal["at once", "on request", "requested"] = "at once"
    on_request: Callable[[], None] = _nothing
    raised: bool = False

    def receive(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Interrupt the work, or wait while interrupts are deferred."""
        if self.ignoring:
            return
        if self.stop == "on request":
            self.stop = "requested"
            self.on_request()
            return
        self.waiting = not self.open
        if self.open:
            # Deferred work is interrupted only once, so that its cleanup is not.
            self.open = not self.deferred
            self.raised = True
            raise KeyboardInterrupt

    def deliver(self) -> None:
        """Deliver an interrupt that has been waiting."""
        if self.waiting:
            self.receive()


_gate = _Gate()


def _receives_signals() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def listening(*signals: int) -> Iterator[None]:
    """Let `signals` interrupt the block as Ctrl-C does; signals that the process ignores stay ignored.

    Only the main thread receives signals: in another thread nothing changes.
    """
    if not _receives_signals():
        yield
        return
    before = {number: signal.getsignal(number) for number in signals if signal.getsignal(number) is not signal.SIG_IGN}
    state, hook = astuple(_gate), sys.unraisablehook
    try:
        sys.unraisablehook = _unraisable
        for number in before:
            signal.signal(number, _gate.receive)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
        for name, value in zip(_Gate.__slots__, state, strict=True):
            setattr(_gate, name, value)


@contextmanager
def deferred() -> Iterator[None]:
    """Defer interrupts to the end of the block, or to the next part of it that is `interruptible`.

    An interrupt is never delivered to another thread than the main one: there it would end that thread's work alone.
    """
    if not _receives_signals():
        yield
        return
    before = _gate.open, _gate.deferred
    _gate.open, _gate.deferred = False, True
    try:
        yield
    finally:
        _gate.open, _gate.deferred = before
    _gate.deliver()


def is_interrupted() -> bool:
    """Return whether an interrupt waits to be delivered."""
    return _gate.waiting


@contextmanager
def interruptible() -> Iterator[None]:
    """Let interrupts into this part of a deferred block. The first interrupt is delivered, later ones wait."""
    if not _receives_signals():
        yield
        return
    before = _gate.open
    try:
        _gate.open = True
        _gate.deliver()
        yield
    finally:
        _gate.open = before


def read_typed_line(terminal: TextIO) -> str:
    """Read a line that is typed at a terminal; an interrupt raises KeyboardInterrupt, as in `interruptible`.

    Python notices a signal between two steps of its own, or when a system call that waits is ended by it. A signal that
    comes between the last step and the call would wait for the next line, so each signal also writes into a pipe, and
    the program waits for the terminal or the pipe.
    """
    if sys.platform == "win32":  # where `select` waits for sockets only
        with interruptible():
            return terminal.readline()
    with _signal_pipe() as pipe, interruptible():
        select.select([terminal.fileno(), pipe], [], [])
        return terminal.readline()


@contextmanager
def _signal_pipe() -> Iterator[int]:
    """Yield the end to read from of a pipe into which each signal of the block writes."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    try:
        yield read_end
    finally:
        signal.set_wakeup_fd(before)
        os.close(read_end)
        os.close(write_end)


@contextmanager
def stop_on_request(on_request: Callable[[], None] = _nothing) -> Iterator[Callable[[], bool]]:
    """Turn the first interrupt of the block into a request to stop; yield a function that reports such a request.

    `on_request` is called with the request, between any two steps of the work. A second interrupt interrupts as usual.
    """
    before = _gate.stop, _gate.on_request
    _gate.stop, _gate.on_request = "on request", on_request
    try:
        yield lambda: _gate.stop == "requested"
    finally:
        _gate.stop, _gate.on_request = before


def is_from_person(interrupt: BaseException) -> bool:
    """Return whether an error is an interrupt of a person, and not one that a program raised by itself.

    Where another handler than ours receives Ctrl-C, every KeyboardInterrupt is taken for one of a person.
    """
    handler = signal.getsignal(signal.SIGINT)
    ours = handler == _gate.receive or handler is signal.SIG_IGN
    return isinstance(interrupt, KeyboardInterrupt) and (_gate.raised or not ours)


def ignore() -> None:
    """Ignore signals until `listening` ends: the program is about to exit."""
    _gate.ignoring = True


def _unraisable(fault: "sys.UnraisableHookArgs") -> None:
    """Keep an interrupt that Python could not raise, until it can be delivered."""
    if isinstance(fault.exc_value, KeyboardInterrupt):
        _gate.waiting = True
    else:
        sys.__unraisablehook__(fault)
