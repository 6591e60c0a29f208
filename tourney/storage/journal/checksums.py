"""Checksums of the partitions of the index, written with their rows and compared whenever they are read.

SQLite finds few flipped bits. A reader takes all rows of a partition, and uses none unless their checksum is right.
"""

import json
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import sqlite
from tourney.storage.journal.canonical import sha256
from tourney.storage.journal.partitions import BY_ROUND, TABLES, UNDIVIDED, Partition
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import columns, key_columns
from tourney.text.i18n import _, marked

_SHOWN = {
    "current": marked("current event"),
    "hands": marked("results"),
    "sheets": marked("partial sheets"),
    "drafts": marked("partial sheets"),
    "access": marked("keys of desks and tables"),
    "submissions": marked("sheets from phones"),
}
"""The names under which people know partitions, if they differ."""

Rows = list[Any]
"""Rows of one table, each a tuple of all its columns; callers receive named tuples."""


def damaged(problem: str) -> TourneyError:
    """Return the error for a file that no command can have left in this state."""
    message = _("the database is damaged: {problem}").format(problem=problem)
    return TourneyError(
        ExitCode.STORAGE, message, _("run `tourney db check`, then restore a backup with `tourney db restore`")
    )


def wrong_checksum(partition: Partition) -> TourneyError:
    """Return the error for a partition whose rows do not have its checksum."""
    name = shown_partition(partition.name)
    return damaged(_("its {partition} are not as they were written").format(partition=name))


def shown_partition(name: str) -> str:
    """Return the name under which people know a partition."""
    return _(_SHOWN.get(name, name))


def write_checksums(connection: Connection, partitions: Iterable[Partition]) -> None:
    """Write the checksums of the partitions as they are now."""
    for partition in partitions:
        digests = _digests(partition, _read(connection, partition))
        delete_rows(connection, "seal", **partition.row())
        insert_rows(connection, "seal", [{**each.row(), "digest": digest} for each, digest in digests.items()])


def verified_rows(
    connection: Connection, partition: Partition, spots: Collection[tuple[int, int]] | None = None
) -> Mapping[str, Rows]:
    """Return the rows of a partition by table, in the order of their keys.

    A partition without event or round means those of all. With `spots`, tables by round and number, only their rows are
    returned. Raises TourneyError STORAGE if the rows of the partition do not have the checksum that was written.
    """
    tables = _read(connection, partition)
    if _digests(partition, tables) != written_checksums(connection, partition):
        raise wrong_checksum(partition)
    return {name: _named(name, rows, spots) for name, rows in tables.items()}


def written_checksums(connection: Connection, partition: Partition) -> dict[Partition, str]:
    """Return the checksums that were written for a partition; without event or round, those of all events or rounds."""
    query = "SELECT part, event, round, digest FROM seal WHERE part = ?"
    values: list[object] = [partition.name]
    for column, value in (("event", partition.event), ("round", partition.round)):
        if value:
            query, values = f"{query} AND {column} = ?", [*values, value]
    return {Partition(*row[:3]): row[3] for row in sqlite.rows(connection, query, values)}


def _named(name: str, rows: Rows, spots: Collection[tuple[int, int]] | None) -> Rows:
    """Return the rows as named tuples; with `spots`, only those of these tables."""
    row, _query = _shape(name)
    if spots is None:
        return [row._make(each) for each in rows]
    spot = itemgetter(row._fields.index("round"), row._fields.index("table_number"))
    return [row._make(each) for each in rows if spot(each) in spots]


def _read(connection: Connection, partition: Partition) -> dict[str, Rows]:
    """Return the rows of a partition as plain tuples."""
    return {name: _table(connection, name, partition) for name in TABLES[partition.name]}


def _table(connection: Connection, name: str, partition: Partition) -> Rows:
    _row, query = _shape(name)
    conditions = [("id" if name == "event" else "event", partition.event), ("round", partition.round)]
    given = [(column, value) for column, value in conditions if value]
    where = " AND ".join(f"{column} = ?" for column, _value in given)
    order = ", ".join(key_columns(name))
    full = f"{query} WHERE {where}" if where else query
    return sqlite.rows(connection, f"{full} ORDER BY {order}", [value for _column, value in given])


@cache
def _shape(name: str) -> tuple[Any, str]:
    return namedtuple(name, columns(name)), f"SELECT {', '.join(columns(name))} FROM {name}"


def _digests(partition: Partition, tables: Mapping[str, Rows]) -> dict[Partition, str]:
    """Return the digest of each partition to which rows belong by their own event and round."""
    units: dict[tuple[int, ...], list[Rows]] = {}
    for index, (name, rows) in enumerate(tables.items()):
        for unit, group in groupby(rows, key=_unit(partition.name, name)):
            units.setdefault(unit, [[] for _table in tables])[index].extend(group)
    return {Partition(partition.name, *unit): _digest(rows) for unit, rows in units.items()}


@cache
def _unit(partition: str, name: str) -> Callable[[Any], tuple[int, ...]]:
    """Return a function from a row to the event, or event and round, that divide the partition; () if undivided."""
    if partition in UNDIVIDED:
        return lambda _row: ()
    place = columns(name).index
    event = place("id" if name == "event" else "event")
    return itemgetter(event, place("round")) if partition in BY_ROUND else itemgetter(slice(event, event + 1))


def _digest(tables: Sequence[Rows]) -> str:
    try:
        # No value of a row holds another: to look for circles takes as long as everything else.
        return sha256(json.dumps(tables, separators=(",", ":"), ensure_ascii=False, check_circular=False))
    except (TypeError, UnicodeEncodeError):
        # A blob: no command writes one.
        return ""
