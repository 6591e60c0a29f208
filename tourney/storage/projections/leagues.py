"""Entries about leagues. What their blocks gave stands outside the journal, each block with its hash."""

from sqlalchemy import Connection

from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare, numbered
from tourney.storage.journal.partitions import Partition
from tourney.storage.table_rows import insert_rows, update_rows


def _new(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a league."""
    fields = {name: value for name, value in payload.items() if name != "league"}
    bots = canonical_json(payload["bots"])
    insert_rows(connection, "league", [{**fields, "id": payload["league"], "bots": bots, "act": number}])


def _join(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Add bots to a league."""
    bots = canonical_json(payload["bots"])
    update_rows(connection, "league", {"id": payload["league"]}, {"bots": bots, "act": number})


LEAGUE_NEW = declare("league.new", {"leagues": _new}, numbered("league"))
LEAGUE_JOIN = declare("league.join", {"leagues": _join})
