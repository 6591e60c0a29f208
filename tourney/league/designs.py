"""Designs: the seatings in which a block plays its deals.

Every block is balanced by itself: each entrant has each seat equally often, all have as many seats, and every two meet
equally often. So a league is balanced after any number of blocks. Two entrants may be the same bot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from tourney.domain.leagues import Design
from tourney.league.difference_families import difference_family

Seating = tuple[int, ...]
"""Entrants by seat, numbered from 0; the first one deals first."""


class Shuffler(Protocol):
    """A generator that shuffles; `engine.seeds.Stream` is one."""

    def shuffle(self, items: list[int]) -> None:
        """Put the list in a random order, in place."""
        ...


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game of a block: the number of its deal in the block, and its seating.

    Games of one deal have the same cards. To be comparable, an entrant's own randomness should follow from the deal
    and the seat, not from the game.
    """

    deal: int
    seating: Seating


def plan_block(design: Design, entrants: int, seats: int, block: int, rng: Shuffler) -> tuple[PlannedGame, ...]:
    """Return the games of a block (from 0) for at least one entrant at tables of 2 or more seats.

    `rng` belongs to the block and only decides which of equivalent seatings is played. The designs:

    - `fresh`: tables of all entrants, or of as many as there are seats; every game has its own deal. Where seats
      remain that not all entrants can fill, the block has as many tables as it takes to balance the meetings.
    - `rotations`: such tables; each deal is played once for every seat, the table moving on by one each time.
    - `pairs`: every two entrants alone at a table, one deal for all of them, played in complementary seatings: each
      takes the seats that the other had. A bot that joins adds games and changes none.
    - `replace`: like `pairs`, but one of the two has a single seat, and in the second game all the others. The single
      seat moves on block by block and is the same for both.

    A league of one entrant plays one game a block, against itself.
    """
    if entrants == 1:
        return (PlannedGame(0, (0,) * seats),)
    if design == "pairs":
        sides = [seat % 2 for seat in range(seats)]
        rng.shuffle(sides)
        return tuple(_paired_games(entrants, sides))
    if design == "replace":
        return tuple(_paired_games(entrants, [int(seat == block % seats) for seat in range(seats)]))
    tables = _balanced_tables(entrants, seats, rng)
    if design == "fresh":
        return tuple(PlannedGame(deal, table) for deal, table in enumerate(tables))
    return tuple(_rotated(tables if seats % entrants else tables[:1]))


def _paired_games(entrants: int, sides: Sequence[int]) -> Iterator[PlannedGame]:
    """Seat every two entrants by side (0 or 1), then with the sides exchanged."""
    for pair in combinations(range(entrants), 2):
        for exchanged in (0, 1):
            yield PlannedGame(0, tuple([pair[side ^ exchanged] for side in sides]))


def _balanced_tables(entrants: int, seats: int, rng: Shuffler) -> list[Seating]:
    """Return seatings in which each entrant has each seat, and every two meet, equally often.

    Every entrant sits at each table equally often; remaining seats go to the members of a difference family, moved
    round a circle of the entrants. The order on the circle is random, so that larger groups also meet equally often in
    the long run.
    """
    whole, rest = divmod(seats, entrants)
    circle = list(range(entrants))
    tables = [[*circle * whole, *member] for member in (difference_family(entrants, rest) if rest else ((),))]
    for table in tables:
        rng.shuffle(table)
    if rest:
        rng.shuffle(circle)
    return [
        tuple([circle[(place + shift) % entrants] for place in table]) for table in tables for shift in range(entrants)
    ]


def _rotated(tables: list[Seating]) -> Iterator[PlannedGame]:
    for deal, table in enumerate(tables):
        for shift in range(len(table)):
            yield PlannedGame(deal, (*table[shift:], *table[:shift]))
