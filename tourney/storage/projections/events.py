"""Entries about an event: its settings, and who plays in it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare, numbered
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.table_rows import insert_rows, update_rows
from tourney.text.names import fold

_BEFORE: Mapping[str, Any] = {
    "checkin": "not asked",
    "minutes": None,
    "unfinished": "count hands",
    "unfinished_points": 0,
    "stake": 0,
    "tables": None,
    "rules_text": "",
    "wishes": "[]",
}
"""Values of settings that are newer than an event's entry."""


def _new(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Create an event without entrants."""
    fields = {key: value for key, value in payload.items() if key != "event"}
    row = {"id": partition.event, "folded": fold(payload["name"]), "state": "open", "act": number}
    insert_rows(connection, "event", [{**_BEFORE, **row, **fields}])


def _set(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Change some settings."""
    changes = dict(payload["changes"])
    if "name" in changes:
        changes["folded"] = fold(changes["name"])
    update_rows(connection, "event", {"id": partition.event}, {**changes, "act": number})


def _constrain(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Replace the constraints on the seating."""
    update_rows(
        connection, "event", {"id": partition.event}, {"wishes": canonical_json(payload["wishes"]), "act": number}
    )


def _finish(connection: Connection, partition: Partition, number: int, _payload: Payload) -> None:
    """Close the event."""
    update_rows(connection, "event", {"id": partition.event}, {"state": "finished", "act": number})


def _reopen(connection: Connection, partition: Partition, number: int, _payload: Payload) -> None:
    """Open the event again."""
    update_rows(connection, "event", {"id": partition.event}, {"state": "open", "act": number})


def _use(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Set the current event."""
    clear(connection, partition)
    insert_rows(connection, "current_event", [{"one": 1, "event": payload["event"], "act": number}])


def _enter(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add players behind those entered before."""
    first = payload["first"]
    rows = [
        {"event": partition.event, "number": first + index, "player": player, "state": "entered", "act": number}
        for index, player in enumerate(payload["players"])
    ]
    insert_rows(connection, "entrant", rows)


def _check_in(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Mark players as checked in."""
    _state(connection, partition, number, payload, "checked in")


def _withdraw(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Mark players as withdrawn, or as not having come."""
    _state(connection, partition, number, payload, payload["how"])


def _bring_back(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Let players play again."""
    _state(connection, partition, number, payload, payload["state"])


def _state(connection: Connection, partition: Partition, number: int, payload: Payload, state: str) -> None:
    for player in payload["players"]:
        place = {"event": partition.event, "player": player}
        update_rows(connection, "entrant", place, {"state": state, "act": number})


EVENT_NEW = declare("event.new", {"settings": _new}, numbered("event"))
EVENT_SET = declare("event.set", {"settings": _set})
EVENT_CONSTRAIN = declare("event.wish", {"settings": _constrain})
EVENT_FINISH = declare("event.finish", {"settings": _finish})
EVENT_REOPEN = declare("event.reopen", {"settings": _reopen})
EVENT_USE = declare("event.use", {"current": _use})
EVENT_ENTER = declare("event.enter", {"entrants": _enter})
EVENT_CHECKIN = declare("event.checkin", {"entrants": _check_in})
EVENT_WITHDRAW = declare("event.withdraw", {"entrants": _withdraw})
EVENT_RETURN = declare("event.return", {"entrants": _bring_back})

ATTENDANCE = (EVENT_ENTER, EVENT_CHECKIN, EVENT_WITHDRAW, EVENT_RETURN)
"""Entries that say who is there."""
