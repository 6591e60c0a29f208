"""Advice before an event begins: which tables and how many rounds, and how long they will take here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.rulebook import rulesets
from tourney.seating.advice import Advice, Question, advise
from tourney.service.seating.game_length import GameLength, game_length_of
from tourney.service.seating.plans import (
    MOST_PLAYERS,
    MOST_ROUNDS,
    USUAL_SIZE,
    players_text,
    rounds_text,
    tables_text,
    within,
)
from tourney.text.i18n import _, ngettext

MOST_MINUTES: Final = 24 * 60
MOST_HOURS: Final = 1_000


@dataclass(frozen=True, slots=True)
class AdviceRequest:
    """A request for advice. `size` None is four, as far as the rules allow it.

    Each round lasts `minutes`, None: as long as games last; all rounds are to end within `hours`, if given.
    """

    players: int
    rounds: int = 5
    rules: str = "oficial"
    size: int | None = None
    minutes: int | None = None
    hours: float | None = None


@dataclass(frozen=True, slots=True)
class Advised:
    """The request, the advice, and how long games last here; None where `minutes` were given."""

    request: AdviceRequest
    size: int
    advice: Advice
    game_length: GameLength | None


def advised(
    db: str | None, request: AdviceRequest, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Advised:
    """Return the tables and the number of rounds to choose, compared with others.

    Raises TourneyError NOT_FOUND for unknown rules and for a named database that does not exist; REFUSED for what no
    event can have, and where not one round fits into the hours.
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
    advice = advise(Question(request.players, request.rounds, size, least, most, minutes, limit), progress)
    if advice is None:
        message = _("not one round fits into {hours:g} hours").format(hours=request.hours)
        raise TourneyError(ExitCode.REFUSED, message, _("give more --hours, or shorter rounds with --minutes"))
    return Advised(request, size, advice, game_length)


def _check(request: AdviceRequest, size: int, least: int, most: int) -> None:
    within(players_text(request.players), request.players, least, MOST_PLAYERS)
    within(rounds_text(request.rounds), request.rounds, 1, MOST_ROUNDS)
    within(tables_text(size), size, least, most, request.rules)
    if request.minutes is not None:
        text = ngettext("rounds of {number} minute", "rounds of {number} minutes", request.minutes)
        within(text, request.minutes, 1, MOST_MINUTES)
    if request.hours is not None and not 0 < request.hours <= MOST_HOURS:
        message = _("rounds cannot take {hours:g} hours").format(hours=request.hours)
        raise TourneyError(ExitCode.REFUSED, message, _("give --hours above 0, to {most}").format(most=MOST_HOURS))


def _minutes(request: AdviceRequest, game_length: GameLength | None, most: int) -> tuple[float, ...]:
    """Return the minutes of a round, by the size of its largest table."""
    if game_length is None:
        return (float(request.minutes or 0),) * (most + 1)
    return () if game_length.minutes is None else tuple(game_length.minutes * size for size in range(most + 1))
