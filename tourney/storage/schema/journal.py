"""Tables of the journal and of people: entries, which of them stand, checksums, and everybody's names."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Act(Base, table=True):
    """An entry of the journal: `text` is authoritative, and other columns repeat parts of it."""

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
    """The state of an entry: it stands, was undone, or takes back or puts back other entries.

    `batch` is the first entry of the same command.
    """

    __table_args__ = (CheckConstraint("state IN ('stands', 'undone', 'takes back', 'puts back')", name="state"),)
    act: int = Field(primary_key=True, foreign_key="act.number")
    batch: int = Field(foreign_key="act.number")
    state: str


class Trace(Base, table=True):
    """A partition that an entry has written (event or round 0: of none), so that it can be rebuilt by itself."""

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


class Player(Base, table=True):
    """Everybody who can enter an event; the name of a bot's seat is here, a person's is in `person`.

    `version` says which text of the person counts, and `merged` into which player this one was merged.
    """

    __table_args__ = (
        UniqueConstraint("bot"),
        CheckConstraint("kind IN ('person', 'bot')", name="kind"),
        CheckConstraint("(kind = 'bot') = (bot IS NOT NULL)", name="bot"),
        CheckConstraint("erased IN (0, 1)", name="erased"),
    )
    id: int = Field(primary_key=True)
    kind: str
    bot: str | None = None
    version: int
    erased: int
    merged: int | None = Field(default=None, foreign_key="player.id")
    act: int = Field(foreign_key="act.number")


class Person(Base, table=True):
    """Name, label and club of a person: outside the journal, so that they can be changed or erased.

    Every version stays, for undoing. `folded` is a current name in its form for look-ups, NULL for other versions.
    """

    __table_args__ = (UniqueConstraint("folded"), CheckConstraint("version >= 1", name="version"))
    player: int = Field(primary_key=True)
    version: int = Field(primary_key=True)
    name: str
    label: str
    club: str
    folded: str | None = None
    checksum: str
