"""Drawn rounds as people see them: their states, their edits, their verification."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tourney.domain.events import Constraint, Event
from tourney.domain.people import Player
from tourney.domain.results import PartialSheetSummary
from tourney.domain.rounds import Round, Substitution, Table, TableChange

VerifiedState = Literal["the same", "other", "brought in"]


@dataclass(frozen=True, slots=True)
class WaitingTables:
    """The tables of a round without a result, and the partial sheets of these tables."""

    event: Event
    round: int
    tables: tuple[Table, ...]
    partial: tuple[PartialSheetSummary, ...]


@dataclass(frozen=True, slots=True)
class MissingResults:
    """The tables of an event's `rounds` drawn rounds that have no result, of `drawn` tables in all.

    `partial` has (round, table) of those with a partial sheet. They are `decisive` if the format seats by results.
    """

    event: Event
    rounds: int
    drawn: int
    tables: tuple[Table, ...]
    partial: frozenset[tuple[int, int]] = frozenset()
    decisive: bool = False


BreakReason = Literal["counting", "price", "taken", "no such table"]


@dataclass(frozen=True, slots=True)
class BrokenConstraint:
    """A constraint that a round breaks, and why.

    `players` are the two who are to be kept apart or seated together, or the one who needs another table than `table`
    (None: no round seats the two together). Players who are never to share a table share one only where nothing else
    is possible. By counting, `number` players are to be kept apart at `tables` tables. If a
    table is taken, `others` need another one, or need that one too. A price is in repeats, where a search found it at
    most as many as that (`exact` is then false); None if there were too many to compute.
    """

    kind: Literal["apart", "together", "table", "never"]
    round: int
    table: int | None
    players: tuple[Player, ...]
    why: BreakReason
    needed: int = 0
    number: int = 0
    tables: int = 0
    others: tuple[Player, ...] = ()
    price: int | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Attendance:
    """The outcome of a check-in, withdrawal or return: the players `changed`, and those in that state `already`.

    `seated` has the tables without a result at which the players who left still sit, `left` those out of which they
    have just been taken, as these are now. `ahead` is as in `Entered`, `broken` as in `Constrained`.
    """

    event: Event
    changed: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    seated: tuple[Table, ...] = ()
    ahead: tuple[TableChange, ...] | None = None
    left: tuple[Table, ...] = ()
    broken: tuple[BrokenConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Constrained:
    """An event with its new constraints. `ahead` is as in `domain.events.Entered`; `notes` name missing tables.

    `broken` has the constraints that the announced plan of the coming rounds breaks, `removed` those that hold no more.
    """

    event: Event
    ahead: tuple[TableChange, ...] | None = None
    notes: tuple[str, ...] = ()
    broken: tuple[BrokenConstraint, ...] = ()
    removed: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """Drawn rounds of an event; `done` has (round, table) of each table with a result, `void` of those made void.

    `broken` has the constraints that these rounds break, `partial` the tables with a partial sheet, `short` those whose
    result lacks hands, `too_few` those without a result at which too few players are left, each with these players.
    `seating` are lines on how the seats of the newest of these rounds were ordered, if not balanced. `ahead` has the
    changes that drawing or cancelling makes to the planned rounds; None where they are not computed, or no rounds are
    planned. `substitutions` say who plays for whom, in any round of the event.
    """

    event: Event
    rounds: tuple[Round, ...]
    done: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    void: frozenset[tuple[int, int]] = frozenset()
    partial: frozenset[tuple[int, int]] = frozenset()
    short: frozenset[tuple[int, int]] = frozenset()
    too_few: tuple[Table, ...] = ()
    broken: tuple[BrokenConstraint, ...] = ()
    seating: tuple[str, ...] = ()
    ahead: tuple[TableChange, ...] | None = None
    substitutions: tuple[Substitution, ...] = ()


@dataclass(frozen=True, slots=True)
class EditedRound:
    """A round in which players were moved, as it is now, the tables that changed, and the repeats this costs.

    `repeats_before` and `repeats_after` count the whole event, with the round as it was and as it is. The edit gives
    the planned rounds `repeats_ahead` more repeats (below 0: fewer). `ahead` is as in `Schedule`. `dissolved` is the
    table that was dissolved, as it was; None for other edits. `unseated` are those of the other tables who had left the
    event and made room.
    """

    event: Event
    round: Round
    changed: tuple[Table, ...]
    repeats_before: int
    repeats_after: int
    ahead: tuple[TableChange, ...] | None = None
    repeats_ahead: int = 0
    dissolved: Table | None = None
    unseated: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """A round drawn a second time from the data before it, and whether the seats are identical.

    A round is `brought in` if it was imported, or drawn before the program recorded its draws. `program` is the version
    that drew the round, `given` the tables given by hand in that draw, `edited` the number of edits since.
    """

    number: int
    state: VerifiedState
    program: str = ""
    given: tuple[int, ...] = ()
    edited: int = 0


PlanState = Literal["the same", "other", "not kept"]


@dataclass(frozen=True, slots=True)
class VerifiedDraw:
    """The drawn rounds of an event, drawn again by this version of the program.

    `announced` says whether the plan of the coming rounds that the journal keeps is what this version plans.
    """

    event: Event
    program: str
    rounds: tuple[VerifiedRound, ...]
    announced: PlanState

    @property
    def agree(self) -> bool:
        """Return whether no round differs, nor the plan of the coming rounds."""
        return self.announced != "other" and all(drawn.state != "other" for drawn in self.rounds)


@dataclass(frozen=True, slots=True)
class Slips:
    """Tables of a round that need a score slip, and the hands of their game in order as (contract, cards dealt).

    `hands` is empty for a game without contracts, which has any number of hands. `drawn` has by table the cards that
    its players drew for their seats, as a line of text. The round may be a `draft`. `substitutions` are as in
    `Schedule`.
    """

    event: Event
    tables: tuple[Table, ...]
    hands: tuple[tuple[str, int], ...]
    drawn: Mapping[int, str] = field(default_factory=dict)
    draft: bool = False
    substitutions: tuple[Substitution, ...] = ()
