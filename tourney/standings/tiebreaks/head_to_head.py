"""Head to head: the games in which players who are level met each other."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from tourney.domain.results import Result
from tourney.standings.standing import PlayerTally
from tourney.standings.tiebreaks.tiebreak import Contest, TieBreak
from tourney.text.i18n import marked


def _points(level: Sequence[PlayerTally], contest: Contest) -> list[Fraction]:
    """Return what each player has won against the others who are level: 1 for each meeting won, half for a tie.

    It decides nothing (all have 0) unless every two of them have met, and equally often: otherwise who met more
    would have more to win.
    """
    numbers = [tally.player.id for tally in level]
    meetings: Counter[tuple[int, int]] = Counter()
    points = dict.fromkeys(numbers, Fraction(0))
    for result in contest.results:
        here = [number for number in numbers if (result.table.round, number) not in contest.uncounted]
        for better, other, won in _meetings(result, here):
            meetings[min(better, other), max(better, other)] += 1
            points[better] += won
            points[other] += 1 - won
    times = {meetings[min(pair), max(pair)] for pair in combinations(numbers, 2)}
    return list(points.values()) if len(times) == 1 and times != {0} else [Fraction(0)] * len(level)


def _meetings(result: Result, among: Sequence[int]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield each two of the players at a table, the better one first, and what the meeting gives the first."""
    seats = sorted(zip(result.outcome.places, (player.id for player in result.table.players), strict=True))
    here = [(place, player) for place, player in seats if player in among]
    for (place, player), (other_place, other) in combinations(here, 2):
        yield player, other, Fraction(1, 2) if place == other_place else Fraction(1)


HEAD_TO_HEAD: Final = TieBreak(
    "head-to-head",
    marked("head to head"),
    marked(
        "Who finished ahead more often when they sat at one table: 1 for each meeting, half for a tie. It counts only "
        "if all who are level have met each other equally often."
    ),
    _points,
)

TIE_BREAKS: Final = (HEAD_TO_HEAD,)
