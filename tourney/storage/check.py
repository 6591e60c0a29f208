"""Is the database what its journal says: folds all acts again and compares every table, row by row."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Table, select
from sqlalchemy.exc import DBAPIError

from tourney.domain.database import Check
from tourney.domain.errors import TourneyError
from tourney.storage import league_blocks, person_names, sqlite
from tourney.storage.journal import entries, undo
from tourney.storage.journal.checksums import sealed
from tourney.storage.journal.partitions import Part
from tourney.storage.location import locate
from tourney.storage.projections import PROJECTIONS
from tourney.storage.projections.rows import fill
from tourney.storage.schema import METADATA, OUTSIDE, table
from tourney.storage.session import open_transaction

MOST = 5
"""Differing rows told of one table."""

Row = tuple[object, ...]


def check_database(db: str | None) -> Check:
    """Everything in the database that is not as its journal says; the database is only read.

    Raises TourneyError as `reading` does, where there is no database to check.
    """
    path = locate(db)
    with sqlite.plain_errors(path), open_transaction(path) as connection:
        acts, problems = _acts(connection)
        head = acts[-1][1] if acts else entries.FIRST
        for look in (_sound, _strange_tables):
            problems += _guarded(path, look(connection))
        problems += _guarded(path, _head(connection, len(acts), head))
        problems += _guarded(path, _indexes(connection, [act for act, _hash in acts]))
        for outside in (_records, _drafts, _caches):
            problems += _guarded(path, outside(connection))
        for named in (_persons, _named_records, _imports, league_blocks.problems):
            problems += _guarded(path, named(connection, [act for act, _hash in acts]))
    return Check(tuple(dict.fromkeys(problems)), len(acts), head)


def _guarded(path: Path, problems: Iterator[str]) -> list[str]:
    """The problems, and if looking for them fails, that too."""
    found: list[str] = []
    try:
        found.extend(problems)
    except DBAPIError as error:
        found.append(sqlite.explain(path, error.orig).message)
    except TourneyError as error:
        found.append(error.message)
    return found


def _rows(connection: Connection, which: Table) -> list[Row]:
    """The table as the file has it: raw values, so that no conversion hides a changed one."""
    columns = ", ".join(f'"{column.name}"' for column in which.columns)
    order = ", ".join(f'"{column.name}"' for column in which.primary_key.columns)
    query = f'SELECT {columns} FROM "{which.name}" ORDER BY {order}'
    return [tuple(row) for row in connection.exec_driver_sql(query)]


def _acts(connection: Connection) -> tuple[list[tuple[entries.Act, str]], list[str]]:
    """The acts whose text can be read, each with the hash it must have; and what is wrong in the journal."""
    acts: list[tuple[entries.Act, str]] = []
    problems: list[str] = []
    before = entries.FIRST
    known = {*PROJECTIONS, *undo.TURNS}
    for wanted, row in enumerate(_rows(connection, table("act")), 1):
        number, act_id, kind, time, text, found = row
        if number != wanted:
            problems.append(f"journal: act {wanted} is missing")
            break
        before = entries.chain(before, str(text))
        if found != before:
            problems.append(f"journal: act {wanted} does not have the hash that its text gives")
            before = str(found)
        try:
            act = entries.read(str(text))
        except ValueError as error:
            problems.append(f"journal: act {wanted} cannot be read: {error}")
            break
        if (act.id, act.kind, act.time) != (act_id, kind, time) or act.kind not in known:
            problems.append(f"journal: act {wanted} is labelled as another than its text says")
        acts.append((act, before))
    return acts, problems


def _sound(connection: Connection) -> Iterator[str]:
    for row in connection.exec_driver_sql("PRAGMA integrity_check").fetchmany(MOST):
        if row[0] != "ok":
            yield f"the file: {row[0]}"
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MOST):
        yield f"{row[0]}: row {row[1]} refers to a row of {row[2]} that is not there"


def _strange_tables(connection: Connection) -> Iterator[str]:
    found = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")}
    known = set(METADATA.tables) | {"alembic_version"}
    yield from (f"table {name} is missing" for name in sorted(known - found))
    yield from (f"table {name} is none of ours" for name in sorted(found - known))


def _head(connection: Connection, acts: int, head: str) -> Iterator[str]:
    expected = [(1, acts, head)] if acts else []
    if _rows(connection, table("head")) != expected:
        yield "journal: its last act is not the one that was noted; acts are missing or were put in"


def _indexes(connection: Connection, acts: list[entries.Act]) -> Iterator[str]:
    """Every index table, compared with what the acts give in an empty database."""
    # The texts outside the journal are not folded, and index rows refer to some of them.
    with sqlite.transaction(sqlite.memory_engine(keys="off"), "DEFERRED") as fresh:
        METADATA.create_all(fresh)
        fill(fresh, "draft", [dict(row) for row in connection.execute(select(table("draft"))).mappings()])
        yield from undo.fold(fresh, acts)
        for each in METADATA.sorted_tables:
            if each.name not in OUTSIDE and each.name != "head":
                yield from _differences(each, _rows(connection, each), _rows(fresh, each))


def _differences(which: Table, found: list[Row], expected: list[Row]) -> Iterator[str]:
    keys = [index for index, column in enumerate(which.columns) if column.primary_key]
    theirs = {repr([row[key] for key in keys]): row for row in found}
    ours = {repr([row[key] for key in keys]): row for row in expected}
    # By their text, because 1 and 1.0 are equal but not the same.
    wrong = [key for key in sorted(theirs.keys() | ours.keys()) if repr(theirs.get(key)) != repr(ours.get(key))]
    for key in wrong[:MOST]:
        yield f"{which.name}: {_said(which, theirs.get(key), ours.get(key))}"
    if len(wrong) > MOST:
        yield f"{which.name}: {len(wrong) - MOST} more rows differ"


def _said(which: Table, found: Row | None, expected: Row | None) -> str:
    row = expected if expected is not None else found
    assert row is not None
    pairs = zip(which.columns, row, strict=True)
    place = ", ".join(f"{column.name} {value}" for column, value in pairs if column.primary_key)
    if found is None:
        return f"the row of {place} is missing"
    if expected is None:
        return f"the row of {place} is in no act"
    columns = zip(which.columns, found, expected, strict=True)
    changed = [
        f"{column.name} is {str(value)[:40]!r} and should be {str(should)[:40]!r}"
        for column, value, should in columns
        if repr(value) != repr(should)
    ]
    return f"in the row of {place}, {'; '.join(changed)}"


def _persons(connection: Connection, acts: list[entries.Act]) -> Iterator[str]:
    """Every version of a name that an act has given is there and sound, and those that count now can be found."""
    added = [one for act in acts if act.kind == "player.add" for one in act.payload["players"]]
    given: set[Row] = {(one["id"], 1) for one in added if one["kind"] == "person"}
    given |= {(act.payload["player"], act.payload["version"]) for act in acts if act.kind == "player.rename"}
    players = connection.exec_driver_sql("SELECT id, version, erased, merged FROM player").fetchall()
    counting: set[Row] = {(row.id, row.version) for row in players if not row.erased and row.merged is None}
    erased = {row.id for row in players if row.erased}
    found: set[Row] = set()
    for row in _rows(connection, table("person")):
        found.add(row[:2])
        yield from _person(row, "counts" if row[:2] in counting else "erased" if row[0] in erased else "kept")
    for number, version in sorted(given - found, key=repr)[:MOST]:
        yield f"person: the name of player {number} (version {version}) is missing"
    for number, version in sorted(found - given, key=repr)[:MOST]:
        yield f"person: version {version} of player {number} is in no act"


def _person(row: Row, kept: Literal["counts", "erased", "kept"]) -> Iterator[str]:
    number, _version, name, label, club, folded, checksum = row
    if entries.digest(json.dumps(row[:5], separators=(",", ":"), ensure_ascii=False, default=repr)) != checksum:
        yield f"person: the name of player {number} is not as it was written"
    elif folded != (person_names.found_as(str(name), str(label)) if kept == "counts" else None):
        yield f"person: the name of player {number} would not be found"
    elif kept == "erased" and (name, label, club) != ("", "", ""):
        yield f"person: the name of player {number} was erased, and is there"


def _records(connection: Connection) -> Iterator[str]:
    for digest, text in connection.exec_driver_sql("SELECT digest, text FROM record ORDER BY digest"):
        if entries.digest(str(text)) != digest:
            yield f"record: the text of {str(digest)[:16]} is not as it was written"


def _named_records(connection: Connection, acts: list[entries.Act]) -> Iterator[str]:
    """Records are those that acts name, also acts that were corrected later."""
    named = {act.payload["record"] for act in acts if "record" in act.payload}
    found = {row[0] for row in connection.exec_driver_sql("SELECT digest FROM record")}
    yield from (f"record: {digest[:16]} is missing" for digest in sorted(named - found)[:MOST])
    yield from (f"record: {str(digest)[:16]} is in no act" for digest in sorted(found - named, key=repr)[:MOST])


def _imports(connection: Connection, acts: list[entries.Act]) -> Iterator[str]:
    """The rows are those that acts have brought in, also acts that were undone later."""
    taken: dict[object, entries.RowsDigest] = {}
    rows: dict[object, int] = {}
    query = "SELECT pool_import, row, game, name, place FROM pool_result ORDER BY pool_import, row"
    for number, row, game, name, place in sqlite.stream(connection, query):
        rows[number] = rows.get(number, 0) + 1
        if row != rows[number] or [type(value) for value in (game, name, place)] != [int, str, int]:
            yield f"pool_result: row {row} of import {number} is not as it was written"
            break
        taken.setdefault(number, entries.RowsDigest()).add(game, (name,), (place,))
    for act in acts:
        if act.kind == "rating.import":
            number = act.payload["import"]
            if taken.pop(number, entries.RowsDigest()).text() != act.payload["digest"]:
                yield f"pool_result: the rows of import {number} are not those that were brought in"
    yield from (f"pool_result: import {number} is in no act" for number in taken)


def _drafts(connection: Connection) -> Iterator[str]:
    try:
        sealed(connection, Part("drafts"))
    except TourneyError:
        yield "draft: sheets half entered are not as they were written"


def _caches(connection: Connection) -> Iterator[str]:
    for *row, checksum in _rows(connection, table("rating_checkpoint")):
        if entries.checksum(row) != checksum:
            yield f"rating_checkpoint: the ratings of {row[0]} after {row[1]} games are not as they were written"
    for *row, checksum in _rows(connection, table("rated_round")):
        if entries.checksum(row) != checksum:
            yield f"rated_round: the tables of event {row[0]}, round {row[1]} are not as they were written"
