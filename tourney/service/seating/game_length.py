"""The length of games: as timed here, or else as published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import Result
from tourney.domain.rounds import Clock
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets

ENOUGH: Final = 3
"""Tables that must have been timed before their times count."""

PUBLISHED: Final = (35 + 60) / 2 / (7 * 4)
"""Minutes for a hand and player: es.wikipedia gives a game of seven hands and four players 35 to 60 minutes."""

LATE: Final = 2
"""A sheet entered later than this multiple of its round's length says nothing about the game's length."""


@dataclass(frozen=True, slots=True)
class GameLength:
    """The length of a game: `minutes` for each player at its table, None if unknown.

    `tables` is the number of tables timed here; 0 where the length is the published one.
    """

    minutes: float | None
    tables: int = 0


def game_length_of(db: str | None, rules: RulesRef) -> GameLength:
    """Return the median length of all timed tables of people in games of this family.

    Hands of contracts are taken to be equally long. Raises TourneyError NOT_FOUND for a named database that does not
    exist, STORAGE for one that cannot be used.
    """
    family, hands = rulesets.family(rules), len(rulesets.contracts(rules))
    timed: list[float] = []
    if db is not None or storage.locate(db).exists():
        with storage.reading(db) as reader:
            timed = [minutes for minutes in _timed(reader, family) if minutes > 0]
    if len(timed) >= ENOUGH:
        return GameLength(median(timed) * (hands or 1), len(timed))
    return GameLength(PUBLISHED * hands if hands else None)


def _timed(reader: storage.Reader, family: str) -> Iterator[float]:
    """Yield the minutes that a player of each timed table took: for a hand, or for a game of any number of hands."""
    for number in reader.event_names():
        event = reader.event(number)
        clocks = {round_.number: round_.clock for round_ in reader.rounds(event) if round_.clock is not None}
        if clocks and rulesets.family(event.rules) == family:
            for result in reader.results(event):
                if result.table.round in clocks and _of_people(result):
                    yield _minutes(reader, event, result, clocks[result.table.round])


def _of_people(result: Result) -> bool:
    return result.state == "counts" and any(player.kind == "person" for player in result.table.players)


def _minutes(reader: storage.Reader, event: Event, result: Result, clock: Clock) -> float:
    """Return the game's minutes per hand and player; 0 where the sheet came too late, or has no hands."""
    entered = reader.entered_at(event, result.table.round).get(result.table.number)
    if entered is None or not result.outcome.hands:
        return 0
    lasted = (datetime.fromisoformat(entered) - datetime.fromisoformat(clock.started)) / timedelta(minutes=1)
    if lasted > LATE * clock.minutes:
        return 0
    hands = len(result.outcome.hands) if rulesets.contracts(event.rules) else 1
    return lasted / (hands * len(result.table.players))
