"""Seals: the digest of each part of the index, written with its rows and looked at whenever they are read.

SQLite finds few flipped bits. Whoever reads takes all rows of a part, and uses none unless they are sealed.
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
from tourney.storage.journal import entries
from tourney.storage.journal.partitions import BY_ROUND, TABLES, UNDIVIDED, Part
from tourney.storage.projections.rows import fill, remove
from tourney.storage.schema import table
from tourney.text.i18n import _

_SAID = {"current": "settings", "hands": "results", "drafts": "sheets half entered"}
"""What people call the parts, where that is another word than ours."""

Rows = list[Any]
"""Rows of one table, each a tuple of all its columns, named when they are given away."""


def damaged(what: str) -> TourneyError:
    """The error for a file that no act of ours can have left like this."""
    message = _("the database is damaged: {what}").format(what=what)
    return TourneyError(ExitCode.STORAGE, message, _("run `tourney db check`, and go back to a copy that is whole"))


def unsealed(part: Part) -> TourneyError:
    """The error for a part whose rows are not those that were sealed."""
    return damaged(_("its {part} are not as they were written").format(part=_SAID.get(part.name, part.name)))


def seal(connection: Connection, parts: Iterable[Part]) -> None:
    """Seal the parts as they are now."""
    for part in parts:
        found = _digests(part, _read(connection, part))
        remove(connection, "seal", **part.row())
        fill(connection, "seal", [{**one.row(), "digest": digest} for one, digest in found.items()])


def sealed(connection: Connection, part: Part, spots: Collection[tuple[int, int]] | None = None) -> Mapping[str, Rows]:
    """The rows of a part by table, in the order of their keys; without event or round, those of all of them.

    All are looked at; where `spots` are named, by round and table of the event, only the rows of these are given.
    Raises TourneyError STORAGE if they are not the rows that were sealed.
    """
    tables = _read(connection, part)
    if _digests(part, tables) != seals(connection, part):
        raise unsealed(part)
    return {name: _named(name, rows, spots) for name, rows in tables.items()}


def _named(name: str, rows: Rows, spots: Collection[tuple[int, int]] | None) -> Rows:
    """The rows as named tuples."""
    row, _query = _shape(name)
    if spots is None:
        return [row._make(each) for each in rows]
    spot = itemgetter(row._fields.index("round"), row._fields.index("table_number"))
    return [row._make(each) for each in rows if spot(each) in spots]


def _read(connection: Connection, part: Part) -> dict[str, Rows]:
    """The rows of a part as plain tuples."""
    return {name: _table(connection, name, part) for name in TABLES[part.name]}


def _table(connection: Connection, name: str, part: Part) -> Rows:
    _row, query = _shape(name)
    which = [("id" if name == "event" else "event", part.event), ("round", part.round)]
    given = [(column, value) for column, value in which if value]
    where = " AND ".join(f"{column} = ?" for column, _value in given)
    order = ", ".join(column.name for column in table(name).primary_key.columns)
    full = f"{query} WHERE {where}" if where else query
    return sqlite.rows(connection, f"{full} ORDER BY {order}", [value for _column, value in given])


@cache
def _shape(name: str) -> tuple[Any, str]:
    columns = [column.name for column in table(name).columns]
    return namedtuple(name, columns), f"SELECT {', '.join(columns)} FROM {name}"


def _digests(part: Part, tables: Mapping[str, Rows]) -> dict[Part, str]:
    """The digest of each part that the rows belong to, by what the rows themselves say."""
    units: dict[tuple[int, ...], list[Rows]] = {}
    for index, (name, rows) in enumerate(tables.items()):
        for at, group in groupby(rows, key=_unit(part.name, name)):
            units.setdefault(at, [[] for _table in tables])[index].extend(group)
    return {Part(part.name, *at): _digest(rows) for at, rows in units.items()}


@cache
def _unit(part: str, name: str) -> Callable[[Any], tuple[int, ...]]:
    """Takes from a row of the table what divides the part: nothing, its event, or its event and round."""
    if part in UNDIVIDED:
        return lambda _row: ()
    columns = [column.name for column in table(name).columns]
    event = columns.index("id" if name == "event" else "event")
    return itemgetter(event, columns.index("round")) if part in BY_ROUND else itemgetter(slice(event, event + 1))


def _digest(tables: Sequence[Rows]) -> str:
    try:
        return entries.digest(json.dumps(tables, separators=(",", ":"), ensure_ascii=False))
    except (TypeError, UnicodeEncodeError):
        # A blob: no act of ours writes one.
        return ""


def seals(connection: Connection, part: Part) -> dict[Part, str]:
    """The seals of a part as they were written; without event or round, those of all of them."""
    query = "SELECT part, event, round, digest FROM seal WHERE part = ?"
    values: list[object] = [part.name]
    for column, value in (("event", part.event), ("round", part.round)):
        if value:
            query, values = f"{query} AND {column} = ?", [*values, value]
    return {Part(*row[:3]): row[3] for row in sqlite.rows(connection, query, values)}
