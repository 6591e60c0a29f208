"""Bringing an older database to the newest version: a verified copy first, then one transaction.

Alembic is imported only when something has to be done.
"""

from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete, select

from tourney.domain.database import Upgrade
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.modes import Mode
from tourney.storage import person_names, sqlite
from tourney.storage.backup.copies import Journal, backup_file
from tourney.storage.journal import entries, undo
from tourney.storage.location import locate
from tourney.storage.schema import METADATA, OUTSIDE, REVISION, table
from tourney.storage.session import found_revision, refuse_newer
from tourney.text.i18n import _

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
        copy = backup_file(path, "upgrade", _verified).path if mode == "save" else ""
        _migrate(path, mode, scripts, newest)
    return Upgrade(before, newest, copy)


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


def _verified(copy: Path) -> Journal:
    """The journal of a copy whose file is sound and whose hashes follow from its texts, whatever its version."""
    head, acts = entries.FIRST, 0
    with closing(sqlite.connect(copy, "read")) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        for text, found in connection.execute("SELECT text, hash FROM act ORDER BY number"):
            acts, head = acts + 1, entries.chain(head, text)
            sound = sound and head == found
    if not sound:
        message = _("the database is damaged and cannot be upgraded")
        raise TourneyError(ExitCode.STORAGE, message, _("go back to a copy that is whole"))
    return acts, head


def _migrate(path: Path, mode: Mode, scripts: Path, newest: str) -> None:
    # With foreign keys on, a table made anew would take the rows with it that refer to the old one.
    engine = sqlite.file_engine(path, "write", keys="off")
    with sqlite.transaction(engine, "IMMEDIATE") as connection:
        before = _counts(connection)
        run(connection, scripts, newest)
        _fold_anew(connection)
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


def _fold_anew(connection: Connection) -> None:
    """Make every table anew that indexes the journal: a migration changes its columns, and this program fills them."""
    for each in reversed(METADATA.sorted_tables):
        if each.name not in OUTSIDE and each.name != "head":
            connection.execute(delete(each))
    texts = connection.execute(select(table("act").c.text).order_by(table("act").c.number)).scalars()
    for problem in undo.fold(connection, [entries.read(text) for text in texts]):
        raise TourneyError(ExitCode.STORAGE, problem, _("go back to a copy that is whole"))
    person_names.refresh(connection)


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
