"""The tables of the database, by subject.

What the schema can enforce is declared here, because SQLModel does not validate table models. Columns called
`act` name the entry that made the row or changed it last; seats count from 0, as in the domain, first dealer first.
"""

from sqlalchemy import Table

from tourney.storage.schema import events, history, leagues, people, pools, results
from tourney.storage.schema.base import Base

__all__ = ["METADATA", "OUTSIDE", "REVISION", "events", "history", "leagues", "people", "pools", "results", "table"]

REVISION = "0008"
"""The newest migration; a database says in `alembic_version` which one made it."""

METADATA = Base.metadata

OUTSIDE = (
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
)
"""Tables that are no index of the journal; all others are its fold."""


def table(name: str) -> Table:
    """Return a table by its name, for Core statements."""
    return METADATA.tables[name]
