"""Rank intervals: the ranks that are left to a player once those certainly better and certainly worse are counted.

One player is certainly better than another if the ranking has them in this order and a cautious reading of the same
games (`readings`) gives it a probability of 97.5 %. A player's rank then lies from 1 plus the number of those certainly
better to the number of players less those certainly worse, as in the confidence sets for ranks of Mogstad, Romano,
Shaikh and Wilhelm (Review of Economic Studies 91, 2024) and of Klein, Wright and Wieczorek (Journal of the Royal
Statistical Society A 183, 2020). Instead of a critical value for all comparisons at once, the prior of the cautious
reading pulls the players together (Gelman, Hill and Yajima, Journal of Research on Educational Effectiveness 5, 2012).
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from math import ceil, log, sqrt
from typing import Final

from tourney.ratings.kernel import Skill

_CERTAIN: Final = 1.959963984540054
"""The standard normal quantile of 97.5 %."""
_FINENESS: Final = 0.02
"""Sigmas are rounded up to steps of 2 %, so that players whose sigmas are equal are counted together."""

Interval = tuple[int, int]
"""The best and the worst rank."""


def rank_intervals(skills: Sequence[Skill], readings: Sequence[Skill], deviations: float) -> list[Interval]:
    """Return the interval of each player's rank by mu less so many sigmas, the best rank first.

    `skills` have mu and sigma of each player, and `readings` those of the cautious reading. The intervals are of the
    rank by true skill less the same number of sigmas, each by itself with at least 95 %, and hold the rank by `skills`.
    """
    values = [mu - deviations * sigma for mu, sigma in skills]
    # The deduction is that of the ranking, whose sigmas are what the player is charged.
    means = [mu - deviations * sigma for (mu, _sigma), (_mu, sigma) in zip(readings, skills, strict=True)]
    sigmas = [_rounded_up(sigma) for _mu, sigma in readings]
    better = _certainly_above(values, means, sigmas)
    worse = _certainly_above([-value for value in values], [-mean for mean in means], sigmas)
    return [(1 + above, len(values) - below) for above, below in zip(better, worse, strict=True)]


def _rounded_up(sigma: float) -> float:
    return float((1.0 + _FINENESS) ** ceil(log(sigma) / log(1.0 + _FINENESS)))


def _certainly_above(values: Sequence[float], means: Sequence[float], sigmas: Sequence[float]) -> list[int]:
    """Return for each player the number of those whose value is higher and whose mean is certainly higher."""
    above = [0] * len(values)
    higher: dict[float, list[float]] = {sigma: [] for sigma in sigmas}
    """The means of the players with higher values, ascending, by sigma."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    tied = 0
    for player in order:
        # Equals are added only once all of them are counted.
        while values[order[tied]] > values[player]:
            insort(higher[sigmas[order[tied]]], means[order[tied]])
            tied += 1
        mean, variance = means[player], sigmas[player] * sigmas[player]
        for sigma, found in higher.items():
            above[player] += len(found) - bisect_right(found, mean + _CERTAIN * sqrt(variance + sigma * sigma))
    return above
