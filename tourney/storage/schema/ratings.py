"""Tables of ratings and leagues: pools, imported results, caches, and the outcomes of blocks."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class Pool(Base, table=True):
    """A pool with its parameters as text; people and bots have a row only if theirs have been set."""

    __table_args__ = (
        UniqueConstraint("folded"),
        CheckConstraint("kind IN ('people', 'bots', 'joint', 'imported')", name="kind"),
        CheckConstraint("unit = 'game' OR unit = 'hand' AND kind <> 'imported'", name="unit"),
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
    unit: str
    act: int = Field(foreign_key="act.number")


class PoolImport(Base, table=True):
    """One results file imported into a pool, with the digest of its rows."""

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
    # Without a row number, in the order of its key: imports are quicker, and their file is half as long.
    __table_args__ = (CheckConstraint("place >= 1", name="place"), {"sqlite_with_rowid": False})
    pool_import: int = Field(primary_key=True)
    row: int = Field(primary_key=True)
    game: int
    name: str
    place: int


class RatingCheckpoint(Base, table=True):
    """The ratings of a pool after its first `games` games, valid while the digest of those games is the same."""

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


class League(Base, table=True):
    """A league, its bots as canonical JSON; `program` is the version of this program that began it.

    `more` has the settings that few leagues have, as canonical JSON, and is empty without any.
    """

    __table_args__ = (
        CheckConstraint("seats >= 2", name="seats"),
        CheckConstraint("blocks >= 1", name="blocks"),
        CheckConstraint("stake >= 0", name="stake"),
        CheckConstraint("design IN ('pairs', 'replace', 'gauntlet', 'rotations', 'fresh')", name="design"),
        CheckConstraint("records IN ('none', 'sampled', 'all')", name="records"),
    )
    id: int = Field(primary_key=True)
    bots: str
    rules: str
    rules_digest: str
    rules_text: str
    seats: int
    seed: str
    blocks: int
    design: str
    certainty: str
    records: str
    stake: int
    more: str
    program: str
    act: int = Field(foreign_key="act.number")


class LeagueBlock(Base, table=True):
    """The outcome of a block (from 0) while the league had `entrants` entrants, as text with its SHA-256.

    Outside the journal, and kept whether the league's entry stands or was undone.
    """

    __tablename__ = "league_block"
    __table_args__ = (CheckConstraint("length(hash) = 64", name="hash"),)
    league: int = Field(primary_key=True)
    entrants: int = Field(primary_key=True)
    block: int = Field(primary_key=True)
    text: str
    hash: str


class LeagueFault(Base, table=True):
    """A bot that failed in a block, what it did, and the traceback."""

    __tablename__ = "league_fault"
    league: int = Field(primary_key=True)
    entrants: int = Field(primary_key=True)
    block: int = Field(primary_key=True)
    place: int = Field(primary_key=True)
    game: int
    hand: int
    entrant: int
    what: str
    trace: str
    checksum: str


class LeagueRecord(Base, table=True):
    """The record of a game, compressed by zlib and in base 85, with the SHA-256 of its text."""

    __tablename__ = "league_record"
    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    league: int = Field(primary_key=True)
    entrants: int = Field(primary_key=True)
    block: int = Field(primary_key=True)
    game: int = Field(primary_key=True)
    packed: str
    digest: str


class LeagueSeal(Base, table=True):
    """The number of rows of a kind that a league with `entrants` entrants has, and the sum of their digests."""

    __tablename__ = "league_seal"
    __table_args__ = (CheckConstraint("what IN ('block', 'fault', 'record')", name="what"),)
    league: int = Field(primary_key=True)
    entrants: int = Field(primary_key=True)
    what: str = Field(primary_key=True)
    rows: int
    total: str
    checksum: str
