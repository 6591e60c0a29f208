"""Check that the database is what its journal says: replay all entries and compare every table, row by row."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from tourney.domain.database import Check
from tourney.domain.errors import TourneyError
from tourney.storage import league_blocks, sqlite
from tourney.storage.journal import undo
from tourney.storage.journal.canonical import RowsDigest, found_as, row_checksum, sha256
from tourney.storage.journal.checksums import verified_rows
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, parse_entry
from tourney.storage.journal.kinds import KINDS
from tourney.storage.journal.partitions import TABLES, UNWRITTEN, Partition
from tourney.storage.location import locate
from tourney.storage.projections import PLAYER_ADD, PLAYER_RENAME, RATING_IMPORT
from tourney.storage.session import open_transaction
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import COLUMNS, OUTSIDE, columns, create_tables, key_columns, table

MAX_SHOWN = 5
"""The most problems of one kind that are shown."""

_UNWRITTEN_ROWS = {
    "drafts": "partial sheets",
    "access": "the keys of desks and tables",
    "submissions": "sheets from phones",
}
"""The rows that no entry has written, in words."""

Row = tuple[object, ...]


def check_database(db: str | None) -> Check:
    """Return every problem where the database is not as its journal says; the database is only read.

    Raises TourneyError as `reading` does if there is no database.
    """
    path = locate(db)
    with sqlite.plain_errors(path), open_transaction(path) as connection:
        entries, problems = _entries(connection)
        head = entries[-1][1] if entries else FIRST
        journal = [entry for entry, _hash in entries]
        checks = (
            _file_problems(connection),
            _strange_tables(connection),
            _head(connection, len(entries), head),
            _indexes(connection, journal),
            _records(connection),
            _unwritten(connection),
            _caches(connection),
            person_problems(connection, journal),
            _named_records(connection, journal),
            _imports(connection, journal),
            league_blocks.problems(connection, journal),
        )
        problems += [problem for found in checks for problem in _guarded(path, found)]
    return Check(tuple(dict.fromkeys(problems)), len(entries), head)


def _guarded(path: Path, problems: Iterator[str]) -> list[str]:
    """Return the problems, and as a problem the error that ends the search for them, if any."""
    found: list[str] = []
    try:
        found.extend(problems)
    except DBAPIError as error:
        found.append(sqlite.explain(path, error.orig).message)
    except TourneyError as error:
        found.append(error.message)
    return found


def _rows(connection: Connection, name: str) -> list[Row]:
    """Return the rows as the file has them: raw values, so that no conversion hides a changed value."""
    chosen = ", ".join(f'"{column}"' for column in columns(name))
    order = ", ".join(f'"{column}"' for column in key_columns(name))
    query = f'SELECT {chosen} FROM "{name}" ORDER BY {order}'
    return [tuple(row) for row in connection.exec_driver_sql(query)]


def _entries(connection: Connection) -> tuple[list[tuple[Entry, str]], list[str]]:
    """Return the entries that can be read, each with the hash it must have; and the problems of the journal."""
    entries: list[tuple[Entry, str]] = []
    problems: list[str] = []
    before = FIRST
    kinds = {*KINDS, *undo.REVERSALS}
    for expected, row in enumerate(_rows(connection, "act"), 1):
        number, entry_id, kind, time, text, found = row
        if number != expected:
            problems.append(f"journal: entry {expected} is missing")
            break
        before = chain_hash(before, str(text))
        if found != before:
            problems.append(f"journal: entry {expected} does not have the hash that its text gives")
            before = str(found)
        try:
            entry = parse_entry(str(text))
        except ValueError as error:
            problems.append(f"journal: entry {expected} cannot be read: {error}")
            break
        if (entry.id, entry.kind, entry.time) != (entry_id, kind, time) or entry.kind not in kinds:
            problems.append(f"journal: entry {expected} has a label that differs from its text")
        entries.append((entry, before))
    return entries, problems


def _file_problems(connection: Connection) -> Iterator[str]:
    for row in connection.exec_driver_sql("PRAGMA integrity_check").fetchmany(MAX_SHOWN):
        if row[0] != "ok":
            yield f"the file: {row[0]}"
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MAX_SHOWN):
        yield f"{row[0]}: row {row[1]} refers to a row of {row[2]} that is not there"


def _strange_tables(connection: Connection) -> Iterator[str]:
    found = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")}
    expected = set(COLUMNS) | {"alembic_version"}
    yield from (f"table {name} is missing" for name in sorted(expected - found))
    yield from (f"table {name} does not belong to tourney" for name in sorted(found - expected))


def _head(connection: Connection, entries: int, head: str) -> Iterator[str]:
    expected = [(1, entries, head)] if entries else []
    if _rows(connection, "head") != expected:
        yield "journal: its last entry is not the one that was noted; entries are missing or were inserted"


def _indexes(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Yield the differences between the index and the one that the entries give in an empty database."""
    # The texts outside the journal are not replayed, and index rows refer to some of them.
    with sqlite.transaction(sqlite.memory_engine(keys="off"), "DEFERRED") as fresh:
        create_tables(fresh)
        for (name,) in (TABLES[partition] for partition in UNWRITTEN):
            insert_rows(fresh, name, [dict(row) for row in connection.execute(select(table(name))).mappings()])
        yield from undo.replay_all(fresh, entries)
        for name in COLUMNS:
            if name not in OUTSIDE and name != "head":
                yield from _differences(name, _rows(connection, name), _rows(fresh, name))


