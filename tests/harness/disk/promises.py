"""The promises of storage after an accident: nothing acknowledged is lost, nothing is half done, nothing double."""

import hashlib
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tests.harness.disk.watched import at_home_in
from tests.tourney.storage.test_mirror import entry_lines, expected_lines
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.players import RegisterPlayers
from tourney.storage.backup.names import round_backup_of
from tourney.storage.mirror.remembered import remembered

AFTERWARDS = "Zacarías"
"""The name registered after an accident, to see that the database and its mirrors still take changes."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the journal: its kind, and the text that is hashed."""

    kind: str
    text: str


def journal(db: Path) -> tuple[Entry, ...]:
    """Return the entries of a database, read by sqlite3 alone; none where there is no database, or no sound one."""
    if not db.exists():
        return ()
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(db)) as connection:
        return tuple(Entry(*row) for row in connection.execute("SELECT kind, text FROM act ORDER BY number"))
    return ()


def is_state(found: Sequence[Entry], before: Sequence[Entry], after: Sequence[Entry]) -> bool:
    """Return whether a command that leads from one journal to the other has left what it leaves at its end.

    Texts of new entries have times and numbers drawn by chance, so that only their kinds are compared.
    """
    pairs = enumerate(zip(before, after, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(before), len(after)))
    return tuple(found[:same]) == tuple(before[:same]) and [entry.kind for entry in found] == [
        entry.kind for entry in after
    ]


def opened(folder: Path) -> Iterator[str]:
    """Open what an accident has left; yield a line for each thing that is not as it must be.

    `continued`, which comes after it, checks the database.
    """
    with at_home_in(folder):
        yield from [*_opened(folder)]


def _opened(folder: Path) -> Iterator[str]:
    db = folder / "club.db"
    try:
        events.listing(str(db))
    except TourneyError as error:
        if error.code != ExitCode.NOT_FOUND or db.exists():
            yield f"the database does not open: {error.message}"
        return
    for copy in [*folder.glob("tourney-backups/club.db-*[!e].db"), *folder.glob("stick/*.db")]:
        yield from _problems_of_copy(copy, hashlib.sha256(copy.read_bytes()).hexdigest())
    ids = [line.split('"id":"')[1][:32] for line in (entry.text for entry in journal(db))]
    if len(set(ids)) < len(ids):
        yield "an entry is there twice"


def _problems(db: Path) -> Iterator[str]:
    try:
        yield from (f"{db.name}: {problem}" for problem in database.check(str(db)).problems)
    except TourneyError as error:
        yield f"{db.name}: {error.message}"


@lru_cache(maxsize=1000)
def _problems_of_copy(copy: Path, _digest: str) -> tuple[str, ...]:
    """Check a backup; one of the same name and content was checked before."""
    return tuple(_problems(copy))


def continued(folder: Path) -> Iterator[str]:
    """Make another change; yield what is wrong then: the database and its mirrors must be equal, and no litter left."""
    with at_home_in(folder):
        yield from [*_continued(folder)]


def _continued(folder: Path) -> Iterator[str]:
    db = folder / "club.db"
    before = len(journal(db))
    try:
        apply(str(db), RegisterPlayers([AFTERWARDS]))
    except TourneyError as error:
        yield f"no change can be made: {error.message}"
        return
    if len(journal(db)) != before + 1:
        yield "the change is not kept"
    yield from _problems(db)
    for mirror in remembered(db):
        if entry_lines(Path(mirror.journal)) != expected_lines(db):
            yield f"the mirror {mirror.journal} is not equal"
    rounds = round_backup_of(db)
    if rounds.exists():
        with warnings.catch_warnings():
            # After a restore it is begun anew, and says so.
            warnings.simplefilter("ignore")
            database.round_finished(str(db))
        if entry_lines(rounds) != expected_lines(db):
            yield "the backup after rounds is not equal"
    yield from _old(folder / "old.db")
    litter = [path.name for path in folder.rglob("*") if path.name.endswith((".part", "-copying", "-new"))]
    if litter:
        yield f"left: {', '.join(litter)}"


def _old(old: Path) -> Iterator[str]:
    """Upgrade the database of an older version, or see that it was upgraded."""
    if not old.exists():
        return
    try:
        database.upgrade(str(old))
    except TourneyError as error:
        yield f"old.db cannot be upgraded: {error.message}"
    yield from _problems(old)
