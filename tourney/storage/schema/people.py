"""People and the seats of bots."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Player(Base, table=True):
    """Everybody who can enter an event; a bot's seat has its name here, a person's stands in `person`.

    `version` says which text of the person counts, and `merged` into whom one of two entries has gone.
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

    Every version stays, for undoing. `folded` is the name as it is found, empty (NULL) where it does not count now.
    """

    __table_args__ = (UniqueConstraint("folded"), CheckConstraint("version >= 1", name="version"))
    player: int = Field(primary_key=True)
    version: int = Field(primary_key=True)
    name: str
    label: str
    club: str
    folded: str | None = None
    checksum: str
