"""Restore a backup, or what a mirror has, in one step: every other program is locked out, and the old file is kept.

A key that was ended since a backup would open its page again after the backup is restored, and what phones have sent
since would be lost.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from tourney.domain.database import Restored
from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import sqlite
from tourney.storage.backup import mirrored
from tourney.storage.backup.copies import Journal, copy_file, keep, named, prepared, reader
from tourney.storage.backup.erasures import erased_again, outstanding
from tourney.storage.backup.names import folder_of, newest
from tourney.storage.backup.round_backup import begin_round_backup_anew
from tourney.storage.check import check_database
from tourney.storage.files.atomic_create import flush_folder
from tourney.storage.files.temporary_copies import temporary_copy
from tourney.storage.journal.checksums import verified_rows, write_checksums
from tourney.storage.journal.partitions import TABLES, Partition, unwritten
from tourney.storage.location import is_absent, locate, prepare_folder
from tourney.storage.mirror.follow import begin_anew, follow
from tourney.storage.private import create, refuse_file
from tourney.storage.table_rows import insert_rows
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed
from tourney.text.sanitize import quote_argument

KEPT = ("access", "submissions")
"""The partitions of which a restore keeps the present rows."""
NEVER_RESTORED = frozenset({"access"})
"""The partitions of which no row of a backup is ever restored."""

Rows = Mapping[str, list[dict[str, Any]]]


@contextmanager
def with_present_rows(path: Path, source: Path) -> Iterator[Path]:
    """Yield a copy of the backup with the rows of the database; the backup itself if both have none.

    Where the database is gone, damaged or of an older version, sheets are those of the backup, and all keys end: nobody
    could say which of the backup's were ended since.
    """
    present = _rows(path)
    if not any((*present.values(), *_rows(source).values())):
        yield source
        return
    with temporary_copy(path, prepared(path)) as part:
        copy_file(source, part)
        with sqlite.transaction(sqlite.file_engine(part, "write"), "IMMEDIATE") as connection:
            _replace_rows(connection, present)
        yield part


def _rows(path: Path) -> Rows:
    try:
        with (
            sqlite.plain_errors(path),
            sqlite.transaction(sqlite.file_engine(path, "read"), "DEFERRED") as connection,
        ):
            found = {name: verified_rows(connection, Partition(name))[TABLES[name][0]] for name in KEPT}
    except TourneyError:
        return {}
    return {name: [row._asdict() for row in rows] for name, rows in found.items()}


def _replace_rows(connection: Connection, present: Rows) -> None:
    before = [partition for partition in unwritten(connection) if partition.name in KEPT]
    for name in KEPT:
        (rows,) = TABLES[name]
        if name in present or name in NEVER_RESTORED:
            connection.exec_driver_sql(f'DELETE FROM "{rows}"')
            insert_rows(connection, rows, present.get(name, []))
    after = [partition for partition in unwritten(connection) if partition.name in KEPT]
    write_checksums(connection, sorted({*before, *after}))


TEXT = ".txt"
"""The end of the name of a backup that is a journal as text."""


def restore_backup(db: str | None, given: str, dry_run: bool = False, by: str = "") -> Restored:
    """Restore the database from the backup, and return what that changes; a dry run only compares.

    Names that the database has erased since the backup are erased in its content before that is restored, as a change
    of `by`. `given` is a path, or the name of a file in the folder `tourney-backups`: a copy, or a backup after rounds,
    of which a database is made. Raises TourneyError NOT_FOUND if there is none, REFUSED if it is not sound, CONFLICT
    while another program has the database open, STORAGE if a file cannot be used.
    """
    path = locate(db)
    source = _source(path, given)
    with _as_database(path, source) as (content, sound):
        restored = _restored(path, content, sound, dry_run, by, partial(begin_anew, path))
    if not dry_run:
        follow(path)
        begin_round_backup_anew(path)
    return replace(restored, source=str(source))


@contextmanager
def _as_database(path: Path, source: Path) -> Iterator[tuple[Path, Journal]]:
    """Yield a backup as a sound database, and its journal's end."""
    if source.name.endswith(TEXT):
        with mirrored.database_of(path, source) as (content, sound):
            yield content, sound
        return
    yield source, _sound(source)


def restore_mirror(db: str | None, given: str | None, dry_run: bool = False, by: str = "") -> Restored:
    """Complete the database by the entries of a mirror that it lacks, or make it of all of them if it is not sound.

    `given` is the mirror's journal or its folder; None: the mirror of this database that has the most entries. The
    database is mirrored there from now on. Raises TourneyError NOT_FOUND if there is no mirror, CONFLICT for one of
    another database or where both have entries that the other lacks, STORAGE for a damaged mirror, and as
    `restore_backup` does.
    """
    path = locate(db)
    journal = mirrored.find_mirror(path, given)
    with mirrored.completed_copy(path, journal) as completed:
        if completed is None:
            entries, head = mirrored.journal_of(path)
            return Restored(str(path), str(journal), entries, head, entries, entries)
        restored = replace(_restored(path, *completed, dry_run, by), source=str(journal))
    if not dry_run:
        mirrored.remember_mirror(path, journal)
        follow(path)
        begin_round_backup_anew(path)
    return restored


