"""Acts about an event: its settings, and who plays in it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from tourney.storage.journal.entries import Payload, canonical
from tourney.storage.journal.partitions import Part, clear
from tourney.storage.projections.rows import change, fill
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
"""What an event has whose act is older than these settings."""


def new(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """An event without entrants."""
    fields = {key: value for key, value in payload.items() if key != "event"}
    row = {"id": part.event, "folded": fold(payload["name"]), "state": "open", "act": number}
    fill(connection, "event", [{**_BEFORE, **row, **fields}])


def settings(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """Some settings are others now."""
    changes = dict(payload["changes"])
    if "name" in changes:
        changes["folded"] = fold(changes["name"])
    change(connection, "event", {"id": part.event}, {**changes, "act": number})


def wish(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """The seating is to heed other wishes."""
    change(connection, "event", {"id": part.event}, {"wishes": canonical(payload["wishes"]), "act": number})


def finish(connection: Connection, part: Part, number: int, _payload: Payload) -> None:
    """Nothing is to be changed in it any more."""
    change(connection, "event", {"id": part.event}, {"state": "finished", "act": number})


def reopen(connection: Connection, part: Part, number: int, _payload: Payload) -> None:
    """It goes on."""
    change(connection, "event", {"id": part.event}, {"state": "open", "act": number})


def use(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """The event that commands mean when none is named."""
    clear(connection, part)
    fill(connection, "current_event", [{"one": 1, "event": payload["event"], "act": number}])


def enter(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """Players behind those who have entered before."""
    first = payload["first"]
    rows = [
        {"event": part.event, "number": first + index, "player": player, "state": "entered", "act": number}
        for index, player in enumerate(payload["players"])
    ]
    fill(connection, "entrant", rows)


def check_in(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """They are here."""
    _state(connection, part, number, payload, "checked in")


def withdraw(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """They play no more, or have not come."""
    _state(connection, part, number, payload, payload["how"])


def bring_back(connection: Connection, part: Part, number: int, payload: Payload) -> None:
    """They play again."""
    _state(connection, part, number, payload, payload["state"])


def _state(connection: Connection, part: Part, number: int, payload: Payload, state: str) -> None:
    for player in payload["players"]:
        place = {"event": part.event, "player": player}
        change(connection, "entrant", place, {"state": state, "act": number})
