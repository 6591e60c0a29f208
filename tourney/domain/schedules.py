"""Drawn rounds as people see them: what is done, what waits, what was mended."""

from dataclasses import dataclass

from tourney.domain.events import Event
from tourney.domain.results import HalfSheet
from tourney.domain.rounds import Round, Table, TableChange


@dataclass(frozen=True, slots=True)
class WaitingTables:
    """The tables of a round that wait for their sheet, and those of them of which half is entered."""

    event: Event
    round: int
    tables: tuple[Table, ...]
    half: tuple[HalfSheet, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Drawn rounds of an event; `done` has (round, table) of each table with a result, `void` of those made void.

    `half` has those with half a sheet, `short` those whose result counts with hands that were not played. `ahead` says
    what a draw changes in the rounds that were planned to come; None where nobody asked, or none were.
    """

    event: Event
    rounds: tuple[Round, ...]
    done: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    void: frozenset[tuple[int, int]] = frozenset()
    half: frozenset[tuple[int, int]] = frozenset()
    short: frozenset[tuple[int, int]] = frozenset()
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class Mended:
    """A round in which players were moved: as it is now, the tables that changed, and what it cost.

    Repeat meetings are those of the whole event, with the round as it was and as it is.
    """

    event: Event
    round: Round
    changed: tuple[Table, ...]
    repeats_before: int
    repeats_after: int


@dataclass(frozen=True, slots=True)
class Slips:
    """Tables of a round that want a score slip, and the hands of their game in order as (contract, cards dealt).

    A game without contracts has any number of hands: then there are none.
    """

    event: Event
    tables: tuple[Table, ...]
    hands: tuple[tuple[str, int], ...]
