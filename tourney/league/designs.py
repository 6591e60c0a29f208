"""In which seatings a block plays its deals.

A block is fair by itself: of the seats that count each entrant has every one equally often, and as many as every
other. Whom an entrant meets is level over a cycle of blocks. Two entrants may be the same bot; nothing here knows of
it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Protocol

from tourney.domain import Design

Seating = tuple[int, ...]
"""Entrants by seat, numbered from 0; the first one deals first."""


class Chance(Protocol):
    """What draws the order of seats; `engine.seeds.Stream` is one."""

    def shuffle(self, items: list[int]) -> None:
        """Puts the list in a random order, in place."""
        ...


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of a block: the number of its deal in the block, who sits where, and the seats whose points count.

    Sittings of one deal have the same cards. For them to be comparable an entrant's own randomness should follow from
    the deal and the seat, and not from the sitting.
    """

    deal: int
    seating: Seating
    counted: tuple[int, ...]


def seatings(design: Design, entrants: int, seats: int, block: int, chance: Chance) -> tuple[Sitting, ...]:
    """The games of a block (from 0) of a league of at least one entrant at tables of 2 or more seats.

    `chance` is the block's own and draws only which of equals sits where. By design:

    - `fresh`: tables of all entrants, or of as many as there are seats; every game has a deal of its own.
    - `rotations`: such tables, each deal played as often as there are seats; the table moves on by one each time.
    - `pairs`: every two entrants alone at a table, one deal for all of them, played in complementary seatings: where
      one of them sat, the other does. Who joins a league brings games, and takes none away.
    - `replace`: one deal, which one entrant plays against itself; then each other takes one of its seats after the
      other, and only that one counts. The entrants are that one in turn, block by block.

    A league of one entrant plays one game a block, against itself.
    """
    if entrants == 1:
        return (Sitting(0, (0,) * seats, tuple(range(seats))),)
    if design == "pairs":
        return tuple(_pairs(entrants, seats, chance))
    if design == "replace":
        return tuple(_replace(entrants, seats, block % entrants))
    tables = _tables(entrants, seats, block, chance)
    if design == "fresh":
        return tuple(_whole(tables))
    return tuple(_rotated(tables if seats % entrants else tables[:1]))


def cycle(design: Design, entrants: int, seats: int) -> int:
    """After how many blocks everybody has met everybody equally often."""
    if design == "pairs" or entrants == 1:
        return 1
    if design == "replace":
        return entrants
    more = seats % entrants
    return comb(entrants - 1, more - 1) if more else 1


def _pairs(entrants: int, seats: int, chance: Chance) -> Iterator[Sitting]:
    pattern = [seat % 2 for seat in range(seats)]
    chance.shuffle(pattern)
    everyone = tuple(range(seats))
    for pair in combinations(range(entrants), 2):
        for other in (0, 1):
            yield Sitting(0, tuple(pair[side ^ other] for side in pattern), everyone)


def _replace(entrants: int, seats: int, field: int) -> Iterator[Sitting]:
    yield Sitting(0, (field,) * seats, tuple(range(seats)))
    for other in range(entrants):
        if other != field:
            for seat in range(seats):
                yield Sitting(0, (*(field,) * seat, other, *(field,) * (seats - seat - 1)), (seat,))


def _tables(entrants: int, seats: int, block: int, chance: Chance) -> list[Seating]:
    """Seatings that together give every entrant every seat equally often: one, and all moved on by one, two, …"""
    table = _table(entrants, seats, block)
    chance.shuffle(table)
    return [tuple((entrant + shift) % entrants for entrant in table) for shift in range(entrants)]


def _table(entrants: int, seats: int, block: int) -> list[int]:
    """The entrants of the first table of a block: all of them equally often, and some once more.

    Those are entrant 0 with every set of others in turn. With all moved on by one, two, … as well, any two of them
    stand together equally often: among the sets with 0 every difference of two numbers is as frequent as any other.
    """
    often, more = divmod(seats, entrants)
    if not more:
        return list(range(entrants)) * often
    sets = combinations(range(1, entrants), more - 1)
    others = next(islice(sets, block % comb(entrants - 1, more - 1), None))
    return [*(list(range(entrants)) * often), 0, *others]


def _whole(tables: list[Seating]) -> Iterator[Sitting]:
    for deal, table in enumerate(tables):
        yield Sitting(deal, table, tuple(range(len(table))))


def _rotated(tables: list[Seating]) -> Iterator[Sitting]:
    for deal, table in enumerate(tables):
        for moved in range(len(table)):
            yield Sitting(deal, (*table[moved:], *table[:moved]), tuple(range(len(table))))
