"""One round of many players in standing order, searched: neighbours at one table, few of whom have met."""

from collections.abc import Sequence
from itertools import accumulate, chain, combinations, pairwise
from typing import Final

from tourney.seating.chance import Chance
from tourney.seating.exact import Prices, cheapest
from tourney.seating.search import acceptance

STEPS: Final = 100_000
"""Exchanges that one annealing looks at: a tenth of a second."""

STAGES: Final = 40
COOLING: Final = 0.86
"""Stages of an annealing, and what each leaves of the temperature of the one before."""

NEAR, TIGHT = 60, 4
"""What a repeat weighs in standing positions: few, where there is room; a multiple of the players, where not."""

PASSES: Final = 4
REACH: Final = 5
"""How often tables are gone through at the end, and in how many from each one on those mended with it stand."""

FEW: Final = 10
"""Up to so many tables there is time to mend three at a time."""

MOST_OF_FEW, MOST_OF_MANY = 12, 10
"""Players whose tables are mended together at most, where tables are few and where they are many."""


def nearby(
    prices: Prices,
    sore: Sequence[Sequence[int]],
    near: Sequence[Sequence[int]],
    sizes: Sequence[int],
    draw: Chance,
) -> list[list[int]]:
    """Tables of these sizes for players 0, 1, 2 … in standing order: good, and not proven best.

    The better of two annealings, one after nearness first of all and one after repeats; of each, tables
    near one another are then mended together as well as can be. `sore[p][q]` is how many repeats it counts as that two
    share a table, `near[p][q]` how many standing positions.
    """
    start = [list(range(first, last)) for first, last in pairwise(accumulate(sizes, initial=0))]
    weights = (NEAR, TIGHT * len(sore))
    found = [_mend(prices, _anneal(_soft(sore, near, weight), start, weight, draw)) for weight in weights]
    return min(found, key=lambda tables: sum(map(prices.of, tables)))


def _soft(sore: Sequence[Sequence[int]], near: Sequence[Sequence[int]], weight: int) -> list[list[int]]:
    """Prices of pairs where a repeat costs so many standing positions, for heat to bargain with."""
    return [
        [weight * count + distance for count, distance in zip(repeats, distances, strict=True)]
        for repeats, distances in zip(sore, near, strict=True)
    ]


def _anneal(pair: list[list[int]], start: list[list[int]], weight: int, draw: Chance) -> list[list[int]]:
    """The tables after exchanges at falling temperature, wherever it ended."""
    tables = [list(table) for table in start]
    at = [number for number, table in enumerate(tables) for _player in table]
    temperature = weight * 0.4
    for _stage in range(STAGES):
        odds = acceptance(temperature)
        for _step in range(STEPS // STAGES):
            one, other = int(draw() * len(at)), int(draw() * len(at))
            if at[one] == at[other]:
                continue
            rise = _rise(pair, tables, at, one, other)
            if rise <= 0 or (rise < len(odds) and draw() < odds[rise]):
                _exchange(tables, at, one, other)
        temperature *= COOLING
    return tables


def _rise(pair: list[list[int]], tables: list[list[int]], at: list[int], one: int, other: int) -> int:
    """By how much the price rises if the two, who sit at different tables, change places."""
    of_one, of_other = pair[one], pair[other]
    rise = -2 * of_one[other]
    for player in tables[at[one]]:
        rise += of_other[player] - of_one[player]
    for player in tables[at[other]]:
        rise += of_one[player] - of_other[player]
    return rise


def _exchange(tables: list[list[int]], at: list[int], one: int, other: int) -> None:
    here, there = tables[at[one]], tables[at[other]]
    here[here.index(one)], there[there.index(other)] = other, one
    at[one], at[other] = at[other], at[one]


def _mend(prices: Prices, tables: Sequence[Sequence[int]]) -> list[list[int]]:
    """The tables after seating the players of some that are near one another as well as can be, until all are."""
    mended = [list(table) for table in tables]
    settled: set[tuple[int, ...]] = set()
    together, most = ((2, 3), MOST_OF_FEW) if len(mended) <= FEW else ((2,), MOST_OF_MANY)
    for _pass in range(PASSES):
        mended.sort(key=standing)
        neighbours = [
            (first, *others)
            for first in range(len(mended))
            for number in together
            for others in combinations(range(first + 1, min(first + REACH, len(mended))), number - 1)
            if sum(len(mended[place]) for place in (first, *others)) <= most
        ]
        changes = [_mend_some(prices, mended, places, settled) for places in neighbours]
        if not any(changes):
            break
    return mended


def _mend_some(prices: Prices, tables: list[list[int]], places: Sequence[int], settled: set[tuple[int, ...]]) -> bool:
    """Whether the tables at these places could be mended; `settled` remembers those that could not."""
    old = [tables[place] for place in places]
    sizes, everybody = [len(table) for table in old], tuple(chain.from_iterable(old))
    if everybody in settled:
        return False
    settled.add(everybody)
    found = cheapest(prices, everybody, sizes)
    if sum(map(prices.of, found)) >= sum(map(prices.of, old)):
        return False
    for place, table in zip(places, found, strict=True):
        tables[place] = table
    return True


def standing(table: Sequence[int]) -> tuple[float, Sequence[int]]:
    """Orders tables by the mean position of their players."""
    return sum(table) / len(table), table
