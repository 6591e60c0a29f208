"""Entries about pools of ratings."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare, numbered
from tourney.storage.journal.partitions import Partition
from tourney.storage.table_rows import insert_rows, update_rows
from tourney.text.names import fold

_BEFORE: Final[Mapping[str, str]] = {"absence": "0.0"}
"""Values of parameters that are newer than a pool's entry."""


def _new(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a pool with its parameters."""
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    insert_rows(connection, "pool", [{**_BEFORE, **row, "kind": payload["kind"], **payload["parameters"]}])


def _set(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Change some parameters of a pool."""
    update_rows(connection, "pool", {"id": payload["pool"]}, {**payload["changes"], "act": number})


def _import_results(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Note an imported file; its rows stand outside the journal, which has their digest."""
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    insert_rows(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])


POOL_NEW = declare("pool.new", {"pools": _new}, numbered("pool"))
POOL_SET = declare("pool.set", {"pools": _set})
RATING_IMPORT = declare("rating.import", {"pools": _import_results}, numbered("import"))
