"""Rank intervals: the ranks that a player may have by true skill, if the skills are normal and independent.

Given a player's skill x, the number of others above x has a Poisson binomial distribution. It is approximated from its
mean, variance and third moment (the refined normal approximation: Volkova, 1996), and averaged over the player's own
skill by quadrature.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import ceil, erfc, exp, floor, pi, sqrt
from typing import Final, final

from tourney.ratings.kernel import Skill

_ROOT_TWO: Final = sqrt(2.0)
_ROOT_TWO_PI: Final = sqrt(2.0 * pi)
_COVERAGE: Final = 0.95
"""The minimum probability of an interval."""
_REACH: Final = 4.0
"""Sigmas from mu beyond which a player's skill is cut off."""
_NODES_PER_SIGMA: Final = 4.0
_MAX_NODES: Final = 20_000
_MIN_WEIGHT: Final = 1e-300
_CUTOFF: Final = 6.0
"""Standard deviations beyond which the tail of a normal distribution is negligible."""

Interval = tuple[int, int]
"""The best and the worst rank."""


def rank_intervals(skills: Sequence[Skill]) -> list[Interval]:
    """Return for each player the shortest interval of ranks by true skill with a probability of at least 95 %.

    The probabilities are accurate to two hundredths; among four players or fewer an interval may be one rank too wide.
    """
    if len(skills) < 2:
        return [(1, 1) for _skill in skills]
    grid = _RankGrid(skills, skills)
    return [grid.interval(skill) for skill in skills]


def rank_interval(skills: Sequence[Skill], player: int) -> Interval:
    """Return the interval of one player, given as an index of `skills`."""
    return _RankGrid(skills, [skills[player]]).interval(skills[player]) if len(skills) > 1 else (1, 1)


@final
class _RankGrid:
    """The number of players above each node of a grid of skills: mean, variance and third central moment.

    The grid spans all skills and is as fine as the smallest sigma requires; only the nodes within reach of the players
    in `targets` are computed.
    """

    def __init__(self, skills: Sequence[Skill], targets: Sequence[Skill]) -> None:
        self._low, high = _span(skills)
        self._step = max(min([sigma for _mu, sigma in skills]) / _NODES_PER_SIGMA, (high - self._low) / _MAX_NODES)
        low, high = _span(targets)
        self._first = max(0, floor((low - self._low) / self._step))
        nodes = ceil((high - self._low) / self._step) + 2 - self._first
        self._mean, self._variance, self._third = [0.0] * nodes, [0.0] * nodes, [0.0] * nodes
        self._players = certain = len(skills)
        ends = [0] * (nodes + 1)
        for mu, sigma in skills:
            ends[self._add(mu, sigma)] += 1
        for place in range(nodes):
            certain -= ends[place]
            self._mean[place] += certain

    def interval(self, skill: Skill) -> Interval:
        """Return the interval of one of the players in `targets`."""
        ranks = self._ranks(skill[0], skill[1])
        tail = 0.5 * (1.0 - _COVERAGE)
        return ranks.trimmed(ranks.quantile(tail), ranks.quantile(1.0 - tail))

    def _add(self, mu: float, sigma: float) -> int:
        """Add a player to the nodes within reach of the skill; return the index of the first of these nodes."""
        nodes = len(self._mean)
        first = min(max(0, self._node(mu - _REACH * sigma) - self._first), nodes)
        last = min(floor((mu + _REACH * sigma - self._low) / self._step) - self._first, nodes - 1)
        start, scale = self._low - mu, 1.0 / (sigma * _ROOT_TWO)
        for place in range(first, last + 1):
            above = 0.5 * erfc((start + (self._first + place) * self._step) * scale)
            variance = above * (1.0 - above)
            self._mean[place] += above
            self._variance[place] += variance
            self._third[place] += variance * (1.0 - 2.0 * above)
        return first

    def _ranks(self, mu: float, sigma: float) -> "_RankDistribution":
        """Return the distribution of a player's rank, over the possible skills from the best down."""
        stride = max(1, floor(sigma / (_NODES_PER_SIGMA * self._step)))
        first = self._node(mu - _REACH * sigma)
        # A player of much smaller sigma than planned may have no node in reach; then the next node is used alone.
        last = max(first, floor((mu + _REACH * sigma - self._low) / self._step))
        ranks = _RankDistribution(self._players)
        for node in range(last, first - 1, -stride):
            t = (self._low + node * self._step - mu) / sigma
            # The player is among those counted, and is subtracted again.
            own = 0.5 * erfc(t / _ROOT_TWO)
            own_variance = own * (1.0 - own)
            place, weight = node - self._first, exp(-0.5 * t * t)
            variance = self._variance[place] - own_variance
            ranks.add(
                weight if weight > _MIN_WEIGHT else _MIN_WEIGHT,
                self._mean[place] - own,
                sqrt(variance) if variance > 0.0 else 0.0,
                self._third[place] - own_variance * (1.0 - 2.0 * own),
            )
        return ranks

    def _node(self, skill: float) -> int:
        """Return the first node that is not below a skill."""
        return max(0, ceil((skill - self._low) / self._step))


