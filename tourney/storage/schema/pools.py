"""Pools of ratings, results brought into them, and what is kept so that it need not be worked out again."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Pool(Base, table=True):
    """A pool with its parameters as text; people and bots have a row only if theirs have been set."""

    __table_args__ = (
        UniqueConstraint("folded"),
        CheckConstraint("kind IN ('people', 'bots', 'joint', 'imported')", name="kind"),
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
    absence: str
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
    pool_import: int = Field(primary_key=True)
    row: int = Field(primary_key=True)
    game: int
    name: str
    place: int


class RatingCheckpoint(Base, table=True):
    """The ratings of a pool after that many games, valid while the digest of those games is the same."""

    __tablename__ = "rating_checkpoint"
    pool: str = Field(primary_key=True)
    games: int = Field(primary_key=True)
    inputs: str
    text: str
    checksum: str


class RatedRound(Base, table=True):
    """The tables of a round that count, as text; valid while its seats and results have the same checksums."""

    __tablename__ = "rated_round"
    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    seats: str
    scores: str
    text: str
    checksum: str
