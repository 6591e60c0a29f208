"""How uneven tables leave turns: in each seat, at dealing first, and at tables smaller than the others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from tourney.seating.balance.seats import least
from tourney.seating.quality.metrics import Rounds, seat_counts, short_turns

DEALER: Final = 2
"""What a first deal too many weighs, in turns too many in another seat."""

WEIGHED: Final = 5
"""Where tables have more seats only the first one counts: with all, there are too many ways to seat them."""

Minded = Literal["every seat", "first deals"]
"""In which seats turns count."""

DIGIT: Final = 4
"""Bits that count the players of one kind at a table: it has fewer than sixteen."""


@dataclass(frozen=True, slots=True)
class Uneven:
    """What tables count by the turns of their players, who are known by their places in an order.

    Whoever takes a seat counts as many turns as he has had there beyond his rarest seat; who deals first, `DEALER`
    times as many as he has dealt beyond whoever has least; who sits at a table smaller than `largest`, as many as he
    has had at such tables beyond whoever has fewest. A table counts the least that its players can in any seats. Where
    only first deals are minded, a seat counts nothing but what the deal does.

    Players with the same turns are of one kind. What a table counts follows from how many of each kind it has, which is
    its key, and is found once: `marks[p]` is what the player adds to the key, one digit for each of the `kinds`. The
    last number of a kind is for a smaller table.
    """

    marks: Sequence[int]
    kinds: Sequence[tuple[int, ...]]
    largest: int
    known: dict[int, int] = field(default_factory=lambda: {0: 0})

    @classmethod
    def after(cls, order: Sequence[int], played: Rounds, largest: int, minded: Minded = "every seat") -> "Uneven":
        """What tables of at most so many of these players count after the rounds played."""
        every = minded == "every seat" and largest <= WEIGHED
        everybody = max(order) + 1
        seats, short = seat_counts(played, everybody), short_turns(played, everybody)
        rows = [[*seats[player], *[0] * largest][:largest] for player in order]
        dealt, sat_short = min(row[0] for row in rows), min(short[player] for player in order)
        turns = []
        for player, row in zip(order, rows, strict=True):
            first, *others = [count - min(row) for count in row] if every else [0] * largest
            turns.append((DEALER * (row[0] - dealt) + first, *others, short[player] - sat_short))
        kinds = list(dict.fromkeys(turns))
        digit = {kind: 1 << DIGIT * number for number, kind in enumerate(kinds)}
        return cls([digit[kind] for kind in turns], kinds, largest)

    def of(self, table: Sequence[int]) -> int:
        """What one table counts."""
        return self.at(self.key(table))

    def key(self, table: Sequence[int]) -> int:
        """How many of each kind sit at the table."""
        return sum(map(self.marks.__getitem__, table))

    def at(self, key: int) -> int:
        """What a table with this key counts."""
        if key not in self.known:
            table = [kind for number, kind in enumerate(self.kinds) for _one in range(key >> DIGIT * number & 15)]
            short = sum(kind[-1] for kind in table) if len(table) < self.largest else 0
            self.known[key] = _least(tuple(sorted(table))) + short
        return self.known[key]

    @property
    def most(self) -> int:
        """No seating of all these players counts more."""
        return sum(max(kind) + kind[-1] for mark in self.marks for kind in self._kind(mark))

    def _kind(self, mark: int) -> Sequence[tuple[int, ...]]:
        number = (mark.bit_length() - 1) // DIGIT
        return self.kinds[number : number + 1]


@lru_cache(maxsize=1 << 14)
def _least(table: tuple[tuple[int, ...], ...]) -> int:
    """What players of these kinds count in their best seats; the same are asked for again and again."""
    return least(table)[0]
