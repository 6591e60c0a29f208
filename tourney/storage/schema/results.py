"""Tables of results, hand by hand, of what an arbiter ruled, and of what phones and desks send."""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field

from tourney.storage.schema.base import AtTable, Base


class Record(Base, table=True):
    """A game as text, outside the journal, which has its SHA-256."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    digest: str = Field(primary_key=True)
    text: str


class Result(AtTable, table=True):
    """The result of a table; a void one has no scores. `short` is the number of hands not played."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        CheckConstraint("state IN ('counts', 'void')", name="state"),
        CheckConstraint("state = 'counts' OR record IS NULL", name="record"),
        CheckConstraint("short >= 0", name="short"),
    )
    state: str
    reason: str
    short: int
    record: str | None = Field(default=None, foreign_key="record.digest")
    act: int = Field(foreign_key="act.number")


_RESULT = ["result.event", "result.round", "result.table_number"]
_SEAT = ["seat.event", "seat.round", "seat.table_number", "seat.seat"]


class Score(AtTable, table=True):
    """A seat's total points, hands won and place; `extra` is what hands not played cost it, `money` its winnings."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
        CheckConstraint("hands_won >= 0", name="hands_won"),
        CheckConstraint("place >= 1", name="place"),
    )
    seat: int = Field(primary_key=True)
    points: int
    hands_won: int
    place: int
    extra: int | None = None
    money: int | None = None


class Hand(AtTable, table=True):
    """One hand of a result; a dead hand has no closer. Only hands of the knock game have an `ending`."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "closer"], _SEAT),
        CheckConstraint("hand >= 0", name="hand"),
        CheckConstraint("at_once IN (0, 1)", name="at_once"),
        CheckConstraint("closer IS NOT NULL OR at_once = 0", name="closer"),
    )
    hand: int = Field(primary_key=True)
    contract: str
    closer: int | None = None
    at_once: int
    ending: str


class HandScore(AtTable, table=True):
    """A seat's points in one hand, and the points that it then bought off."""

    __tablename__ = "hand_score"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event", "round", "table_number", "hand"],
            ["hand.event", "hand.round", "hand.table_number", "hand.hand"],
        ),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
    )
    hand: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    points: int
    off: int | None = None


class Ruling(Base, table=True):
    """An arbiter's decision, numbered from 1 in its event; a round it names may have been cancelled since."""

    __table_args__ = (
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("kind IN ('penalty', 'redeal', 'correction', 'note')", name="kind"),
        CheckConstraint("state IN ('stands', 'cancelled')", name="state"),
    )
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    kind: str
    text: str
    round: int | None = None
    table_number: int | None = None
    player: int | None = Field(default=None, foreign_key="player.id")
    hand: str
    points: int
    state: str
    why_cancelled: str
    act: int = Field(foreign_key="act.number")


class Flag(Base, table=True):
    """A question of a table to the desk, numbered from 1 in its event; its round may have been cancelled since."""

    __table_args__ = (
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("state IN ('open', 'answered')", name="state"),
    )
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    round: int
    table_number: int
    player: int | None = Field(default=None, foreign_key="player.id")
    text: str
    state: str
    answer: str
    act: int = Field(foreign_key="act.number")


class PartialSheet(AtTable, table=True):
    """The partial sheets of a table as text, one for each group of players for whom one was begun, the newest first."""

    __tablename__ = "partial_sheet"
    text: str
    act: int = Field(foreign_key="act.number")


class Draft(AtTable, table=True):
    """The partial sheets of versions before 0009: outside the journal, which decides which of them is shown."""

    text: str


class Access(Base, table=True):
    """The hash of a key to the pages of a desk or of a table, outside the journal; the key itself is kept nowhere.

    `entry` is the id of the entry that drew the round of a table, or made the event of a player: the key opens nothing
    that another entry has made under the same number. `origin` says where a seat, a desk or a guess comes from.
    """

    __table_args__ = (
        CheckConstraint("length(hash) = 64", name="hash"),
        CheckConstraint("kind IN ('desk', 'sign-in', 'table', 'code', 'pin', 'seat')", name="kind"),
    )
    hash: str = Field(primary_key=True)
    kind: str
    salt: str
    event: int | None = None
    round: int | None = None
    table_number: int | None = None
    player: int | None = None
    entry: str
    made: str
    ended: str | None = None
    origin: str | None = None


class Submission(Base, table=True):
    """A table's sheet as one phone typed it, outside the journal: what the journal has is the result made of it.

    The phone gives the id. `entry` is the id of the entry that drew the round, `result` that of the result's entry once
    the sheet was confirmed, and `text` has the hands as a partial sheet has them. `player` has typed the sheet,
    `confirmed_by` has confirmed it.
    """

    __table_args__ = (
        CheckConstraint("length(id) = 32", name="id"),
        CheckConstraint("state IN ('typing', 'waiting', 'confirmed', 'refused')", name="state"),
    )
    id: str = Field(primary_key=True)
    event: int
    round: int
    table_number: int
    entry: str
    device: str
    player: int | None = None
    text: str
    time: str
    state: str
    confirmed_by: int | None = None
    result: str
    reason: str
