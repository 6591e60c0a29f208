"""Where a player may really rank: the ranks that skills leave open, if each is normal and none tells of another.

If a player's skill were x, how many others are above him would be a sum of independent throws of unequal coins. Its
distribution is taken from its mean, variance and third moment (a normal one refined by the skewness: Volkova, 1996),
and is then averaged over what his own skill may be.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import ceil, erfc, exp, floor, pi, sqrt
from typing import Final, final

from tourney.ratings.kernel import Skill

_ROOT_TWO: Final = sqrt(2.0)
_ROOT_TWO_PI: Final = sqrt(2.0 * pi)
_HELD: Final = 0.95
"""The least that an interval holds."""
_REACH: Final = 4.0
"""Sigmas from his mu within which a player's skill is looked for."""
_FINE: Final = 4.0
"""Nodes in a sigma."""
_MOST_NODES: Final = 20_000
_LEAST: Final = 1e-300
"""The least weight of a node."""
_SURE: Final = 6.0
"""Spreads beyond which a normal distribution has nothing that counts."""

Interval = tuple[int, int]
"""The best and the worst rank."""


def rank_intervals(skills: Sequence[Skill]) -> list[Interval]:
    """For each player the ranks by skill that hold his own with a probability of at least 95 %.

    No rank at either end could be spared, but that the probabilities are right to two hundredths; among four or
    fewer an interval may be a rank too wide.
    """
    if len(skills) < 2:
        return [(1, 1) for _skill in skills]
    above = _Above(skills)
    return [above.interval(skill) for skill in skills]


def rank_interval(skills: Sequence[Skill], player: int) -> Interval:
    """The same for one of them, named by his place among them."""
    return _Above(skills).interval(skills[player]) if len(skills) > 1 else (1, 1)


@final
class _Above:
    """How many players are above each node of a grid: mean, variance and third central moment."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        low = min(mu - _REACH * sigma for mu, sigma in skills)
        high = max(mu + _REACH * sigma for mu, sigma in skills)
        self._step = max(min(sigma for _mu, sigma in skills) / _FINE, (high - low) / _MOST_NODES)
        self._low = low
        self._players = len(skills)
        nodes = ceil((high - low) / self._step) + 2
        self._mean, self._variance, self._third = [0.0] * nodes, [0.0] * nodes, [0.0] * nodes
        ends = [0] * (nodes + 1)
        for skill in skills:
            ends[self._add(skill)] += 1
        surely = len(skills)
        for node in range(nodes):
            surely -= ends[node]
            self._mean[node] += surely

    def interval(self, skill: Skill) -> Interval:
        """That of one of these players."""
        ranks = _Ranks(self._there(skill), self._players)
        tail = 0.5 * (1.0 - _HELD)
        return ranks.shortened(ranks.least(tail), ranks.least(1.0 - tail))

    def _add(self, skill: Skill) -> int:
        """Add a player where it is open whether he is above; the first such node."""
        mu, sigma = skill
        first = max(0, ceil((mu - _REACH * sigma - self._low) / self._step))
        last = floor((mu + _REACH * sigma - self._low) / self._step)
        start, scale = self._low - mu, 1.0 / (sigma * _ROOT_TWO)
        for node in range(first, last + 1):
            chance = 0.5 * erfc((start + node * self._step) * scale)
            rest = chance * (1.0 - chance)
            self._mean[node] += chance
            self._variance[node] += rest
            self._third[node] += rest * (1.0 - 2.0 * chance)
        return first

    def _there(self, skill: Skill) -> "list[_There]":
        """What the player's skill may be, from the best down, and how many of the others are above it then."""
        mu, sigma = skill
        stride = max(1, floor(sigma / (_FINE * self._step)))
        first = max(0, ceil((mu - _REACH * sigma - self._low) / self._step))
        # Who is much surer than others may have no node in reach; the next one then stands for all.
        last = max(first, floor((mu + _REACH * sigma - self._low) / self._step))
        there: list[_There] = []
        for node in range(last, first - 1, -stride):
            t = (self._low + node * self._step - mu) / sigma
            chance = 0.5 * erfc(t / _ROOT_TWO)
            rest = chance * (1.0 - chance)
            variance = max(0.0, self._variance[node] - rest)
            third = self._third[node] - rest * (1.0 - 2.0 * chance)
            there.append((max(_LEAST, exp(-0.5 * t * t)), self._mean[node] - chance, sqrt(variance), third))
        return there


_There = tuple[float, float, float, float]
"""How likely a skill is beside others, and of the number of players above it the mean, the spread and the third
moment."""


@final
class _Ranks:
    """How likely the ranks of a player are."""

    def __init__(self, there: Sequence[_There], players: int) -> None:
        self._there = there
        self._players = players
        # From the best skill down, so that they ascend.
        self._means = [mean for _weight, mean, _spread, _third in there]
        self._weights = list(accumulate((weight for weight, *_rest in there), initial=0.0))
        self._sure = _SURE * max(spread for _weight, _mean, spread, _third in there)

    def shortened(self, best: int, worst: int) -> Interval:
        """These ranks without those at their ends that can be spared, the unlikelier end first."""
        held = _HELD * self._weights[-1]
        before, until = self._within(best - 1), self._within(worst)
        while best < worst:
            first, last = self._within(best) - before, until - self._within(worst - 1)
            if until - before - min(first, last) < held:
                break
            if first <= last:
                best, before = best + 1, before + first
            else:
                worst, until = worst - 1, until - last
        return best, worst

    def least(self, chance: float) -> int:
        """The least rank that is not exceeded with at least this probability."""
        low, high = 1, self._players
        while low < high:
            middle = (low + high) // 2
            if self._within(middle) >= chance * self._weights[-1]:
                high = middle
            else:
                low = middle + 1
        return low

    def _within(self, rank: int) -> float:
        """The weight of the skills that have that rank or a better one."""
        most = rank - 0.5
        surely = bisect_right(self._means, most - self._sure)
        perhaps = bisect_left(self._means, most + self._sure)
        total = self._weights[surely]
        for weight, mean, spread, third in self._there[surely:perhaps]:
            gap = most - mean
            if gap >= _SURE * spread:
                total += weight
            elif gap > -_SURE * spread:
                total += weight * _refined(gap / spread, third / (spread * spread * spread))
        return total


def _refined(z: float, skewness: float) -> float:
    """The refined normal distribution below z."""
    density = exp(-0.5 * z * z) / _ROOT_TWO_PI
    return min(1.0, max(0.0, 0.5 * erfc(-z / _ROOT_TWO) + skewness * (1.0 - z * z) * density / 6.0))
