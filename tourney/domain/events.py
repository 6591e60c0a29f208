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
WishKind = Literal["apart", "clubs apart", "together", "table"]


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What an organiser decides about an event. `minimum` games for a rank; None: half the rounds.

    `checkin` says whether only who has checked in is seated. A round may last `minutes`; games unfinished then
    count the hands played, are void, or cost every player of the table `unfinished_points` for each hand not
    played. `stake` is what each pays into the pot of a knock game, in the smallest unit of money.
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
class Wish:
    """What the seating is to heed: that these players do not meet, or do, or the members of each club do not, or that
    one player has this table, numbered from 1, in every round."""

    kind: WishKind
    players: tuple[Player, ...] = ()
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: its settings, its rules and who plays, in the order of entry.

    An entrant's number for typing is his place in `entrants`, from 1; `states` has one for each of them.
    """

    id: int
    settings: EventSettings
    rules: RulesRef
    entrants: tuple[Player, ...] = ()
    states: tuple[EntrantState, ...] = ()
    state: EventState = "open"
    wishes: tuple[Wish, ...] = ()

    @property
    def playing(self) -> tuple[Player, ...]:
        """Who is seated when a round is drawn: not withdrawn, and checked in where that is required."""
        wanted = {"checked in"} if self.settings.checkin == "required" else {"entered", "checked in"}
        states = self.states or ("entered",) * len(self.entrants)
        return tuple(one for one, state in zip(self.entrants, states, strict=True) if state in wanted)


@dataclass(frozen=True, slots=True)
class Entered:
    """What an entry did: entrants new to the event, those it had already, and people registered with it.

    `drawn` is how many rounds had been drawn before: who enters late plays from the next one. `ahead` says what that
    changes in the rounds to come; None where none is planned, or nothing is otherwise that a plan follows from.
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
    """A finished event, and in words what a complete one would have besides."""

    event: Event
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """An evening kept elsewhere, brought in: its event and how many tables it had."""

    event: Event
    tables: int
