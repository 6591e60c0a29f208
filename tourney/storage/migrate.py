"""Upgrade a database of an older version: a verified copy first, then one transaction that gives it today's schema.

Tables that index the journal are dropped, created anew and filled by a replay of the journal. Only rows that stand
outside it are taken over, so a new version of the schema rarely needs more than another `REVISION`.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from tourney.domain.database import Upgrade
from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import person_names, sqlite
from tourney.storage.backup.copies import Journal, backup_file
from tourney.storage.journal import undo
from tourney.storage.journal.canonical import canonical_json, person_checksum, sha256
from tourney.storage.journal.entries import FIRST, chain_hash, parse_entry
from tourney.storage.location import locate
from tourney.storage.session import found_revision, refuse_foreign, refuse_newer, schema, schema_of_a_new_file
from tourney.storage.tables import COLUMNS, OUTSIDE, RETIRED, REVISION, columns, create_tables, table
from tourney.text.i18n import _

KEPT = (*OUTSIDE, "head")
"""Tables whose rows an upgrade keeps."""
WIDENED = ("seal", "trace")
"""Tables in which an upgrade may write further rows: a newer version may divide the index into more partitions."""


def upgrade(
    db: str | None,
    dry_run: bool = False,
    rebuild: Callable[[Connection], None] | None = None,
    newest: str = REVISION,
) -> Upgrade:
    """Upgrade the database to the version `newest`, whose schema `rebuild` creates; a dry run is rolled back.

    Raises TourneyError NOT_FOUND if there is no database, STORAGE if it is newer or of another program, if the
    copy cannot be verified, or if rows would be lost or left without those they refer to; the file is then unchanged.
    """
    path = locate(db)
    with sqlite.plain_errors(path):
        before = _version(path, newest)
        if before == newest:
            return Upgrade(before, before)
        copy = "" if dry_run else backup_file(path, "upgrade", _verified).path
        _migrate(path, dry_run, rebuild or rebuild_tables, newest)
    return Upgrade(before, newest, copy)


def _version(path: Path, newest: str) -> str:
    hint = _("name its file with --db")
    if not path.exists():
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no database at {path}").format(path=path), hint)
    with sqlite.transaction(sqlite.file_engine(path, "read"), "DEFERRED") as connection:
        version = found_revision(connection, path)
        refuse_foreign(connection, path)
    if version is None:
        raise TourneyError(ExitCode.NOT_FOUND, _("the database {path} is empty").format(path=path), hint)
    refuse_newer(path, version, newest)
    return version


def _verified(copy: Path) -> Journal:
    """Return the journal of a copy whose file is sound and whose hashes follow from its texts, whatever its version."""
    head, entries = FIRST, 0
    with closing(sqlite.connect(copy, "read")) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        for text, found in connection.execute("SELECT text, hash FROM act ORDER BY number"):
            entries, head = entries + 1, chain_hash(head, text)
            sound = sound and head == found
    if not sound:
        raise _damaged()
    return entries, head


def _damaged() -> TourneyError:
    message = _("the database is damaged and cannot be upgraded")
    return TourneyError(ExitCode.STORAGE, message, _("restore a sound backup with `tourney db restore`"))


def _migrate(path: Path, dry_run: bool, rebuild: Callable[[Connection], None], newest: str) -> None:
    # With foreign keys on, dropping a table would delete the rows that refer to it.
    engine = sqlite.file_engine(path, "write", keys="off")
    with sqlite.transaction(engine, "IMMEDIATE") as connection:
        before = _counts(connection)
        rebuild(connection)
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = ?", (newest,))
        _replay(connection)
        after = _counts(connection)
        lost = [name for name in before.keys() & after.keys() if _lost(name, before[name], after[name])]
        dangling = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if lost or dangling:
            where = ", ".join(sorted(lost)) or str(dangling[0][0])
            message = _("the upgrade of {path} would have lost rows ({where}) and was taken back").format(
                path=path, where=where
            )
            raise TourneyError(ExitCode.STORAGE, message, _("keep the file and report this as a fault"))
        if dry_run:
            connection.rollback()


def _lost(name: str, before: int, after: int) -> bool:
    """Return whether a table has other rows than before, judged by their number."""
    return after < before if name in WIDENED else after != before


def rebuild_tables(connection: Connection) -> None:
    """Give every table of the program today's schema: rows outside the journal stay, tables that index it are empty."""
    # Otherwise renaming a table would also rename it where others refer to it.
    connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")
    found, wanted = schema(connection), schema_of_a_new_file()
    changed = [name for name in KEPT if name in found and found[name] != wanted[name]]
    for name in found.keys() & {*COLUMNS, *RETIRED} - {*KEPT}:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    for name in changed:
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {name}_before")
    create_tables(connection)
    for name in changed:
        _take_over(connection, name, f"{name}_before")
        connection.exec_driver_sql(f"DROP TABLE {name}_before")


def _take_over(connection: Connection, name: str, old: str) -> None:
    """Copy the rows of the old table; new columns have the schema's defaults."""
    existing = [row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({old})")]
    if name == "person" and "version" not in existing:
        rows = connection.exec_driver_sql(f"SELECT * FROM {old}").mappings().all()
        connection.execute(insert(table("person")), [_first_version(dict(row)) for row in rows])
        return
    shared = ", ".join(f'"{column}"' for column in columns(name) if column in existing)
    connection.exec_driver_sql(f"INSERT INTO {name} ({shared}) SELECT {shared} FROM {old}")


def _first_version(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of schema 0001 as the first version of its name; a damaged row keeps its checksum."""
    text = [row["name"], row["label"], row["club"]]
    sound = sha256(canonical_json([row["player"], *text])) == row["checksum"]
    checksum = person_checksum(row["player"], 1, *text) if sound else row["checksum"]
    return {**row, "version": 1, "checksum": checksum}


def _replay(connection: Connection) -> None:
    """Fill the tables that index the journal."""
    texts = connection.execute(select(table("act").c.text).order_by(table("act").c.number)).scalars()
    try:
        problem = next(undo.replay_all(connection, [parse_entry(text) for text in texts]), "")
    except (AttributeError, LookupError, TypeError, ValueError):
        # An entry with a chain of hashes that holds, of which a value was changed all the same.
        raise _damaged() from None
    if problem:
        raise TourneyError(ExitCode.STORAGE, problem, _("restore a sound backup with `tourney db restore`"))
    person_names.refresh(connection)


def _counts(connection: Connection) -> dict[str, int]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [row[0] for row in connection.exec_driver_sql(query)]
    return {name: connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"').scalar_one() for name in names}
