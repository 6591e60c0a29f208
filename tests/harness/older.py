"""Make databases as an older version of the program left them, from current ones."""

import hashlib
import json
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from tests.harness import desk


def older(db: str, path: Path, revision: str = "0001") -> str:
    """Write journal and tables in the schema of that revision to a new file, without what that schema lacks."""
    schema = desk.ROOT / "fixtures" / "databases" / "schemas" / f"{revision}.sql"
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.executescript(schema.read_text(encoding="utf-8"))
        old.execute("ATTACH ? AS new", (db,))
        for table in sorted(set(desk.tables(str(path))) & set(desk.tables(db)) - {"alembic_version"}):
            today = _columns(old, "new", table)
            columns = [name for name in _columns(old, "main", table) if name in today or table == "event"]
            names, values = ", ".join(columns), ", ".join(column(name, today) for name in columns)
            old.execute(f'INSERT INTO main."{table}" ({names}) SELECT {values} FROM new."{table}"')
        if revision == "0001":
            _checksums_without_version(old)
        old.commit()
    return str(path)


def column(name: str, today: Collection[str]) -> str:
    """Return a column of an older schema in today's, where the settings of an event stand in one."""
    return f'"{name}"' if name in today else f"json_extract(settings, '$.{name}')"


def _checksums_without_version(old: sqlite3.Connection) -> None:
    for player, *text in old.execute("SELECT player, name, label, club FROM person").fetchall():
        line = json.dumps([player, *text], separators=(",", ":"), ensure_ascii=False)
        checksum = hashlib.sha256(line.encode()).hexdigest()
        old.execute("UPDATE person SET checksum = ? WHERE player = ?", (checksum, player))


def _columns(connection: sqlite3.Connection, schema: str, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f'PRAGMA {schema}.table_info("{table}")')]
