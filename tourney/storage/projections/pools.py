"""Acts about pools of ratings."""

from sqlalchemy import Connection

from tourney.names import fold
from tourney.storage.journal import Payload
from tourney.storage.parts import Part
from tourney.storage.projections.rows import fill


def new(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A pool and its parameters."""
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    fill(connection, "pool", [{**row, "kind": payload["kind"], **payload["parameters"]}])


def bring_in(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A results file; its rows stand outside the journal, which has their digest."""
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    fill(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])
