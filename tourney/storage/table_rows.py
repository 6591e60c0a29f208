"""Insert, delete and update rows by the name of their table."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, update

from tourney.storage import sqlite
from tourney.storage.tables import columns, table


def insert_rows(connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, if there are any; all have the columns of the first."""
    if rows:
        names = tuple(rows[0])
        sqlite.run_for_all(connection, _insertion(name, names), [tuple(row[each] for each in names) for row in rows])


def delete_rows(connection: Connection, name: str, **where: object) -> None:
    """Delete the rows that have the values of `where`."""
    sqlite.run_for_all(connection, _deletion(name, tuple(where)), [tuple(where.values())])


# As texts, because a replay inserts and deletes hundreds of thousands of times.
@cache
def _insertion(name: str, columns: tuple[str, ...]) -> str:
    quoted = ", ".join(f'"{column}"' for column in columns)
    return f'INSERT INTO "{name}" ({quoted}) VALUES ({", ".join("?" * len(columns))})'


@cache
def _deletion(name: str, columns: tuple[str, ...]) -> str:
    conditions = " AND ".join(f'"{column}" = ?' for column in columns)
    return f'DELETE FROM "{name}" WHERE {conditions}'


def update_rows(connection: Connection, name: str, where: Mapping[str, object], values: Mapping[str, Any]) -> None:
    """Set `values` in the rows that have the values of `where`."""
    rows = table(name)
    equal = [rows.c[column] == value for column, value in where.items()]
    connection.execute(update(rows).where(*equal).values(**values))


def lacks_parent(connection: Connection, name: str, event: int) -> bool:
    """Return whether a row of the event in this table refers to a row that is not there; False for other tables."""
    own = "id" if name == "event" else "event"
    if own not in columns(name):
        return False
    keys: dict[int, list[tuple[str, str, str]]] = {}
    for number, _place, parent, child, to, *_rest in sqlite.rows(connection, f'PRAGMA foreign_key_list("{name}")'):
        keys.setdefault(number, []).append((parent, child, to))
    return any(_lacks(connection, name, own, event, pairs) for pairs in keys.values())


def _lacks(connection: Connection, name: str, own: str, event: int, key: Sequence[tuple[str, str, str]]) -> bool:
    """Return whether a foreign key, its columns as parent table, own and other column, leads nowhere."""
    given = " AND ".join(f'c."{child}" IS NOT NULL' for _parent, child, _to in key)
    same = " AND ".join(f'p."{to}" = c."{child}"' for _parent, child, to in key)
    found = f'EXISTS (SELECT 1 FROM "{key[0][0]}" AS p WHERE {same})'
    query = f'SELECT 1 FROM "{name}" AS c WHERE c."{own}" = ? AND {given} AND NOT {found} LIMIT 1'
    return bool(sqlite.rows(connection, query, (event,)))
