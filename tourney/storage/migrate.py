"""Bringing an older database to the newest version: a verified copy first, then one transaction.

Alembic is imported only when something has to be done.
"""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from tourney.domain import ExitCode, Mode, TourneyError, Upgrade
from tourney.storage import journal, sqlite
from tourney.storage.opening import found_revision, refuse_newer
from tourney.storage.place import locate
from tourney.storage.schema import REVISION
from tourney.text import _

SCRIPTS = Path(__file__).parent / "migrations"


def upgrade(db: str | None, mode: Mode = "save", scripts: Path = SCRIPTS, newest: str = REVISION) -> Upgrade:
    """Run the migrations that the database lacks, up to `newest`; a dry run takes them back.

    Raises TourneyError NOT_FOUND if there is no database, STORAGE if it is newer or of another program, the
    copy cannot be verified, or rows would be lost or left without those they refer to; it is then as it was.
    """
    path = locate(db)
    with sqlite.plain_errors(path):
        before = _version(path, newest)
        if before == newest:
            return Upgrade(before, before)
        copy = _backup(path) if mode == "save" else ""
        _migrate(path, mode, scripts, newest)
    return Upgrade(before, newest, str(copy))


def _version(path: Path, newest: str) -> str:
    hint = _("name its file with --db")
    if not path.exists():
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no database at {path}").format(path=path), hint)
    with sqlite.transaction(sqlite.file_engine(path, "read"), "DEFERRED") as connection:
        found = found_revision(connection, path)
    if found is None:
        raise TourneyError(ExitCode.NOT_FOUND, _("the database {path} is empty").format(path=path), hint)
    refuse_newer(path, found, newest)
    return found


def _backup(path: Path) -> Path:
    """A copy beside the database by SQLite's own means, which a copy of a file in use is not."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    copy = path.with_name(f"{path.name}.backup-{moment}")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        if _fingerprint(source) != _fingerprint(target):
            message = _("the copy {copy} of the database is not like it").format(copy=copy)
            raise TourneyError(ExitCode.STORAGE, message, _("look at the disk; nothing was changed"))
    return copy


def _fingerprint(connection: sqlite3.Connection) -> list[object]:
    """Whether the file is sound, rows of each table, and whether the journal's hashes follow from its texts."""
    sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    counts = [(name, connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in names]
    head = journal.FIRST
    for text, found in connection.execute("SELECT text, hash FROM act ORDER BY number"):
        head = journal.chain(head, text)
        if head != found or sound != "ok":
            message = _("the database is damaged and cannot be upgraded")
            raise TourneyError(ExitCode.STORAGE, message, _("go back to a copy that is whole"))
    return [sound, counts, head]


def _migrate(path: Path, mode: Mode, scripts: Path, newest: str) -> None:
    # With foreign keys on, a table made anew would take the rows with it that refer to the old one.
    engine = sqlite.file_engine(path, "write", keys="off")
    with sqlite.transaction(engine, "IMMEDIATE") as connection:
        before = _counts(connection)
        run(connection, scripts, newest)
        after = _counts(connection)
        lost = [name for name, rows in before.items() if name in after and after[name] != rows]
        dangling = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if lost or dangling:
            where = ", ".join(lost) or str(dangling[0][0])
            message = _("the upgrade of {path} would have lost rows ({where}) and was taken back").format(
                path=path, where=where
            )
            raise TourneyError(ExitCode.STORAGE, message, _("keep the file and report this as a fault"))
        if mode == "dry run":
            connection.rollback()


def _counts(connection: Connection) -> dict[str, int]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [row[0] for row in connection.exec_driver_sql(query)]
    return {name: connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"').scalar_one() for name in names}


def run(connection: Connection, scripts: Path, newest: str) -> None:
    """Run the migrations of that folder up to `newest`, within the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    # Alembic reads % in its options as a reference to another.
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, newest)
