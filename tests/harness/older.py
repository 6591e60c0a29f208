"""Convert current databases into those of older versions of the program."""

import hashlib
import json
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from tests.harness import desk
from tourney.storage.journal.partitions import TABLES, UNWRITTEN


def older(db: str, path: Path, revision: str = "0001") -> str:
    """Copy a database to a new file in the schema of `revision`, without columns that it lacks; return the path."""
    schema = desk.ROOT / "fixtures" / "databases" / "schemas" / f"{revision}.sql"
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.executescript(schema.read_text(encoding="utf-8"))
        old.execute("ATTACH ? AS new", (db,))
        for table in sorted(set(desk.tables(str(path))) & set(desk.tables(db)) - {"alembic_version"}):
            current = _columns(old, "new", table)
            columns = [name for name in _columns(old, "main", table) if name in current or table == "event"]
            names, values = ", ".join(columns), ", ".join(column(name, current) for name in columns)
            old.execute(f'INSERT INTO main."{table}" ({names}) SELECT {values} FROM new."{table}"')
        _drop_newer_checksums(old)
        if revision == "0001":
            _checksums_without_version(old)
        old.commit()
    return str(path)


def _drop_newer_checksums(old: sqlite3.Connection) -> None:
    """Delete the checksums of tables outside the journal that the older schema lacks."""
    tables = {row[0] for row in old.execute("SELECT name FROM main.sqlite_master")}
    for partition in UNWRITTEN:
        if "seal" in tables and TABLES[partition][0] not in tables:
            old.execute("DELETE FROM main.seal WHERE part = ?", (partition,))


def column(name: str, current: Collection[str]) -> str:
    """Return the SQL of an older column, given the `current` columns: an event's settings are one JSON column now."""
    return f'"{name}"' if name in current else f"json_extract(settings, '$.{name}')"


def _checksums_without_version(old: sqlite3.Connection) -> None:
    for player, *text in old.execute("SELECT player, name, label, club FROM person").fetchall():
        line = json.dumps([player, *text], separators=(",", ":"), ensure_ascii=False)
        checksum = hashlib.sha256(line.encode()).hexdigest()
        old.execute("UPDATE person SET checksum = ? WHERE player = ?", (checksum, player))


def _columns(connection: sqlite3.Connection, schema: str, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f'PRAGMA {schema}.table_info("{table}")')]
