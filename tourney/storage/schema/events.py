"""Tables of events: who plays in them, and where everybody sits."""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import AtTable, Base


class Event(Base, table=True):
    """One tournament; `settings` and `wishes` are canonical JSON, `rules_text` is a club's own rules."""

    __table_args__ = (
        UniqueConstraint("folded"),
        CheckConstraint("name <> ''", name="name"),
        CheckConstraint("state IN ('open', 'finished')", name="state"),
    )
    id: int = Field(primary_key=True)
    name: str
    folded: str
    rules: str
    rules_digest: str
    settings: str
    state: str
    rules_text: str
    wishes: str
    act: int = Field(foreign_key="act.number")


class CurrentEvent(Base, table=True):
    """The current event."""

    __tablename__ = "current_event"
    __table_args__ = (CheckConstraint("one = 1", name="one"),)
    one: int = Field(primary_key=True)
    event: int = Field(foreign_key="event.id")
    act: int = Field(foreign_key="act.number")


class Entrant(Base, table=True):
    """A player entered in an event, numbered from 1 in the order of entry."""

    __table_args__ = (
        UniqueConstraint("event", "player"),
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("state IN ('entered', 'checked in', 'withdrawn', 'no-show')", name="state"),
    )
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.id")
    state: str
    act: int = Field(foreign_key="act.number")


class Round(Base, table=True):
    """A round that has been drawn, and its clock if one was started; a draft is shown to nobody but the desk."""

    __table_args__ = (
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("minutes >= 1", name="minutes"),
        CheckConstraint("(started IS NULL) = (minutes IS NULL)", name="clock"),
        CheckConstraint("draft IN (0, 1)", name="draft"),
    )
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    started: str | None = None
    minutes: int | None = None
    draft: int
    act: int = Field(foreign_key="act.number")


class Seat(AtTable, table=True):
    """A player's seat in a round."""

    __table_args__ = (
        UniqueConstraint("event", "round", "player"),
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        ForeignKeyConstraint(["event", "player"], ["entrant.event", "entrant.player"]),
        CheckConstraint("table_number >= 1", name="table_number"),
        CheckConstraint("seat >= 0", name="seat"),
    )
    seat: int = Field(primary_key=True)
    player: int


class SittingOut(Base, table=True):
    """A player's bye in a round."""

    __tablename__ = "sitting_out"
    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        ForeignKeyConstraint(["event", "player"], ["entrant.event", "entrant.player"]),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    player: int = Field(primary_key=True)
