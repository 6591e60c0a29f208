"""One round that a cyclic group turns into all the others, where columns and offsets give too few.

Found by annealing. Points are orbits of the group, one after the other, and then points that stay. No pair meets
twice because no two pairs of the base round can be turned into each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final

from tourney.seating.values import Groups

Blocks = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Base:
    """A base round, and the orders of the cyclic groups whose product turns it."""

    orders: tuple[int, ...]
    blocks: Blocks

    @property
    def rounds(self) -> int:
        """How many rounds it gives: the order of the group."""
        return reduce(int.__mul__, self.orders)

    def develop(self) -> Groups:
        """All rounds, the base round first."""
        moving = sum(map(len, self.blocks)) // self.rounds * self.rounds
        return [
            [[point if point >= moving else self._turned(point, turn) for point in block] for block in self.blocks]
            for turn in range(self.rounds)
        ]

    def _turned(self, point: int, turn: int) -> int:
        """The point's orbit kept, its element added to `turn`, digit by digit."""
        moved, unit = point // self.rounds * self.rounds, 1
        for order in reversed(self.orders):
            moved += (point // unit + turn // unit) % order * unit
            unit *= order
        return moved


def base_for(tables: int, size: int) -> Base | None:
    """The base round known for that many tables of that size."""
    return _read(_BASES, tables, size)


def near_base(tables: int, size: int) -> Base | None:
    """A base round for more rounds than any that is known to repeat nothing; few pairs meet twice, and none thrice."""
    return _read(_NEAR, tables, size)


Texts = Mapping[tuple[int, int], tuple[tuple[int, ...], str]]


def _read(texts: Texts, tables: int, size: int) -> Base | None:
    if (tables, size) not in texts:
        return None
    orders, text = texts[tables, size]
    return Base(orders, tuple(tuple(map(int, block.split())) for block in text.split(" | ")))


_BASES: Final[Texts] = {
    (5, 3): ((7,), "0 2 11 | 1 5 13 | 3 4 10 | 6 9 14 | 7 8 12"),
    (8, 3): ((11,), "0 1 8 | 2 7 18 | 3 16 23 | 4 6 21 | 5 13 14 | 9 12 19 | 10 11 22 | 15 17 20"),
    (9, 3): ((13,), "0 8 11 | 1 10 17 | 2 20 21 | 3 4 14 | 5 12 13 | 6 18 23 | 7 16 26 | 9 22 24 | 15 19 25"),
    (10, 3): (
        (14,),
        "0 2 18 | 1 15 21 | 3 24 26 | 4 14 29 | 5 11 16 | 6 7 10 | 8 13 25 | 9 17 22 | 12 27 28 | 19 20 23",
    ),
    (6, 4): ((7,), "0 14 16 20 | 1 12 18 21 | 2 3 5 11 | 4 9 19 22 | 6 13 17 23 | 7 8 10 15"),
    (7, 4): ((3, 3), "0 1 14 16 | 2 9 26 27 | 3 7 20 23 | 4 6 24 25 | 5 8 13 17 | 10 11 18 22 | 12 15 19 21"),
    (9, 4): (
        (11,),
        "0 1 28 31 | 2 14 25 34 | 3 5 10 12 | 4 7 21 29 | 6 11 24 35 | 8 16 23 33 | 9 13 19 20 | 15 18 30 32 | "
        "17 22 26 27",
    ),
    (10, 4): (
        (10,),
        "0 16 29 36 | 1 7 25 27 | 2 3 13 31 | 4 6 19 38 | 5 8 20 35 | 9 26 32 34 | 10 12 24 37 | 11 21 22 28 | "
        "14 15 18 23 | 17 30 33 39",
    ),
    (6, 5): ((6,), "0 4 8 12 22 | 1 17 18 20 29 | 2 7 11 23 27 | 3 9 16 24 26 | 5 6 14 19 25 | 10 13 15 21 28"),
}
"""By tables and size: the orders of the groups, and the blocks of the base round."""

_NEAR: Final[Texts] = {
    (8, 4): (
        (10,),
        "16 19 10 27 | 31 17 26 3 | 8 18 7 1 | 28 14 6 12 | 29 5 22 21 | 13 23 4 25 | 15 0 2 20 | 24 9 30 11",
    ),
}
"""As above; 32 players repeat 10 meetings in 10 rounds. Plans that repeat none exist, but are not known here."""
