"""The journal, and what of it stands after undoing."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Act(Base, table=True):
    """An entry of the journal: `text` is what counts, the other columns repeat it."""

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
    """The number of entries and the hash of the last, so that a truncated journal is detected."""

    __table_args__ = (CheckConstraint("one = 1", name="one"), CheckConstraint("acts >= 1", name="acts"))
    one: int = Field(primary_key=True)
    acts: int = Field(foreign_key="act.number")
    hash: str


class Step(Base, table=True):
    """The state of an entry: it stands, was undone, or takes back or puts back others.

    `batch` is the first entry of the same command.
    """

    __table_args__ = (CheckConstraint("state IN ('stands', 'undone', 'takes back', 'puts back')", name="state"),)
    act: int = Field(primary_key=True, foreign_key="act.number")
    batch: int = Field(foreign_key="act.number")
    state: str


class Trace(Base, table=True):
    """A partition that an entry has written (event or round 0: of none), so that it can be projected alone."""

    part: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    act: int = Field(primary_key=True, foreign_key="act.number")


class Undone(Base, table=True):
    """Batches that can be put back, the last one undone on top; a new entry clears them."""

    place: int = Field(primary_key=True)
    batch: int = Field(foreign_key="act.number")


class Counter(Base, table=True):
    """The last number assigned of each kind, undone or not: no number is assigned twice."""

    kind: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    last: int


class Seal(Base, table=True):
    """The checksum of all rows of a partition; a partition without rows has none."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    part: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    digest: str
