"""Verify a copy from the last verified copy on: only the entries since then are applied, and all rows compared.

A note beside the database says which copy in the folder of backups was verified last, and the SHA-256 of its bytes as
they were when it was checked. A copy of those bytes, brought up to date by the new entries, must have the rows of the
new copy. A note that is missing or damaged, a file of other bytes, a journal that does not go on from it, a row that
differs or anything unexpected proves nothing: the copy is then checked in full, which also says what is wrong.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from tourney.domain.errors import TourneyError
from tourney.storage import check, sqlite
from tourney.storage.backup.names import folder_of
from tourney.storage.journal import fold
from tourney.storage.journal.canonical import row_checksum, sha256
from tourney.storage.journal.checksums import write_checksums
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, parse_entry
from tourney.storage.journal.partitions import TABLES, UNWRITTEN, Partition, unwritten
from tourney.storage.journal.undo import IMPOSSIBLE
from tourney.storage.private import opener, regular, replacing
from tourney.storage.projections import PLAYER_ADD, PLAYER_RENAME
from tourney.storage.session import open_transaction
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import COLUMNS, OUTSIDE, columns, key_columns

Journal = tuple[int, str]
UNPROVEN = (*IMPOSSIBLE, TourneyError, OSError, sqlite3.Error)
"""The errors after which nothing is proven: a damaged file may hold anything."""


class _UnprovenError(Exception):
    """The copy is not what the last verified one and the new entries make."""


MOST_OF_A_NOTE = 1000
"""The most bytes of a note that are read."""


def note_of(path: Path) -> Path:
    """Return the path of the note of that database."""
    return path.with_name(f"{path.name}-verified")


def digest_of(file: Path) -> str:
    """Return the SHA-256 of the file's bytes."""
    with open(file, "rb", opener=regular) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def remember(path: Path, copy: Path, digest: str) -> None:
    """Note the copy that was verified; without a note the next copy is checked in full."""
    if copy.absolute().parent != folder_of(path).absolute():
        return
    note = note_of(path)
    with suppress(OSError), replacing(note) as file:
        file.write(json.dumps({"file": copy.name, "sha256": digest}) + "\n")


def verified_since(path: Path, part: Path) -> Journal | None:
    """Return the journal of the new copy `part`; None if that is not proven sound from the last verified copy on."""
    engine = sqlite.memory_engine(keys="off")
    try:
        base = _noted(path)
        with closing(engine.raw_connection()) as raw:
            _load(raw.driver_connection, base, part)
        with sqlite.transaction(engine, "DEFERRED") as connection:
            return _proven(connection, part)
    except (*UNPROVEN, _UnprovenError):
        return None
    finally:
        engine.dispose()


def _require(proven: bool) -> None:
    if not proven:
        raise _UnprovenError


def _noted(path: Path) -> Path:
    """Return the copy that was verified last, whose bytes are still those that were checked."""
    with open(note_of(path), "rb", opener=opener) as file:
        note = json.loads(file.read(MOST_OF_A_NOTE))
    copy = folder_of(path) / Path(note["file"]).name
    _require(digest_of(copy) == note["sha256"])
    return copy


def _load(memory: Any, base: Path, part: Path) -> None:
    """Copy the verified file into memory, and attach the new copy as `part`."""
    with closing(sqlite3.connect(f"{base.absolute().as_uri()}?immutable=1", uri=True)) as source:
        source.backup(memory)
    memory.execute("ATTACH ? AS part", (str(part.absolute()),))


def _proven(connection: Connection, part: Path) -> Journal:
    """Bring the verified rows up to date, and compare them with those of the new copy."""
    _require(_all(connection, "PRAGMA part.quick_check") == [("ok",)])
    # The comparison of rows reads no other index than that of the keys.
    for name in COLUMNS:
        if any(row[3] == "u" for row in _all(connection, f'PRAGMA part.index_list("{name}")')):
            _require(_all(connection, f'PRAGMA part.integrity_check("{name}")') == [("ok",)])
    schema = "SELECT type, name, tbl_name, sql FROM {}.sqlite_master ORDER BY type, name"
    _require(_all(connection, schema.format("main")) == _all(connection, schema.format("part")))
    _require(_counted(connection, "alembic_version", ["version_num"], []) == 1)
    before, head = _head(connection)
    new = list(_new_entries(connection, before, head))
    changed = set(_taken_over(connection))
    for number, (entry, row) in enumerate(new, before + 1):
        insert_rows(connection, "act", [row])
        changed.update(fold.apply_entry(connection, number, entry))
        head = row["hash"]
    if new:
        connection.exec_driver_sql("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", (before + len(new), head))
    write_checksums(connection, sorted(changed))
    for name in COLUMNS:
        if name not in OUTSIDE or name == "act":
            _require(_same(connection, name))
    for name in OUTSIDE:
        if name != "act" and not _same(connection, name):
            _OUTSIDE_CHECKS.get(name, _never)(connection, part, name, [entry for entry, _row in new])
    return before + len(new), head


