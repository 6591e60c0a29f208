"""Values of the database file and its journal: the results of checks, backups, log and undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tourney.domain.rounds import EventPlanChanges

CODE_LENGTH: Final = 16
"""The digits of a hash that stand for entries on paper and in messages."""
EntryState = Literal["stands", "undone", "takes back", "puts back"]
FindingState = Literal["ok", "warning", "bad"]
Erasures = Literal["all known", "some perhaps not known"]
"""The state of knowledge about erased names: a journal that is gone or damaged may have held further erasures."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of `db check`: the problems found, the number of entries, and the journal's last hash (`head`)."""

    problems: tuple[str, ...]
    entries: int
    head: str


@dataclass(frozen=True, slots=True)
class CodeFound:
    """The entry after which the journal, or an event of that name, had a code: entry `place` of `entries`.

    `hash` is the whole hash; `change` and `time` are the entry's number in the journal and its time in UTC.
    """

    hash: str
    event: str
    place: int
    entries: int
    change: int
    time: str


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
    """A database restored from a backup, which has `entries` entries and the hash `head`.

    The database had `before` entries (None: it could not be read); the first `common` of them are in the backup too.
    `kept` is the path of the file it replaced, "" if there was none. `erased` counts the names that had been erased
    since the backup and are erased again, one entry each after the backup's; `erasures` says whether these are all.
    `published` are the people whose name in rankings was changed after the backup.
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
    published: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MirrorState:
    """A mirror of the database: its file, its number of entries, and how many of the database's it lacks.

    Away: it cannot be read or written now. Damaged: lines are not as they were written. Differs: it has entries that
    the database lacks. `problem` says more about each of these.
    """

    path: str
    state: Literal["complete", "away", "damaged", "differs"]
    entries: int
    missing: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of `doctor`: the fact found, its state, and what to do unless that is `ok`."""

    check: str
    state: FindingState
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A journal entry as a sentence, with its number from 1, its time in UTC and its event's name ("": none).

    An entry stands or was undone, or itself undoes ("takes back") or redoes ("puts back") others. `by` made it ("": an
    older program, which did not keep that).
    """

    number: int
    time: str
    kind: str
    event: str
    said: str
    state: EntryState
    by: str


@dataclass(frozen=True, slots=True)
class Log:
    """The journal as sentences: all entries, or those of one event. `head` is the last hash of the journal.

    `hands` has, for the number of each entry that completed or discarded a partial sheet, those of the sheet's hands;
    `folded` says whether these are left out.
    """

    event: str
    lines: tuple[LogLine, ...]
    head: str
    hands: Mapping[int, tuple[int, ...]]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Turned:
    """A command undone or redone: one log line for the whole command, and its number of entries.

    `stays` are the sentences of later permanent entries, which are not undone; `halves` are sentences about the partial
    sheets that the undo or redo discarded or restored. `ahead` has the tables of coming rounds that it changes.
    `goes` are sentences on what goes with an undone draw or choice of event, or with more than one result.
    """

    turn: Literal["undo", "redo"]
    line: LogLine
    entries: int
    stays: tuple[str, ...] = ()
    halves: tuple[str, ...] = ()
    ahead: tuple[EventPlanChanges, ...] = ()
    goes: tuple[str, ...] = ()
