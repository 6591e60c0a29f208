"""What each kind of act does to the index tables: one function a kind, used by writing and by checking alike.

A projection sees its act's number and payload and nothing else: no clock, no file, no other act's text.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, update

from tourney.names import fold
from tourney.storage.journal import Payload
from tourney.storage.schema import table

Projection = Callable[[Connection, int, Payload], None]


def project(connection: Connection, kind: str, number: int, payload: Payload) -> None:
    """Write what the act says into the index tables. Raises KeyError for a kind of act not known here."""
    PROJECTIONS[kind](connection, number, payload)


def _fill(connection: Connection, name: str, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table(name)), rows)


def _player_add(connection: Connection, number: int, payload: Payload) -> None:
    rows = [
        {"id": player["id"], "kind": player["kind"], "bot": player.get("bot"), "act": number}
        for player in payload["players"]
    ]
    _fill(connection, "player", rows)


def _event_new(connection: Connection, number: int, payload: Payload) -> None:
    fields = {key: value for key, value in payload.items() if key != "event"}
    row = {"id": payload["event"], "folded": fold(payload["name"]), "act": number, **fields}
    _fill(connection, "event", [row])


def _event_use(connection: Connection, number: int, payload: Payload) -> None:
    connection.execute(delete(table("current_event")))
    _fill(connection, "current_event", [{"one": 1, "event": payload["event"], "act": number}])


def _event_enter(connection: Connection, number: int, payload: Payload) -> None:
    first = payload["first"]
    rows = [
        {"event": payload["event"], "number": first + index, "player": player, "act": number}
        for index, player in enumerate(payload["players"])
    ]
    _fill(connection, "entrant", rows)


def _round_draw(connection: Connection, number: int, payload: Payload) -> None:
    place = {"event": payload["event"], "round": payload["round"]}
    _fill(connection, "round", [{"event": payload["event"], "number": payload["round"], "act": number}])
    seats = [
        {**place, "table_number": drawn["table"], "seat": seat, "player": player}
        for drawn in payload["tables"]
        for seat, player in enumerate(drawn["players"])
    ]
    _fill(connection, "seat", seats)
    _fill(connection, "sitting_out", [{**place, "player": player} for player in payload["out"]])


def _place(payload: Payload) -> dict[str, int]:
    return {"event": payload["event"], "round": payload["round"], "table_number": payload["table"]}


def _result_enter(connection: Connection, number: int, payload: Payload) -> None:
    # A sheet may follow a result that was made void, and takes its place.
    _clear(connection, payload)
    place = _place(payload)
    fields = {"reason": payload.get("reason", ""), "record": payload.get("record"), "act": number}
    _fill(connection, "result", [{**place, "state": "counts", **fields}])
    _fill(connection, "score", _scores(place, payload))
    for index, hand in enumerate(payload["hands"]):
        spot = {**place, "hand": index}
        fields = {"contract": hand["contract"], "closer": hand["closer"], "at_once": int(hand["at_once"])}
        _fill(connection, "hand", [{**spot, **fields}])
        points = [{**spot, "seat": seat, "points": score} for seat, score in enumerate(hand["points"])]
        _fill(connection, "hand_score", points)


def _scores(place: dict[str, int], payload: Payload) -> list[dict[str, Any]]:
    columns = zip(payload["points"], payload["hands_won"], payload["places"], strict=True)
    return [
        {**place, "seat": seat, "points": points, "hands_won": won, "place": rank}
        for seat, (points, won, rank) in enumerate(columns)
    ]


def _result_void(connection: Connection, number: int, payload: Payload) -> None:
    _clear_scores(connection, payload)
    result = table("result")
    place = _place(payload)
    which = [result.c[column] == value for column, value in place.items()]
    void = {"state": "void", "reason": payload["reason"], "record": None, "act": number}
    connection.execute(update(result).where(*which).values(void))


def _clear(connection: Connection, payload: Payload) -> None:
    _clear_scores(connection, payload)
    _delete(connection, "result", payload)


def _clear_scores(connection: Connection, payload: Payload) -> None:
    for name in ("hand_score", "hand", "score"):
        _delete(connection, name, payload)


def _delete(connection: Connection, name: str, payload: Payload) -> None:
    rows = table(name)
    connection.execute(delete(rows).where(*(rows.c[column] == value for column, value in _place(payload).items())))


def _pool_new(connection: Connection, number: int, payload: Payload) -> None:
    row = {"id": payload["pool"], "name": payload["name"], "folded": fold(payload["name"]), "act": number}
    _fill(connection, "pool", [{**row, "kind": payload["kind"], **payload["parameters"]}])


def _rating_import(connection: Connection, number: int, payload: Payload) -> None:
    row = {"id": payload["import"], "pool": payload["pool"], "games": payload["games"], "act": number}
    _fill(connection, "pool_import", [{**row, "rows": payload["rows"], "digest": payload["digest"]}])


PROJECTIONS: dict[str, Projection] = {
    "player.add": _player_add,
    "event.new": _event_new,
    "event.use": _event_use,
    "event.enter": _event_enter,
    "round.draw": _round_draw,
    "result.enter": _result_enter,
    "result.correct": _result_enter,
    "result.void": _result_void,
    "pool.new": _pool_new,
    "rating.import": _rating_import,
}
