"""Ctrl-C and other words to end: where they may break off what is going on, and where they wait.

By itself Python raises KeyboardInterrupt between any two steps: also between a commit and whoever is to know of it,
or while a connection is being closed. `held` keeps it away from a block, `heard` lets it in at a place inside.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from types import FrameType
from typing import Literal

ENDINGS = (signal.SIGINT, signal.SIGTERM) if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Words to end: Ctrl-C, a program that is told so, a terminal that is closed. (Windows ends it then at once.)"""


def _nobody() -> None:
    """Nobody is told."""


@dataclass(slots=True)
class _Door:
    """Where signals come in; one for the process, as they are."""

    open: bool = True
    held: bool = False
    deaf: bool = False
    waiting: bool = False
    bell: Literal["none", "silent", "rung"] = "none"
    told: Callable[[], None] = _nobody

    def knock(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Breaks off what goes on; behind a shut door it waits."""
        if self.deaf:
            return
        if self.bell == "silent":
            self.bell = "rung"
            self.told()
            return
        self.waiting = not self.open
        if self.open:
            # What is held is broken off once: then it ends undisturbed.
            self.open = not self.held
            raise KeyboardInterrupt

    def let_in(self) -> None:
        """Hears what has been waiting, if the door is open."""
        if self.waiting:
            self.knock()


_door = _Door()


@contextmanager
def listening(*signals: int) -> Iterator[None]:
    """Within the block these signals break off as Ctrl-C does, and keep to `held`. Who ignores one goes on so.

    Only the main thread is told of signals: in another nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.getsignal(one) for one in signals if signal.getsignal(one) is not signal.SIG_IGN}
    state, hook = astuple(_door), sys.unraisablehook
    try:
        sys.unraisablehook = _unraisable
        for one in before:
            signal.signal(one, _door.knock)
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        sys.unraisablehook = hook
        _door.open, _door.held, _door.deaf, _door.waiting, _door.bell, _door.told = state


@contextmanager
def held() -> Iterator[None]:
    """An interrupt that comes within the block is heard at its end, or where `heard` lets it in."""
    before = _door.open, _door.held
    _door.open, _door.held = False, True
    try:
        yield
    finally:
        _door.open, _door.held = before
    _door.let_in()


@contextmanager
def heard() -> Iterator[None]:
    """Here what is held may be broken off, as where it waits. The first interrupt comes through, others wait."""
    before = _door.open
    try:
        _door.open = True
        _door.let_in()
        yield
    finally:
        _door.open = before


@contextmanager
def finishing(told: Callable[[], None] = _nobody) -> Iterator[Callable[[], bool]]:
    """Within the block the first interrupt breaks nothing off: it only asks to come to an end, calls `told` between any
    two steps of what goes on, and the function given says whether it has. The second one breaks off as everywhere.
    """
    before = _door.bell, _door.told
    _door.bell, _door.told = "silent", told
    try:
        yield lambda: _door.bell == "rung"
    finally:
        _door.bell, _door.told = before


def ignore() -> None:
    """What goes on is the end: until `listening` is over nothing is heard any more."""
    _door.deaf = True


def _unraisable(fault: "sys.UnraisableHookArgs") -> None:
    """An interrupt that fell where Python cannot raise it waits for the next place where it is heard."""
    if isinstance(fault.exc_value, KeyboardInterrupt):
        _door.waiting = True
    else:
        sys.__unraisablehook__(fault)
