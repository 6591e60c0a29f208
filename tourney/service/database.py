"""The database file: where it is, checked, brought to the newest version, copied and restored."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import Backup, Check, Restored, Upgrade


def backup(db: str | None, to: str | None = None) -> Backup:
    """Keep a verified copy in `tourney-backups` beside the database, or at `to`: a new file, or a folder.

    Raises TourneyError NOT_FOUND, CONFLICT if the file `to` exists, STORAGE if the database is not sound.
    """
    return storage.make_backup(db, to)


def restore(db: str | None, given: str, dry_run: bool = False, by: str = "") -> Restored:
    """Restore the database from the backup `given`, a path or a name in `tourney-backups`.

    The file as it was is kept first, and names erased since the backup are erased again, by `by`. Raises TourneyError
    NOT_FOUND, REFUSED if the backup is not sound, CONFLICT while another program has the database open, STORAGE.
    """
    return storage.restore_backup(db, given, dry_run, by)


def backup_when_finished(store: storage.Store, event: Event, number: int) -> None:
    """Make a backup after the transaction if every table of round `number` has a result."""
    tables = next((drawn.tables for drawn in store.rounds(event) if drawn.number == number), ())
    if {(number, table.number) for table in tables} <= store.finished(event.id):
        store.after_commit(lambda: round_finished(store.db))


def round_finished(db: str | None) -> None:
    """Make a backup after the last result of a round. If that fails, only warn: the result stands."""
    try:
        storage.make_backup(db, occasion="round")
    except TourneyError as error:
        message = _("no backup was made after the round: {why}").format(why=error.message)
        warnings.warn(TourneyWarning(message), stacklevel=2)


def path(db: str | None) -> str:
    """Return the path of the database, which may not exist yet."""
    return str(storage.locate(db).absolute())


def check(db: str | None) -> Check:
    """Replay the journal and return where database tables differ. Raises TourneyError NOT_FOUND or STORAGE."""
    return storage.check_database(db)


def upgrade(db: str | None, dry_run: bool = False) -> Upgrade:
    """Migrate the database to the newest schema, after a verified backup beside it.

    Raises TourneyError NOT_FOUND or STORAGE; the database is then unchanged.
    """
    return storage.upgrade(db, dry_run)
