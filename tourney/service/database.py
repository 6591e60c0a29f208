"""The database file: where it is, checked, brought to the newest version, copied and restored."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.service.bots import forget_seeds, refuse_fixed_list
from tourney.service.chained_lines import MALFORMED
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import Backup, Check, MirrorState, Restored, Upgrade


def mirrored_changes(mirror: str, after: int = 0) -> tuple[str, ...]:
    """Return the sentences of a mirror's entries after that number; none if its journal, a file, cannot be read.

    Somebody else may have written the mirror: its hashes hold for entries of any form.
    """
    try:
        entries, names = storage.mirrored_entries(mirror)
        text = storage.JournalText(names, {})
        lines = [text.line(entry) for entry in entries]
    except (*MALFORMED, TourneyError):
        return ()
    return tuple([line.said for line in lines[after:]])


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
    if not dry_run:
        refuse_fixed_list()
    return _with_new_deals(db, storage.restore_backup(db, given, dry_run, by), dry_run)


def restore_mirror(db: str | None, given: str | None, dry_run: bool = False, by: str = "") -> Restored:
    """Complete the database by what a mirror has: its file or folder `given`, or the one with the most entries.

    A database that is gone or not sound is made anew of the mirror; the file as it was is kept first. Raises
    TourneyError NOT_FOUND, CONFLICT for a mirror that does not belong to it, STORAGE for a damaged one.
    """
    if not dry_run:
        refuse_fixed_list()
    return _with_new_deals(db, storage.restore_mirror(db, given, dry_run, by), dry_run)


def _with_new_deals(db: str | None, restored: Restored, dry_run: bool) -> Restored:
    """Let the next deals of bots get new seeds if the database has lost entries: what they have shown is known."""
    if not dry_run and not restored.before == restored.common > 0:
        forget_seeds(db)
    return restored


def add_mirror(db: str | None, folder: str) -> MirrorState:
    """Mirror the database to the folder from now on. Raises TourneyError NOT_FOUND, CONFLICT or STORAGE."""
    return storage.add_mirror(db, folder)


def on_one_disk(db: str | None, mirror: str) -> bool:
    """Return whether the mirror and the database are on one disk."""
    return storage.on_one_disk(db, mirror)


def remove_mirror(db: str | None, given: str | None = None) -> str:
    """Forget a mirror, which need not be there, and return its path. Raises TourneyError NOT_FOUND or REFUSED."""
    return storage.remove_mirror(db, given)


def list_mirrors(db: str | None) -> tuple[MirrorState, ...]:
    """Complete every mirror that is there, check it, and return the states of all."""
    return storage.list_mirrors(db)


def backup_when_finished(store: storage.Store, event: Event, number: int) -> None:
    """Make a backup after the transaction if every table of round `number` has a result."""
    tables = next((drawn.tables for drawn in store.rounds.of(event) if drawn.number == number), ())
    if {(number, table.number) for table in tables} <= store.results.finished(event.id):
        store.after_commit(lambda: round_finished(store.db))


def round_finished(db: str | None) -> None:
    """Make a backup after the last result of a round. If that fails, only warn: the result stands."""
    try:
        storage.back_up_round(db)
    except TourneyError as error:
        message = _("no backup was made after the round: {why}").format(why=error.message)
        warnings.warn(TourneyWarning(message), stacklevel=2)


def name_erased(db: str | None) -> None:
    """Erase a name in the backup after rounds and in the log of the database too; warn where it remains."""
    try:
        storage.erase_in_round_backup(db)
    except TourneyError as error:
        message = _("the backup after rounds still has the name that was erased: {why}").format(why=error.message)
        warnings.warn(TourneyWarning(message), stacklevel=2)
    if not storage.empty_log(db):
        message = _(
            "another program is reading the database, so that the file still has the erased name; the next change "
            "after that removes it"
        )
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
