"""Statistics of a league's blocks: means, errors, p values, order of the entrants, and the rule that ends a league.

A block gives one number for each entrant: its points (or money) a hand, over all its seats. Games of a block share
deals and are not independent samples; blocks are. So errors are taken over blocks, and for two entrants over the
differences within blocks, in which shared luck cancels out.

The tail of Student's t is a regularized incomplete beta function (Abramowitz and Stegun 26.7.1, 26.5.8); its continued
fraction is summed by Lentz's method.

A league that ends by itself is looked at only after fixed numbers of blocks, known before the first: doubled each time,
the last being all that it may play. At J looks, among m entrants, the order is declared with certainty P once each
entrant's lead over the next has a p value below (1 − P) / (J (m − 1)), by the two-sided t test of the differences in
blocks.

The promise: whatever the true means, an order is declared that they do not have, or an order of bots that are really
equal, with a probability of at most 1 − P. Proof: let the entrants be 1, …, m by their true means (equals in any order
fixed beforehand). If a wrong order is declared, some i + 1 is before i in it. Their lead is a sum of leads of
neighbours, and no standard error of a sum is larger than the sum of the standard errors; so their t exceeds the bound
too, on the wrong side (for equals: on either). For each of the m − 1 neighbours (i, i + 1) and each of the J looks that
has the probability above, and the sum of all is at most 1 − P. Nothing is assumed about the dependence of entrants,
neighbours or looks; only that blocks are independent and enough of them for the t test (FIRST_LOOK).

Ending without an order is never wrong. A league ends so at the last look, or at a look where neighbours have not
differed in any of IDENTICAL_BLOCKS blocks or more, like a bot and its copy, which would never differ.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import exp, inf, lgamma, log, log1p, sqrt
from typing import Final, Literal, Protocol

from tourney.domain.league_tables import Verdict
from tourney.league.blocks import GameOutcome

_TINY: Final = 1e-300
_PRECISION: Final = 1e-15
_BISECTIONS: Final = 200


def upper_tail(t: float, degrees_of_freedom: int) -> float:
    """Return the probability of a value above t, for 1 or more degrees of freedom, to 9 digits also far in the tail."""
    if t < 0.0:
        return 1.0 - upper_tail(-t, degrees_of_freedom)
    if t == 0.0:
        return 0.5
    square = t * t
    if square == inf:
        return 0.0
    whole = degrees_of_freedom + square
    return 0.5 * _beta(degrees_of_freedom / whole, square / whole, degrees_of_freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)
def critical_value(probability: float, degrees_of_freedom: int) -> float:
    """Return the t exceeded with this probability (above 0, at most one half): the inverse of `upper_tail`."""
    low, high = 0.0, 1.0
    while upper_tail(high, degrees_of_freedom) > probability:
        low, high = high, 2.0 * high
    for _bisection in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if upper_tail(middle, degrees_of_freedom) > probability else (low, middle)
    return high


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function at x; `rest` is 1 − x, passed to keep its digits."""
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _beta(rest, x, b, a)
    log_x = log1p(-rest) if rest < 0.5 else log(max(x, _TINY))
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log(rest)) / a
    return front * _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 / _nonzero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    m = 0
    change = 0.0
    while abs(change - 1.0) > _PRECISION:
        m += 1
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _nonzero(1.0 + step * d)
            c = _nonzero(1.0 + step / c)
            change = c * d
            value *= change
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


Best = Literal["lowest", "highest"]
"""The best mean: the lowest in points, the highest in money."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over blocks; `error` is its standard error, None while there are fewer than two blocks."""

    value: float
    error: float | None
    blocks: int

    def interval(self, level: float = 0.95, looks: int = 1) -> Interval:
        """Return the Student t interval that holds the true mean with this probability, at each of the `looks` looks.

        The interval is from minus to plus infinity while there are fewer than two blocks.
        """
        if self.error is None:
            return -inf, inf
        reach = critical_value(0.5 * (1.0 - level) / looks, self.blocks - 1) * self.error
        return self.value - reach, self.value + reach

    def confidence_above_zero(self, looks: int = 1) -> float:
        """Return the confidence, from 0 to 1, that the true mean is above 0: the one-sided level at which the interval
        just excludes 0, at each of the `looks` looks."""
        confidence = max(0.5, 1.0 - 0.5 * looks * self.p_value())
        return confidence if self.value > 0.0 else 1.0 - confidence

    def p_value(self) -> float:
        """Return the two-sided p value of a true mean of 0.

        Where all blocks gave the same value, a sign test over the blocks takes the place of the t test.
        """
        if self.value == 0.0 or self.error is None:
            return 1.0
        if self.error == 0.0:
            return 2.0 * 0.5**self.blocks
        return 2.0 * upper_tail(abs(self.value) / self.error, self.blocks - 1)


