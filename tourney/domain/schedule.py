"""Drawn rounds as people see them: their states, their edits, their verification."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.results import PartialSheetSummary
from tourney.domain.rounds import Round, Table, TableChange

VerifiedState = Literal["the same", "other", "brought in"]


@dataclass(frozen=True, slots=True)
class WaitingTables:
    """The tables of a round without a result, and the partial sheets among them."""

    event: Event
    round: int
    tables: tuple[Table, ...]
    partial: tuple[PartialSheetSummary, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Drawn rounds of an event; `done` has (round, table) of each table with a result, `void` of those made void.

    `partial` has those with a partial sheet, `short` those whose result counts with unplayed hands. `ahead` has the
    changes that drawing or cancelling makes to the planned rounds; None where nobody asked, or none are planned.
    """

    event: Event
    rounds: tuple[Round, ...]
    done: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    void: frozenset[tuple[int, int]] = frozenset()
    partial: frozenset[tuple[int, int]] = frozenset()
    short: frozenset[tuple[int, int]] = frozenset()
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class EditedRound:
    """A round in which players were moved: as it is now, the tables that changed, and the cost.

    Repeats are those of the whole event, with the round as it was and as it is; the planned rounds have `repeats_ahead`
    more with it (fewer below 0). `ahead` is as in `Schedule`.
    """

    event: Event
    round: Round
    changed: tuple[Table, ...]
    repeats_before: int
    repeats_after: int
    ahead: tuple[TableChange, ...] | None = None
    repeats_ahead: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """A round drawn a second time from what was known before it, and whether the seats are identical.

    A round that the program has not drawn is `brought in`: imported, or drawn before that was recorded. `program` is
    the version that drew it, `given` the tables that were given by hand then, `edited` how often it was edited since.
    """

    number: int
    state: VerifiedState
    program: str = ""
    given: tuple[int, ...] = ()
    edited: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedDraw:
    """The drawn rounds of an event, drawn again by this version of the program."""

    event: Event
    program: str
    rounds: tuple[VerifiedRound, ...]

    @property
    def agree(self) -> bool:
        """Return whether no round differs."""
        return all(drawn.state != "other" for drawn in self.rounds)


@dataclass(frozen=True, slots=True)
class Slips:
    """Tables of a round that need a score slip, and the hands of their game in order as (contract, cards dealt).

    A game without contracts has any number of hands: then there are none.
    """

    event: Event
    tables: tuple[Table, ...]
    hands: tuple[tuple[str, int], ...]
