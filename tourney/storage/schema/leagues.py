"""Leagues of bots: what each is to play, and what its blocks gave."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from tourney.storage.schema.base import Base


class League(Base, table=True):
    """A league, its bots as canonical JSON; `program` is the version of this program that began it."""

    __table_args__ = (
        CheckConstraint("seats >= 2", name="seats"),
        CheckConstraint("blocks >= 1", name="blocks"),
        CheckConstraint("stake >= 0", name="stake"),
        CheckConstraint("design IN ('pairs', 'replace', 'rotations', 'fresh')", name="design"),
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
    program: str
    act: int = Field(foreign_key="act.number")


class LeagueBlock(Base, table=True):
    """The outcome of a block while the league had that many entrants, as text with its SHA-256; blocks count from 0.

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
    """The number of rows of a kind that are kept of a league with that many entrants, and the sum of their digests."""

    __tablename__ = "league_seal"
    __table_args__ = (CheckConstraint("what IN ('block', 'fault', 'record')", name="what"),)
    league: int = Field(primary_key=True)
    entrants: int = Field(primary_key=True)
    what: str = Field(primary_key=True)
    rows: int
    total: str
    checksum: str
