"""Phones at the tables: keys to the pages that they open, and sheets until a second player confirms them."""

from dataclasses import dataclass, field
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Length, Outcome, SheetHand
from tourney.domain.rounds import Round, Table

AccessKind = Literal["desk", "sign-in", "table", "code", "pin", "seat"]
"""The kinds of keys: `sign-in` is exchanged once for one of a desk, `code` (six digits) for one of a table.

With a key of the kind `seat` a phone shows that it has a player's seat.
"""


@dataclass(frozen=True, slots=True)
class Access:
    """The pages that a key opens: the desk, or the sheet of one table in a round of an event.

    `made` is the id of the entry that made the event.
    """

    kind: Literal["desk", "table"]
    event: str = ""
    table: Table | None = None
    made: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A seat that a phone has: whose it is, what tells the phone from others, and since when (UTC).

    `origin` is a hash of the phone's address and browser. `by_pin` says that it has shown the player's PIN.
    """

    player: Player
    device: str
    since: str
    origin: str
    by_pin: bool


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a table, shown once: the key of its sign, and the six digits to type instead.

    They hold for the table of this number in every round of the event; in the round of `table` they lead to `token`.
    """

    table: Table
    token: str
    code: str
    sign: str


@dataclass(frozen=True, slots=True)
class PlayerPin:
    """The four digits with which a player confirms a sheet on another one's phone, shown once."""

    player: Player
    pin: str


SubmissionState = Literal["typing", "waiting", "confirmed", "refused"]
"""The states of a sheet: being typed, sent and waiting for another player, counting, or not taken by the desk."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A table's sheet as one phone (`device`) typed it, at `time` (UTC).

    `table` has the players as they sit now, if they are the people for whom it was typed; otherwise as they sat then.
    The seats of the hands are those of `table`. `player` typed it, and `confirmed_by` confirmed it (None: the
    desk did).
    `outcome` is what it would count as while it waits; None if it does not, and where others sit at the table now.
    `digest` identifies its content. `reason` says why the desk did not take it.
    """

    id: str
    event: str
    table: Table
    device: str
    player: Player | None
    hands: tuple[SheetHand[int], ...]
    length: Length
    time: str
    state: SubmissionState
    digest: str
    outcome: Outcome | None = None
    confirmed_by: Player | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ComparedHand:
    """A hand as the sheets of a table have it, None where one lacks it; whether they all say the same of it."""

    hand: str
    as_typed: tuple[SheetHand[int] | None, ...]
    same: bool


@dataclass(frozen=True, slots=True)
class WaitingSheets:
    """The sheets from phones of a table, the newest of each phone, oldest first.

    `since` is when (UTC) the oldest of those that wait was sent, "" if none waits or all say what counts already.
    `entered` says whether the table has a result that counts. `differences` are those between this result, or else the
    oldest sheet that waits, and the first sheet that says something else.
    """

    event: str
    table: Table
    since: str
    sheets: tuple[Submission, ...]
    differences: tuple[ComparedHand, ...] = ()
    entered: bool = False


@dataclass(frozen=True, slots=True)
class ComparedSheets:
    """The sheets from phones that wait at a table, oldest first, hand by hand.

    Before them each hand has what counts now if the table is `entered`.
    """

    sheets: tuple[Submission, ...]
    hands: tuple[ComparedHand, ...]
    entered: bool = False


TableState = Literal["open", "typing", "waiting", "disagreement", "complete", "stopped", "void"]
"""The states of a table's result: none, being typed, sheets wait or disagree, counting, of a stopped game, void."""


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table and the state of its result, since when (UTC; "" where that does not matter).

    A table without a result is in its state since it plays, or since its newest answer was typed on a phone. `hands`
    are the hands of its partial sheet at the desk, and `typed` says how many a phone has. `length` says how many hands
    a whole game has, 0 if it is open. `called` says that a call of the table has no answer yet.
    """

    table: Table
    state: TableState
    since: str
    hands: tuple[str, ...] = ()
    typed: int = 0
    length: int = 0
    called: bool = False

    @property
    def is_in(self) -> bool:
        """Return whether a result counts and no sheet says something else."""
        return self.state in ("complete", "stopped")


@dataclass(frozen=True, slots=True)
class RoundNow:
    """A round with the state of each of its tables, and how many rounds are drawn; without one there are no tables."""

    event: Event
    round: Round | None
    drawn: int
    tables: tuple[TableNow, ...] = ()
