"""Exhaustive search for the cheapest tables of one round: for few players, or for a few tables of many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Final, Protocol

MAX_SEATINGS: Final = 3_000_000
MAX_TABLES_PER_PLAYER: Final = 1_001
"""The most seatings to try, and tables for one player; a search at both limits takes a tenth of a second."""

PricedTables = tuple[int, tuple[int, ...]]
"""A price and the tables that have it, each as a set of bits."""


class TablePrice(Protocol):
    """The price of tables, never negative."""

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""


@dataclass(frozen=True, slots=True)
class PairPrices:
    """Table prices from `pair[p][q]`, two players at one table, and `short[p]`, a player at a table below `largest`."""

    pair: Sequence[Sequence[int]]
    short: Sequence[int]
    largest: int

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""
        price = sum(self.pair[first][second] for first, second in combinations(table, 2))
        return price + sum(self.short[player] for player in table) * (len(table) < self.largest)


def is_tractable(sizes: Sequence[int]) -> bool:
    """Report whether all seatings at tables of these sizes may be tried."""
    waiting, seatings = sum(sizes), 1
    for size in sizes:
        seatings *= comb(waiting - 1, size - 1)
        waiting -= size
    # The second of two tables follows from the first.
    return seatings <= MAX_SEATINGS and (
        len(sizes) <= 2 or comb(sum(sizes) - 1, max(sizes) - 1) <= MAX_TABLES_PER_PLAYER
    )


def cheapest_tables(prices: TablePrice, players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return the cheapest tables of these sizes for these players, in any order, each in ascending order."""
    ordered = sorted(players)
    search = _ExactSearch(prices, ordered, sizes)
    _price, tables = search.best((1 << len(ordered)) - 1, tuple(sorted(sizes)))
    return [[player for place, player in enumerate(ordered) if table >> place & 1] for table in tables]


@dataclass(slots=True)
class _ExactSearch:
    """All tables with their prices, and the best seating of each set of players, memoized."""

    prices: TablePrice
    players: Sequence[int]
    sizes: Sequence[int]
    price: dict[int, int] = field(default_factory=dict)
    first: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    best_by_players: dict[tuple[int, tuple[int, ...]], PricedTables] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Price each table once; `first[size, p]` are those whose first player is p, cheap ones first."""
        for size in set(self.sizes):
            for places in combinations(range(len(self.players)), size):
                bits = sum(1 << place for place in places)
                price = self.prices.of([self.players[place] for place in places])
                self.price[bits] = price
                self.first.setdefault((size, places[0]), []).append((price, bits))
        for tables in self.first.values():
            tables.sort()

    def best(self, waiting: int, sizes: tuple[int, ...]) -> PricedTables:
        """Return the cheapest tables of these sizes for the players `waiting` (bits), of whom each has a table."""
        if len(sizes) == 1:
            return self.price[waiting], (waiting,)
        if (waiting, sizes) in self.best_by_players:
            return self.best_by_players[waiting, sizes]
        cheapest: PricedTables | None = None
        lowest = (waiting & -waiting).bit_length() - 1
        for place, size in enumerate(sizes):
            if place and sizes[place - 1] == size:
                continue
            rest = sizes[:place] + sizes[place + 1 :]
            for price, bits in self.first[size, lowest]:
                if cheapest is not None and price >= cheapest[0]:
                    break
                if bits & waiting == bits:
                    others, tables = self.best(waiting ^ bits, rest)
                    if cheapest is None or price + others < cheapest[0]:
                        cheapest = price + others, (bits, *tables)
        assert cheapest is not None, "these sizes hold the players waiting"
        self.best_by_players[waiting, sizes] = cheapest
        return cheapest