class Gaps(Protocol):
    """Differences between every two entrants."""

    def gap(self, first: int, second: int) -> Estimate:
        """Return how far the first entrant's points a hand are above the second's."""
        ...


class BlockMeans:
    """Running means of entrants and of their differences; memory does not grow with the blocks."""

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self.blocks = 0
        self._means = [_RunningMean() for _entrant in range(entrants)]
        self._gaps = {pair: _RunningMean() for pair in combinations(range(entrants), 2)}

    def add(self, values: Sequence[float]) -> None:
        """Add a block: the points a hand of each entrant."""
        self.blocks += 1
        for mean, value in zip(self._means, values, strict=True):
            mean.add(value, self.blocks)
        for (first, second), mean in self._gaps.items():
            mean.add(values[first] - values[second], self.blocks)

    def mean(self, entrant: int) -> Estimate:
        """Return the entrant's points a hand."""
        return self._means[entrant].estimate(self.blocks)

    def gap(self, first: int, second: int) -> Estimate:
        """Return how far the first entrant's points a hand are above the second's, from the differences in blocks."""
        if first < second:
            return self._gaps[first, second].estimate(self.blocks)
        reverse = self._gaps[second, first].estimate(self.blocks)
        return Estimate(0.0 - reverse.value, reverse.error, reverse.blocks)


class HeadToHead:
    """Running differences of every two entrants over the games in which both sat; memory does not grow with the blocks.

    The values are points or money, whichever the league counts. A block in which two did not meet is left out for them.
    A pair takes memory once it has met: a file may name a thousand bots, and have no block.
    """

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], BlockMeans] = {}

    def add(self, games: Iterable[tuple[GameOutcome, tuple[int, ...]]]) -> None:
        """Add the games of a block, each with the values of its seats."""
        for pair, values in pair_values(games).items():
            self._pairs.setdefault(pair, BlockMeans(2)).add(values)

    def gap(self, first: int, second: int) -> Estimate:
        """Return how far the first entrant's value a hand is above the second's; of 0 blocks if they never met."""
        pair = self._pairs.get((min(first, second), max(first, second))) or BlockMeans(2)
        return pair.gap(0, 1) if first < second else pair.gap(1, 0)


def pair_values(games: Iterable[tuple[GameOutcome, tuple[int, ...]]]) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the values a hand of every two entrants over the games in which both sat, given those of the seats."""
    sums: dict[tuple[int, int], list[int]] = {}
    for game, values in games:
        for pair in combinations(sorted(set(game.seating)), 2):
            totals = sums.setdefault(pair, [0, 0, 0, 0])
            for entrant, value in zip(game.seating, values, strict=True):
                if entrant in pair:
                    side = 2 * pair.index(entrant)
                    totals[side] += value
                    totals[side + 1] += game.hands
    return {pair: (first / hands, second / others) for pair, (first, hands, second, others) in sums.items()}


class _RunningMean:
    """Mean and sum of squared deviations by Welford's update, which loses no digits where values are alike."""

    __slots__ = ("mean", "squares")

    def __init__(self) -> None:
        self.mean = 0.0
        self.squares = 0.0

    def add(self, value: float, count: int) -> None:
        """Add the value number `count`."""
        deviation = value - self.mean
        self.mean += deviation / count
        self.squares += deviation * (value - self.mean)

    def estimate(self, count: int) -> Estimate:
        """Return the mean of `count` values with its standard error."""
        error = sqrt(self.squares / (count - 1) / count) if count > 1 else None
        return Estimate(self.mean, error, count)


