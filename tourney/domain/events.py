"""Events, their settings, and who takes part."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.people import Player
from tourney.domain.rounds import Table, TableChange
from tourney.domain.rules import RulesRef

Short = Literal["short tables", "sit out"]
CheckIn = Literal["not asked", "required"]
Unfinished = Literal["count hands", "void", "penalty"]
EntrantState = Literal["entered", "checked in", "withdrawn", "no-show"]
EventState = Literal["open", "finished"]
ConstraintKind = Literal["apart", "clubs apart", "together", "table"]


@dataclass(frozen=True, slots=True)
class EventSettings:
    """The settings of an event. `minimum` is how many games a rank takes; None: half the rounds.

    `checkin` says whether only entrants who have checked in are seated. A round may last `minutes`; games
    unfinished then count the hands played, are void, or cost every player of the table `unfinished_points` for each
    hand not played. `stake` is what each pays into the pot of a knock game, in the smallest unit of money.
    There are `tables` for people to sit at; None: as many as are needed.
    """

    name: str
    rules: str
    format: str = "rotation"
    rounds: int = 5
    size: int = 4
    seed: str = "1"
    short: Short = "short tables"
    minimum: int | None = None
    date: str = ""
    checkin: CheckIn = "not asked"
    minutes: int | None = None
    unfinished: Unfinished = "count hands"
    unfinished_points: int = 0
    stake: int = 0
    tables: int | None = None


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint on the seating of an event.

    Players are kept apart or seated together, the members of each club are kept apart, or one player has this table,
    numbered from 1, in every round.
    """

    kind: ConstraintKind
    players: tuple[Player, ...] = ()
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: its settings, its rules and who plays, in the order of entry.

    An entrant's short number is the place in `entrants`, from 1; `states` has one for each of them.
    """

    id: int
    settings: EventSettings
    rules: RulesRef
    entrants: tuple[Player, ...] = ()
    states: tuple[EntrantState, ...] = ()
    state: EventState = "open"
    constraints: tuple[Constraint, ...] = ()

    @property
    def playing(self) -> tuple[Player, ...]:
        """Return who is seated when a round is drawn: not withdrawn, and checked in where that is required."""
        wanted = {"checked in"} if self.settings.checkin == "required" else {"entered", "checked in"}
        states = self.states or ("entered",) * len(self.entrants)
        return tuple(one for one, state in zip(self.entrants, states, strict=True) if state in wanted)


@dataclass(frozen=True, slots=True)
class Entered:
    """Players entered: those new to the event, those entered before, and people registered first.

    `drawn` is how many rounds had been drawn: late entrants play from the next one. `ahead` has the tables of coming
    rounds that change; None where no rounds are planned, or nothing has changed on which a plan depends.
    """

    event: Event
    added: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    registered: tuple[Player, ...] = ()
    drawn: int = 0
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventChange:
    """Settings of an event before a change, and the event after it; `drawn` rounds stay as they are.

    So do `cut` tables, void or short, where the change is in how unfinished games count. `ahead` is as in `Entered`.
    """

    before: EventSettings
    event: Event
    drawn: int
    cut: int = 0
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class Constrained:
    """An event with the constraints on its seating; `ahead` is as in `Entered`. `notes` name those that cannot be met
    as things are."""

    event: Event
    ahead: tuple[TableChange, ...] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attendance:
    """The outcome of a check-in, withdrawal or return: whose state changed, and who was in that state before.

    `seated` has the tables without a result at which those who left still sit. `ahead` is as in `Entered`.
    """

    event: Event
    changed: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    seated: tuple[Table, ...] = ()
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished event, and in words what it lacks."""

    event: Event
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """An imported evening: its event and how many tables it had."""

    event: Event
    tables: int