def _restored(
    path: Path,
    source: Path,
    sound: Journal,
    dry_run: bool,
    by: str,
    before_writing: Callable[[str], None] = lambda _head: None,
) -> Restored:
    """Restore the database from a sound file, whose journal ends so, and return what that changes.

    `before_writing` is called with the last hash that it will have.
    """
    entries, head = sound
    before, common = _common_entries(path, source)
    players, erasures, published = outstanding(path, source, common)
    kept = "" if dry_run else _put(path, source, players, by, before_writing)
    return Restored(str(path), str(source), entries, head, before, common, kept, len(players), erasures, published)


def _put(path: Path, source: Path, players: Sequence[int], by: str, before_writing: Callable[[str], None]) -> str:
    """Write the backup without the names of these players to the file; return where the old file is kept."""
    prepare_folder(path)
    with (
        sqlite.plain_errors(path),
        erased_again(path, source, players, by) as erased,
        with_present_rows(path, erased) as content,
    ):
        wanted = _sound(content)
        before_writing(wanted[1])
        kept = _replace(path, content)
    if _sound(path) != wanted:
        message = _("the database {path} is not what the backup is").format(path=path)
        raise TourneyError(ExitCode.STORAGE, message, _("the file as it was is {kept}").format(kept=kept))
    return kept


def _source(path: Path, given: str) -> Path:
    """Return the backup's path.

    Raises TourneyError NOT_FOUND, REFUSED if it is the database itself, STORAGE for a file in the folder of backups
    that is not ours.
    """
    refuse_unnamed(given)
    backup = Path(given).expanduser()
    if not backup.exists():
        backup = folder_of(path) / given
        with sqlite.plain_errors(backup), suppress(FileNotFoundError):
            refuse_file(backup)
    if not backup.is_file():
        last = newest(path)
        hint = _("make one with `tourney db backup`")
        if last is not None:
            hint = _("the newest backup is {path}").format(path=last)
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no backup {path}").format(path=given), hint)
    if path.exists() and os.path.samefile(backup, path):
        raise TourneyError(ExitCode.REFUSED, _("{path} is the database itself").format(path=given), _("name a backup"))
    return backup


def _sound(path: Path) -> Journal:
    """Return the journal of a sound file. Raises TourneyError REFUSED, or as `check_database` does."""
    checked = check_database(str(path.absolute()))
    if checked.problems:
        message = _("{path} is not sound: {problem}").format(path=path, problem=checked.problems[0])
        hint = _("restore another backup; `tourney db check --db {path}` shows the rest")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(path=quote_argument(str(path))))
    return checked.entries, checked.head


def _common_entries(path: Path, source: Path) -> tuple[int | None, int]:
    """Return how many entries the database has (None: it cannot be read), and how many of them the backup has too."""
    if is_absent(path):
        return 0, 0
    try:
        ours, theirs = _hashes(path), _hashes(source)
    except sqlite3.DatabaseError as error:
        if _is_unreadable(error):
            return None, 0
        raise sqlite.explain(path, error) from error
    pairs = zip(ours, theirs, strict=False)
    common = next((place for place, (own, other) in enumerate(pairs) if own != other), min(len(ours), len(theirs)))
    return len(ours), common


def _hashes(path: Path) -> list[str]:
    with closing(reader(path)) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "act" not in names:
            message = _("the database {path} is one of another program").format(path=path)
            raise TourneyError(ExitCode.STORAGE, message, _("name the right file with --db"))
        return [str(row[0]) for row in connection.execute("SELECT hash FROM act ORDER BY number")]


def _is_unreadable(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _replace(path: Path, source: Path) -> str:
    """Give the file the content of `source`; return where the old file is kept, empty if there was none."""
    if is_absent(path):
        with _exclusive(path) as target:
            _overwrite(target, source)
        return ""
    try:
        with _exclusive(path) as target:
            kept = keep(target, path, "restore", _journal_as_found)
            _overwrite(target, source)
            return kept.path
    except sqlite3.DatabaseError as error:
        if not _is_unreadable(error):
            raise
    return _replace_unreadable(path, source)


@contextmanager
def _exclusive(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that locks every other program out until it is closed, so that no entry comes in between."""
    with closing(sqlite.connect(path, "create")) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        yield connection


def _overwrite(target: sqlite3.Connection, source: Path) -> None:
    """Overwrite the database in one transaction: a program that is killed in it leaves the file as it was."""
    with closing(reader(source)) as content:
        content.backup(target)


def _journal_as_found(part: Path) -> Journal:
    """Return number and hash of the copy's last entry, (0, "") if they cannot be read: a damaged copy is kept too."""
    with closing(sqlite.connect(part, "read")) as connection, suppress(sqlite3.Error):
        rows = connection.execute("SELECT number, hash FROM act ORDER BY number DESC LIMIT 1").fetchall()
        if rows and isinstance(rows[0][0], int):
            return rows[0][0], str(rows[0][1])
    return 0, ""


def _replace_unreadable(path: Path, source: Path) -> str:
    """Replace a file that SQLite cannot open; its bytes are kept, with those of its log."""
    kept = named(path, prepared(path), 0, "restore")
    with temporary_copy(path, path.parent) as part:
        copy_file(source, part)
        shutil.copymode(path, part)
        for end in ("", "-wal"):
            if Path(f"{path}{end}").exists():
                create(Path(f"{kept}{end}"))
                shutil.copyfile(f"{path}{end}", f"{kept}{end}")
        # SQLite would apply a leftover log to the new file.
        for end in ("-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        os.replace(part, path)
        flush_folder(path.parent)
    return str(kept)
