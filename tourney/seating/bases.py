"""One round that a cyclic group turns into all the others, where columns and offsets give too few.

Found by annealing. Points are orbits of the group, one after the other, and then points that stay. No pair meets
twice because no two pairs of the base round can be turned into each other.
"""

from dataclasses import dataclass
from functools import reduce

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
    return _BASES.get((tables, size))


_BASES = {
    (5, 3): Base((7,), ((0, 2, 11), (1, 5, 13), (3, 4, 10), (6, 9, 14), (7, 8, 12))),
    (6, 4): Base(
        (7,),
        ((0, 14, 16, 20), (1, 12, 18, 21), (2, 3, 5, 11), (4, 9, 19, 22), (6, 13, 17, 23), (7, 8, 10, 15)),
    ),
    (7, 4): Base(
        (3, 3),
        (
            (0, 1, 14, 16),
            (2, 9, 26, 27),
            (3, 7, 20, 23),
            (4, 6, 24, 25),
            (5, 8, 13, 17),
            (10, 11, 18, 22),
            (12, 15, 19, 21),
        ),
    ),
    (10, 4): Base(
        (10,),
        (
            (0, 16, 29, 36),
            (1, 7, 25, 27),
            (2, 3, 13, 31),
            (4, 6, 19, 38),
            (5, 8, 20, 35),
            (9, 26, 32, 34),
            (10, 12, 24, 37),
            (11, 21, 22, 28),
            (14, 15, 18, 23),
            (17, 30, 33, 39),
        ),
    ),
}
