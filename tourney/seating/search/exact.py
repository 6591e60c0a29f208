"""The cheapest tables of one round, by trying all: for few players, or for a few tables of many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Final, Protocol

WAYS: Final = 3_000_000
TABLES: Final = 1_001
"""Seatings that may be tried, and tables for one player; with both a trial takes a tenth of a second."""

Found = tuple[int, tuple[int, ...]]
"""A price and the tables that have it, each as a set of bits."""


class Priced(Protocol):
    """What tables cost, never less than nothing."""

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What tables cost: `pair[p][q]` two players at one table, `short[p]` a player at one of fewer than `largest`."""

    pair: Sequence[Sequence[int]]
    short: Sequence[int]
    largest: int

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""
        price = sum(self.pair[one][other] for one, other in combinations(table, 2))
        return price + sum(self.short[player] for player in table) * (len(table) < self.largest)


def few_enough(sizes: Sequence[int]) -> bool:
    """Whether all seatings at tables of these sizes may be tried."""
    left, ways = sum(sizes), 1
    for size in sizes:
        ways *= comb(left - 1, size - 1)
        left -= size
    # The second of two tables follows from the first.
    return ways <= WAYS and (len(sizes) <= 2 or comb(sum(sizes) - 1, max(sizes) - 1) <= TABLES)


def cheapest(prices: Priced, players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Tables of these sizes, in any order, for these players: none cost less; each in ascending order."""
    ordered = sorted(players)
    trial = _Trial(prices, ordered, sizes)
    _price, tables = trial.best((1 << len(ordered)) - 1, tuple(sorted(sizes)))
    return [[player for place, player in enumerate(ordered) if table >> place & 1] for table in tables]


@dataclass(slots=True)
class _Trial:
    """All tables with their prices, and the best seating of each set of players as far as it is known."""

    prices: Priced
    players: Sequence[int]
    sizes: Sequence[int]
    price: dict[int, int] = field(default_factory=dict)
    first: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    known: dict[tuple[int, tuple[int, ...]], Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prices each table once; `first[size, p]` are those whose first player is p, cheap ones first."""
        for size in set(self.sizes):
            for places in combinations(range(len(self.players)), size):
                bits = sum(1 << place for place in places)
                price = self.prices.of([self.players[place] for place in places])
                self.price[bits] = price
                self.first.setdefault((size, places[0]), []).append((price, bits))
        for tables in self.first.values():
            tables.sort()

    def best(self, left: int, sizes: tuple[int, ...]) -> Found:
        """The cheapest tables of these sizes for the players left: the first of them sits somewhere."""
        if len(sizes) == 1:
            return self.price[left], (left,)
        if (left, sizes) in self.known:
            return self.known[left, sizes]
        found: Found | None = None
        lowest = (left & -left).bit_length() - 1
        for place, size in enumerate(sizes):
            if place and sizes[place - 1] == size:
                continue
            rest = sizes[:place] + sizes[place + 1 :]
            for price, bits in self.first[size, lowest]:
                if found is not None and price >= found[0]:
                    break
                if bits & left == bits:
                    others, tables = self.best(left ^ bits, rest)
                    if found is None or price + others < found[0]:
                        found = price + others, (bits, *tables)
        assert found is not None, "these sizes hold the players left"
        self.known[left, sizes] = found
        return found
