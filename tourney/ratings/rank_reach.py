"""Which ranks are in reach: every order in which the tables of a round can end, without looking at them together.

Tables of a round share no players, so each adds to the ranks before a player what it can at least and at most.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final, final

from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters, RatingError

MOST_SEATED: Final = 7
"""Players of a table whose orders are all looked at: 5,040."""

Reach = tuple[int, int]
"""The best and the worst rank that can come about."""


def reach(
    parameters: Parameters, tables: Sequence[Sequence[Skill]], resting: Sequence[float]
) -> list[list[list[Reach]]]:
    """By table and seat: the ranks in reach with place 1, 2, … at that table, whatever happens at the others.

    Ranks are by score among all these players and those who rest, whose scores are given; equal scores share one.
    Tables end without ties. Raises RatingError for a table of more than MOST_SEATED players, and where the numbers
    leave what floats can hold.
    """
    if any(len(skills) > MOST_SEATED for skills in tables):
        raise RatingError(
            f"a table of more than {MOST_SEATED} players has too many orders to look at all of them",
            "ask what it takes in the event instead",
        )
    ends = [list(_ends(parameters, skills)) for skills in tables]
    above = [_Above([scores for _places, scores in there]) for there in ends]
    still = sorted(resting)
    return [_reach_of_table(there, [*above[:at], *above[at + 1 :]], still) for at, there in enumerate(ends)]


_End = tuple[Sequence[int], Sequence[float]]
"""How a table ends: the place of every seat, and its score then."""


def _ends(parameters: Parameters, skills: Sequence[Skill]) -> Iterator[_End]:
    for places in permutations(range(1, len(skills) + 1)):
        yield places, [mu - 3 * sigma for mu, sigma in rate_table(parameters, skills, places)]


@final
class _Above:
    """How many players of a table are above a score, at least and at most over all its ends."""

    def __init__(self, ends: Sequence[Sequence[float]]) -> None:
        self._steps = sorted({score for scores in ends for score in scores})
        lists = [sorted(scores) for scores in ends]
        # From one step to the next the numbers stay; below the first everybody is above.
        self._counts = [(len(lists[0]), len(lists[0])), *(_extremes(lists, step) for step in self._steps)]

    def count(self, score: float) -> Reach:
        """At least and at most."""
        return self._counts[bisect_right(self._steps, score)]


def _extremes(lists: Sequence[Sequence[float]], score: float) -> Reach:
    counts = [len(scores) - bisect_right(scores, score) for scores in lists]
    return min(counts), max(counts)


def _reach_of_table(ends: Sequence[_End], others: Sequence[_Above], resting: Sequence[float]) -> list[list[Reach]]:
    """By seat and place."""
    seats = range(len(ends[0][0]))
    found: list[list[list[Reach]]] = [[[] for _ in seats] for _ in seats]
    for places, scores in ends:
        for seat in seats:
            mine = scores[seat]
            above = len(resting) - bisect_right(resting, mine)
            rank = 1 + above + sum(score > mine for score in scores)
            counts = [table.count(mine) for table in others]
            best = rank + sum(least for least, _most in counts)
            worst = rank + sum(most for _least, most in counts)
            found[seat][places[seat] - 1].append((best, worst))
    return [[(min(best for best, _ in each), max(worst for _, worst in each)) for each in there] for there in found]
