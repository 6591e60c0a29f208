"""Advice before an event begins: tables, number of rounds, and length of games, as timed here or as published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.results import Result
from tourney.domain.rounds import MOST_MINUTES, Clock
from tourney.domain.rules import USUAL_RULES, RulesRef
from tourney.rulebook import rulesets
from tourney.seating.advice import Advice, SizeQuestion, advise
from tourney.seating.model import MOST_PLAYERS, MOST_ROUNDS
from tourney.service.lookup import free_event_name
from tourney.service.seating.plans import (
    USUAL_SIZE,
    players_text,
    rounds_text,
    tables_text,
    within,
)
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number
from tourney.text.progress import Progress, no_progress

MOST_HOURS: Final = 1_000


@dataclass(frozen=True, slots=True)
class AdviceRequest:
    """A request for advice. The table `size` is four by default, or the nearest that the rules allow.

    Each round lasts `minutes`, by default as long as a game; all rounds together may last `hours`, if given.
    """

    players: int
    rounds: int = 5
    rules: str = USUAL_RULES
    size: int | None = None
    minutes: int | None = None
    hours: float | None = None


@dataclass(frozen=True, slots=True)
class Advised:
    """The request, the table size used, the advice, and the length of games (None if `minutes` were given).

    `name` is one for the event that is advised, which no other has.
    """

    request: AdviceRequest
    size: int
    advice: Advice
    game_length: GameLength | None
    name: str


def advised(db: str | None, request: AdviceRequest, progress: Progress = no_progress) -> Advised:
    """Return the recommended tables and number of rounds, compared with others.

    Raises TourneyError NOT_FOUND for unknown rules and for a named database that does not exist; REFUSED for numbers
    that no event can have, and if not one round fits into the hours.
    """
    rules = rulesets.resolve(request.rules)
    least, most = rulesets.table_limits(rules)
    size = min(max(least, USUAL_SIZE), most) if request.size is None else request.size
    _check(request, size, least, most)
    game_length = game_length_of(db, rules) if request.minutes is None else None
    minutes = _minutes(request, game_length, most)
    limit = None if request.hours is None else request.hours * 60
    if limit is not None and not minutes:
        message = _("the length of a game of {rules} is unknown").format(rules=request.rules)
        raise TourneyError(ExitCode.REFUSED, message, _("give the length of a round with --minutes"))
    advice = advise(SizeQuestion(request.players, request.rounds, size, least, most, minutes, limit), progress)
    if advice is None:
        message = _("not one round fits into {hours:g} hours").format(hours=Number(request.hours or 0))
        raise TourneyError(ExitCode.REFUSED, message, _("give more --hours, or shorter rounds with --minutes"))
    return Advised(request, size, advice, game_length, _free_name(db))


def _free_name(db: str | None) -> str:
    """Return a name for a new event: today's date, with a number if it is taken."""
    taken: Iterable[str] = ()
    if storage.locate(db).exists():
        with storage.reading(db) as reader:
            taken = reader.events.names().values()
    return free_event_name(taken, f"{datetime.now(UTC).astimezone():%Y-%m-%d}")


def _check(request: AdviceRequest, size: int, least: int, most: int) -> None:
    within(players_text(request.players), request.players, least, MOST_PLAYERS)
    within(rounds_text(request.rounds), request.rounds, 1, MOST_ROUNDS)
    within(tables_text(size), size, least, most, request.rules)
    if request.minutes is not None:
        text = ngettext("rounds of {number} minute", "rounds of {number} minutes", request.minutes)
        within(text, request.minutes, 1, MOST_MINUTES)
    if request.hours is not None and not 0 < request.hours <= MOST_HOURS:
        message = _("rounds cannot take {hours:g} hours").format(hours=Number(request.hours))
        raise TourneyError(ExitCode.REFUSED, message, _("give --hours above 0, to {most}").format(most=MOST_HOURS))


def _minutes(request: AdviceRequest, game_length: GameLength | None, most: int) -> tuple[float, ...]:
    """Return the minutes of a round, indexed by the size of its largest table; empty if unknown."""
    if game_length is None:
        return (float(request.minutes or 0),) * (most + 1)
    return () if game_length.minutes is None else tuple(game_length.minutes * size for size in range(most + 1))


MIN_TIMED_TABLES: Final = 3
"""The fewest timed tables whose times are used instead of the published length."""

PUBLISHED: Final = (35 + 60) / 2 / (7 * 4)
"""Minutes per hand and player: es.wikipedia says that a game of seven hands and four players takes 35 to 60."""

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
    """Return the median length of all timed games of people of this family, or else the published length.

    The hands of a contract game are taken to be equally long. Raises TourneyError NOT_FOUND for a named database that
    does not exist, STORAGE for one that cannot be used.
    """
    family, hands = rulesets.family(rules), len(rulesets.contracts(rules))
    timed: list[float] = []
    if db is not None or storage.locate(db).exists():
        with storage.reading(db) as reader:
            timed = [minutes for minutes in _timed(reader, family) if minutes > 0]
    if len(timed) >= MIN_TIMED_TABLES:
        return GameLength(median(timed) * (hands or 1), len(timed))
    return GameLength(PUBLISHED * hands if hands else None)


def _timed(reader: storage.Reader, family: str) -> Iterator[float]:
    """Yield the minutes of each timed table per player and hand; per player and game where hands have no number."""
    for number in reader.events.names():
        event = reader.events.get(number)
        clocks = {round_.number: round_.clock for round_ in reader.rounds.of(event) if round_.clock is not None}
        if clocks and rulesets.family(event.rules) == family:
            for result in reader.results.of(event):
                if result.table.round in clocks and _of_people(result):
                    yield _timed_minutes(reader, event, result, clocks[result.table.round])


def _of_people(result: Result) -> bool:
    return result.state == "counts" and any(player.kind == "person" for player in result.table.players)


def _timed_minutes(reader: storage.Reader, event: Event, result: Result, clock: Clock) -> float:
    """Return the game's minutes per hand and player; 0 if the sheet was entered too late, or has no hands."""
    entered = reader.results.entered_at(event, result.table.round).get(result.table.number)
    if entered is None or not result.outcome.hands:
        return 0
    lasted = (datetime.fromisoformat(entered) - datetime.fromisoformat(clock.started)) / timedelta(minutes=1)
    if lasted > LATE * clock.minutes:
        return 0
    hands = len(result.outcome.hands) if rulesets.contracts(event.rules) else 1
    return lasted / (hands * len(result.table.players))
