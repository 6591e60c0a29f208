"""Time limits: interrupt a bot that never answers, so that its league can continue.

While a block is played an alarm ticks, and ticks are counted, not seconds: a stopped process or a sleeping computer
costs no bot any time. Interrupting needs signals, which Windows and other threads than the main one do not have, and a
bot in Python: compiled code that hangs is waited for.
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

MIN_TICKS = 10
"""The fewest ticks in a time limit; a tick is a second at most."""
_STOPPED = -(10**12)
"""Ticks while no bot is thinking: no counting from here reaches a limit."""


class OutOfTime(BaseException):
    """A bot has not answered. Not an `Exception`, so that the bot itself does not catch it."""


@dataclass(slots=True)
class ThinkingClock:
    """Count ticks since a bot began to think, up to a limit in seconds."""

    limit: float
    ticks: int = _STOPPED

    @property
    def tick_seconds(self) -> float:
        """The time between two ticks."""
        return min(1.0, self.limit / MIN_TICKS)

    def tick(self, _number: int, frame: FrameType | None) -> None:
        """Count a tick; raise OutOfTime at the limit, and again at each tick after it."""
        self.ticks += 1
        if self.is_over:
            where = f" in line {frame.f_lineno} of {os.path.basename(frame.f_code.co_filename)}" if frame else ""
            raise OutOfTime(f"no answer within {self.limit:g} s{where}; it is out of this game")

    @property
    def is_over(self) -> bool:
        """Return whether the limit is reached."""
        return self.ticks * self.tick_seconds >= self.limit

    def stop(self) -> None:
        """Count for nobody until the next bot begins to think."""
        self.ticks = _STOPPED

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Count within the block. Raises OutOfTime at its end if a bot swallowed it and went on."""
        self.ticks = 0
        try:
            yield
            self.refuse_late()
        finally:
            self.ticks = _STOPPED

    def refuse_late(self) -> None:
        """Raise OutOfTime if the limit is reached: a bot may have swallowed the error, and have gone on."""
        if self.is_over:
            raise OutOfTime(f"no answer within {self.limit:g} s; it is out of this game")


def timed(bot: Bot, clock: ThinkingClock) -> Bot:
    """Return the bot, timed by that clock. A compiled bot receives no alarm and is returned unchanged."""
    return _TimedBot(bot, clock) if isinstance(type(bot).choose, FunctionType) else bot


class _TimedBot:
    """A bot whose thinking is timed."""

    __slots__ = ("_bot", "_clock")

    def __init__(self, bot: Bot, clock: ThinkingClock) -> None:
        self._bot, self._clock = bot, clock

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the bot's action. Raises OutOfTime, and whatever the bot raises."""
        clock = self._clock
        clock.ticks = 0
        try:
            answer = self._bot.choose(view, legal)
            if clock.ticks > 0:
                clock.refuse_late()
            return answer
        finally:
            clock.ticks = _STOPPED

    def answer(self, offer: Offer) -> Answer:
        """Return the bot's answer. Raises OutOfTime, and whatever the bot raises."""
        clock = self._clock
        clock.ticks = 0
        try:
            answer = self._bot.answer(offer)
            if clock.ticks > 0:
                clock.refuse_late()
            return answer
        finally:
            clock.ticks = _STOPPED


@contextmanager
def thinking_clock(limit: float) -> Iterator[ThinkingClock]:
    """Run a clock within the `with` block, with a limit in seconds; where there are no signals it does not tick."""
    clock = ThinkingClock(limit)
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield clock
        return
    before = signal.signal(signal.SIGALRM, clock.tick)
    signal.setitimer(signal.ITIMER_REAL, clock.tick_seconds, clock.tick_seconds)
    try:
        yield clock
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
