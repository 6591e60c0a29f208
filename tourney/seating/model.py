"""The values of a seating: tables and their sizes, rounds, and the task."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Literal, get_args


class SeatingError(ValueError):
    """An impossible task: an English `template` and its `values`, which are translated where it is shown."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


Table = tuple[int, ...]
"""Player numbers in seat order; the first one deals first."""

Round = tuple[Table, ...]
"""The tables of one round by table number: the leaders first in a Swiss round, otherwise in no order."""

Remainder = Literal["short tables", "sit out"]
"""The ways to seat players if the table size does not divide their number: smaller tables, or byes."""

Aim = Literal["fewest repeats", "no third meeting"]
"""The aim if repeats cannot be avoided: the fewest repeats, or four repeats rather than one third meeting."""

PlannedAround = Literal["the rounds played", "others"]
"""The rounds that an earlier plan was made around: those played, or others."""

Method = Literal[
    "one table",
    "round robin",
    "cyclic multiples",
    "field multiples",
    "columns by search",
    "base round",
    "dropped players",
    "exchanged players",
]
"""The method that made the rounds: a construction without repeats, one with players left out, or a search."""

Groups = list[list[list[int]]]
"""Rounds of tables whose seat order is still open; the searches work on them."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A seating: the players of each table, round by round.

    `rounds[r][t]` is a table: player numbers in seat order, the first dealer first. `sitting_out[r]` are the players
    without a table in that round, in ascending order. `method` is empty where unknown. `level` is the lowest number of
    repeats found among seatings in which rounds at a smaller table differ by one at most; None if none was found or
    sought.
    """

    rounds: tuple[Round, ...]
    sitting_out: tuple[tuple[int, ...], ...]
    method: Method | Literal[""] = ""
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A seating problem: rounds of tables of these sizes for players 0..players-1; the others have a bye.

    It is solved as the `version` of the seating does.
    """

    players: int
    sizes: tuple[int, ...]
    rounds: int
    aim: Aim
    version: int = field(default_factory=lambda: DRAWN_AS.get())

    @property
    def byes(self) -> int:
        """The number of byes in each round."""
        return self.players - sum(self.sizes)


History = tuple[list[list[int]], list[int]]
"""Meetings of each pair, and rounds at a smaller table of each player, in the rounds already played."""


def absent(tables: Sequence[Sequence[int]], players: int) -> tuple[int, ...]:
    """Return the players (0..players-1) who sit at none of these tables, ascending."""
    seated = {player for table in tables for player in table}
    return tuple(player for player in range(players) if player not in seated)


MOST_PLAYERS: Final = 2_000
"""The most players of a seating: more would take minutes of search, and gigabytes for their meetings."""

MOST_ROUNDS: Final = 100

SEATING_VERSION: Final = 2
"""Raised whenever a golden plan of `fixtures/seatings.json` changes, and only then."""


DRAWN_AS: Final[ContextVar[int]] = ContextVar("seating version", default=SEATING_VERSION)
"""The version as which rounds are seated: an earlier one while its rounds are verified.

Version 1 gave each meeting from the third on the same price in Swiss rounds, and in plans a fourth one twice that of a
third. It did not number the tables of random draws.
"""


@contextmanager
def seating_as(program: str) -> Iterator[None]:
    """Seat as the version that a program's name has, if it is an earlier one."""
    number = seating_number(program)
    token = DRAWN_AS.set(min(int(number), SEATING_VERSION) if number.isdecimal() else SEATING_VERSION)
    try:
        yield
    finally:
        DRAWN_AS.reset(token)


FIRST_DIGEST: Final = "cfdef106"
"""The digest of the sources by which version 1 was named before versions had numbers."""


def seating_number(program: str) -> str:
    """Return the seating's number in a program version such as `0.2.0+seating.1`; empty if it names none."""
    _, _, number = program.partition("+seating.")
    return str(1) if number == FIRST_DIGEST else number


def table_sizes(players: int, size: int, smallest: int = 2, remainder: Remainder = "short tables") -> tuple[int, ...]:
    """Return the sizes of the tables of one round, largest first; players beyond them have a bye.

    `size` is the wanted and largest size, `smallest` the smallest table that the rules allow. With `short tables`
    everybody plays, at the fewest tables that hold all, whose sizes differ by at most one; as few as necessary have a
    bye where no such tables hold all. With `sit out` every table has exactly `size` seats, unless all players fit one
    table. Raises ValueError, saying what to change, for fewer players than `smallest`, and for impossible sizes.
    """
    if remainder not in get_args(Remainder):
        raise SeatingError(
            "'{remainder}' is no way to seat; choose one of: {possible}",
            remainder=remainder,
            possible=", ".join(get_args(Remainder)),
        )
    if not 2 <= smallest <= size:
        raise SeatingError(
            "tables of {size} with at least {least} players; they need 2 <= least <= size", size=size, least=smallest
        )
    if players < smallest:
        raise SeatingError(
            "too few players for a table: {players}; the smallest has {least}", players=players, least=smallest
        )
    if remainder == "sit out":
        return (size,) * (players // size) if players >= size else (players,)
    return _level_sizes(players, size, smallest)


def limit_tables(sizes: tuple[int, ...], tables: int, most: int, remainder: Remainder) -> tuple[int, ...]:
    """Return these sizes, or sizes for `tables` tables where there are too many of them.

    The tables then become larger, up to `most` players; with `sit out` they keep their size. Players beyond them have a
    bye.
    """
    if len(sizes) <= tables:
        return sizes
    if remainder == "sit out" or tables == 0:
        return sizes[:tables]
    smaller, larger = divmod(min(sum(sizes), tables * most), tables)
    return (smaller + 1,) * larger + (smaller,) * (tables - larger)


def given_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return these sizes, largest first. Raises ValueError for tables of one, and for more places than players."""
    if not sizes or min(sizes) < 2:
        raise SeatingError("a table has two players at least; give the size of each table of a round")
    if sum(sizes) > players:
        raise SeatingError(
            "these tables have {places} places for {players} players; give smaller or fewer tables",
            places=sum(sizes),
            players=players,
        )
    return tuple(sorted(sizes, reverse=True))


def _level_sizes(players: int, size: int, smallest: int) -> tuple[int, ...]:
    """Return sizes that seat everybody, or as many as such tables can hold."""
    for seated in range(players, smallest, -1):
        tables = -(-seated // size)
        smaller, larger = divmod(seated, tables)
        if smaller >= smallest:
            return (smaller + 1,) * larger + (smaller,) * (tables - larger)
    return (smallest,)
