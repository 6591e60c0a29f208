"""Pilot runs: how many hands each design needs to separate bots, estimated from a few blocks of each.

A gap counts as separated once the two-sided t test of the differences in blocks has a p value below 1 − P; a league is
long enough if that happens to a true gap of that size in POWER of all leagues. That takes ((a + b) s / gap)² blocks,
where s is the standard deviation of the differences, and a and b are the normal quantiles exceeded with probabilities
(1 − P) / 2 and 1 − POWER.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, exp, sqrt
from statistics import NormalDist
from typing import Final

from tourney.domain.league_tables import DesignNeed
from tourney.domain.leagues import Design
from tourney.league.statistics import Best, BlockMeans, lead, ranking

POWER: Final = 0.8
"""The fraction of all leagues in which a true gap of the given size is to be separated."""
_NORMAL: Final = NormalDist()
_LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class PilotBlocks:
    """The pilot blocks of a design: the hands dealt in all, and by block the points or money a hand of each entrant."""

    hands: int
    rows: Sequence[Sequence[float]]


def design_needs(
    pilots: Mapping[Design, PilotBlocks], names: Sequence[str], gap: float, certainty: float, best: Best = "lowest"
) -> tuple[DesignNeed, ...]:
    """Return what each design needs, in their order, for a gap in points a hand (above 0) at this certainty.

    Each pilot has two entrants or more, of these names, and two blocks or more.
    """
    hardest = {design: _hardest_pair(pilot) for design, pilot in pilots.items()}
    reference = next(iter(hardest.values()))
    needs = []
    for design, pair in hardest.items():
        better, worse = sorted((pair.first, pair.second), key=ranking(pair.means, best).index)
        pair_lead = lead(pair.means, better, worse, best)
        saving = _saving(pair, reference)
        need = DesignNeed(
            design=design,
            played=pilots[design].hands,
            better=names[better],
            worse=names[worse],
            gap=pair_lead.value,
            error=pair_lead.error or 0.0,
            spread=pair.spread,
            hands=ceil(needed_blocks(pair.spread, gap, certainty) * pair.hands_per_block),
            fewer=None if saving is None else saving.value,
            fewer_low=None if saving is None else saving.low,
            fewer_high=None if saving is None else saving.high,
        )
        needs.append(need)
    return tuple(needs)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two entrants of a pilot: means, standard deviation of their differences, hands a block, and the relative standard
    error of the variance."""

    first: int
    second: int
    means: BlockMeans
    spread: float
    hands_per_block: float
    variance_error: float


def _hardest_pair(pilot: PilotBlocks) -> _Pair:
    """Return the pair whose differences vary most."""
    pairs = combinations(range(len(pilot.rows[0])), 2)
    return max((_pair(pilot, first, second) for first, second in pairs), key=lambda pair: pair.spread)


def _pair(pilot: PilotBlocks, first: int, second: int) -> _Pair:
    means = BlockMeans(len(pilot.rows[0]))
    for row in pilot.rows:
        means.add(row)
    number = len(pilot.rows)
    mean_gap = means.gap(first, second).value
    squares = [(row[first] - row[second] - mean_gap) ** 2 for row in pilot.rows]
    mean = sum(squares) / number
    spread = sqrt(sum(squares) / (number - 1))
    variance_error = sqrt(sum((square / mean - 1.0) ** 2 for square in squares)) / number if mean else 0.0
    return _Pair(first, second, means, spread, pilot.hands / number, variance_error)


def needed_blocks(spread: float, gap: float, certainty: float) -> int:
    """Return how many blocks separate a gap, both above 0, at this certainty; at least two, as fewer have no error."""
    quantiles = _NORMAL.inv_cdf(0.5 + 0.5 * certainty) + _NORMAL.inv_cdf(POWER)
    return max(2, ceil((quantiles * spread / gap) ** 2))


@dataclass(frozen=True, slots=True)
class _Saving:
    """The factor by which fewer hands are needed, with an interval."""

    value: float
    low: float
    high: float


def _saving(pair: _Pair, reference: _Pair) -> _Saving | None:
    """Return how many times fewer hands the pair needs than the reference; None if the pair never differs.

    The interval is that of the logarithm, with the errors of both variances.
    """
    if pair is reference:
        return _Saving(1.0, 1.0, 1.0)
    if pair.spread == 0.0:
        return None
    value = (reference.spread / pair.spread) ** 2 * reference.hands_per_block / pair.hands_per_block
    error = sqrt(pair.variance_error**2 + reference.variance_error**2)
    factor = exp(_NORMAL.inv_cdf(0.5 + 0.5 * _LEVEL) * error)
    return _Saving(value, value / factor, value * factor)
