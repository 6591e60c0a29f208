"""Bots that fail, for tests of leagues: the maker `failing_bots` makes one wherever a league names `random`."""

import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, cast

from engine.actions import CLAIM, DISCARDS, Action, Answer
from engine.bots import Bot, make_bot
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.view import View

Failure = Literal["raises", "illegal", "nothing", "hangs"]


def _let_time_pass() -> None:
    """Tick, as the timer does: a bot is out of time after so many ticks, and others have none, however busy it is."""
    signal.raise_signal(signal.SIGALRM)


class FailingBot:
    """A greedy bot that fails at every fifth action."""

    def __init__(self, seed: str, how: Failure) -> None:
        self._greedy, self._how, self._actions = make_bot("greedy", seed), how, 0

    def choose(self, view: View, legal: Legal) -> Action:
        """Return a greedy action, or fail."""
        self._actions += 1
        if self._actions % 5:
            return self._greedy.choose(view, legal)
        if self._how == "raises":
            raise ZeroDivisionError("by nought")
        while self._how == "hangs":
            with suppress(Exception):
                _let_time_pass()
        if self._how == "illegal":
            return next(action for action in (CLAIM, *DISCARDS) if action not in legal)
        return cast("Action", None)  # The failure "nothing" breaks the promise of the type.

    def answer(self, offer: Offer) -> Answer:
        """Fail, or never answer."""
        while self._how == "hangs":
            _let_time_pass()
        raise LookupError("no answer")


def failing_bots(how: Failure) -> Callable[[str, str], Bot]:
    """Return a maker of bots by name and seed: a failing bot for the name `random`, else the built-in one."""

    def make(name: str, seed: str) -> Bot:
        return FailingBot(seed, how) if name == "random" else make_bot(name, seed)

    return make
