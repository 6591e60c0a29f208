"""The tables of the database, by subject.

What the schema can enforce is declared here, because SQLModel does not validate table models. Columns called
`act` name the entry that made the row or changed it last; seats count from 0, as in the domain, first dealer first.
"""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, MetaData, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMING))):
    """The base of our models, with a registry of its own, apart from the models of other programs."""


class AtTable(Base):
    """The key of rows about a table of a round."""

    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)


METADATA = Base.metadata


# --- the journal, and which of its entries stand ------------------------------------------------------


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


# --- people and the seats of bots ---------------------------------------------------------------------


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


# --- events, who plays in them, and where everybody sits ----------------------------------------------


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


# --- results of tables, hand by hand, and what an arbiter ruled ---------------------------------------


class Record(Base, table=True):
    """A game as text, outside the journal, which has its SHA-256."""

    __table_args__ = (CheckConstraint("length(digest) = 64", name="digest"),)
    digest: str = Field(primary_key=True)
    text: str


class Result(AtTable, table=True):
    """The result of a table; a void one has no scores. `short` is the number of hands not played."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"]),
        CheckConstraint("state IN ('counts', 'void')", name="state"),
        CheckConstraint("state = 'counts' OR record IS NULL", name="record"),
        CheckConstraint("short >= 0", name="short"),
    )
    state: str
    reason: str
    short: int
    record: str | None = Field(default=None, foreign_key="record.digest")
    act: int = Field(foreign_key="act.number")


_RESULT = ["result.event", "result.round", "result.table_number"]
_SEAT = ["seat.event", "seat.round", "seat.table_number", "seat.seat"]


class Score(AtTable, table=True):
    """A seat's total points, hands won and place; `extra` is what hands not played cost it, `money` its winnings."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
        CheckConstraint("hands_won >= 0", name="hands_won"),
        CheckConstraint("place >= 1", name="place"),
    )
    seat: int = Field(primary_key=True)
    points: int
    hands_won: int
    place: int
    extra: int | None = None
    money: int | None = None


class Hand(AtTable, table=True):
    """One hand of a result; a dead hand has no closer. Only hands of the knock game have an `ending`."""

    __table_args__ = (
        ForeignKeyConstraint(["event", "round", "table_number"], _RESULT),
        ForeignKeyConstraint(["event", "round", "table_number", "closer"], _SEAT),
        CheckConstraint("hand >= 0", name="hand"),
        CheckConstraint("at_once IN (0, 1)", name="at_once"),
        CheckConstraint("closer IS NOT NULL OR at_once = 0", name="closer"),
    )
    hand: int = Field(primary_key=True)
    contract: str
    closer: int | None = None
    at_once: int
    ending: str


class HandScore(AtTable, table=True):
    """A seat's points in one hand, and the points that it then bought off."""

    __tablename__ = "hand_score"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event", "round", "table_number", "hand"],
            ["hand.event", "hand.round", "hand.table_number", "hand.hand"],
        ),
        ForeignKeyConstraint(["event", "round", "table_number", "seat"], _SEAT),
    )
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


class Flag(Base, table=True):
    """A question of a table to the desk, numbered from 1 in its event; its round may have been cancelled since."""

    __table_args__ = (
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("state IN ('open', 'answered')", name="state"),
    )
    event: int = Field(primary_key=True, foreign_key="event.id")
    number: int = Field(primary_key=True)
    round: int
    table_number: int
    player: int | None = Field(default=None, foreign_key="player.id")
    text: str
    state: str
    answer: str
    act: int = Field(foreign_key="act.number")


class PartialSheet(AtTable, table=True):
    """The partial sheets of a table as text, one for each group of players for whom one was begun, the newest first."""

    __tablename__ = "partial_sheet"
    text: str
    act: int = Field(foreign_key="act.number")


class Draft(AtTable, table=True):
    """The partial sheets of versions before 0009: outside the journal, which decides which of them is shown."""

    text: str


# --- who may enter the pages of a desk or of a table ------------------------------------------------------


class Access(Base, table=True):
    """The hash of a key to the pages of a desk or of a table, outside the journal; the key itself is kept nowhere.

    `entry` is the id of the entry that drew the round of a table, or made the event of a player: the key opens nothing
    that another entry has made under the same number.
    """

    __table_args__ = (
        CheckConstraint("length(hash) = 64", name="hash"),
        CheckConstraint("kind IN ('desk', 'sign-in', 'table', 'code', 'pin')", name="kind"),
    )
    hash: str = Field(primary_key=True)
    kind: str
    salt: str
    event: int | None = None
    round: int | None = None
    table_number: int | None = None
    player: int | None = None
    entry: str
    made: str
    ended: str | None = None


class Submission(Base, table=True):
    """A table's sheet as one phone typed it, outside the journal: what the journal has is the result made of it.

    The phone gives the id. `entry` is the id of the entry that drew the round, `result` that of the result's entry once
    the sheet was confirmed, and `text` has the hands as a partial sheet has them. `player` has typed the sheet,
    `confirmed_by` has confirmed it.
    """

    __table_args__ = (
        CheckConstraint("length(id) = 32", name="id"),
        CheckConstraint("state IN ('typing', 'waiting', 'confirmed', 'refused')", name="state"),
    )
    id: str = Field(primary_key=True)
    event: int
    round: int
    table_number: int
    entry: str
    device: str
    player: int | None = None
    text: str
    time: str
    state: str
    confirmed_by: int | None = None
    result: str
    reason: str


# --- pools of ratings, results imported into them, and caches -----------------------------------------


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


# --- leagues of bots: what each plays, and the outcomes of its blocks ---------------------------------


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
