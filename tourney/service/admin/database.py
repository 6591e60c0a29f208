"""The database file: its path, its check, and its upgrade to the newest version."""

from __future__ import annotations

from tourney import storage
from tourney.domain.database import Check, Upgrade


def path(db: str | None) -> str:
    """Return the path of the database, which may not exist yet."""
    return str(storage.locate(db).absolute())


def check(db: str | None) -> Check:
    """Replay the journal and compare every table. Raises TourneyError NOT_FOUND or STORAGE."""
    return storage.check_database(db)


def upgrade(db: str | None, dry_run: bool = False) -> Upgrade:
    """Bring the database to the newest version, after a verified backup beside it.

    Raises TourneyError NOT_FOUND or STORAGE; the database is then as it was.
    """
    return storage.upgrade(db, dry_run)
