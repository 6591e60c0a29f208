"""Cyclic designs: base rounds that a cyclic group rotates into all others, where columns and offsets give too few.

The base rounds were found by annealing. Points are numbered orbit by orbit of the group, fixed points last. No pair
meets twice because no two pairs of the base rounds can be rotated into each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final

from tourney.seating.model import Groups

Blocks = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CyclicDesign:
    """Base rounds, and the orders of the cyclic groups whose product rotates them."""

    orders: tuple[int, ...]
    base_rounds: tuple[Blocks, ...]

    @property
    def turns(self) -> int:
        """The order of the group."""
        return reduce(int.__mul__, self.orders)

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.turns * len(self.base_rounds)

    def develop(self) -> Groups:
        """Return all rounds: the first base round and its rotations, then the next."""
        moving = sum(map(len, self.base_rounds[0])) // self.turns * self.turns
        return [
            [[point if point >= moving else self._rotated(point, turn) for point in block] for block in blocks]
            for blocks in self.base_rounds
            for turn in range(self.turns)
        ]

    def _rotated(self, point: int, turn: int) -> int:
        """Return the point in its orbit with `turn` added to its element, digit by digit."""
        moved, unit = point // self.turns * self.turns, 1
        for order in reversed(self.orders):
            moved += (point // unit + turn // unit) % order * unit
            unit *= order
        return moved


def cyclic_design(tables: int, size: int) -> CyclicDesign | None:
    """Return the design without repeats for this many tables of this size, None if none is known."""
    return _read(_BASES, tables, size)


def near_cyclic_design(tables: int, size: int) -> CyclicDesign | None:
    """Return a design of more rounds, in which few pairs meet twice and none three times, None if none is known."""
    return _read(_NEAR, tables, size)


Texts = Mapping[tuple[int, int], tuple[tuple[int, ...], str]]


def _read(texts: Texts, tables: int, size: int) -> CyclicDesign | None:
    if (tables, size) not in texts:
        return None
    orders, text = texts[tables, size]
    base_rounds = tuple(
        tuple(tuple(map(int, block.split())) for block in start.split(" | ")) for start in text.split(" / ")
    )
    return CyclicDesign(orders, base_rounds)


_BASES: Final[Texts] = {
    (5, 3): ((7,), "0 2 11 | 1 5 13 | 3 4 10 | 6 9 14 | 7 8 12"),
    (6, 3): (
        (4,),
        "4 7 14 | 3 13 17 | 2 5 9 | 0 6 8 | 1 10 16 | 11 12 15 / 6 9 17 | 4 12 16 | 1 5 14 | 2 7 8 | 0 3 15 | 10 11 13",
    ),
    (7, 3): (
        (5,),
        "6 8 17 | 9 14 20 | 7 15 19 | 4 12 13 | 0 2 16 | 3 10 18 | 1 5 11 / "
        "3 5 14 | 12 16 18 | 0 1 6 | 2 19 20 | 10 13 15 | 4 7 17 | 8 9 11",
    ),
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
"""By tables and size: the orders of the groups, and the blocks of the base rounds, between slashes."""

_NEAR: Final[Texts] = {
    (5, 4): (
        (1,),
        "0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15 | 16 17 18 19 / "
        "0 4 12 18 | 1 5 11 16 | 2 9 13 19 | 3 7 8 17 | 6 10 14 15 / "
        "0 2 5 8 | 1 6 13 17 | 3 10 12 16 | 4 11 15 19 | 7 9 14 18 / "
        "0 6 9 16 | 1 8 15 18 | 2 4 10 17 | 3 5 14 19 | 7 11 12 13 / "
        "0 11 14 17 | 1 3 4 9 | 2 7 15 16 | 5 10 13 18 | 6 8 12 19 / "
        "0 7 10 19 | 1 2 12 14 | 3 6 11 18 | 4 8 13 16 | 5 9 15 17 / "
        "0 3 13 15 | 1 7 10 19 | 2 6 11 18 | 4 8 14 16 | 5 9 12 17",
    ),
    (6, 4): (
        (1,),
        "0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15 | 16 17 18 19 | 20 21 22 23 / "
        "0 5 11 21 | 1 3 9 14 | 2 4 19 20 | 6 12 18 22 | 7 10 13 16 | 8 15 17 23 / "
        "0 13 17 22 | 1 4 11 12 | 2 10 15 19 | 3 5 16 23 | 6 7 9 20 | 8 14 18 21 / "
        "0 3 6 19 | 1 10 18 22 | 2 7 8 12 | 4 11 13 23 | 5 14 17 20 | 9 15 16 21 / "
        "0 9 10 23 | 1 5 6 15 | 2 13 14 21 | 3 7 12 17 | 4 8 16 22 | 11 18 19 20 / "
        "0 12 14 16 | 1 7 11 21 | 2 6 18 23 | 3 10 13 20 | 4 9 15 17 | 5 8 19 22 / "
        "0 8 15 20 | 1 13 17 19 | 2 7 9 22 | 3 4 18 21 | 5 10 12 23 | 6 11 14 16 / "
        "0 7 15 18 | 1 16 20 23 | 2 5 11 17 | 3 6 8 13 | 4 10 14 22 | 9 12 19 21 / "
        "0 1 4 8 | 2 12 16 20 | 3 11 15 22 | 5 9 13 18 | 6 10 17 21 | 7 14 19 23",
    ),
    (8, 4): (
        (10,),
        "16 19 10 27 | 31 17 26 3 | 8 18 7 1 | 28 14 6 12 | 29 5 22 21 | 13 23 4 25 | 15 0 2 20 | 24 9 30 11",
    ),
}
"""By tables and size, as in `_BASES`. All pairs of 20 players meet in 7 rounds, and of 24 in 9, so that fewer repeats
than 20 and 48 are impossible. Their groups are trivial; the rounds for 24 were found as eight rotations of one round,
and one more. 32 players have 10 repeats in 10 rounds: plans without repeats exist, but are not known here."""
