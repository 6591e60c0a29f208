"""The database file and its journal: what checks, backups, log and undo return."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.rounds import EventPlanChanges

EntryState = Literal["stands", "undone", "takes back", "puts back"]
FindingState = Literal["ok", "warning", "bad"]
Erasures = Literal["all known", "some perhaps not known"]
"""The state of knowledge about erased names: a journal that is gone or damaged may have held further erasures."""


@dataclass(frozen=True, slots=True)
class Check:
    """The findings of `db check`: nothing is wrong if `problems` is empty."""

    problems: tuple[str, ...]
    entries: int
    head: str


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A migration of the database's schema; no backup if nothing had to be done."""

    before: str
    after: str
    backup: str = ""


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy of the database, with the number of its entries and the journal's last hash."""

    path: str
    entries: int
    head: str


@dataclass(frozen=True, slots=True)
class Restored:
    """A database put back to a backup, which has `entries` entries and the hash `head`.

    The database had `before` entries (None: it could not be read), the first `common` of which the backup has as
    well; `kept` is the file as it was, empty if there was none. `erased` names that had been erased since the
    backup are erased again, by an entry each behind the backup's; `erasures` says whether these are all.
    """

    path: str
    source: str
    entries: int
    head: str
    before: int | None
    common: int
    kept: str = ""
    erased: int = 0
    erasures: Erasures = "all known"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of `doctor`: what was found, whether that is well, and what to do if it is not."""

    check: str
    state: FindingState
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the journal in words: its number from 1, its time in UTC, its event's name (empty if of none)."""

    number: int
    time: str
    kind: str
    event: str
    said: str
    state: EntryState


@dataclass(frozen=True, slots=True)
class Log:
    """The journal in words: all of it, or the entries of one event. `head` is its last hash."""

    event: str
    lines: tuple[LogLine, ...]
    head: str


@dataclass(frozen=True, slots=True)
class Turned:
    """A command undone or put back: a line of the log for all of it, and its number of entries.

    `stays` are the sentences of later permanent entries, which were passed over, `halves` those about partial sheets
    that it discarded or restored. `ahead` has the tables of coming rounds that it changes.
    """

    turn: Literal["undo", "redo"]
    line: LogLine
    entries: int
    stays: tuple[str, ...] = ()
    halves: tuple[str, ...] = ()
    ahead: tuple[EventPlanChanges, ...] = ()