@dataclass(frozen=True, slots=True)
class Summary:
    """Standings of the entrants. `order` has them best first, equals by number; `ranks` and `means` are by entrant.

    `ranks` are from 1, equals share one. `leads` are the gaps in the order, each from an entrant to the next, in favour
    of the better. `certainty` is the confidence in the whole order.
    """

    blocks: int
    looks: int
    order: tuple[int, ...]
    ranks: tuple[int, ...]
    means: tuple[Estimate, ...]
    leads: tuple[Estimate, ...]
    certainty: float


def summarize(means: BlockMeans, best: Best = "lowest", looks: int = 1) -> Summary:
    """Return the standings after these blocks.

    `looks` is the number of points at which the league may stop early; certainties hold at all of them together, and
    are lower the more there are.
    """
    estimates = tuple(means.mean(entrant) for entrant in range(means.entrants))
    return Summary(
        blocks=means.blocks,
        looks=looks,
        order=ranking(means, best),
        ranks=_ranks([estimate.value for estimate in estimates], best),
        means=estimates,
        leads=leads(means, best),
        certainty=order_certainty(means, best, looks),
    )


def _ranks(values: Sequence[float], best: Best) -> tuple[int, ...]:
    sign = 1.0 if best == "lowest" else -1.0
    return tuple(1 + sum(sign * other < sign * value for other in values) for value in values)


def ranking(means: BlockMeans, best: Best = "lowest") -> tuple[int, ...]:
    """Return the entrants, best first, equals by number."""
    sign = 1.0 if best == "lowest" else -1.0
    return tuple(sorted(range(means.entrants), key=lambda entrant: sign * means.mean(entrant).value))


def lead(means: Gaps, first: int, second: int, best: Best = "lowest") -> Estimate:
    """Return how much better the first entrant is than the second."""
    return means.gap(second, first) if best == "lowest" else means.gap(first, second)


def leads(means: BlockMeans, best: Best = "lowest") -> tuple[Estimate, ...]:
    """Return, in the order, how much better each entrant is than the next."""
    return tuple(lead(means, first, second, best) for first, second in pairwise(ranking(means, best)))


def rank_interval(leads: Sequence[Estimate], level: float = 0.95, looks: int = 1) -> tuple[int, int]:
    """Return the ranks that hold an entrant's rank by the true means with this probability.

    `leads` are those of the entrant over each other one. The entrant ranks below all that are significantly better and
    above all that are significantly worse, each tested at its share of the error (Bonferroni).
    """
    significant = [lead.value for lead in leads if lead.p_value() * len(leads) * looks <= 1.0 - level]
    return 1 + sum(value < 0.0 for value in significant), 1 + len(leads) - sum(value > 0.0 for value in significant)


def order_certainty(means: BlockMeans, best: Best = "lowest", looks: int = 1) -> float:
    """Return the highest P, from 0 to 1, at which the order counts as certain; the module `stopping` has the proof."""
    p_values = [neighbours.p_value() for neighbours in leads(means, best)]
    return max(0.0, 1.0 - max(p_values) * len(p_values) * looks) if p_values else 1.0


FIRST_LOOK: Final = 64
"""The fewest blocks at which a league is looked at, unless it ends sooner."""

IDENTICAL_BLOCKS: Final = 256
"""Blocks after which bots that have never differed count as identical."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """End when the order is certain with probability `certainty`, after the last of the `looks` (in blocks), or once
    neighbours prove to be identical."""

    certainty: float
    looks: tuple[int, ...]

    def verdict(self, means: BlockMeans, best: Best = "lowest") -> Verdict:
        """Return the verdict on these blocks, all from the first one on; between looks it is "open".

        It is "certain" once the order is, and "not separated" if it will not be.
        """
        if means.blocks not in self.looks:
            return "open"
        if order_certainty(means, best, len(self.looks)) >= self.certainty:
            return "certain"
        identical = means.blocks >= IDENTICAL_BLOCKS and any(
            lead.value == lead.error == 0.0 for lead in leads(means, best)
        )
        return "not separated" if identical or means.blocks == self.looks[-1] else "open"


def stopping_rule(certainty: float, blocks: int) -> StoppingRule:
    """Return the rule for a league of at most `blocks` blocks; certainty is between 0 and 1."""
    looks = [FIRST_LOOK * 2**doublings for doublings in range(blocks.bit_length())]
    return StoppingRule(certainty, (*(look for look in looks if look < blocks), blocks))
