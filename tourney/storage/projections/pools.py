"""Acts about pools of ratings."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part
from tourney.storage.projections.rows import change, fill
from tourney.text.names import fold

_BEFORE: Final[Mapping[str, str]] = {"absence": "0.0"}
"""What a pool has whose act is older than these parameters."""


def new(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A pool and its parameters."""
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    fill(connection, "pool", [{**_BEFORE, **row, "kind": payload["kind"], **payload["parameters"]}])


def settings(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """Some of its parameters are others now."""
    change(connection, "pool", {"id": payload["pool"]}, {**payload["changes"], "act": number})


def bring_in(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A results file; its rows stand outside the journal, which has their digest."""
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    fill(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])
