"""Results of tables, hand by hand, and what an arbiter ruled."""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Record(Base, table=True):
    """A game as text, named by its SHA-256; outside the journal, which has the digest."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    digest: str = Field(primary_key=True)
    text: str


class Result(Base, table=True):
    """The result of a table; a void one has no scores, and `short` hands were not played."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        CheckConstraint("state IN ('counts', 'void')", name="state"),
        CheckConstraint("state = 'counts' OR record IS NULL", name="record"),
        CheckConstraint("short >= 0", name="short"),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    state: str
    reason: str
    short: int
    record: str | None = Field(default=None, foreign_key="record.digest")
    act: int = Field(foreign_key="act.number")


_RESULT = ["result.event", "result.round", "result.table_number"]
_SEAT = ["seat.event", "seat.round", "seat.table_number", "seat.seat"]


class Score(Base, table=True):
    """A seat's total points, hands won and place in a result; what an unfinished game cost it, and its money."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
        CheckConstraint("hands_won >= 0", name="hands_won"),
        CheckConstraint("place >= 1", name="place"),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    points: int
    hands_won: int
    place: int
    extra: int | None = None
    money: int | None = None


class Hand(Base, table=True):
    """One hand of a result; no closer: a dead hand. `ending` is that of a hand of the knock game."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "closer"], _SEAT),
        CheckConstraint("hand >= 0", name="hand"),
        CheckConstraint("at_once IN (0, 1)", name="at_once"),
        CheckConstraint("closer IS NOT NULL OR at_once = 0", name="closer"),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    hand: int = Field(primary_key=True)
    contract: str
    closer: int | None = None
    at_once: int
    ending: str


class HandScore(Base, table=True):
    """A seat's points in one hand, and those it bought off after it."""

    __tablename__ = "hand_score"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event", "round", "table_number", "hand"],
            ["hand.event", "hand.round", "hand.table_number", "hand.hand"],
        ),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
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


class Draft(Base, table=True):
    """The partial sheets of a table, as text: outside the journal, which says which of them is shown."""

    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    text: str
