"""The tables of the database. All but `act`, `person`, `record` and `pool_result` are indexes of the journal.

What can be said in the schema is said here, because SQLModel does not validate table models. Columns called
`act` name the act that made the row; seats count from 0, as in the domain, first dealer first.
"""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, MetaData, Table, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

REVISION = "0001"
"""The newest migration; a database says in `alembic_version` which one made it."""

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMING))):
    """Its own registry, so that other people's models in one process are none of ours."""


class Act(Base, table=True):
    """The journal: one act a row, `text` is what counts, the other columns repeat it."""

    __table_args__ = (
        UniqueConstraint("id"),
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("length(id) = 32", name="id"),
        CheckConstraint("length(hash) = 64", name="hash"),
    )
    number: int = Field(primary_key=True)
    id: str
    kind: str
    time: str
    text: str
    hash: str


class Head(Base, table=True):
    """How many acts there are and the last one's hash, so that a cut tail is found."""

    __table_args__ = (CheckConstraint("one = 1", name="one"), CheckConstraint("acts >= 1", name="acts"))
    one: int = Field(primary_key=True)
    acts: int = Field(foreign_key="act.number")
    hash: str


class Player(Base, table=True):
    """Everybody who can enter an event; a bot's seat has its name here, a person's stands in `person`."""

    __table_args__ = (
        UniqueConstraint("bot"),
        CheckConstraint("kind IN ('person', 'bot')", name="kind"),
        CheckConstraint("(kind = 'bot') = (bot IS NOT NULL)", name="bot"),
    )
    id: int = Field(primary_key=True)
    kind: str
    bot: str | None = None
    act: int = Field(foreign_key="act.number")


class Person(Base, table=True):
    """Names and what else tells of a person: outside the journal, so that it can be changed or erased."""

    __table_args__ = (UniqueConstraint("folded"), CheckConstraint("name <> ''", name="name"))
    player: int = Field(primary_key=True, foreign_key="player.id")
    name: str
    label: str
    club: str
    folded: str
    checksum: str


class Event(Base, table=True):
    """One tournament and its settings."""

    __table_args__ = (
        UniqueConstraint("folded"),
        CheckConstraint("name <> ''", name="name"),
        CheckConstraint("rounds >= 1", name="rounds"),
        CheckConstraint("size >= 2", name="size"),
        CheckConstraint("short IN ('short tables', 'sit out')", name="short"),
        CheckConstraint("minimum IS NULL OR minimum >= 0", name="minimum"),
    )
    id: int = Field(primary_key=True)
    name: str
    folded: str
    rules: str
    rules_digest: str
    format: str
    rounds: int
    size: int
    seed: str
    short: str
    minimum: int | None = None
    date: str
    act: int = Field(foreign_key="act.number")


class CurrentEvent(Base, table=True):
    """The event that commands mean when none is named."""

    __tablename__ = "current_event"
    __table_args__ = (CheckConstraint("one = 1", name="one"),)
    one: int = Field(primary_key=True)
    event: int = Field(foreign_key="event.id")
    act: int = Field(foreign_key="act.number")


class Entrant(Base, table=True):
    """Who plays in an event, numbered from 1 in the order of entry."""

    __table_args__ = (UniqueConstraint("event", "player"), CheckConstraint("number >= 1", name="number"))
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.id")
    act: int = Field(foreign_key="act.number")


class Round(Base, table=True):
    """A round that has been drawn."""

    __table_args__ = (CheckConstraint("number >= 1", name="number"),)
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    act: int = Field(foreign_key="act.number")


class Seat(Base, table=True):
    """Who sits where in a round; nobody twice."""

    __table_args__ = (
        UniqueConstraint("event", "round", "player"),
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        ForeignKeyConstraint(["event", "player"], ["entrant.event", "entrant.player"]),
        CheckConstraint("table_number >= 1", name="table_number"),
        CheckConstraint("seat >= 0", name="seat"),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    player: int


class SittingOut(Base, table=True):
    """Who has no table in a round."""

    __tablename__ = "sitting_out"
    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        ForeignKeyConstraint(["event", "player"], ["entrant.event", "entrant.player"]),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    player: int = Field(primary_key=True)


class Record(Base, table=True):
    """A game as text, named by its SHA-256; outside the journal, which has the digest."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    digest: str = Field(primary_key=True)
    text: str


class Result(Base, table=True):
    """What stands for a table; a void one has no scores."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        CheckConstraint("state IN ('counts', 'void')", name="state"),
        CheckConstraint("state = 'counts' OR record IS NULL", name="record"),
    )
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)
    state: str
    reason: str
    record: str | None = Field(default=None, foreign_key="record.digest")
    act: int = Field(foreign_key="act.number")


_RESULT = ["result.event", "result.round", "result.table_number"]
_SEAT = ["seat.event", "seat.round", "seat.table_number", "seat.seat"]


class Score(Base, table=True):
    """A seat's total points, hands won and place in a result."""

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


class Hand(Base, table=True):
    """One hand of a result; no closer: a dead hand."""

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


class HandScore(Base, table=True):
    """A seat's points in one hand."""

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


class Pool(Base, table=True):
    """A pool that was opened or imported, with its parameters as text; people and bots need no row."""

    __table_args__ = (
        UniqueConstraint("folded"),
        CheckConstraint("kind IN ('joint', 'imported')", name="kind"),
    )
    id: int = Field(primary_key=True)
    name: str
    folded: str
    kind: str
    mu: str
    sigma: str
    beta: str
    tau: str
    draw: str
    act: int = Field(foreign_key="act.number")


class PoolImport(Base, table=True):
    """One results file brought into a pool, with the digest of its rows."""

    __tablename__ = "pool_import"
    __table_args__ = (CheckConstraint("games >= 0", name="games"), CheckConstraint("rows >= 0", name="rows"))
    id: int = Field(primary_key=True)
    pool: int = Field(foreign_key="pool.id")
    games: int
    rows: int
    digest: str
    act: int = Field(foreign_key="act.number")


class PoolResult(Base, table=True):
    """A player's place in an imported game, in the order of the file; the journal has their digest."""

    __tablename__ = "pool_result"
    __table_args__ = (
        UniqueConstraint("pool_import", "game", "name"),
        CheckConstraint("place >= 1", name="place"),
    )
    pool_import: int = Field(primary_key=True, foreign_key="pool_import.id")
    row: int = Field(primary_key=True)
    game: int
    name: str
    place: int


class RatingCache(Base, table=True):
    """Ratings worked out before, good while the digest of what they were made from is the same."""

    __tablename__ = "rating_cache"
    pool: str = Field(primary_key=True)
    inputs: str
    text: str
    checksum: str


METADATA = Base.metadata


def table(name: str) -> Table:
    """A table by its name, for Core statements."""
    return METADATA.tables[name]


OUTSIDE = ("act", "person", "record", "pool_result", "rating_cache")
"""Tables that are no index of the journal; all others are its fold."""
