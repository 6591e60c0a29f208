"""Compare a database with its mirrors when it is opened: one that lacks entries of a mirror is refused.

SQLite passes over a log that is damaged, and knows nothing of one that was deleted: the database then shows an older
state. Only number and hash of the last entry are compared, unless they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from tourney.storage import sqlite
from tourney.storage.mirror.lines import Tail, tail
from tourney.storage.mirror.remembered import remembered

_HASHES = "SELECT number, hash FROM act WHERE number = ? OR number = (SELECT max(number) FROM act)"


class MirrorTail(NamedTuple):
    """A mirror's journal, its last entry, and the last hash of a backup restored since, as `Mirror` has it."""

    journal: Path
    tail: Tail
    restored: str | None


def mirror_tails(path: Path) -> tuple[MirrorTail, ...]:
    """Return the last entry of each mirror that is there; to be called before the transaction begins.

    An entry is committed before it is mirrored, so a transaction that begins later sees it. Raises TourneyError as
    `remembered`.
    """
    tails = []
    for mirror in remembered(path):
        try:
            journal = Path(mirror.journal)
            tails.append(MirrorTail(journal, tail(journal), mirror.restored))
        except OSError:
            continue
    return tuple(tails)


def refuse_older(path: Path, tails: Sequence[MirrorTail], connection: Connection | None = None) -> bool:
    """Raise LackingEntriesError if the database lacks entries of a mirror; return whether one lacks entries of it.

    Without a connection there is no database.
    """
    newest = 0
    for journal, last, restored in tails:
        found = {} if connection is None else dict(sqlite.rows(connection, _HASHES, (last.number,)))
        newest = max([newest, *found])
        if last.number and found.get(last.number) != last.hash:
            _refuse_if_lacking(path, journal, connection, restored)
    return any(last.number < newest for _journal, last, _restored in tails)


def _refuse_if_lacking(path: Path, journal: Path, connection: Connection | None, restored: str | None) -> None:
    # Almost no opening needs this.
    from tourney.storage.mirror.compare import difference, lacking_error

    hashes = {} if connection is None else dict(sqlite.rows(connection, "SELECT number, hash FROM act"))
    try:
        found = difference(hashes, journal)
    except OSError:
        return
    if found.lacking and (restored is None or not found.is_of_restored(hashes, restored)):
        raise lacking_error(path, journal, found)
