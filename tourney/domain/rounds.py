"""Rounds: tables, seats, clocks."""

from dataclasses import dataclass

from tourney.domain.people import Player


@dataclass(frozen=True, slots=True)
class Table:
    """A game's place in an event; players in seat order, first dealer first."""

    round: int
    number: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a round was drawn: by which version of the program, and what of it was given by hand: tables by their
    numbers, and some of those who sit out."""

    program: str
    given: tuple[int, ...] = ()
    rested: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class TableChange:
    """A table of a round to come, as it was planned and as it would be; nobody where there is none.

    Who sits out has no table: there the number is None.
    """

    round: int
    number: int | None
    before: tuple[Player, ...]
    after: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class EventPlanChanges:
    """The tables of an event's rounds to come that an act changes which concerns several events; at least one."""

    event: str
    changes: tuple[TableChange, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A round's length, from the moment it began (UTC, as in the journal)."""

    started: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: its tables, who sits out, and its clock if one was started."""

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[Player, ...] = ()
    clock: Clock | None = None
