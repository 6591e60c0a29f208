"""Acts about a table's result, and an arbiter's rulings."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Part
from tourney.storage.projections.rows import change, fill, remove


def _place(payload: Payload) -> dict[str, int]:
    return {"event": payload["event"], "round": payload["round"], "table_number": payload["table"]}


def enter(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """The result with each seat's score; it may follow one that was made void, and takes its place."""
    place = _place(payload)
    for name in ("score", "result"):
        remove(connection, name, **place)
    fields = {"reason": payload.get("reason", ""), "short": payload.get("short", 0), "record": payload.get("record")}
    fill(connection, "result", [{**place, "state": "counts", **fields, "act": number}])
    fill(connection, "score", _scores(place, payload))


def enter_hands(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """The result hand by hand."""
    void_hands(connection, part, number, payload)
    place = _place(payload)
    hands, points = [], []
    for index, hand in enumerate(payload["hands"]):
        spot = {**place, "hand": index}
        fields = {"contract": hand["contract"], "closer": hand["closer"], "at_once": int(hand["at_once"])}
        hands.append({**spot, **fields, "ending": hand.get("ending", "")})
        off = hand.get("off", [None] * len(hand["points"]))
        columns = enumerate(zip(hand["points"], off, strict=True))
        points += [{**spot, "seat": seat, "points": score, "off": bought} for seat, (score, bought) in columns]
    fill(connection, "hand", hands)
    fill(connection, "hand_score", points)


def _scores(place: Mapping[str, int], payload: Payload) -> list[dict[str, Any]]:
    nothing = [None] * len(payload["points"])
    extra, money = payload.get("extra", nothing), payload.get("money", nothing)
    columns = zip(payload["points"], payload["hands_won"], payload["places"], extra, money, strict=True)
    names = ("points", "hands_won", "place", "extra", "money")
    return [{**place, "seat": seat, **dict(zip(names, values, strict=True))} for seat, values in enumerate(columns)]


def void(connection: Connection, _part: Part, number: int, payload: Payload) -> None:
    """The result counts for nothing."""
    place = _place(payload)
    remove(connection, "score", **place)
    values = {"state": "void", "reason": payload["reason"], "short": 0, "record": None, "act": number}
    change(connection, "result", place, values)


def void_hands(connection: Connection, _part: Part, _number: int, payload: Payload) -> None:
    """Nor do its hands."""
    for name in ("hand_score", "hand"):
        remove(connection, name, **_place(payload))


def set_aside(_connection: Connection, _part: Part, _number: int, _payload: Payload) -> None:
    """Half a sheet counts no more; it had written nothing."""


def rule(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """An arbiter has decided."""
    fields = {name: payload[name] for name in ("kind", "text", "round", "player", "hand", "points")}
    row = {"event": part.event, "number": payload["ruling"], "table_number": payload["table"], "act": number}
    fill(connection, "ruling", [{**row, **fields, "state": "stands", "why_cancelled": ""}])


def cancel_ruling(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """The decision is taken back; it stays to be read."""
    values = {"state": "cancelled", "why_cancelled": payload["reason"], "act": number}
    change(connection, "ruling", {"event": part.event, "number": payload["ruling"]}, values)
