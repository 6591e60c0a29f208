"""The values of a seating: tables, rounds, and the task."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Literal


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
