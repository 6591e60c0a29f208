"""Reachable ranks: bounds over every order in which the tables of a round can end, table by table.

Tables of a round share no players, so each table adds to the ranks ahead of a player its own minimum and maximum.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final, final

from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters, RatingError

MAX_PLAYERS: Final = 7
"""The most players of a table whose finishing orders are all enumerated: 5,040 orders."""

RankRange = tuple[int, int]
"""The best and the worst rank that is possible."""


def reachable_ranks(
    parameters: Parameters, tables: Sequence[Sequence[Skill]], other_scores: Sequence[float]
) -> list[list[list[RankRange]]]:
    """Return by table and seat the ranks that place 1, 2, … at that table allows, however the other tables end.

    Ranks are by score among all these players and those who do not play, whose scores are `other_scores`; equal
    scores share a rank. Tables end without ties. Raises RatingError for a table of more than MAX_PLAYERS players, and
    where the numbers overflow.
    """
    if any(len(skills) > MAX_PLAYERS for skills in tables):
        raise RatingError(
            "a table of more than {most} players has too many finishing orders to check all of them",
            "ask for the standings of the event instead: leave --pool out",
            most=MAX_PLAYERS,
        )
    ends = [list(_ends(parameters, skills)) for skills in tables]
    above = [_CountAbove([scores for _places, scores in table_ends]) for table_ends in ends]
    others = sorted(other_scores)
    return [_table_ranges(table, [*above[:at], *above[at + 1 :]], others) for at, table in enumerate(ends)]


_End = tuple[Sequence[int], Sequence[float]]
"""A possible end of a table: the place and the new score of every seat."""


def _ends(parameters: Parameters, skills: Sequence[Skill]) -> Iterator[_End]:
    for places in permutations(range(1, len(skills) + 1)):
        yield places, [mu - 3 * sigma for mu, sigma in rate_table(parameters, skills, places)]


@final
class _CountAbove:
    """Counts the players of a table above a score: the minimum and the maximum over all its ends."""

    def __init__(self, ends: Sequence[Sequence[float]]) -> None:
        self._steps = sorted({score for scores in ends for score in scores})
        lists = [sorted(scores) for scores in ends]
        # Between two steps the counts are constant; below the first one everybody is above.
        self._counts = [(len(lists[0]), len(lists[0])), *(_extremes(lists, step) for step in self._steps)]

    def count(self, score: float) -> RankRange:
        """Return the minimum and the maximum number of players above a score."""
        return self._counts[bisect_right(self._steps, score)]


def _extremes(lists: Sequence[Sequence[float]], score: float) -> RankRange:
    counts = [len(scores) - bisect_right(scores, score) for scores in lists]
    return min(counts), max(counts)


def _table_ranges(
    ends: Sequence[_End], others: Sequence[_CountAbove], other_scores: Sequence[float]
) -> list[list[RankRange]]:
    """Return the ranges of one table by seat and place."""
    seats = range(len(ends[0][0]))
    ranges: list[list[list[RankRange]]] = [[[] for _ in seats] for _ in seats]
    for places, scores in ends:
        for seat in seats:
            score = scores[seat]
            above = len(other_scores) - bisect_right(other_scores, score)
            rank = 1 + above + sum(other > score for other in scores)
            counts = [table.count(score) for table in others]
            best = rank + sum(least for least, _most in counts)
            worst = rank + sum(most for _least, most in counts)
            ranges[seat][places[seat] - 1].append((best, worst))
    return [
        [(min(best for best, _ in ranks), max(worst for _, worst in ranks)) for ranks in by_place]
        for by_place in ranges
    ]
