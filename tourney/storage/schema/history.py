"""The journal, and what of it stands after undoing."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


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


class Step(Base, table=True):
    """What became of an act: whether it stands, was taken back, or takes back or puts back others.

    `batch` is the first act of the same command.
    """

    __table_args__ = (CheckConstraint("state IN ('stands', 'undone', 'takes back', 'puts back')", name="state"),)
    act: int = Field(primary_key=True, foreign_key="act.number")
    batch: int = Field(foreign_key="act.number")
    state: str


class Trace(Base, table=True):
    """Which part of the index an act has written (event or round 0: of none), so that it can be folded alone."""

    part: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    act: int = Field(primary_key=True, foreign_key="act.number")


class Undone(Base, table=True):
    """Batches that can be put back, the last one undone on top; a new act clears them."""

    place: int = Field(primary_key=True)
    batch: int = Field(foreign_key="act.number")


class Counter(Base, table=True):
    """The last number given out of each kind, undone or not: no number is given twice."""

    kind: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    last: int


class Seal(Base, table=True):
    """The digest of all rows of a part of the index; a part without rows has none."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    part: str = Field(primary_key=True)
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    digest: str
