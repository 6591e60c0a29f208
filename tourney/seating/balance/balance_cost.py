"""The cost of uneven turns at a table: in each seat, at dealing first, and at smaller tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from tourney.seating.balance.seats import best_seats
from tourney.seating.quality.metrics import Rounds, seat_counts, smaller_table_rounds

DEALER: Final = 2
"""The weight of a first deal too many, in turns too many in another seat."""

MAX_BALANCED_SIZE: Final = 5
"""At larger tables only the first seat counts: there are too many ways to fill all seats."""

BalancedSeats = Literal["every seat", "first deals"]
"""The seats in which turns count."""

BITS_PER_KIND: Final = 4
"""Bits that count the players of one kind at a table: it has fewer than sixteen."""


@dataclass(frozen=True, slots=True)
class BalanceCost:
    """The cost of tables by the turns of their players, who are known by their places in an order.

    A player in a seat counts the turns they have had there beyond their rarest seat; who deals first counts `DEALER`
    times the deals beyond those of whoever has dealt least; who sits at a table smaller than `largest` counts the
    rounds at such tables beyond those of whoever has fewest. A table counts the least that its players can in any
    seats. Where only first deals are balanced, a seat counts nothing beside the deal.

    Players with equal turns are of one kind. The cost of a table follows from how many of each kind it has, which is
    its key, and is computed once: `marks[p]` is what the player adds to the key, one digit for each of the `kinds`. The
    last number of a kind is for a smaller table.
    """

    marks: Sequence[int]
    kinds: Sequence[tuple[int, ...]]
    largest: int
    known: dict[int, int] = field(default_factory=lambda: {0: 0})

    @classmethod
    def after(
        cls, order: Sequence[int], played: Rounds, largest: int, balanced_seats: BalancedSeats = "every seat"
    ) -> "BalanceCost":
        """Return the cost of tables of at most `largest` of these players after the rounds played."""
        all_seats = balanced_seats == "every seat" and largest <= MAX_BALANCED_SIZE
        everybody = max(order) + 1
        seats, short = seat_counts(played, everybody), smaller_table_rounds(played, everybody)
        rows = [[*seats[player], *[0] * largest][:largest] for player in order]
        dealt, sat_short = min(row[0] for row in rows), min(short[player] for player in order)
        turns = []
        for player, row in zip(order, rows, strict=True):
            first, *others = [count - min(row) for count in row] if all_seats else [0] * largest
            turns.append((DEALER * (row[0] - dealt) + first, *others, short[player] - sat_short))
        kinds = list(dict.fromkeys(turns))
        digit = {kind: 1 << BITS_PER_KIND * number for number, kind in enumerate(kinds)}
        return cls([digit[kind] for kind in turns], kinds, largest)

    def of(self, table: Sequence[int]) -> int:
        """Return the cost of one table."""
        return self.at(self.key(table))

    def key(self, table: Sequence[int]) -> int:
        """Return how many of each kind sit at the table, as one number."""
        return sum(map(self.marks.__getitem__, table))

    def at(self, key: int) -> int:
        """Return the cost of a table with this key."""
        if key not in self.known:
            table = [
                kind for number, kind in enumerate(self.kinds) for _one in range(key >> BITS_PER_KIND * number & 15)
            ]
            short = sum(kind[-1] for kind in table) if len(table) < self.largest else 0
            self.known[key] = _table_balance(tuple(sorted(table))) + short
        return self.known[key]

    @property
    def most(self) -> int:
        """A cost that no seating of all these players exceeds."""
        return sum(max(kind) + kind[-1] for mark_constraints in self.marks for kind in self._kind(mark_constraints))

    def _kind(self, mark_constraints: int) -> Sequence[tuple[int, ...]]:
        number = (mark_constraints.bit_length() - 1) // BITS_PER_KIND
        return self.kinds[number : number + 1]


@lru_cache(maxsize=1 << 14)
def _table_balance(table: tuple[tuple[int, ...], ...]) -> int:
    """Return the cost of players of these kinds in their best seats, cached since kinds recur."""
    return best_seats(table)[0]
