"""In which seatings a block plays its deals.

A block is fair by itself, so that a league is after any number of them: each entrant has every seat equally often, as
many seats as every other, and every two meet equally often. Two entrants may be the same bot; nothing here knows of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from tourney.domain.leagues import Design
from tourney.league.difference_families import level_family

Seating = tuple[int, ...]
"""Entrants by seat, numbered from 0; the first one deals first."""


class Chance(Protocol):
    """What draws the order of seats; `engine.seeds.Stream` is one."""

    def shuffle(self, items: list[int]) -> None:
        """Puts the list in a random order, in place."""
        ...


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of a block: the number of its deal in the block, and who sits where.

    Sittings of one deal have the same cards. For them to be comparable an entrant's own randomness should follow from
    the deal and the seat, and not from the sitting.
    """

    deal: int
    seating: Seating


def seatings(design: Design, entrants: int, seats: int, block: int, chance: Chance) -> tuple[Sitting, ...]:
    """The games of a block (from 0) of a league of at least one entrant at tables of 2 or more seats.

    `chance` is the block's own and draws only which of equals sits where. By design:

    - `fresh`: tables of all entrants, or of as many as there are seats; every game has a deal of its own. Where seats
      are left that not all can have, a block has as many tables as it takes until every two have met equally often.
    - `rotations`: such tables, each deal played as often as there are seats; the table moves on by one each time.
    - `pairs`: every two entrants alone at a table, one deal for all of them, played in complementary seatings: where
      one of them sat, the other does. Who joins a league brings games, and takes none away.
    - `replace`: the same, but one of the two has only one seat of the table, and in the other game all others. The
      seats are the lone one in turn, block by block; for both of them it is the same one.

    A league of one entrant plays one game a block, against itself.
    """
    if entrants == 1:
        return (Sitting(0, (0,) * seats),)
    if design == "pairs":
        halves = [seat % 2 for seat in range(seats)]
        chance.shuffle(halves)
        return tuple(_couples(entrants, halves))
    if design == "replace":
        return tuple(_couples(entrants, [int(seat == block % seats) for seat in range(seats)]))
    tables = _tables(entrants, seats, chance)
    if design == "fresh":
        return tuple(_whole(tables))
    return tuple(_rotated(tables if seats % entrants else tables[:1]))


def _couples(entrants: int, sides: Sequence[int]) -> Iterator[Sitting]:
    """Every two entrants at the sides, 0 or 1, that the seats have, and the other way round."""
    for couple in combinations(range(entrants), 2):
        for other in (0, 1):
            yield Sitting(0, tuple([couple[side ^ other] for side in sides]))


def _tables(entrants: int, seats: int, chance: Chance) -> list[Seating]:
    """Seatings that together give every entrant every seat, and every two each other, equally often.

    All sit at each table equally often, and where seats are left some once more: the members of a level family. Each
    table is there as it is, and with all moved on by one, two, … round the circle. In which order they stand on it is
    drawn, so that in the long run it is level too which three, four, … sit together.
    """
    often, more = divmod(seats, entrants)
    circle = list(range(entrants))
    tables = [[*circle * often, *member] for member in (level_family(entrants, more) if more else ((),))]
    for table in tables:
        chance.shuffle(table)
    if more:
        chance.shuffle(circle)
    return [tuple([circle[(one + shift) % entrants] for one in table]) for table in tables for shift in range(entrants)]


def _whole(tables: list[Seating]) -> Iterator[Sitting]:
    for deal, table in enumerate(tables):
        yield Sitting(deal, table)


def _rotated(tables: list[Seating]) -> Iterator[Sitting]:
    for deal, table in enumerate(tables):
        for moved in range(len(table)):
            yield Sitting(deal, (*table[moved:], *table[:moved]))
