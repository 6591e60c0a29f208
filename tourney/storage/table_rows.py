"""Insert, delete and update rows by the name of their table."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Delete, bindparam, delete, insert, update

from tourney.storage.tables import table


def insert_rows(connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, if there are any."""
    if rows:
        connection.execute(insert(table(name)), rows)


def delete_rows(connection: Connection, name: str, **where: object) -> None:
    """Delete the rows that have the values of `where`."""
    connection.execute(_deletion(name, tuple(where)), where)


@cache
def _deletion(name: str, columns: tuple[str, ...]) -> Delete:
    """Return a compiled deletion; cached, since a replay deletes before it inserts, thousands of times."""
    return delete(table(name)).where(*(table(name).c[column] == bindparam(column) for column in columns))


def update_rows(connection: Connection, name: str, where: Mapping[str, object], values: Mapping[str, Any]) -> None:
    """Set `values` in the rows that have the values of `where`."""
    rows = table(name)
    equal = [rows.c[column] == value for column, value in where.items()]
    connection.execute(update(rows).where(*equal).values(**values))
