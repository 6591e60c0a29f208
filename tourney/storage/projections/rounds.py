"""Acts about rounds: who sits where, and for how long."""

from sqlalchemy import Connection, select

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part, clear
from tourney.storage.projections.rows import change, fill, remove
from tourney.storage.schema import table


def draw(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """A round's tables, and who has none."""
    row = {"event": part.event, "number": payload["round"], "started": None, "minutes": None, "act": number}
    fill(connection, "round", [row])
    _seat(connection, part, payload, _drawn(payload))
    _sit_out(connection, part, payload)


def move(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """Other tables for the round; those that stay as they are keep their rows, to which results refer."""
    before, after = _seats(connection, part, payload["round"]), _drawn(payload)
    for at in before:
        if before[at] != after.get(at):
            remove(connection, "seat", event=part.event, round=payload["round"], table_number=at)
    _seat(connection, part, payload, {at: there for at, there in after.items() if there != before.get(at)})
    remove(connection, "sitting_out", event=part.event, round=payload["round"])
    _sit_out(connection, part, payload)
    change(connection, "round", {"event": part.event, "number": payload["round"]}, {"act": number})


def cancel(connection: Connection, part: Part, _number: int, payload: Payload) -> None:
    """The round as if it had not been drawn."""
    for name in ("sitting_out", "seat"):
        remove(connection, name, event=part.event, round=payload["round"])
    remove(connection, "round", event=part.event, number=payload["round"])


def cancel_results(connection: Connection, part: Part, _number: int, _payload: Payload) -> None:
    """What was made void in it goes with the round."""
    clear(connection, part)


def clock(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """The round's clock is started, or taken away."""
    minutes = payload["minutes"] or None
    values = {"started": payload["started"] if minutes else None, "minutes": minutes, "act": number}
    change(connection, "round", {"event": part.event, "number": payload["round"]}, values)


def _drawn(payload: Payload) -> dict[int, list[int]]:
    return {drawn["table"]: list(drawn["players"]) for drawn in payload["tables"]}


def _seats(connection: Connection, part: Part, number: int) -> dict[int, list[int]]:
    seats = table("seat").c
    query = select(seats.table_number, seats.player).where(seats.event == part.event, seats.round == number)
    found: dict[int, list[int]] = {}
    for row in connection.execute(query.order_by(seats.table_number, seats.seat)):
        found.setdefault(row.table_number, []).append(row.player)
    return found


def _seat(connection: Connection, part: Part, payload: Payload, tables: dict[int, list[int]]) -> None:
    rows = [
        {"event": part.event, "round": payload["round"], "table_number": at, "seat": seat, "player": player}
        for at, players in tables.items()
        for seat, player in enumerate(players)
    ]
    fill(connection, "seat", rows)


def _sit_out(connection: Connection, part: Part, payload: Payload) -> None:
    place = {"event": part.event, "round": payload["round"]}
    fill(connection, "sitting_out", [{**place, "player": player} for player in payload["out"]])
