"""Make verified copies of the database, and delete old ones.

Copies are made by SQLite's backup API: a copy of the file alone would lack what is in its log.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from time import time

from tourney.domain.database import Backup
from tourney.domain.errors import ExitCode, TourneyError, UnusableError
from tourney.storage import sqlite
from tourney.storage.backup.names import AUTOMATIC, Occasion, folder_of, is_copy, order
from tourney.storage.check import check_database
from tourney.storage.files.atomic_create import flush_folder, remove
from tourney.storage.files.temporary_copies import is_part, temporary_copy
from tourney.storage.location import locate
from tourney.storage.mirror.opening import mirror_tails, refuse_older
from tourney.storage.private import make_folder
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed, written_at

Journal = tuple[int, str]
"""A journal's number of entries and the hash of the last."""
Verify = Callable[[Path], Journal]
"""Checks a copy; raises TourneyError if it is not sound."""

KEPT = 3
"""The automatic copies kept of one database; copies made on request are never deleted."""
_STALE_SECONDS = 3600.0
"""The age above which an incomplete copy was left by a program that was killed."""


def make_backup(db: str | None, to: str | None = None) -> Backup:
    """Copy the database and keep the copy if it passes the check; return its path, number of entries and last hash.

    The copy goes to the folder `tourney-backups` beside the database, or to `to`, a new file or a folder. Raises
    TourneyError NOT_FOUND if there is no database or no folder, CONFLICT if the file `to` exists, STORAGE if the
    database is not sound or the copy cannot be written.
    """
    if to is not None:
        refuse_unnamed(to)
    target = None if to is None else Path(to).expanduser()
    if target is not None:
        written_at(target)
    path = locate(db)
    if not path.exists():
        message = _("there is no database at {path}").format(path=path)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("name its file with --db"))
    _refuse_older(path)
    return backup_file(path, "asked", partial(_checked, path), target)


def _refuse_older(path: Path) -> None:
    """Raise LackingEntriesError if the database lacks entries of a mirror: a backup of it would not be complete."""
    tails = mirror_tails(path)
    if tails:
        engine = sqlite.file_engine(path, "read")
        with sqlite.plain_errors(path), sqlite.transaction(engine, "DEFERRED") as connection:
            refuse_older(path, tails, connection)


def backup_file(path: Path, occasion: Occasion, verify: Verify, to: Path | None = None) -> Backup:
    """Copy a file of any version; the copy gets its name only after `verify` has accepted it."""
    with sqlite.plain_errors(path), closing(reader(path)) as source:
        made = keep(source, path, occasion, verify, to)
    if occasion in AUTOMATIC:
        prune(path)
    return made


def keep(source: sqlite3.Connection, path: Path, occasion: Occasion, verify: Verify, to: Path | None = None) -> Backup:
    """Keep a copy of what the connection sees of the database at `path`."""
    folder = prepared(path, to)
    with temporary_copy(path, folder) as part:
        with sqlite.plain_errors(part):
            copy(source, part)
        entries, head = verify(part)
        target = named(path, folder, entries, occasion) if to is None or to.is_dir() else to
        os.replace(part, target)
        flush_folder(folder)
    return Backup(str(target.absolute()), entries, head)


def reader(path: Path) -> sqlite3.Connection:
    """Open a connection that sees one state of the file until it is closed."""
    connection = sqlite.connect(path, "read")
    # The backup API waits for ever for a locked source; a read transaction begun first makes the wait end as usual.
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master")
    return connection


def copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy everything that the connection sees to a new file."""
    with closing(sqlite.connect(target, "create")) as destination:
        source.backup(destination)


def copy_file(path: Path, target: Path) -> None:
    """Copy everything that is committed to the database at `path` to a new file."""
    with closing(reader(path)) as source:
        copy(source, target)


def hashes_of(path: Path) -> dict[int, str]:
    """Return the hash of each entry of a database by its number; nothing where there is no file."""
    if not path.exists():
        return {}
    with closing(reader(path)) as connection:
        return dict(connection.execute("SELECT number, hash FROM act"))


def prepared(path: Path, to: Path | None = None) -> Path:
    """Return the folder that a copy goes to. Raises TourneyError as `make_backup` does."""
    if to is None:
        return _created(folder_of(path))
    if to.is_dir():
        return to
    if to.exists():
        message = _("{path} exists already").format(path=to)
        raise TourneyError(ExitCode.CONFLICT, message, _("give the name of a new file, or a folder"))
    if not to.parent.is_dir():
        message = _("there is no folder {folder} for the backup").format(folder=str(to.parent)[:200])
        raise TourneyError(ExitCode.NOT_FOUND, message, _("make the folder, or name another"))
    return to.parent


def _created(folder: Path) -> Path:
    try:
        make_folder(folder)
    except OSError as error:
        message = _("the folder {folder} cannot be used: {why}").format(folder=folder, why=error.strerror or error)
        raise TourneyError(ExitCode.STORAGE, message, _("make room, allow writing, or name another place")) from error
    return folder


def named(path: Path, folder: Path, entries: int, occasion: Occasion) -> Path:
    """Return a free path in the folder, named by the database, the time in UTC, the number of entries, the occasion."""
    stem = f"{path.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-act{entries}" + (
        "" if occasion == "asked" else f"-{occasion}"
    )
    names = (f"{stem}.db" if number == 1 else f"{stem}-{number}.db" for number in count(1))
    return next(folder / name for name in names if not (folder / name).exists())


def _checked(path: Path, part: Path) -> Journal:
    """Return the journal of a sound copy.

    Raises TourneyError STORAGE if it, and so the original, is damaged, or if it cannot be checked now.
    """
    try:
        checked = check_database(str(part.absolute()))
    except UnusableError:
        raise
    except TourneyError as error:
        problems: tuple[str, ...] = (error.message,)
    else:
        problems = checked.problems
        if not problems:
            return checked.entries, checked.head
    message = _("the database {path} is not sound, and no copy of it was kept: {problem}")
    message = message.format(path=path, problem=problems[0].replace(str(part), str(path)))
    raise TourneyError(
        ExitCode.STORAGE, message, _("run `tourney db check`, then restore a sound backup with `tourney db restore`")
    )


def prune(path: Path) -> None:
    """Delete automatic copies except the newest `KEPT`, and incomplete copies that killed programs left.

    Other programs may be doing the same. A copy of a time to come, as of a wrong clock, counts as the oldest.
    """
    folder, now = folder_of(path), f"{datetime.now(UTC):%Y%m%dT%H%M%S}"
    automatic = sorted(
        (candidate for candidate in folder.iterdir() if is_copy(path, candidate, AUTOMATIC)),
        key=lambda copy: (order(copy)[0] <= now, order(copy)),
    )
    stale = (part for part in folder.iterdir() if is_part(path, part) and _is_old(part))
    for file in (*automatic[:-KEPT], *stale):
        # The file is gone already, or another program has it open: the next copy tries again.
        with suppress(OSError):
            remove(file)


def _is_old(part: Path) -> bool:
    try:
        return time() - part.stat().st_mtime > _STALE_SECONDS
    except OSError:
        return False