def _span(skills: Sequence[Skill]) -> tuple[float, float]:
    """Return the lowest and the highest skill within reach of these players."""
    return min([mu - _REACH * sigma for mu, sigma in skills]), max([mu + _REACH * sigma for mu, sigma in skills])


@final
class _RankDistribution:
    """The distribution of a player's rank: a mixture over the nodes of the player's skill."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._weights = [0.0]
        """Cumulative weights of the nodes, not normalised."""
        self._means: list[float] = []
        """The expected number of players above."""
        self._deviations: list[float] = []
        self._thirds: list[float] = []
        self._cutoff = 0.0
        """The distance from a mean beyond which the tail is negligible at every node."""

    def add(self, weight: float, mean: float, deviation: float, third: float) -> None:
        """Add a node, from the best skill down, so that the means ascend."""
        self._weights.append(self._weights[-1] + weight)
        self._means.append(mean)
        self._deviations.append(deviation)
        self._thirds.append(third)
        if self._cutoff < _CUTOFF * deviation:
            self._cutoff = _CUTOFF * deviation

    def trimmed(self, best: int, worst: int) -> Interval:
        """Return the interval without the ranks at its ends that the coverage can spare, the less likely end first."""
        required = _COVERAGE * self._weights[-1]
        below, total = self._cumulative(best - 1), self._cumulative(worst)
        below_next, total_next = self._cumulative(best), self._cumulative(worst - 1)
        while best < worst:
            first, last = below_next - below, total - total_next
            if total - below - min(first, last) < required:
                break
            if first <= last:
                best, below = best + 1, below_next
                below_next = self._cumulative(best)
            else:
                worst, total = worst - 1, total_next
                total_next = self._cumulative(worst - 1)
        return best, worst

    def quantile(self, probability: float) -> int:
        """Return the quantile: the first rank whose cumulative probability is at least this."""
        required = probability * self._weights[-1]
        # Ranks farther than the cutoff from the mean of the node that reaches the weight need no check.
        mean = self._means[bisect_left(self._weights, required) - 1]
        low, high = max(1, floor(mean - self._cutoff)), min(self._players, ceil(mean + self._cutoff) + 1)
        while low < high:
            middle = (low + high) // 2
            if self._cumulative(middle) >= required:
                high = middle
            else:
                low = middle + 1
        return low

    def _cumulative(self, rank: int) -> float:
        """Return the weight of that rank and all better ones."""
        limit = rank - 0.5
        certain = bisect_right(self._means, limit - self._cutoff)
        possible = bisect_left(self._means, limit + self._cutoff)
        total = self._weights[certain]
        for place in range(certain, possible):
            gap, deviation = limit - self._means[place], self._deviations[place]
            if gap >= _CUTOFF * deviation:
                total += self._weights[place + 1] - self._weights[place]
            elif gap > -_CUTOFF * deviation:
                skewness = self._thirds[place] / (deviation * deviation * deviation)
                total += (self._weights[place + 1] - self._weights[place]) * _refined_normal(gap / deviation, skewness)
        return total


def _refined_normal(z: float, skewness: float) -> float:
    """Return the distribution function of the refined normal approximation at z."""
    density = exp(-0.5 * z * z) / _ROOT_TWO_PI
    probability = 0.5 * erfc(-z / _ROOT_TWO) + skewness * (1.0 - z * z) * density / 6.0
    if probability < 0.0:
        return 0.0
    return 1.0 if probability > 1.0 else probability
