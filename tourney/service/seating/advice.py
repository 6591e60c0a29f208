"""Advice before an event begins: which tables and how many rounds, and how long that will take here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney import rulebook
from tourney.domain.errors import ExitCode, TourneyError
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
class AdviceWanted:
    """What is asked. `size` None is four, as far as the rules allow it.

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
    """What was asked and advised, and how long games last here; None where `minutes` were given."""

    wanted: AdviceWanted
    size: int
    advice: Advice
    pace: GameLength | None


def advised(
    db: str | None, wanted: AdviceWanted, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Advised:
    """The tables and the number of rounds to choose, beside others.

    Raises TourneyError NOT_FOUND for unknown rules and for a named database that is not there; REFUSED for what no
    event can have, and where not one round fits into the hours.
    """
    rules = rulebook.resolve(wanted.rules)
    least, most = rulebook.table_limits(rules)
    size = min(max(least, USUAL_SIZE), most) if wanted.size is None else wanted.size
    _check(wanted, size, least, most)
    pace = game_length_of(db, rules) if wanted.minutes is None else None
    minutes = _minutes(wanted, pace, most)
    limit = None if wanted.hours is None else wanted.hours * 60
    if limit is not None and not minutes:
        message = _("nobody knows how long a game of {rules} lasts here").format(rules=wanted.rules)
        raise TourneyError(ExitCode.REFUSED, message, _("say how long a round lasts with --minutes"))
    advice = advise(Question(wanted.players, wanted.rounds, size, least, most, minutes, limit), progress)
    if advice is None:
        message = _("not one round fits into {hours:g} hours").format(hours=wanted.hours)
        raise TourneyError(ExitCode.REFUSED, message, _("give more --hours, or shorter rounds with --minutes"))
    return Advised(wanted, size, advice, pace)


def _check(wanted: AdviceWanted, size: int, least: int, most: int) -> None:
    within(players_text(wanted.players), wanted.players, least, MOST_PLAYERS)
    within(rounds_text(wanted.rounds), wanted.rounds, 1, MOST_ROUNDS)
    within(tables_text(size), size, least, most, wanted.rules)
    if wanted.minutes is not None:
        text = ngettext("rounds of {number} minute", "rounds of {number} minutes", wanted.minutes)
        within(text, wanted.minutes, 1, MOST_MINUTES)
    if wanted.hours is not None and not 0 < wanted.hours <= MOST_HOURS:
        message = _("rounds cannot take {hours:g} hours").format(hours=wanted.hours)
        raise TourneyError(ExitCode.REFUSED, message, _("give --hours above 0, to {most}").format(most=MOST_HOURS))


def _minutes(wanted: AdviceWanted, pace: GameLength | None, most: int) -> tuple[float, ...]:
    """How long a round lasts, by the size of its largest table."""
    if pace is None:
        return (float(wanted.minutes or 0),) * (most + 1)
    return () if pace.minutes is None else tuple(pace.minutes * size for size in range(most + 1))
