"""Rounds: tables, seats, clocks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tourney.domain.people import Player


@dataclass(frozen=True, slots=True)
class Substitution:
    """A player who plays for another in a round; the seat stays that of the absent player."""

    round: int
    absent: Player
    substitute: Player


COUNTS_FOR: Final[Mapping[str, Callable[[Substitution], Player | None]]] = {
    "absent": lambda each: each.absent,
    "substitute": lambda each: each.substitute,
    "nobody": lambda each: None,
}
"""The player for whom a substitute's result counts, by the event's setting."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round of an event; its players in seat order, first dealer first."""

    round: int
    number: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A record of how a round was drawn: program version, numbers of tables given by hand, and byes given."""

    program: str
    given: tuple[int, ...] = ()
    rested: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class TableChange:
    """The players of a coming round's table before and after a change of the plan; empty where the table is missing.

    The byes of a round have the number None.
    """

    round: int
    number: int | None
    before: tuple[Player, ...]
    after: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class EventPlanChanges:
    """The changed tables of an event's coming rounds, after a change that concerns several events; at least one."""

    event: str
    changes: tuple[TableChange, ...]


KeptPlan = Mapping[int, tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]
"""Planned rounds by number as the journal keeps them: the players' ids at each table in seat order, and those with a
bye."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A round's length, from the moment it began (UTC, as in the journal)."""

    started: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: its tables, who sits out, and its clock if one was started.

    A draft is shown to nobody but the desk; a round that has a result is none.
    """

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[Player, ...] = ()
    clock: Clock | None = None
    draft: bool = False
