"""Entries about players. Names stand outside the journal; here is which version of them counts."""

from sqlalchemy import Connection, select

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare
from tourney.storage.journal.partitions import Partition
from tourney.storage.schema import table
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows

_BEST = ("checked in", "entered", "withdrawn", "no-show")


def _add(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Add players; people begin with the first version of a name, bots have none outside the journal."""
    rows = [
        {
            "id": player["id"],
            "kind": player["kind"],
            "bot": player.get("bot"),
            "version": int(player["kind"] == "person"),
            "erased": 0,
            "merged": None,
            "act": number,
        }
        for player in payload["players"]
    ]
    insert_rows(connection, "player", rows)


def _rename(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Let another version of the name count."""
    update_rows(connection, "player", {"id": payload["player"]}, {"version": payload["version"], "act": number})


def _erase(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Mark a person as erased."""
    update_rows(connection, "player", {"id": payload["player"]}, {"erased": 1, "act": number})


def _merge(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Mark a player as merged into another."""
    update_rows(connection, "player", {"id": payload["gone"]}, {"merged": payload["keep"], "act": number})


def _merge_entrants(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Merge entrants: the lower number stays, with the better state, and numbers stay without a gap."""
    entrants = table("entrant").c
    ours = (entrants.event == partition.event) & entrants.player.in_([payload["keep"], payload["gone"]])
    found = connection.execute(select(entrants.number, entrants.state).where(ours).order_by(entrants.number)).all()
    state = min((row.state for row in found), key=_BEST.index)
    for row in found[1:]:
        delete_rows(connection, "entrant", event=partition.event, number=row.number)
        _close_gap(connection, partition.event, row.number)
    place = {"event": partition.event, "number": found[0].number}
    update_rows(connection, "entrant", place, {"player": payload["keep"], "state": state, "act": number})


def _close_gap(connection: Connection, event: int, gap: int) -> None:
    entrants = table("entrant").c
    query = select(entrants.number).where(entrants.event == event, entrants.number > gap).order_by(entrants.number)
    for row in connection.execute(query).all():
        update_rows(connection, "entrant", {"event": event, "number": row.number}, {"number": row.number - 1})


def _merge_rounds(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Merge seats and byes; a player who has a seat in a round has no bye in it."""
    keep, gone = payload["keep"], payload["gone"]
    update_rows(connection, "seat", {"event": partition.event, "player": gone}, {"player": keep})
    out, seats = table("sitting_out").c, table("seat").c
    both = (out.event == partition.event) & out.player.in_([keep, gone])
    resting = {row.round for row in connection.execute(select(out.round).where(both))}
    seated = select(seats.round).where(seats.event == partition.event, seats.player == keep)
    resting -= {row.round for row in connection.execute(seated)}
    for player in (keep, gone):
        delete_rows(connection, "sitting_out", event=partition.event, player=player)
    rows = [{"event": partition.event, "round": number, "player": keep} for number in sorted(resting)]
    insert_rows(connection, "sitting_out", rows)


def _merge_rulings(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Move penalties to the player who stays."""
    update_rows(
        connection, "ruling", {"event": partition.event, "player": payload["gone"]}, {"player": payload["keep"]}
    )


PLAYER_ADD = declare(
    "player.add",
    {"players": _add},
    lambda payload: {("player", 0): max(player["id"] for player in payload["players"])},
)
PLAYER_RENAME = declare("player.rename", {"players": _rename})
PLAYER_ERASE = declare("player.erase", {"players": _erase}, permanent=True)
PLAYER_MERGE = declare(
    "player.merge",
    {"players": _merge, "entrants": _merge_entrants, "rounds": _merge_rounds, "rulings": _merge_rulings},
)
