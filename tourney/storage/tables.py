"""The names of the tables and of their columns, which is all that reading and writing need of the schema.

`schema` declares the tables. Importing sqlmodel and building its classes takes about as long as everything else that
`tourney standings` does, so only `create_tables` does it.
"""

from functools import cache

from sqlalchemy import Connection, TableClause
from sqlalchemy import column as column_clause
from sqlalchemy import table as table_clause

REVISION = "0012"
"""The newest version of the schema; a database has its own in `alembic_version`."""

COLUMNS = {
    "access": ("hash", "kind salt event round table_number player entry made ended origin"),
    "act": ("number", "id kind time text hash"),
    "counter": ("kind event", "last"),
    "draft": ("event round table_number", "text"),
    "league_block": ("league entrants block", "text hash"),
    "league_fault": ("league entrants block place", "game hand entrant what trace checksum"),
    "league_record": ("league entrants block game", "packed digest"),
    "league_seal": ("league entrants what", "rows total checksum"),
    "person": ("player version", "name label club folded checksum"),
    "pool_result": ("pool_import row", "game name place"),
    "rated_round": ("event round", "seats scores text checksum"),
    "rating_checkpoint": ("pool games", "inputs text checksum"),
    "record": ("digest", "text"),
    "seal": ("part event round", "digest"),
    "submission": ("id", "event round table_number entry device player text time state confirmed_by result reason"),
    "event": ("id", "name folded rules rules_digest settings state rules_text wishes act"),
    "head": ("one", "acts hash"),
    "league": (
        "id",
        "bots rules rules_digest rules_text seats seed blocks design certainty records stake more program act",
    ),
    "partial_sheet": ("event round table_number", "text act"),
    "player": ("id", "kind bot version erased merged act"),
    "pool": ("id", "name folded kind mu sigma beta tau draw absence unit act"),
    "step": ("act", "batch state"),
    "trace": ("part event round act", ""),
    "undone": ("place", "batch"),
    "current_event": ("one", "event act"),
    "entrant": ("event number", "player state act"),
    "flag": ("event number", "round table_number player text state answer act"),
    "pool_import": ("id", "pool games rows digest act"),
    "round": ("event number", "started minutes draft act"),
    "ruling": ("event number", "kind text round table_number player hand points state why_cancelled act"),
    "result": ("event round table_number", "state reason short record act"),
    "seat": ("event round table_number seat", "player"),
    "sitting_out": ("event round player", ""),
    "hand": ("event round table_number hand", "contract closer at_once ending"),
    "score": ("event round table_number seat", "points hands_won place extra money"),
    "hand_score": ("event round table_number hand seat", "points off"),
}
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
    return table_clause(name, *map(column_clause, columns(name)))


def key_columns(name: str) -> list[str]:
    """Return the names of the columns of a table's primary key."""
    return COLUMNS[name][0].split()


def columns(name: str) -> list[str]:
    """Return the names of a table's columns, in order."""
    return " ".join(COLUMNS[name]).split()


def create_tables(connection: Connection) -> None:
    """Create the tables that are missing, as `schema` declares them."""
    for statement in _statements():
        connection.exec_driver_sql(statement)


@cache
def _statements() -> tuple[str, ...]:
    """Return the statements that create all tables: compiling them takes longer than executing them."""
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateTable

    from tourney.storage.schema import METADATA

    creations = (CreateTable(each, if_not_exists=True) for each in METADATA.sorted_tables)
    return tuple(str(creation.compile(dialect=sqlite.dialect())) for creation in creations)
