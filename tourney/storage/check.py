"""Check that the database is what its journal says: replay all entries and compare every table, row by row."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, select

from tourney.domain.database import Check
from tourney.domain.errors import ExitCode, TourneyError, UnusableError
from tourney.storage import league_blocks, sqlite
from tourney.storage.journal import undo
from tourney.storage.journal.canonical import RowsDigest, found_as, row_checksum, sha256
from tourney.storage.journal.checksums import shown_partition, verified_rows
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, parse_entry, read_again
from tourney.storage.journal.kinds import KINDS
from tourney.storage.journal.kinds.people import PlayerPublished, PlayerRenamed, PlayersAdded
from tourney.storage.journal.kinds.pools import GamesImported
from tourney.storage.journal.partitions import TABLES, UNWRITTEN, Partition
from tourney.storage.location import locate
from tourney.storage.session import (
    foreign_objects,
    not_built,
    open_transaction,
    schema,
    schema_of_a_new_file,
)
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import COLUMNS, OUTSIDE, columns, create_tables, key_columns, table
from tourney.text.i18n import _, ngettext

MAX_SHOWN = 5
"""The most problems of one kind that are shown."""
CHUNK = 1000
"""The rows that are compared at once."""
_OUTSIDE = ("player.", "rating.", "league.")
"""The beginnings of the kinds of entries with which rows outside the journal must agree."""

Row = tuple[object, ...]


def check_database(db: str | None) -> Check:
    """Return every problem where the database is not as its journal says; the database is only read.

    Raises TourneyError as `reading` does if there is no database.
    """
    path = locate(db)
    with sqlite.plain_errors(path), open_transaction(path) as connection:
        journal = _Journal(connection)
        if foreign := foreign_objects(connection):
            # SQLite would compute their expressions when it reads and checks the file.
            problems = [*foreign, *_strange_tables(connection)]
            return Check(tuple(dict.fromkeys(problems)), journal.length, journal.head)
        checks = (
            journal.problems(),
            _file_problems(connection),
            _strange_tables(connection),
            _head(connection, journal),
            _indexes(connection, journal),
            _records(connection),
            _unwritten(connection),
            _caches(connection),
            person_problems(connection, journal.outside),
            _named_records(connection, journal),
            _imports(connection, journal.outside),
            league_blocks.problems(connection, journal.outside),
        )
        problems = [problem for found in checks for problem in _guarded(path, found)]
    return Check(tuple(dict.fromkeys(problems)), journal.length, journal.head)


def _guarded(path: Path, problems: Iterator[str]) -> list[str]:
    """Return the problems, and as a problem the error that ends the search for them, if any.

    Raises TourneyError if that error says nothing about the content of the file.
    """
    found: list[str] = []
    try:
        with sqlite.plain_errors(path):
            found.extend(problems)
    except UnusableError:
        raise
    except TourneyError as error:
        found.append(error.message)
    return found


def _rows(connection: Connection, name: str) -> Iterator[Row]:
    """Yield the rows as the file has them: raw values, so that no conversion hides a changed value."""
    chosen = ", ".join(f'"{column}"' for column in columns(name))
    order = ", ".join(f'"{column}"' for column in key_columns(name))
    query = f'SELECT {chosen} FROM "{name}" ORDER BY {order}'
    return sqlite.stream(connection, query)


class _Journal:
    """The entries that can be read, in order: read again by each loop over them, since a long journal fills the memory.

    `problems` comes first. It finds how many they are, the hash that the last must have, the digests of the records
    that they name, and the entries that something outside the journal must agree with.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.length = 0
        self.head = FIRST
        self.records: set[str] = set()
        self.outside: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        query = "SELECT number, text FROM act WHERE number <= ? ORDER BY number"
        for number, text in sqlite.stream(self._connection, query, (self.length,)):
            try:
                entry = read_again(str(text))
            except (ValueError, KeyError, TypeError) as error:
                # A damaged page may show other rows to another query.
                message = _("journal: entry {number} cannot be read: {error}").format(number=number, error=error)
                hint = _("restore a sound backup with `tourney db restore`")
                raise TourneyError(ExitCode.STORAGE, message, hint) from error
            yield entry

    def problems(self) -> Iterator[str]:
        """Yield the problems of the chain, of entries that cannot be read, and of their labels."""
        kinds = {*KINDS, *undo.REVERSALS}
        for expected, row in enumerate(_rows(self._connection, "act"), 1):
            number, entry_id, kind, time, text, found = row
            if number != expected:
                yield _("journal: entry {number} is missing").format(number=expected)
                return
            head = chain_hash(self.head, str(text))
            if found != head:
                yield _("journal: entry {number} does not have the hash that its text gives").format(number=expected)
                head = str(found)
            try:
                entry = parse_entry(str(text))
            except ValueError as error:
                yield _("journal: entry {number} cannot be read: {error}").format(number=expected, error=error)
                return
            if (entry.id, entry.kind, entry.time) != (entry_id, kind, time) or entry.kind not in kinds:
                yield _("journal: entry {number} has a label that differs from its text").format(number=expected)
            self._add(entry, head)

    def _add(self, entry: Entry, head: str) -> None:
        self.length, self.head = self.length + 1, head
        if entry.kind.startswith(_OUTSIDE):
            self.outside.append(entry)
        if "record" in entry.payload:
            self.records.add(entry.payload["record"])


