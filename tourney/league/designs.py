"""Seatings of a block: who plays with whom in each game, from difference families where seats remain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, count
from math import gcd
from typing import Final, Protocol

from engine.seeds import Stream
from tourney.domain.leagues import Design

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


@dataclass(frozen=True, slots=True)
class BlockShape:
    """The size of a block: its entrants, two or more, the seats of a table, and the block's number from 0."""

    entrants: int
    seats: int
    number: int


@dataclass(frozen=True, slots=True)
class BlockDesign:
    """A design: how it plans the games of a block.

    `paired`: each game is between two entrants alone, so that a bot that joins adds games and changes none.
    `against_first`: all play the first entrant only, so that means of it and of others cannot be compared.
    """

    plan: Callable[[BlockShape, Shuffler], Iterable[PlannedGame]]
    paired: bool = False
    against_first: bool = False


def plan_block(design: Design, entrants: int, seats: int, block: int, rng: Shuffler) -> tuple[PlannedGame, ...]:
    """Return the games of block number `block`, from 0, for at least one entrant at tables of 2 or more seats.

    `rng` belongs to the block and only decides which of equivalent seatings is played. A league of one entrant plays
    one game a block, against itself.
    """
    if entrants == 1:
        return (PlannedGame(0, (0,) * seats),)
    return tuple(DESIGNS[design].plan(BlockShape(entrants, seats, block), rng))


def _pairs(shape: BlockShape, rng: Shuffler) -> Iterator[PlannedGame]:
    """Yield games of every two entrants alone at a table, each with half the seats, and then with the other half."""
    return _paired_games(combinations(range(shape.entrants), 2), _shuffled_sides(shape, rng))


def _gauntlet(shape: BlockShape, rng: Shuffler) -> Iterator[PlannedGame]:
    """Yield the games of `_pairs` in which the first entrant plays."""
    return _paired_games(((0, other) for other in range(1, shape.entrants)), _shuffled_sides(shape, rng))


def _shuffled_sides(shape: BlockShape, rng: Shuffler) -> list[int]:
    sides = [seat % 2 for seat in range(shape.seats)]
    rng.shuffle(sides)
    return sides


def _replace(shape: BlockShape, _rng: Shuffler) -> Iterator[PlannedGame]:
    """Yield games of every two entrants, of which one has a single seat, and in the second game all other seats.

    The single seat moves on block by block and is the same for both.
    """
    sides = [int(seat == shape.number % shape.seats) for seat in range(shape.seats)]
    return _paired_games(combinations(range(shape.entrants), 2), sides)


def _fresh(shape: BlockShape, rng: Shuffler) -> Iterator[PlannedGame]:
    """Yield tables of all entrants, or of as many as there are seats; every game has its own deal.

    Where the seats are no multiple of the entrants, the block has as many tables as it takes to balance the meetings.
    """
    tables = _balanced_tables(shape.entrants, shape.seats, rng)
    return (PlannedGame(deal, table) for deal, table in enumerate(tables))


def _rotations(shape: BlockShape, rng: Shuffler) -> Iterator[PlannedGame]:
    """Yield such tables; each deal is played once for every seat, all players moving on by one seat each time."""
    tables = _balanced_tables(shape.entrants, shape.seats, rng)
    return _rotated(tables if shape.seats % shape.entrants else tables[:1])


DESIGNS: Final[Mapping[Design, BlockDesign]] = {
    "pairs": BlockDesign(_pairs, paired=True),
    "replace": BlockDesign(_replace, paired=True),
    "gauntlet": BlockDesign(_gauntlet, paired=True, against_first=True),
    "rotations": BlockDesign(_rotations),
    "fresh": BlockDesign(_fresh),
}
"""The designs by name. All games of a paired design have the same deal."""


def _paired_games(pairs: Iterable[tuple[int, int]], sides: Sequence[int]) -> Iterator[PlannedGame]:
    """Seat every two entrants by side (0 or 1), then with the sides exchanged."""
    for pair in pairs:
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


Member = list[int]

_STARTS = 30
"""Random starts tried before the family gets more sets."""


@lru_cache
def difference_family(numbers: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return a difference family of sets of `size` numbers below `numbers` (at least 2), each with 0 in it.

    `size` is from 1 to `numbers` − 1. Usually no family has fewer sets. The result is the same on every machine.
    """
    smallest = (numbers - 1) // gcd(numbers - 1, size * (size - 1))
    for start in count():
        # The text seeds the search: changing it would change the blocks of leagues already played.
        rng = Stream(f"level family/{numbers}/{size}/{start}")
        family = [_random_member(numbers, size, rng) for _member in range(smallest * (1 + start // _STARTS))]
        if _LocalSearch(numbers, family).balance():
            return tuple(tuple(sorted(member)) for member in family)
    raise AssertionError("counting has no end")


def _random_member(numbers: int, size: int, rng: Stream) -> Member:
    others = list(range(1, numbers))
    rng.shuffle(others)
    return [0, *others[: size - 1]]


class _LocalSearch:
    """A search that replaces numbers of a family one by one while that makes its differences more even."""

    def __init__(self, numbers: int, family: list[Member]) -> None:
        self._numbers, self._family = numbers, family
        self._counts = [0] * numbers
        self._imbalance = 0
        for member in family:
            for place, number in enumerate(member):
                self._count(number, member[:place], 1)

    def balance(self) -> bool:
        """Replace numbers as long as it helps; return whether all differences end up equally frequent."""
        places = [(member, place) for member in self._family for place in range(1, len(member))]
        while sum(self._replace(member, place) for member, place in places):
            pass
        return len(set(self._counts[1:])) == 1

    def _replace(self, member: Member, place: int) -> bool:
        """Put the number there that makes differences most even, the smallest of equals; return whether that helped."""
        before, old = self._imbalance, member[place]
        others = member[:place] + member[place + 1 :]
        self._count(old, others, -1)
        free = [number for number in range(1, self._numbers) if number not in others]
        best = min(free, key=lambda number: self._imbalance_with(number, others))
        member[place] = best if self._imbalance_with(best, others) < before else old
        self._count(member[place], others, 1)
        return member[place] != old

    def _imbalance_with(self, number: int, others: Member) -> int:
        self._count(number, others, 1)
        imbalance = self._imbalance
        self._count(number, others, -1)
        return imbalance

    def _count(self, number: int, others: Member, sign: int) -> None:
        """Add (or with −1 remove) the differences from the others; the imbalance is the sum of squared counts."""
        for other in others:
            for difference in ((number - other) % self._numbers, (other - number) % self._numbers):
                self._imbalance += 2 * sign * self._counts[difference] + 1
                self._counts[difference] += sign
