"""The words of a seating: table, round, seating."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Table = tuple[int, ...]
"""Player numbers in seat order; the first one deals first."""

Round = tuple[Table, ...]
"""The tables of one round by their numbers: the leaders first in a Swiss round, otherwise in no order."""

Short = Literal["short tables", "sit out"]
"""What happens when the players do not fill their tables: smaller tables, or some sit the round out."""

Aim = Literal["fewest repeats", "no third meeting"]
"""Where repeats cannot be avoided: as few as possible, or rather four of them than one couple thrice."""

Around = Literal["the rounds played", "others"]
"""What the rounds ahead were planned around: the rounds as they were played, or as they were to be."""

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
"""How rounds were made: by a construction without repeats, by leaving players out of one, or by a search."""

Groups = list[list[list[int]]]
"""Rounds of tables whose seat order is still open; what the searches work on."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where, round by round.

    `rounds[r][t]` is a table: player numbers in seat order, the first dealer first. `sitting_out[r]` are
    those of the players without a table in that round, in ascending order. `method` is empty where nobody says.
    `level` are the fewest repeats found of seatings whose turns at short tables differ by one at most; None if none
    were found, or none were searched for.
    """

    rounds: tuple[Round, ...]
    sitting_out: tuple[tuple[int, ...], ...]
    method: Method | Literal[""] = ""
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted: so many rounds of tables of these sizes for players 0..players-1; the rest sits out."""

    players: int
    sizes: tuple[int, ...]
    rounds: int
    aim: Aim

    @property
    def outs(self) -> int:
        """How many sit out in each round."""
        return self.players - sum(self.sizes)


Before = tuple[list[list[int]], list[int]]
"""Meetings of each two players and each player's turns at short tables, in rounds already played."""


def absent(tables: Sequence[Sequence[int]], players: int) -> tuple[int, ...]:
    """The players (0..players-1) whom none of these tables seats, ascending."""
    seated = {player for table in tables for player in table}
    return tuple(player for player in range(players) if player not in seated)
