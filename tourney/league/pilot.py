"""How many hands each design needs to tell bots apart, estimated from a few blocks of each.

A gap counts as separated once the two-sided t test of the blocks' differences leaves less than 1 − P of doubt; a league
is long enough if that happens to a true gap of that size in POWER of all leagues. That takes ((a + b) s / gap)² blocks,
s being the spread of the blocks' differences, and a and b what a normal variable passes with probabilities (1 − P) / 2
and 1 − POWER.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, exp, sqrt
from statistics import NormalDist
from typing import Final

from tourney.domain.leagues import Design, DesignNeed
from tourney.league.statistics import Best, BlockMeans, lead, ranking

POWER: Final = 0.8
"""In how many of all leagues a gap shows that is as large as asked for."""
_NORMAL: Final = NormalDist()
_WITHIN: Final = 0.95


@dataclass(frozen=True, slots=True)
class Pilot:
    """What the pilot blocks of a design gave: the hands dealt in all, and by block what a hand was worth by entrant."""

    hands: int
    rows: Sequence[Sequence[float]]


def needs(
    pilots: Mapping[Design, Pilot], names: Sequence[str], gap: float, certainty: float, best: Best = "lowest"
) -> tuple[DesignNeed, ...]:
    """What each design needs, in their order, for a gap of so many points a hand (above 0) at this certainty.

    Each pilot has two entrants or more, of these names, and two blocks or more.
    """
    hardest = {design: _hardest(pilot) for design, pilot in pilots.items()}
    first = next(iter(hardest.values()))
    found = []
    for design, couple in hardest.items():
        better, worse = sorted((couple.one, couple.other), key=ranking(couple.means, best).index)
        ahead = lead(couple.means, better, worse, best)
        fewer = _fewer(couple, first)
        need = DesignNeed(
            design=design,
            played=pilots[design].hands,
            better=names[better],
            worse=names[worse],
            gap=ahead.value,
            error=ahead.error or 0.0,
            spread=couple.spread,
            hands=ceil(needed_blocks(couple.spread, gap, certainty) * couple.hands_a_block),
            fewer=None if fewer is None else fewer.value,
            fewer_low=None if fewer is None else fewer.low,
            fewer_high=None if fewer is None else fewer.high,
        )
        found.append(need)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Couple:
    """Two entrants of a pilot: the means, the spread of their differences, hands a block, and by how much of itself the
    square of the spread may be wrong (its standard error)."""

    one: int
    other: int
    means: BlockMeans
    spread: float
    hands_a_block: float
    unsure: float


def _hardest(pilot: Pilot) -> _Couple:
    """The couple whose differences are spread most."""
    entrants = len(pilot.rows[0])
    return max((_couple(pilot, *pair) for pair in combinations(range(entrants), 2)), key=lambda couple: couple.spread)


def _couple(pilot: Pilot, one: int, other: int) -> _Couple:
    means = BlockMeans(len(pilot.rows[0]))
    for row in pilot.rows:
        means.add(row)
    number = len(pilot.rows)
    middle = means.gap(one, other).value
    squares = [(row[one] - row[other] - middle) ** 2 for row in pilot.rows]
    mean = sum(squares) / number
    spread = sqrt(sum(squares) / (number - 1))
    unsure = sqrt(sum((square / mean - 1.0) ** 2 for square in squares)) / number if mean else 0.0
    return _Couple(one, other, means, spread, pilot.hands / number, unsure)


def needed_blocks(spread: float, gap: float, certainty: float) -> int:
    """How many blocks separate a gap, both above 0, at this certainty; two at least, for fewer have no error."""
    bound = _NORMAL.inv_cdf(0.5 + 0.5 * certainty) + _NORMAL.inv_cdf(POWER)
    return max(2, ceil((bound * spread / gap) ** 2))


@dataclass(frozen=True, slots=True)
class _Factor:
    """How many times fewer hands, and what holds the true factor."""

    value: float
    low: float
    high: float


def _fewer(couple: _Couple, first: _Couple) -> _Factor | None:
    """How many times fewer hands this takes than the first: as a logarithm it has the errors of both spreads."""
    if couple is first:
        return _Factor(1.0, 1.0, 1.0)
    if couple.spread == 0.0:
        return None
    value = (first.spread / couple.spread) ** 2 * first.hands_a_block / couple.hands_a_block
    reach = exp(_NORMAL.inv_cdf(0.5 + 0.5 * _WITHIN) * sqrt(couple.unsure**2 + first.unsure**2))
    return _Factor(value, value / reach, value * reach)
