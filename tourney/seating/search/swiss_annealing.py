"""One round of many players in standing order, searched: neighbours at one table, few of whom have met."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, pairwise
from typing import Final

from tourney.seating.balance.balance_cost import Uneven
from tourney.seating.rng import Chance
from tourney.seating.search.exact import Priced, cheapest
from tourney.seating.search.state import acceptance

STEPS: Final = 100_000
"""Exchanges that one annealing looks at: a tenth of a second."""

WITHIN: Final = 40
"""Places in the order that two who exchange tables are apart at most."""

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


@dataclass(frozen=True, slots=True)
class Bargain:
    """What a search weighs against each other, in standing positions, for players by their places in the order.

    `sore[p][q]` is how many repeats it counts as that two share a table, `near[p][q]` how many positions; each turn
    of `uneven` too many is `turn` positions.
    """

    sore: Sequence[Sequence[int]]
    near: Sequence[Sequence[int]]
    uneven: Uneven
    turn: int = NEAR

    def pairs(self, repeat: int) -> list[list[int]]:
        """What it costs that two share a table, where a repeat costs so many positions."""
        return [
            [repeat * count + distance for count, distance in zip(repeats, distances, strict=True)]
            for repeats, distances in zip(self.sore, self.near, strict=True)
        ]


def nearby(prices: Priced, bargain: Bargain, sizes: Sequence[int], draw: Chance) -> list[list[int]]:
    """Tables of these sizes for players 0, 1, 2 … in standing order: good, and not proven best.

    The better of two annealings, one after nearness first of all and one after repeats; of each, tables
    near one another are then mended together as well as can be.
    """
    start = [list(range(first, last)) for first, last in pairwise(accumulate(sizes, initial=0))]
    weights = (NEAR, TIGHT * len(bargain.sore))
    found = [_Annealing(start, bargain, weight).end(weight, draw) for weight in weights]
    return _mend(prices, min(found, key=lambda tables: sum(map(prices.of, tables))))


class _Annealing:
    """Tables under change, and what they cost where a repeat costs so many standing positions; `keys` are the tables'
    keys in what is uneven."""

    def __init__(self, start: list[list[int]], bargain: Bargain, repeat: int) -> None:
        self.tables = [list(table) for table in start]
        self.at = [number for number, table in enumerate(self.tables) for _player in table]
        self.pair = bargain.pairs(repeat)
        self.uneven, self.turn = bargain.uneven, bargain.turn
        self.keys = [self.uneven.key(table) for table in self.tables]

    def end(self, weight: int, draw: Chance) -> list[list[int]]:
        """The tables after exchanges at falling temperature, wherever it ended."""
        players, near = len(self.at), min(WITHIN, len(self.at) - 1)
        temperature = weight * 0.4
        for _stage in range(STAGES):
            odds = acceptance(temperature)
            for _step in range(STEPS // STAGES):
                one = int(draw() * players)
                other = (one + 1 + int(draw() * near)) % players
                if self.at[one] == self.at[other]:
                    continue
                rise = self._rise(one, other)
                if rise <= 0 or (rise < len(odds) and draw() < odds[rise]):
                    self._exchange(one, other)
            temperature *= COOLING
        return self.tables

    def _rise(self, one: int, other: int) -> int:
        """By how much the price rises if the two, who sit at different tables, change places."""
        of_one, of_other = self.pair[one], self.pair[other]
        here, there = self.at[one], self.at[other]
        rise = -2 * of_one[other]
        for player in self.tables[here]:
            rise += of_other[player] - of_one[player]
        for player in self.tables[there]:
            rise += of_one[player] - of_other[player]
        change = self.uneven.marks[other] - self.uneven.marks[one]
        if change:
            count, keys = self.uneven.at, self.keys
            after = count(keys[here] + change) + count(keys[there] - change)
            rise += self.turn * (after - count(keys[here]) - count(keys[there]))
        return rise

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        change = self.uneven.marks[other] - self.uneven.marks[one]
        self.keys[here] += change
        self.keys[there] -= change
        near, far = self.tables[here], self.tables[there]
        near[near.index(one)], far[far.index(other)] = other, one
        self.at[one], self.at[other] = there, here


def _mend(prices: Priced, tables: Sequence[Sequence[int]]) -> list[list[int]]:
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


def _mend_some(prices: Priced, tables: list[list[int]], places: Sequence[int], settled: set[tuple[int, ...]]) -> bool:
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