def _all(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    return sqlite.rows(connection, query)


def _head(connection: Connection) -> Journal:
    rows = _all(connection, "SELECT acts, hash FROM main.head")
    return rows[0] if rows else (0, FIRST)


def _new_entries(connection: Connection, before: int, head: str) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """Yield the entries after the first `before`, each with its row; the chain of hashes must go on from `head`."""
    query = f"SELECT number, id, kind, time, text, hash FROM part.act WHERE number > {before} ORDER BY number"
    for expected, row in enumerate(_all(connection, query), before + 1):
        number, entry_id, kind, time, text, found = row
        entry, head = parse_entry(text), chain_hash(head, text)
        _require((number, entry_id, kind, time, found) == (expected, entry.id, entry.kind, entry.time, head))
        yield entry, dict(zip(columns("act"), row, strict=True))


def _same(connection: Connection, name: str) -> bool:
    """Return whether a table has the same rows in both databases."""
    keys = key_columns(name)
    total = _all(connection, f'SELECT count(*) FROM main."{name}"')[0][0]
    found = _all(connection, f'SELECT count(*) FROM part."{name}"')[0][0]
    others = [column for column in columns(name) if column not in keys]
    return bool(total == found == _counted(connection, name, keys, others))


def _counted(connection: Connection, name: str, keys: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of rows that a table has in both databases.

    Values are compared without their types: every column has an affinity, so that equal numbers have one type.
    """
    equal = [f'a."{key}" = b."{key}"' for key in keys] + [f'a."{other}" IS b."{other}"' for other in others]
    query = f'SELECT count(*) FROM main."{name}" AS a CROSS JOIN part."{name}" AS b WHERE {" AND ".join(equal)}'
    return int(_all(connection, query)[0][0])


def _differing(connection: Connection, name: str, more: str = "part", fewer: str = "main") -> list[tuple[Any, ...]]:
    """Return the rows of a table in one database that the other one does not have."""
    chosen = ", ".join(f'"{column}"' for column in columns(name))
    return _all(connection, f'SELECT {chosen} FROM {more}."{name}" EXCEPT SELECT {chosen} FROM {fewer}."{name}"')


def _taken_over(connection: Connection) -> Iterator[Partition]:
    """Take over the rows that no entry writes, and yield their partitions: their checksums are compared."""
    for name in UNWRITTEN:
        (rows,) = TABLES[name]
        connection.exec_driver_sql(f'DELETE FROM main."{rows}"')
        connection.exec_driver_sql(f'INSERT INTO main."{rows}" SELECT * FROM part."{rows}"')
        sealed = sqlite.rows(connection, "SELECT event FROM main.seal WHERE part = ?", (name,))
        yield from (Partition(name, event) for (event,) in sealed)
    yield from unwritten(connection)


Outside = Callable[[Connection, Path, str, Sequence[Entry]], None]
"""A check of a table outside the index whose rows are not those of the verified copy; `_UnprovenError` if it fails."""


def _caches(connection: Connection, _part: Path, name: str, _new: Sequence[Entry]) -> None:
    """Check the checksum of each new row of a cache."""
    _require(all(row_checksum(row[:-1]) == row[-1] for row in _differing(connection, name)))


def _records(connection: Connection, _part: Path, name: str, new: Sequence[Entry]) -> None:
    """Check that exactly the records that new entries name have been added."""
    found = _differing(connection, name)
    named = {entry.payload["record"] for entry in new if "record" in entry.payload}
    before = {row[0] for row in _all(connection, "SELECT digest FROM main.record")}
    _require(not _differing(connection, name, "main", "part"))
    _require({digest for digest, _text in found} == named - before)
    _require(all(sha256(text) == digest for digest, text in found))


def _persons(_connection: Connection, part: Path, _name: str, _new: Sequence[Entry]) -> None:
    """Check every name, with the entries that registered and renamed people."""
    with open_transaction(part) as connection:
        query = "SELECT text FROM act WHERE kind IN (?, ?) ORDER BY number"
        rows = sqlite.rows(connection, query, (PLAYER_ADD.name, PLAYER_RENAME.name))
        _require(not list(check.person_problems(connection, [parse_entry(text) for (text,) in rows])))


def _never(_connection: Connection, _part: Path, _name: str, _new: Sequence[Entry]) -> None:
    """Leave the table to the full check."""
    raise _UnprovenError


_OUTSIDE_CHECKS: Mapping[str, Outside] = {
    "person": _persons,
    "record": _records,
    "rated_round": _caches,
    "rating_checkpoint": _caches,
}
