"""Backups of the database: made on demand and after each finished round, and restored."""

from __future__ import annotations

import warnings

from tourney import storage
from tourney.domain.database import Backup, Restored
from tourney.domain.errors import TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.text.i18n import _


def backup(db: str | None, to: str | None = None) -> Backup:
    """Keep a verified copy, in `tourney-backups` beside the database or at `to`: a new file, or a folder.

    Raises TourneyError NOT_FOUND, CONFLICT if the file `to` exists, STORAGE if the database is not sound.
    """
    return storage.make_backup(db, to)


def restore(db: str | None, given: str, dry_run: bool = False) -> Restored:
    """Put the database back to the backup `given`, a path or a name in `tourney-backups`.

    The file as it was is kept first, and names erased since the backup are erased again. Raises TourneyError
    NOT_FOUND, REFUSED if the backup is not sound, CONFLICT while another program has the database open, STORAGE.
    """
    return storage.restore_backup(db, given, dry_run)


def is_finished(reader: storage.Reader, event: Event, number: int) -> bool:
    """Return whether every table of that drawn round has a result."""
    tables = next((round_.tables for round_ in reader.rounds(event) if round_.number == number), ())
    return {(number, table.number) for table in tables} <= reader.finished(event.id)


def round_finished(db: str | None) -> None:
    """Keep a copy after the last result of a round. What goes wrong with it is a warning: the result stands."""
    try:
        storage.make_backup(db, occasion="round")
    except TourneyError as error:
        message = _("no backup was made after the round: {why}").format(why=error.message)
        warnings.warn(TourneyWarning(message), stacklevel=2)
