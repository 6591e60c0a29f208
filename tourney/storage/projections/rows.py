"""Writing rows of the index; used by all projections."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Delete, bindparam, delete, insert, update

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part
from tourney.storage.schema import table

Projection = Callable[[Connection, Part, int, Payload], None]
"""Writes into one part what the act of that number and payload says."""


def fill(connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, if there are any."""
    if rows:
        connection.execute(insert(table(name)), rows)


def remove(connection: Connection, name: str, **where: object) -> None:
    """Delete the rows that have these values."""
    connection.execute(_deletion(name, tuple(where)), where)


@cache
def _deletion(name: str, columns: tuple[str, ...]) -> Delete:
    """Made once: a fold deletes before it inserts, thousands of times."""
    return delete(table(name)).where(*(table(name).c[column] == bindparam(column) for column in columns))


def change(connection: Connection, name: str, where: Mapping[str, object], values: Mapping[str, Any]) -> None:
    """Give the rows that have the values of `where` those of `values`."""
    connection.execute(update(table(name)).where(*_equal(name, where)).values(**values))


def _equal(name: str, where: Mapping[str, object]) -> list[ColumnElement[bool]]:
    columns = table(name).c
    return [columns[column] == value for column, value in where.items()]