def _file_problems(connection: Connection) -> Iterator[str]:
    for row in connection.exec_driver_sql("PRAGMA integrity_check").fetchmany(MAX_SHOWN):
        if row[0] != "ok":
            yield _("the file: {problem}").format(problem=row[0])
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MAX_SHOWN):
        problem = _("{table}: row {number} refers to a row of {other} that is not there")
        yield problem.format(table=row[0], number=row[1], other=row[2])


def _strange_tables(connection: Connection) -> Iterator[str]:
    found, expected = schema(connection), schema_of_a_new_file()
    yield from (_("table {table} is missing").format(table=name) for name in sorted(expected.keys() - found.keys()))
    yield from (not_built(name) for name in sorted(found.keys() & expected.keys()) if found[name] != expected[name])


def _head(connection: Connection, journal: _Journal) -> Iterator[str]:
    expected = [(1, journal.length, journal.head)] if journal.length else []
    if list(_rows(connection, "head")) != expected:
        yield _("journal: its last entry is not the one that was noted; entries are missing or were inserted")


def _indexes(connection: Connection, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the differences between the index and the one that the entries give in an empty database."""
    # The texts outside the journal are not replayed, and index rows refer to some of them.
    with sqlite.nameless("DEFERRED", keys="off", place="") as fresh:
        create_tables(fresh)
        for (name,) in (TABLES[partition] for partition in UNWRITTEN):
            insert_rows(fresh, name, [dict(row) for row in connection.execute(select(table(name))).mappings()])
        yield from undo.replay_all(fresh, entries)
        for name in COLUMNS:
            if name in OUTSIDE or name == "head" or _same(_rows(connection, name), _rows(fresh, name)):
                continue
            yield from _differences(name, _rows(connection, name), _rows(fresh, name))


def _same(found: Iterator[Row], expected: Iterator[Row]) -> bool:
    """Return whether both have the same rows in order, as text, because 1 and 1.0 are equal but not the same."""
    while True:
        some, others = list(islice(found, CHUNK)), list(islice(expected, CHUNK))
        if repr(some) != repr(others):
            return False
        if not some:
            return True


def _differences(name: str, found: Iterable[Row], expected: Iterable[Row]) -> Iterator[str]:
    keys = len(key_columns(name))
    found_by_key = {repr(list(row[:keys])): row for row in found}
    expected_by_key = {repr(list(row[:keys])): row for row in expected}
    differing = [
        key
        for key in sorted(found_by_key.keys() | expected_by_key.keys())
        if repr(found_by_key.get(key)) != repr(expected_by_key.get(key))
    ]
    for key in differing[:MAX_SHOWN]:
        yield _difference(name, found_by_key.get(key), expected_by_key.get(key))
    more = len(differing) - MAX_SHOWN
    if more > 0:
        text = ngettext("{table}: {number} more row differs", "{table}: {number} more rows differ", more)
        yield text.format(table=name, number=more)


def _difference(name: str, found: Row | None, expected: Row | None) -> str:
    row = expected if expected is not None else found
    assert row is not None
    place = ", ".join(f"{column} {value}" for column, value in zip(key_columns(name), row, strict=False))
    if found is None:
        return _("{table}: the row of {place} is missing").format(table=name, place=place)
    if expected is None:
        return _("{table}: the row of {place} is in no entry").format(table=name, place=place)
    changed = "; ".join(
        _("{column} is {value} and should be {expected}").format(
            column=column, value=repr(str(value)[:40]), expected=repr(str(should)[:40])
        )
        for column, value, should in zip(columns(name), found, expected, strict=True)
        if repr(value) != repr(should)
    )
    return _("{table}: in the row of {place}, {changed}").format(table=name, place=place, changed=changed)


def person_problems(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Check that every version of a name is there and unchanged, and that the current ones can be found."""
    added = [player for entry in entries if PlayersAdded.made(entry) for player in entry.payload["players"]]
    named: set[Row] = {(player["id"], 1) for player in added if player["kind"] == "person"}
    given = (entry.payload for entry in entries if PlayerRenamed.made(entry) or PlayerPublished.made(entry))
    named |= {(payload["player"], payload["version"]) for payload in given if "version" in payload}
    players = connection.exec_driver_sql("SELECT id, version, erased, merged FROM player").fetchall()
    current: set[Row] = {(row.id, row.version) for row in players if not row.erased and row.merged is None}
    erased = {row.id for row in players if row.erased}
    found: set[Row] = set()
    for row in _rows(connection, "person"):
        found.add(row[:2])
        yield from _person(row, "counts" if row[:2] in current else "erased" if row[0] in erased else "kept")
    for number, version in sorted(named - found, key=repr)[:MAX_SHOWN]:
        text = _("person: the name of player {number} (version {version}) is missing")
        yield text.format(number=number, version=version)
    for number, version in sorted(found - named, key=repr)[:MAX_SHOWN]:
        yield _("person: version {version} of player {number} is in no entry").format(version=version, number=number)


def _person(row: Row, kept: Literal["counts", "erased", "kept"]) -> Iterator[str]:
    number, _version, name, label, club, folded, checksum = row
    if sha256(json.dumps(row[:5], separators=(",", ":"), ensure_ascii=False, default=repr)) != checksum:
        yield _("person: the name of player {number} is not as it was written").format(number=number)
    elif folded != (found_as(str(name), str(label)) if kept == "counts" else None):
        yield _("person: the name of player {number} would not be found").format(number=number)
    elif kept == "erased" and (name, label, club) != ("", "", ""):
        yield _("person: the name of player {number} was erased, and is there").format(number=number)


def _records(connection: Connection) -> Iterator[str]:
    for digest, text in connection.exec_driver_sql("SELECT digest, text FROM record ORDER BY digest"):
        if sha256(str(text)) != digest:
            yield _("record: the text of {record} is not as it was written").format(record=str(digest)[:16])


def _named_records(connection: Connection, journal: _Journal) -> Iterator[str]:
    """Check that the records are those that entries name, also entries of results corrected later."""
    named = journal.records
    found = {row[0] for row in connection.exec_driver_sql("SELECT digest FROM record")}
    for digest in sorted(named - found)[:MAX_SHOWN]:
        yield _("record: {record} is missing").format(record=digest[:16])
    for digest in sorted(found - named, key=repr)[:MAX_SHOWN]:
        yield _("record: {record} is in no entry").format(record=str(digest)[:16])


def _imports(connection: Connection, entries: list[Entry]) -> Iterator[str]:
    """Check that imported rows are those of the entries, also of entries that were undone later."""
    digests: dict[object, RowsDigest] = {}
    rows: dict[object, int] = {}
    query = "SELECT pool_import, row, game, name, place FROM pool_result ORDER BY pool_import, row"
    for number, row, game, name, place in sqlite.stream(connection, query):
        rows[number] = rows.get(number, 0) + 1
        if row != rows[number] or [type(value) for value in (game, name, place)] != [int, str, int]:
            yield _("pool_result: row {row} of import {number} is not as it was written").format(row=row, number=number)
            break
        digests.setdefault(number, RowsDigest()).add((game,), (name,), (place,))
    for entry in entries:
        if GamesImported.made(entry):
            number = entry.payload["import"]
            if digests.pop(number, RowsDigest()).text() != entry.payload["digest"]:
                yield _("pool_result: the rows of import {number} are not as they were imported").format(number=number)
    yield from (_("pool_result: import {number} is in no entry").format(number=number) for number in digests)


def _unwritten(connection: Connection) -> Iterator[str]:
    """Check the checksums of rows that no entry has written."""
    for name in UNWRITTEN:
        try:
            verified_rows(connection, Partition(name))
        except TourneyError:
            text = _("{table}: {partition} are not as they were written")
            yield text.format(table=TABLES[name][0], partition=shown_partition(name))


def _caches(connection: Connection) -> Iterator[str]:
    for *row, checksum in _rows(connection, "rating_checkpoint"):
        if row_checksum(row) != checksum:
            text = _("rating_checkpoint: the ratings of {pool} after {games} games are not as they were written")
            yield text.format(pool=row[0], games=row[1])
    for *row, checksum in _rows(connection, "rated_round"):
        if row_checksum(row) != checksum:
            text = _("rated_round: the tables of event {event}, round {round} are not as they were written")
            yield text.format(event=row[0], round=row[1])
