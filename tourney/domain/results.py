"""Score sheets as people write them, and results as the event counts them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import add, sub
from typing import Generic, Literal, TypeAlias, TypeVar

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Table

ResultState = Literal["counts", "void"]
Length = Literal["whole", "short"]
Who = TypeVar("Who", int, str)
"""A player of a sheet: by seat (0 first), or by name in a file or an option."""


@dataclass(frozen=True, slots=True)
class SheetHand(Generic[Who]):
    """One hand of a table's sheet as it was written: players by seat, or by name until the table is known.

    Where `closer` or `at_once` is None, it is inferred from the points (0, or a bonus). `left` gives a player's cards
    instead of points. In the knock game there is no contract: `ending` says how the hand ended, `buys` has the seats
    that bought points off after it, and `declined` those that were asked and did not.
    """

    contract: str
    points: Mapping[Who, int]
    closer: Who | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[Who, str] = field(default_factory=dict)
    ending: str = ""
    buys: tuple[Who, ...] = ()
    declined: tuple[Who, ...] = ()


Hands: TypeAlias = Sequence[SheetHand[int] | SheetHand[str]]
"""The hands of a sheet, all with players by seat or all by name."""


@dataclass(frozen=True, slots=True)
class HandScore:
    """One hand as it counts: points by seat, the seat that closed (None: a dead hand), and whether in one turn.

    In the knock game `ending` says how it ended, and `off` the points that each seat bought off after it. The engine's
    `HandResult` has the same: the domain does not import the engine, which most commands need not load.
    """

    contract: str
    points: tuple[int, ...]
    closer: int | None
    at_once: bool
    ending: str = ""
    off: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game: per seat the total points, hands won and place (1 best; equal places are ties).

    `points` are the points of the hands, less those bought off, plus `extra`: the penalty of an unfinished game by
    seat. `money` is what each seat won or lost in the knock game, in the smallest unit of money. `short` is the number
    of hands that were not played.
    """

    hands: tuple[HandScore, ...]
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    places: tuple[int, ...]
    extra: tuple[int, ...] = ()
    money: tuple[int, ...] = ()
    short: int = 0

    @property
    def follows(self) -> bool:
        """True if points, hands won and places follow from the hands; money has ranks of its own."""
        zero, closed = (0,) * len(self.points), {hand.closer: at for at, hand in enumerate(self.hands)}
        sums = tuple(self.extra or zero)
        for hand in self.hands:
            sums = tuple(map(sub, map(add, sums, hand.points), hand.off or zero))
        won = tuple(sum(hand.closer == seat for hand in self.hands) for seat in range(len(self.points)))
        recent = [(points, -closed.get(seat, -1)) for seat, points in enumerate(self.points)]
        shared = [(points, 0) for points in self.points]
        places = (self.places,) if self.money else (_places(shared), _places(recent))
        return (sums, won) == (self.points, self.hands_won) and self.places in places


def _places(keys: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the place of each key, the least first; equal keys share a place."""
    order = sorted(keys)
    return tuple([1 + order.index(key) for key in keys])


@dataclass(frozen=True, slots=True)
class Result:
    """A table's outcome in its event; `record_digest` identifies the record of a game that the engine played.

    A void result has an empty outcome; the outcome of its sheet is `uncounted`. `reason` says why the result was
    corrected or made void.
    """

    event: str
    table: Table
    outcome: Outcome
    record_digest: str = ""
    state: ResultState = "counts"
    reason: str = ""
    uncounted: Outcome | None = None


SheetEntryKind = Literal["entered", "corrected", "made void"]


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A change to a table's sheet: when (UTC), by whom ("": not kept), and the reason of a correction or voiding.

    `players` are those of the table who made it at their phones. `outcome` is what the sheet said from then on, None
    where it was made void.
    """

    kind: SheetEntryKind
    time: str
    by: str
    reason: str
    players: tuple[str, ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class PartialSheet:
    """The hands of a sheet typed so far."""

    round: int
    table: int
    hands: tuple[SheetHand[int], ...]


@dataclass(frozen=True, slots=True)
class PartialSheetSummary:
    """A partial sheet as it is reported: event, table, the names of its hands, and notes on how they were typed."""

    event: str
    table: Table
    hands: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """Tables that the engine has just played, and drawn tables without a result."""

    event: Event
    results: tuple[Result, ...]
    waiting: tuple[Table, ...] = ()


RulingKind = Literal["penalty", "redeal", "correction", "note"]
RulingState = Literal["stands", "cancelled", "waits", "not in stage"]
"""A penalty waits while its round is not drawn; it counts nowhere if its player is not in the stage of the round."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An arbiter's decision; `number` counts from 1 in the event.

    A penalty adds `points` to the player's total; it may name a round and a table, or neither. A redeal marks the hand
    of that contract as replayed; a correction goes with the corrected sheet; a note is text. `by` wrote it down, and
    `cancelled_by` cancelled it; both are empty where that was not kept or not asked for.
    """

    number: int
    event: str
    kind: RulingKind
    text: str
    round: int | None = None
    table: int | None = None
    player: Player | None = None
    hand: str = ""
    points: int = 0
    state: RulingState = "stands"
    why_cancelled: str = ""
    by: str = ""
    cancelled_by: str = ""


FlagState = Literal["open", "answered"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A question or complaint of a table for the desk, and the desk's answer; `number` counts from 1 in the event.

    `player` has raised it, None if the desk wrote it down. It was raised at `time` (UTC) by the author `by`.
    """

    number: int
    event: str
    round: int
    table: int
    player: Player | None
    text: str
    state: FlagState = "open"
    answer: str = ""
    time: str = ""
    by: str = ""
    answered_by: str = ""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of an event in the order of their numbers, answered ones included."""

    event: Event
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of an event in the order of their numbers, cancelled ones included."""

    event: Event
    rulings: tuple[Ruling, ...]
