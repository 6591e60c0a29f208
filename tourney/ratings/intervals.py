"""Where a player may really rank: the ranks that skills leave open, if each is normal and none tells of another.

If a player's skill were x, how many others are above him would be a sum of independent throws of unequal coins. Its
distribution is taken from its mean, variance and third moment (a normal one refined by the skewness: Volkova, 1996),
and is then averaged over what his own skill may be.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
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
    above = _Above(skills, skills)
    return [above.interval(skill) for skill in skills]


def rank_interval(skills: Sequence[Skill], player: int) -> Interval:
    """The same for one of them, named by his place among them."""
    return _Above(skills, [skills[player]]).interval(skills[player]) if len(skills) > 1 else (1, 1)


@final
class _Above:
    """How many players are above each node of a grid: mean, variance and third central moment.

    The grid spans all skills, and is as fine as the surest of them asks for; worked out are the nodes that may be the
    skills of the players of `asked`.
    """

    def __init__(self, skills: Sequence[Skill], asked: Sequence[Skill]) -> None:
        self._low, high = _span(skills)
        self._step = max(min([sigma for _mu, sigma in skills]) / _FINE, (high - self._low) / _MOST_NODES)
        low, high = _span(asked)
        self._first = max(0, floor((low - self._low) / self._step))
        nodes = ceil((high - self._low) / self._step) + 2 - self._first
        self._mean, self._variance, self._third = [0.0] * nodes, [0.0] * nodes, [0.0] * nodes
        self._players = surely = len(skills)
        ends = [0] * (nodes + 1)
        for mu, sigma in skills:
            ends[self._add(mu, sigma)] += 1
        for place in range(nodes):
            surely -= ends[place]
            self._mean[place] += surely

    def interval(self, skill: Skill) -> Interval:
        """That of one of the players asked for."""
        ranks = self._ranks(skill[0], skill[1])
        tail = 0.5 * (1.0 - _HELD)
        return ranks.shortened(ranks.least(tail), ranks.least(1.0 - tail))

    def _add(self, mu: float, sigma: float) -> int:
        """Add a player where it is open whether he is above; the place of the first such node among those here."""
        nodes = len(self._mean)
        first = min(max(0, self._node(mu - _REACH * sigma) - self._first), nodes)
        last = min(floor((mu + _REACH * sigma - self._low) / self._step) - self._first, nodes - 1)
        start, scale = self._low - mu, 1.0 / (sigma * _ROOT_TWO)
        for place in range(first, last + 1):
            chance = 0.5 * erfc((start + (self._first + place) * self._step) * scale)
            rest = chance * (1.0 - chance)
            self._mean[place] += chance
            self._variance[place] += rest
            self._third[place] += rest * (1.0 - 2.0 * chance)
        return first

    def _ranks(self, mu: float, sigma: float) -> "_Ranks":
        """What the player's skill may be, from the best down, and how many of the others are above it then."""
        stride = max(1, floor(sigma / (_FINE * self._step)))
        first = self._node(mu - _REACH * sigma)
        # Who is much surer than others may have no node in reach; the next one then stands for all.
        last = max(first, floor((mu + _REACH * sigma - self._low) / self._step))
        ranks = _Ranks(self._players)
        for node in range(last, first - 1, -stride):
            t = (self._low + node * self._step - mu) / sigma
            chance = 0.5 * erfc(t / _ROOT_TWO)
            rest = chance * (1.0 - chance)
            place, weight = node - self._first, exp(-0.5 * t * t)
            variance = self._variance[place] - rest
            ranks.add(
                weight if weight > _LEAST else _LEAST,
                self._mean[place] - chance,
                sqrt(variance) if variance > 0.0 else 0.0,
                self._third[place] - rest * (1.0 - 2.0 * chance),
            )
        return ranks

    def _node(self, skill: float) -> int:
        """The first node that is not below a skill."""
        return max(0, ceil((skill - self._low) / self._step))


def _span(skills: Sequence[Skill]) -> tuple[float, float]:
    """From the least that these players' skills may be to the greatest."""
    return min([mu - _REACH * sigma for mu, sigma in skills]), max([mu + _REACH * sigma for mu, sigma in skills])


@final
class _Ranks:
    """How likely the ranks of a player are: a mixture over what his skill may be."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._weights = [0.0]
        """How likely the skills so far are together, beside others; each behind the one before."""
        self._means: list[float] = []
        """How many players are above on average."""
        self._spreads: list[float] = []
        self._thirds: list[float] = []
        self._sure = 0.0
        """How far from the mean nothing is open any more, whatever the skill."""

    def add(self, weight: float, mean: float, spread: float, third: float) -> None:
        """Take in a skill, from the best down, so that the means ascend."""
        self._weights.append(self._weights[-1] + weight)
        self._means.append(mean)
        self._spreads.append(spread)
        self._thirds.append(third)
        if self._sure < _SURE * spread:
            self._sure = _SURE * spread

    def shortened(self, best: int, worst: int) -> Interval:
        """These ranks without those at their ends that can be spared, the unlikelier end first."""
        held = _HELD * self._weights[-1]
        before, until = self._within(best - 1), self._within(worst)
        behind_best, before_worst = self._within(best), self._within(worst - 1)
        while best < worst:
            first, last = behind_best - before, until - before_worst
            if until - before - min(first, last) < held:
                break
            if first <= last:
                best, before = best + 1, behind_best
                behind_best = self._within(best)
            else:
                worst, until = worst - 1, before_worst
                before_worst = self._within(worst - 1)
        return best, worst

    def least(self, chance: float) -> int:
        """The least rank that is not exceeded with at least this probability."""
        held = chance * self._weights[-1]
        # Ranks so far from the mean at the skill with which the weight is reached hold surely too little, or enough.
        mean = self._means[bisect_left(self._weights, held) - 1]
        low, high = max(1, floor(mean - self._sure)), min(self._players, ceil(mean + self._sure) + 1)
        while low < high:
            middle = (low + high) // 2
            if self._within(middle) >= held:
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
        for place in range(surely, perhaps):
            gap, spread = most - self._means[place], self._spreads[place]
            if gap >= _SURE * spread:
                total += self._weights[place + 1] - self._weights[place]
            elif gap > -_SURE * spread:
                skewness = self._thirds[place] / (spread * spread * spread)
                total += (self._weights[place + 1] - self._weights[place]) * _refined(gap / spread, skewness)
        return total


def _refined(z: float, skewness: float) -> float:
    """The refined normal distribution below z."""
    density = exp(-0.5 * z * z) / _ROOT_TWO_PI
    chance = 0.5 * erfc(-z / _ROOT_TWO) + skewness * (1.0 - z * z) * density / 6.0
    if chance < 0.0:
        return 0.0
    return 1.0 if chance > 1.0 else chance
