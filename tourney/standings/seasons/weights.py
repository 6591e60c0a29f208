"""Weights of events in a season, and how they fall with age. A new rule for weights is one entry of `WEIGHTS`."""

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tourney.domain.seasons import CountedEvent
from tourney.standings.scales import shown
from tourney.text.i18n import _

MONTHS: Final = 12
MOST_DAYS: Final = 3
HEAVIEST: Final = 1000
_WEIGHT: Final = re.compile(r"[0-9]{1,4}(?:[.,][0-9]{1,3})?", re.ASCII)
_STEP: Final = re.compile(r"([0-9]{1,4}):([0-9]{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class WeightRule:
    """A rule for the weight of an event, from what was given for it and its number of players."""

    name: str
    weight: Callable[[CountedEvent, int], Fraction]
    working: Callable[[CountedEvent, int], str]


@dataclass(frozen=True, slots=True)
class Steps:
    """A number that grows in steps: what it is below the first limit, and from each limit on."""

    first: Fraction
    limits: tuple[tuple[int, Fraction], ...]

    def at(self, number: int) -> Fraction:
        """Return the value for a number."""
        return next((value for limit, value in reversed(self.limits) if number >= limit), self.first)


EMA_PLAYERS: Final = Steps(Fraction(0), ((41, Fraction(1, 2)), (81, Fraction(1))))
EMA_COUNTRIES: Final = Steps(Fraction(0), ((6, Fraction(1, 2)), (10, Fraction(1))))
"""European Mahjong Association, "Basics of the ranking": 0 up to 40 players, 0.5 up to 80, then 1; 0 up to 5 countries,
0.5 up to 9, then 1. Its page of 2018 gives 0.5 up to 10 countries."""


def _ema_parts(counted: CountedEvent, players: int) -> tuple[Fraction, ...]:
    return (
        Fraction(counted.days),
        EMA_PLAYERS.at(players),
        EMA_COUNTRIES.at(counted.countries),
        Fraction(int(counted.qualification)),
    )


def _ema_working(counted: CountedEvent, players: int) -> str:
    days, many, countries, qualification = map(shown, _ema_parts(counted, players))
    text = _("weight {weight}: days {days}, players {players}, countries {countries}, qualification {qualification}")
    weight = shown(sum(_ema_parts(counted, players)))
    return text.format(weight=weight, days=days, players=many, countries=countries, qualification=qualification)


def given_weight(counted: CountedEvent) -> Fraction:
    """Return the weight that was given for an event."""
    return Fraction(counted.weight)


WEIGHTS: Final[Mapping[str, WeightRule]] = {
    rule.name: rule
    for rule in (
        WeightRule(
            "given",
            lambda counted, players: given_weight(counted),
            lambda counted, players: _("weight {weight}").format(weight=shown(given_weight(counted))),
        ),
        WeightRule("ema", lambda counted, players: sum(_ema_parts(counted, players), Fraction(0)), _ema_working),
    )
}


def read_weight(typed: str) -> str:
    """Return a weight in its one form. Raises ValueError with a sentence unless it is above 0."""
    if _WEIGHT.fullmatch(typed.strip()) is None:
        raise ValueError(_("“{weight}” is not a weight").format(weight=typed.strip()[:20]))
    weight = Fraction(typed.strip().replace(",", "."))
    if weight == 0:
        raise ValueError(_("with a weight of 0 the event would not count"))
    if weight > HEAVIEST:
        raise ValueError(_("a weight is at most {most}").format(most=HEAVIEST))
    return str(weight.numerator) if weight.denominator == 1 else f"{float(weight):.3f}".rstrip("0")


def read_decay(typed: str) -> str:
    """Return a decay in its one form. Raises ValueError with a sentence that says what is wrong."""
    steps = [_STEP.fullmatch(part.strip()) for part in typed.split("/")]
    if not all(steps):
        raise ValueError(_("“{decay}” does not name months and per cent").format(decay=typed.strip()[:40]))
    pairs = [(int(step[1]), int(step[2])) for step in steps if step is not None]
    months, percents = [month for month, _percent in pairs], [100, *(percent for _month, percent in pairs)]
    if months != sorted(set(months)) or percents != sorted(set(percents), reverse=True) or months[0] < 1:
        raise ValueError(_("in a decay the months rise and the per cent fall below 100"))
    return "/".join(f"{month}:{percent}" for month, percent in pairs)


def faded(decay: str | None, day: str, as_of: str) -> Fraction:
    """Return the part of its weight that an event of that day has left; events without a date keep all of it."""
    if decay is None or not (day and as_of):
        return Fraction(1)
    left = Fraction(1)
    for step in decay.split("/"):
        months, percent = map(int, step.split(":"))
        if as_of >= _months_after(day, months):
            left = Fraction(percent, 100)
    return left


def _months_after(day: str, months: int) -> str:
    """Return the day a number of months later, in ISO form; the 31st of a shorter month is its last day."""
    start = datetime.date.fromisoformat(day)
    year, month = divmod(start.year * MONTHS + start.month - 1 + months, MONTHS)
    for number in range(start.day, 0, -1):
        try:
            return datetime.date(year, month + 1, number).isoformat()
        except ValueError:
            continue
    raise AssertionError("every month has a first day")
