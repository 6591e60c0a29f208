"""How bots stand after the blocks of a league: means, what they may miss by, and who is above whom.

A block gives one number for each entrant: its points (or money) a hand, over all its seats. Games of a block share
deals and are no samples of their own; blocks are. So errors are taken over blocks, and for two entrants over the
blocks' differences, in which the luck that they share is gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf, sqrt
from typing import Literal, Protocol

from tourney.league.student_t import bound, tail

Best = Literal["lowest", "highest"]
"""Which mean is best: of points the lowest, of money the highest."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over blocks; `error` is its standard error, None while there are fewer than two blocks."""

    value: float
    error: float | None
    blocks: int

    def interval(self, level: float = 0.95, looks: int = 1) -> Interval:
        """What holds the true mean with this probability, by Student's t: at one look, or at all of so many.

        From minus to plus infinity while there are fewer than two blocks.
        """
        if self.error is None:
            return -inf, inf
        reach = bound(0.5 * (1.0 - level) / looks, self.blocks - 1) * self.error
        return self.value - reach, self.value + reach

    def chance_above_zero(self, looks: int = 1) -> float:
        """How sure it is, from 0 to 1, that the true mean is above 0: the one-sided level at which 0 is just left out,
        at one look, or at all of so many."""
        sure = max(0.5, 1.0 - 0.5 * looks * self.doubt())
        return sure if self.value > 0.0 else 1.0 - sure

    def doubt(self) -> float:
        """How likely a mean as far from 0 as this, to either side, would be if the true one were 0; from 0 to 1.

        Where all blocks say the same, their number counts, as in a sign test: each alone could be a coin's throw.
        """
        if self.value == 0.0 or self.error is None:
            return 1.0
        if self.error == 0.0:
            return 2.0 * 0.5**self.blocks
        return 2.0 * tail(abs(self.value) / self.error, self.blocks - 1)


class Gaps(Protocol):
    """What knows by how much every two entrants are apart."""

    def gap(self, one: int, other: int) -> Estimate:
        """By how much one entrant's points a hand are above another's."""
        ...


class BlockMeans:
    """Means of entrants and of their differences while blocks come in; what it takes does not grow with them."""

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self.blocks = 0
        self._own = [_Running() for _entrant in range(entrants)]
        self._gaps = {pair: _Running() for pair in combinations(range(entrants), 2)}

    def add(self, values: Sequence[float]) -> None:
        """Take in a block: the points a hand of each entrant."""
        self.blocks += 1
        for running, value in zip(self._own, values, strict=True):
            running.add(value, self.blocks)
        for (one, other), running in self._gaps.items():
            running.add(values[one] - values[other], self.blocks)

    def mean(self, entrant: int) -> Estimate:
        """The entrant's points a hand."""
        return self._own[entrant].estimate(self.blocks)

    def gap(self, one: int, other: int) -> Estimate:
        """By how much one entrant's points a hand are above another's, from the blocks' differences."""
        if one < other:
            return self._gaps[one, other].estimate(self.blocks)
        turned = self._gaps[other, one].estimate(self.blocks)
        return Estimate(0.0 - turned.value, turned.error, turned.blocks)


class _Running:
    """Mean and sum of squared deviations, by Welford's update: it loses no digits where values are alike."""

    __slots__ = ("mean", "squares")

    def __init__(self) -> None:
        self.mean = 0.0
        self.squares = 0.0

    def add(self, value: float, count: int) -> None:
        """Take in the value that makes them `count`."""
        away = value - self.mean
        self.mean += away / count
        self.squares += away * (value - self.mean)

    def estimate(self, count: int) -> Estimate:
        """The mean of `count` values and its error."""
        error = sqrt(self.squares / (count - 1) / count) if count > 1 else None
        return Estimate(self.mean, error, count)


@dataclass(frozen=True, slots=True)
class Summary:
    """How the entrants stand. `order` names them best first, equals by number; the rest stands by entrant.

    `ranks` are from 1, equals share one. `leads` are the gaps in the order, each from an entrant to the next, in favour
    of the better. `certainty` is how sure the whole order is.
    """

    blocks: int
    looks: int
    order: tuple[int, ...]
    ranks: tuple[int, ...]
    means: tuple[Estimate, ...]
    leads: tuple[Estimate, ...]
    certainty: float


def summary(means: BlockMeans, best: Best = "lowest", looks: int = 1) -> Summary:
    """How the entrants stand after these blocks.

    `looks` is at how many points the league may be, or could have been, ended by what it shows: certainties hold at all
    of them, and are lower for it.
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
    """The entrants, best first, equals by number."""
    sign = 1.0 if best == "lowest" else -1.0
    return tuple(sorted(range(means.entrants), key=lambda entrant: sign * means.mean(entrant).value))


def lead(means: Gaps, one: int, other: int, best: Best = "lowest") -> Estimate:
    """By how much one entrant is better than another."""
    return means.gap(other, one) if best == "lowest" else means.gap(one, other)


def leads(means: BlockMeans, best: Best = "lowest") -> tuple[Estimate, ...]:
    """In the order, by how much each entrant is better than the next."""
    return tuple(lead(means, one, other, best) for one, other in pairwise(ranking(means, best)))


def rank_interval(ahead: Sequence[Estimate], level: float = 0.95, looks: int = 1) -> tuple[int, int]:
    """What holds the rank by the true means with this probability, of who is ahead of each other one by so much.

    Below all that are surely better, above all that are surely worse: each but for its share of the doubt.
    """
    sure = [one.value for one in ahead if one.doubt() * len(ahead) * looks <= 1.0 - level]
    return 1 + sum(value < 0.0 for value in sure), 1 + len(ahead) - sum(value > 0.0 for value in sure)


def order_certainty(means: BlockMeans, best: Best = "lowest", looks: int = 1) -> float:
    """The highest P, from 0 to 1, at which the order counts as certain: see `tourney.league.stopping` for the proof."""
    doubts = [ahead.doubt() for ahead in leads(means, best)]
    return max(0.0, 1.0 - max(doubts) * len(doubts) * looks) if doubts else 1.0
