"""The tables of the database, and the names of their columns, all of which `schema.sql` declares."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, TableClause
from sqlalchemy import column as column_clause
from sqlalchemy import table as table_clause

REVISION = "0012"
"""The newest version of the schema; a database has its own in `alembic_version`."""

_STATEMENT: Final = re.compile(r"^CREATE TABLE IF NOT EXISTS (\w+) \(\n(.*?)^\)[^;]*", re.MULTILINE | re.DOTALL)
_COLUMN: Final = re.compile(r'^    "?(\w+)"? (?:INTEGER|VARCHAR)', re.MULTILINE)
_KEY: Final = re.compile(r"PRIMARY KEY \((.*?)\)")

_DECLARED: Final = {
    found[1]: found for found in _STATEMENT.finditer(Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
}

COLUMNS: Final = {name: _COLUMN.findall(found[2]) for name, found in _DECLARED.items()}
"""The columns of each table: those of its primary key, then the others. Tables that others refer to stand first."""

RETIRED = ("rating_cache",)
"""Tables of older versions; what they held is computed again."""

OUTSIDE = (
    "access",
    "act",
    "draft",
    "league_block",
    "league_fault",
    "league_record",
    "league_seal",
    "person",
    "pool_result",
    "rated_round",
    "rating_checkpoint",
    "record",
    "submission",
)
"""Tables outside the index; all other tables can be rebuilt from the journal."""


@cache
def table(name: str) -> TableClause:
    """Return a table by its name, for Core statements; its columns have the types of the values beside them."""
    return table_clause(name, *map(column_clause, COLUMNS[name]))


@cache
def key_columns(name: str) -> list[str]:
    """Return the names of the columns of a table's primary key."""
    return COLUMNS[name][: _KEY.findall(_DECLARED[name][2])[0].count(",") + 1]


def create_tables(connection: Connection) -> None:
    """Create the tables that are missing."""
    for statement in _DECLARED.values():
        connection.exec_driver_sql(statement[0])
