"""Acts about leagues. What their blocks gave stands outside the journal, each block with its hash."""

from sqlalchemy import Connection

from tourney.storage.journal import entries
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part
from tourney.storage.projections.rows import change, fill


def new(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A league and what it is to play."""
    fields = {name: value for name, value in payload.items() if name != "league"}
    bots = entries.canonical(payload["bots"])
    fill(connection, "league", [{**fields, "id": payload["league"], "bots": bots, "act": number}])


def join(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """A league with more bots than it had."""
    bots = entries.canonical(payload["bots"])
    change(connection, "league", {"id": payload["league"]}, {"bots": bots, "act": number})
