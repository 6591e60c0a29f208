"""The cost of uneven counts: of rounds in each seat, of first deals, and of rounds at smaller tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from tourney.seating.balance.seats import best_seats
from tourney.seating.quality.metrics import Rounds, seat_counts, smaller_table_rounds

DEALER: Final = 2
"""The weight of a first deal too many, in rounds too many in another seat."""

MAX_BALANCED_SIZE: Final = 5
"""At larger tables only the first seat counts: there are too many ways to fill all seats."""

BalancedSeats = Literal["every seat", "first deals"]
"""The seats whose counts have a cost."""

BITS_PER_KIND: Final = 4
"""Bits of a key that count the players of one kind at a table, who are fewer than sixteen."""


@dataclass(frozen=True, slots=True)
class BalanceCost:
    """The cost of tables by the earlier rounds of their players, who are numbered by their places in an order.

    Each player of a table costs the rounds they have had in their seat beyond those in their rarest seat. The first
    dealer also costs `DEALER` times their first deals beyond the fewest of any player; at a table smaller than
    `largest` each player also costs their rounds at such tables beyond the fewest of any player. A table costs the
    least that any order of its players in its seats does. Where only first deals are balanced, seats cost nothing else.

    Players with equal counts are of one kind. The cost of a table follows from the number of players of each kind,
    which is its key, and is computed once: `marks[p]` is what player p adds to the key, one digit for each of the
    `kinds`. The last number of a kind is its cost at a smaller table.
    """

    marks: Sequence[int]
    kinds: Sequence[tuple[int, ...]]
    largest: int
    cost_by_key: dict[int, int] = field(default_factory=lambda: {0: 0})

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
        counts = []
        for player, row in zip(order, rows, strict=True):
            first, *others = [count - min(row) for count in row] if all_seats else [0] * largest
            counts.append((DEALER * (row[0] - dealt) + first, *others, short[player] - sat_short))
        kinds = list(dict.fromkeys(counts))
        digit = {kind: 1 << BITS_PER_KIND * number for number, kind in enumerate(kinds)}
        return cls([digit[kind] for kind in counts], kinds, largest)

    def of(self, table: Sequence[int]) -> int:
        """Return the cost of one table."""
        return self.at(self.key(table))

    def key(self, table: Sequence[int]) -> int:
        """Return how many of each kind sit at the table, as one number."""
        return sum(map(self.marks.__getitem__, table))

    def at(self, key: int) -> int:
        """Return the cost of a table with this key."""
        if key not in self.cost_by_key:
            table = [
                kind for number, kind in enumerate(self.kinds) for _player in range(key >> BITS_PER_KIND * number & 15)
            ]
            short = sum(kind[-1] for kind in table) if len(table) < self.largest else 0
            self.cost_by_key[key] = _table_balance(tuple(sorted(table))) + short
        return self.cost_by_key[key]

    @property
    def most(self) -> int:
        """A cost that no seating of all these players exceeds."""
        return sum(max(kind) + kind[-1] for mark in self.marks for kind in self._kind(mark))

    def _kind(self, mark: int) -> Sequence[tuple[int, ...]]:
        number = (mark.bit_length() - 1) // BITS_PER_KIND
        return self.kinds[number : number + 1]


@lru_cache(maxsize=1 << 14)
def _table_balance(table: tuple[tuple[int, ...], ...]) -> int:
    """Return the cost of players of these kinds in their best seats, cached since kinds recur."""
    return best_seats(table)[0]
