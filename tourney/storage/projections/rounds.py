"""Entries about rounds: who sits where, and for how long."""

from sqlalchemy import Connection, select

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.schema import table
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows


def _draw(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write a round's tables and byes."""
    row = {"event": partition.event, "number": payload["round"], "started": None, "minutes": None, "act": number}
    insert_rows(connection, "round", [row])
    _seat(connection, partition, payload, _drawn(payload))
    _sit_out(connection, partition, payload)


def _move(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Replace the round's tables; those that stay keep their rows, to which results refer."""
    before, after = _seats(connection, partition, payload["round"]), _drawn(payload)
    for at in before:
        if before[at] != after.get(at):
            delete_rows(connection, "seat", event=partition.event, round=payload["round"], table_number=at)
    _seat(connection, partition, payload, {at: players for at, players in after.items() if players != before.get(at)})
    delete_rows(connection, "sitting_out", event=partition.event, round=payload["round"])
    _sit_out(connection, partition, payload)
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, {"act": number})


def _cancel(connection: Connection, partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the round."""
    for name in ("sitting_out", "seat"):
        delete_rows(connection, name, event=partition.event, round=payload["round"])
    delete_rows(connection, "round", event=partition.event, number=payload["round"])


def _cancel_results(connection: Connection, partition: Partition, _number: int, _payload: Payload) -> None:
    """Delete the void results of a cancelled round."""
    clear(connection, partition)


def _clock(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Start the round's clock, or remove it."""
    minutes = payload["minutes"] or None
    values = {"started": payload["started"] if minutes else None, "minutes": minutes, "act": number}
    update_rows(connection, "round", {"event": partition.event, "number": payload["round"]}, values)


def _drawn(payload: Payload) -> dict[int, list[int]]:
    return {drawn["table"]: list(drawn["players"]) for drawn in payload["tables"]}


def _seats(connection: Connection, partition: Partition, number: int) -> dict[int, list[int]]:
    seats = table("seat").c
    query = select(seats.table_number, seats.player).where(seats.event == partition.event, seats.round == number)
    found: dict[int, list[int]] = {}
    for row in connection.execute(query.order_by(seats.table_number, seats.seat)):
        found.setdefault(row.table_number, []).append(row.player)
    return found


def _seat(connection: Connection, partition: Partition, payload: Payload, tables: dict[int, list[int]]) -> None:
    rows = [
        {"event": partition.event, "round": payload["round"], "table_number": at, "seat": seat, "player": player}
        for at, players in tables.items()
        for seat, player in enumerate(players)
    ]
    insert_rows(connection, "seat", rows)


def _sit_out(connection: Connection, partition: Partition, payload: Payload) -> None:
    place = {"event": partition.event, "round": payload["round"]}
    insert_rows(connection, "sitting_out", [{**place, "player": player} for player in payload["out"]])


ROUND_DRAW = declare("round.draw", {"rounds": _draw})
ROUND_MOVE = declare("round.move", {"rounds": _move})
ROUND_CANCEL = declare("round.cancel", {"rounds": _cancel, "results": _cancel_results, "hands": _cancel_results})
ROUND_CLOCK = declare("round.clock", {"rounds": _clock})
