"""The backup after rounds: the journal as text in the folder of backups, to which what is new is appended.

It has the form of a mirror, and its time does not grow with what the database holds. What it has is never written
again; a program that is killed leaves a last line that is cut off, which the next backup removes.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from warnings import warn

from tourney.domain.errors import TourneyWarning
from tourney.storage import sqlite
from tourney.storage.backup.copies import prepared, prune
from tourney.storage.backup.names import round_backup_of
from tourney.storage.files.atomic_create import flush_folder
from tourney.storage.location import locate
from tourney.storage.mirror.follow import DifferingMirrorError, agrees, complete
from tourney.storage.mirror.kept import journals_set_aside, set_aside
from tourney.storage.mirror.lines import tail
from tourney.storage.mirror.names import names_of
from tourney.storage.mirror.remembered import Mirror, locked
from tourney.storage.private import create
from tourney.text.i18n import _
from tourney.text.signals import deferred

KEPT = 2
"""The journals kept that have other entries than the database, because another backup was restored."""


def back_up_round(db: str | None) -> None:
    """Append the entries that the backup after rounds lacks; it is begun if there is none.

    Raises TourneyError STORAGE if it cannot be written, or for an entry that is not as it was made.
    """
    path = locate(db)
    prepared(path)
    with _opened(path) as (connection, journal):
        if not os.path.lexists(journal):
            create(journal)
            flush_folder(journal.parent)
        _complete(connection, path, journal)
    prune(path)
    _prune(journal)


def erase_in_round_backup(db: str | None) -> None:
    """Let the backup after rounds, if there is one, lose the names that the database has erased; raises as above."""
    if round_backup_of(locate(db)).exists():
        back_up_round(db)


def begin_round_backup_anew(path: Path) -> None:
    """Keep a backup after rounds that has other entries than the restored database under another name.

    Where that is impossible now, the next one does it.
    """
    with suppress(OSError, sqlite3.Error), _opened(path) as (connection, journal):
        if journal.exists() and not agrees(connection, tail(journal)):
            set_aside(journal)
            _prune(journal)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """Open the database for the one program that writes its backup after rounds."""
    journal = round_backup_of(path)
    with (
        sqlite.plain_errors(journal),
        deferred(),
        locked(path),
        closing(sqlite.connect(path, "read")) as connection,
    ):
        yield connection, journal


def _complete(connection: sqlite3.Connection, path: Path, journal: Path) -> None:
    try:
        complete(connection, path, Mirror(str(journal)))
    except DifferingMirrorError:
        kept = set_aside(journal)
        complete(connection, path, Mirror(str(journal)))
        text = _("the database lacks changes that were backed up after a round: they are kept in {file}")
        warn(TourneyWarning(text.format(file=kept)), stacklevel=2)


def _prune(journal: Path) -> None:
    """Delete the journals that were set aside, but for the newest `KEPT`."""
    for old in journals_set_aside(journal)[:-KEPT]:
        for file in (names_of(old), old):
            with suppress(OSError):
                file.unlink(missing_ok=True)
