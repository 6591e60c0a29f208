"""Limits of a bot from outside, and the clock that spends them.

A bot has some seconds for every action. What it needs beyond them is taken from its bank, which lasts for one game;
when that is empty, the fallback plays.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from time import monotonic
from typing import Any

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

MOST_SECONDS = 1_000_000.0
"""The longest limit in seconds; the shortest is above 0, but for the bank, which may be empty."""
MOST_BYTES = 1 << 24
"""The largest limit in bytes of what a bot says."""
MOST_WHOLE = 1 << 50
"""The largest limit of memory and fuel."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a bot: seconds for an action, for its bank and for its start, and bytes.

    `stderr` is how much of its standard error is kept, `answer` how much it may say for one ask, `memory` its address
    space. `fuel` is what a WebAssembly module may spend for one answer, in place of seconds. Raises TourneyError USAGE
    for a limit that is no limit.
    """

    action: float = 2.0
    bank: float = 30.0
    start: float = 10.0
    stderr: int = 64 * 1024
    answer: int = 4 * 1024
    memory: int = 3 << 30
    fuel: int = 1_000_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            most = _most(field.name)
            if not (0 < value <= most or (field.name == "bank" and value == 0)):
                message = _("{value} is not a valid limit for “{name}”").format(value=str(value)[:40], name=field.name)
                hint = _("give a number above 0 and up to {most}").format(most=f"{most:.0f}")
                raise TourneyError(ExitCode.USAGE, message, hint)


def _most(name: str) -> float:
    """Return the largest value of a limit."""
    if name in ("memory", "fuel"):
        return MOST_WHOLE
    return MOST_BYTES if name in ("stderr", "answer") else MOST_SECONDS


def larger_limits(chosen: Iterable[tuple[str, float]]) -> str:
    """Return the chosen limits that give a bot more than the default ones, as text; "" if none does."""
    default = Limits()
    return ", ".join([f"{name} = {value:,}" for name, value in chosen if value > getattr(default, name)])


def limits_of(chosen: Iterable[tuple[str, float]]) -> Limits:
    """Return the limits with those that were chosen by name. Raises TourneyError USAGE for one that is no limit."""
    whole = [field.name for field in fields(Limits) if isinstance(field.default, int)]
    values: dict[str, Any] = {
        name: int(value) if name in whole and abs(value) < math.inf else value for name, value in chosen
    }
    return Limits(**values)


class TimeBank:
    """The time that a bot has left in a game."""

    __slots__ = ("_limits", "bank")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.bank = limits.bank

    @property
    def allowed(self) -> float:
        """The seconds after which the next answer is late."""
        return self._limits.action + self.bank

    def spend(self, seconds: float) -> None:
        """Take from the bank what an answer needed beyond the limit of an action."""
        if seconds > self._limits.action:
            self.bank = max(0.0, self.bank - (seconds - self._limits.action))

    def deadline(self) -> float:
        """Return when an answer asked for now is late, by the monotonic clock."""
        return monotonic() + self.allowed
