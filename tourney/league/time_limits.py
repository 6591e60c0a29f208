"""How long a bot may think: one that never answers is broken off, and its league goes on.

While a block is played an alarm ticks, and ticks are counted, not seconds: a process that was stopped, or a computer
that slept, takes time from nobody. Breaking off needs signals, which Windows and other threads than the main one do not
have, and a bot that is Python: what hangs in compiled code is waited for.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, FunctionType

from engine.actions import Action, Answer
from engine.bots import Bot
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.view import View

TICKS = 10
"""In so many parts at least the time is counted; a tick is a second at most."""
_NEVER = -(10**12)
"""Ticks where nobody thinks: no counting comes from here to what a bot may think."""


class OutOfTime(BaseException):
    """A bot has not answered. No `Exception`, lest the bot itself take it for one of its own."""


@dataclass(slots=True)
class Watch:
    """Counts the ticks since somebody began to think, who may think so many seconds."""

    patience: float
    ticks: int = _NEVER

    @property
    def tick_seconds(self) -> float:
        """Between two ticks."""
        return min(1.0, self.patience / TICKS)

    def tick(self, _number: int, frame: FrameType | None) -> None:
        """Another one; raises OutOfTime where a bot has had its time, and again at each that follows."""
        self.ticks += 1
        if self.ticks * self.tick_seconds >= self.patience:
            where = f" in line {frame.f_lineno} of {os.path.basename(frame.f_code.co_filename)}" if frame else ""
            raise OutOfTime(f"no answer within {self.patience:g} s{where}; it is out of this game")

    def rest(self) -> None:
        """Nobody thinks."""
        self.ticks = _NEVER


def watched(bot: Bot, watch: Watch) -> Bot:
    """The bot under that watch. One that is compiled hears no alarm, and is given as it is."""
    return _Watched(bot, watch) if isinstance(type(bot).choose, FunctionType) else bot


class _Watched:
    """A bot with somebody who looks at the clock; its answers are its own."""

    __slots__ = ("_bot", "_watch")

    def __init__(self, bot: Bot, watch: Watch) -> None:
        self._bot, self._watch = bot, watch

    def choose(self, view: View, legal: Legal) -> Action:
        """Its act. Raises OutOfTime, and whatever it raises."""
        self._watch.ticks = 0
        try:
            return self._bot.choose(view, legal)
        finally:
            self._watch.ticks = _NEVER

    def answer(self, offer: Offer) -> Answer:
        """Its answer. Raises OutOfTime, and whatever it raises."""
        self._watch.ticks = 0
        try:
            return self._bot.answer(offer)
        finally:
            self._watch.ticks = _NEVER


@contextmanager
def watching(patience: float) -> Iterator[Watch]:
    """A watch that goes within the block, for bots that may think so many seconds; without signals it stands still."""
    watch = Watch(patience)
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield watch
        return
    before = signal.signal(signal.SIGALRM, watch.tick)
    signal.setitimer(signal.ITIMER_REAL, watch.tick_seconds, watch.tick_seconds)
    try:
        yield watch
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
