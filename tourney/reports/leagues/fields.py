"""Columns and figures that the reports on leagues share."""

from collections.abc import Callable
from math import isfinite
from operator import attrgetter
from typing import Any

from tourney.domain.league_tables import LeagueBot
from tourney.reports.render.report import Cell, Field, Look
from tourney.text.i18n import _
from tourney.text.numbers import Number


def figure(
    key: str, heading: str, decimals: int | None = None, *, priority: int = 1, look: Look = "plain"
) -> Field[Any]:
    """Return the column of a number, which the rows have under the key."""
    return Field(key, heading, attrgetter(key), "right", decimals, priority=priority, look=look)


def for_programs(key: str, value: Callable[[LeagueBot], Cell] | None = None) -> Field[LeagueBot]:
    """Return a column that only programs read."""
    return Field(key, key, value or attrgetter(key), readers="programs")


def finite(number: float) -> float | None:
    """Return the number, None for an infinite one."""
    return number if isfinite(number) else None


def percent(probability: float) -> str:
    """Return the probability with its sign, never rounded to certainty."""
    return _("{percent} %").format(percent=hundredths(probability))


def hundredths(probability: float) -> str:
    """Return the probability in per cent, never rounded to certainty."""
    percent = 100 * probability
    sign, shown = (">", 99.9) if percent > 99.9 else ("<", 0.1) if percent < 0.1 else ("", percent)
    return f"{sign}{Number(shown):.1f}"
