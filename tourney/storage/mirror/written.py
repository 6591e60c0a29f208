"""Entries with the texts that they name, and names, read from the database for a mirror, each as it was written."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage.journal.canonical import person_checksum
from tourney.storage.journal.entries import Entry, chain_hash, parse_entry
from tourney.storage.mirror.lines import MirroredEntry, Tail, names_texts
from tourney.storage.mirror.names import Row
from tourney.text.i18n import _

_ENTRIES = "SELECT number, hash, text FROM act WHERE number > ? ORDER BY number"
_KINDS = "SELECT DISTINCT kind FROM act WHERE number > ?"
_RECORD = "SELECT text FROM record WHERE digest = ?"
_IMPORTED = "SELECT row, game, name, place FROM pool_result WHERE pool_import = ? ORDER BY row"
_PERSONS = "SELECT player, version, name, label, club, checksum FROM person ORDER BY player, version"


def kinds_after(connection: sqlite3.Connection, number: int) -> frozenset[str]:
    """Return the kinds of the entries after that number."""
    return frozenset(kind for (kind,) in connection.execute(_KINDS, (number,)))


def entries_after(connection: sqlite3.Connection, path: Path, last: Tail) -> Iterator[MirroredEntry]:
    """Yield the entries after `last`, with the texts that they name.

    Raises TourneyError STORAGE for the first that is not as it was written: damage must not get into a copy.
    """
    before, head = last.number, last.hash
    for number, digest, text in connection.execute(_ENTRIES, (last.number,)):
        head = chain_hash(head, text)
        if (number, digest) != (before + 1, head):
            raise _damaged(path, before + 1)
        found = _with_texts(connection, number, digest, text)
        if found is None:
            raise _damaged(path, number)
        yield found
        before = number


def _with_texts(connection: sqlite3.Connection, number: int, digest: str, text: str) -> MirroredEntry | None:
    """Return the entry with the record and the imported rows that it names; None if they are not as they were."""
    entry = parse_entry(text)
    record, rows = _record(connection, entry), _imported(connection, entry)
    return MirroredEntry(number, digest, text, record, rows) if names_texts(entry, record, rows) else None


def _record(connection: sqlite3.Connection, entry: Entry) -> str | None:
    if "record" not in entry.payload:
        return None
    found = connection.execute(_RECORD, (entry.payload["record"],)).fetchone()
    return None if found is None else str(found[0])


def _imported(connection: sqlite3.Connection, entry: Entry) -> tuple[tuple[int, int, str, int], ...]:
    if entry.kind != "rating.import":
        return ()
    return tuple(connection.execute(_IMPORTED, (entry.payload["import"],)))


def persons(connection: sqlite3.Connection, path: Path) -> list[Row]:
    """Return every version of people's names. Raises TourneyError STORAGE if one is not as it was written."""
    rows = connection.execute(_PERSONS).fetchall()
    for row in rows:
        if person_checksum(*row[:5]) != row[5]:
            message = _("the database {path} is damaged: the name of player {number} is not as it was written")
            raise TourneyError(ExitCode.STORAGE, message.format(path=path, number=row[0]), _("run `tourney db check`"))
    return rows


def _damaged(path: Path, number: int) -> TourneyError:
    message = _("the database {path} is damaged: change {number} is not as it was written")
    return TourneyError(ExitCode.STORAGE, message.format(path=path, number=number), _("run `tourney db check`"))
