"""Keep what browsers have over a restore: keys to pages, and sheets from phones, as the present database has them.

A key that was ended since a backup would open its page again after the backup is restored, and what phones have sent
since would be lost.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from tourney.domain.errors import TourneyError
from tourney.storage import sqlite
from tourney.storage.backup.copies import copy, prepared, reader
from tourney.storage.files.temporary_copies import temporary_copy
from tourney.storage.journal.checksums import verified_rows, write_checksums
from tourney.storage.journal.partitions import TABLES, Partition, unwritten
from tourney.storage.table_rows import insert_rows

KEPT = ("access", "submissions")
"""The partitions of which a restore keeps the present rows."""
NEVER_RESTORED = frozenset({"access"})
"""The partitions of which no row of a backup is ever restored."""

Rows = Mapping[str, list[dict[str, Any]]]


@contextmanager
def with_present_rows(path: Path, source: Path) -> Iterator[Path]:
    """Yield a copy of the backup with the rows of the database; the backup itself if both have none.

    Where the database is gone, damaged or of an older version, sheets are those of the backup, and all keys end: nobody
    could say which of the backup's were ended since.
    """
    present = _rows(path)
    if not any((*present.values(), *_rows(source).values())):
        yield source
        return
    with temporary_copy(path, prepared(path)) as part:
        with closing(reader(source)) as content:
            copy(content, part)
        with sqlite.transaction(sqlite.file_engine(part, "write"), "IMMEDIATE") as connection:
            _replace(connection, present)
        yield part


def _rows(path: Path) -> Rows:
    try:
        with (
            sqlite.plain_errors(path),
            sqlite.transaction(sqlite.file_engine(path, "read"), "DEFERRED") as connection,
        ):
            found = {name: verified_rows(connection, Partition(name))[TABLES[name][0]] for name in KEPT}
    except TourneyError:
        return {}
    return {name: [row._asdict() for row in rows] for name, rows in found.items()}


def _replace(connection: Connection, present: Rows) -> None:
    before = [partition for partition in unwritten(connection) if partition.name in KEPT]
    for name in KEPT:
        (rows,) = TABLES[name]
        if name in present or name in NEVER_RESTORED:
            connection.exec_driver_sql(f'DELETE FROM "{rows}"')
            insert_rows(connection, rows, present.get(name, []))
    after = [partition for partition in unwritten(connection) if partition.name in KEPT]
    write_checksums(connection, sorted({*before, *after}))