def _differences(name: str, found: list[Row], expected: list[Row]) -> Iterator[str]:
    keys = len(key_columns(name))
    found_by_key = {repr(list(row[:keys])): row for row in found}
    expected_by_key = {repr(list(row[:keys])): row for row in expected}
    # Rows are compared as text, because 1 and 1.0 are equal but not the same.
    differing = [
        key
        for key in sorted(found_by_key.keys() | expected_by_key.keys())
        if repr(found_by_key.get(key)) != repr(expected_by_key.get(key))
    ]
    for key in differing[:MAX_SHOWN]:
        yield f"{name}: {_difference(name, found_by_key.get(key), expected_by_key.get(key))}"
    if len(differing) > MAX_SHOWN:
        yield f"{name}: {len(differing) - MAX_SHOWN} more rows differ"


def _difference(name: str, found: Row | None, expected: Row | None) -> str:
    row = expected if expected is not None else found
    assert row is not None
    place = ", ".join(f"{column} {value}" for column, value in zip(key_columns(name), row, strict=False))
    if found is None:
        return f"the row of {place} is missing"
    if expected is None:
        return f"the row of {place} is in no entry"
    changed = [
        f"{column} is {str(value)[:40]!r} and should be {str(should)[:40]!r}"
        for column, value, should in zip(columns(name), found, expected, strict=True)
        if repr(value) != repr(should)
    ]
    return f"in the row of {place}, {'; '.join(changed)}"


def person_problems(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Check that every version of a name is there and unchanged, and that the current ones can be found."""
    added = [player for entry in entries if PLAYER_ADD.made(entry) for player in entry.payload["players"]]
    named: set[Row] = {(player["id"], 1) for player in added if player["kind"] == "person"}
    named |= {(entry.payload["player"], entry.payload["version"]) for entry in entries if PLAYER_RENAME.made(entry)}
    players = connection.exec_driver_sql("SELECT id, version, erased, merged FROM player").fetchall()
    current: set[Row] = {(row.id, row.version) for row in players if not row.erased and row.merged is None}
    erased = {row.id for row in players if row.erased}
    found: set[Row] = set()
    for row in _rows(connection, "person"):
        found.add(row[:2])
        yield from _person(row, "counts" if row[:2] in current else "erased" if row[0] in erased else "kept")
    for number, version in sorted(named - found, key=repr)[:MAX_SHOWN]:
        yield f"person: the name of player {number} (version {version}) is missing"
    for number, version in sorted(found - named, key=repr)[:MAX_SHOWN]:
        yield f"person: version {version} of player {number} is in no entry"


def _person(row: Row, kept: Literal["counts", "erased", "kept"]) -> Iterator[str]:
    number, _version, name, label, club, folded, checksum = row
    if sha256(json.dumps(row[:5], separators=(",", ":"), ensure_ascii=False, default=repr)) != checksum:
        yield f"person: the name of player {number} is not as it was written"
    elif folded != (found_as(str(name), str(label)) if kept == "counts" else None):
        yield f"person: the name of player {number} would not be found"
    elif kept == "erased" and (name, label, club) != ("", "", ""):
        yield f"person: the name of player {number} was erased, and is there"


def _records(connection: Connection) -> Iterator[str]:
    for digest, text in connection.exec_driver_sql("SELECT digest, text FROM record ORDER BY digest"):
        if sha256(str(text)) != digest:
            yield f"record: the text of {str(digest)[:16]} is not as it was written"


def _named_records(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Check that the records are those that entries name, also entries of results corrected later."""
    named = {entry.payload["record"] for entry in entries if "record" in entry.payload}
    found = {row[0] for row in connection.exec_driver_sql("SELECT digest FROM record")}
    yield from (f"record: {digest[:16]} is missing" for digest in sorted(named - found)[:MAX_SHOWN])
    yield from (f"record: {str(digest)[:16]} is in no entry" for digest in sorted(found - named, key=repr)[:MAX_SHOWN])


def _imports(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Check that imported rows are those of the entries, also of entries that were undone later."""
    digests: dict[object, RowsDigest] = {}
    rows: dict[object, int] = {}
    query = "SELECT pool_import, row, game, name, place FROM pool_result ORDER BY pool_import, row"
    for number, row, game, name, place in sqlite.stream(connection, query):
        rows[number] = rows.get(number, 0) + 1
        if row != rows[number] or [type(value) for value in (game, name, place)] != [int, str, int]:
            yield f"pool_result: row {row} of import {number} is not as it was written"
            break
        digests.setdefault(number, RowsDigest()).add(game, (name,), (place,))
    for entry in entries:
        if RATING_IMPORT.made(entry):
            number = entry.payload["import"]
            if digests.pop(number, RowsDigest()).text() != entry.payload["digest"]:
                yield f"pool_result: the rows of import {number} are not those that were imported"
    yield from (f"pool_result: import {number} is in no entry" for number in digests)


def _unwritten(connection: Connection) -> Iterator[str]:
    """Check the checksums of rows that no entry has written."""
    for name in UNWRITTEN:
        try:
            verified_rows(connection, Partition(name))
        except TourneyError:
            yield f"{TABLES[name][0]}: {_UNWRITTEN_ROWS[name]} are not as they were written"


def _caches(connection: Connection) -> Iterator[str]:
    for *row, checksum in _rows(connection, "rating_checkpoint"):
        if row_checksum(row) != checksum:
            yield f"rating_checkpoint: the ratings of {row[0]} after {row[1]} games are not as they were written"
    for *row, checksum in _rows(connection, "rated_round"):
        if row_checksum(row) != checksum:
            yield f"rated_round: the tables of event {row[0]}, round {row[1]} are not as they were written"
