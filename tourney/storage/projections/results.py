"""Entries about a table's result, and an arbiter's rulings."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare
from tourney.storage.journal.partitions import Partition
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows


def _place(payload: Payload) -> dict[str, int]:
    return {"event": payload["event"], "round": payload["round"], "table_number": payload["table"]}


def _enter(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Write the result with each seat's score, in the place of one that was made void or is corrected."""
    place = _place(payload)
    for name in ("score", "result"):
        delete_rows(connection, name, **place)
    fields = {"reason": payload.get("reason", ""), "short": payload.get("short", 0), "record": payload.get("record")}
    insert_rows(connection, "result", [{**place, "state": "counts", **fields, "act": number}])
    insert_rows(connection, "score", _scores(place, payload))


def _enter_hands(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write the result hand by hand."""
    _void_hands(connection, partition, number, payload)
    place = _place(payload)
    hands, points = [], []
    for index, hand in enumerate(payload["hands"]):
        spot = {**place, "hand": index}
        fields = {"contract": hand["contract"], "closer": hand["closer"], "at_once": int(hand["at_once"])}
        hands.append({**spot, **fields, "ending": hand.get("ending", "")})
        off = hand.get("off", [None] * len(hand["points"]))
        columns = enumerate(zip(hand["points"], off, strict=True))
        points += [{**spot, "seat": seat, "points": score, "off": bought} for seat, (score, bought) in columns]
    insert_rows(connection, "hand", hands)
    insert_rows(connection, "hand_score", points)


def _scores(place: Mapping[str, int], payload: Payload) -> list[dict[str, Any]]:
    nothing = [None] * len(payload["points"])
    extra, money = payload.get("extra", nothing), payload.get("money", nothing)
    columns = zip(payload["points"], payload["hands_won"], payload["places"], extra, money, strict=True)
    names = ("points", "hands_won", "place", "extra", "money")
    return [{**place, "seat": seat, **dict(zip(names, values, strict=True))} for seat, values in enumerate(columns)]


def _void(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Void the result."""
    place = _place(payload)
    delete_rows(connection, "score", **place)
    values = {"state": "void", "reason": payload["reason"], "short": 0, "record": None, "act": number}
    update_rows(connection, "result", place, values)


def _void_hands(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the hands of a result."""
    for name in ("hand_score", "hand"):
        delete_rows(connection, name, **_place(payload))


def _discard_sheet(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: partial sheets stand outside the journal."""


def _add_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add an arbiter's decision."""
    fields = {name: payload[name] for name in ("kind", "text", "round", "player", "hand", "points")}
    row = {"event": partition.event, "number": payload["ruling"], "table_number": payload["table"], "act": number}
    insert_rows(connection, "ruling", [{**row, **fields, "state": "stands", "why_cancelled": ""}])


def _cancel_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Mark a decision as cancelled; it stays readable."""
    values = {"state": "cancelled", "why_cancelled": payload["reason"], "act": number}
    update_rows(connection, "ruling", {"event": partition.event, "number": payload["ruling"]}, values)


RESULT_ENTER = declare("result.enter", {"results": _enter, "hands": _enter_hands})
RESULT_CORRECT = declare("result.correct", {"results": _enter, "hands": _enter_hands})
RESULT_VOID = declare("result.void", {"results": _void, "hands": _void_hands})
SHEET_DISCARD = declare("result.drop", {"results": _discard_sheet})
RULING_ADD = declare(
    "ruling.add", {"rulings": _add_ruling}, lambda payload: {("ruling", payload["event"]): payload["ruling"]}
)
RULING_CANCEL = declare("ruling.cancel", {"rulings": _cancel_ruling})
