"""Entries about an event: its settings, and who plays in it."""

import json

from sqlalchemy import Connection, select

from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import declare, numbered
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.schema import table
from tourney.storage.table_rows import insert_rows, update_rows
from tourney.text.names import fold

_COLUMNS = ("name", "rules", "rules_digest", "rules_text")
"""The values of a new event that have columns of their own; the rest are its settings."""


def _new(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Create an event without entrants; entries of older versions lack newer settings and the rules' text."""
    given = {"rules_text": "", **payload}
    settings = {name: value for name, value in given.items() if name not in ("event", *_COLUMNS)}
    row = {name: given[name] for name in _COLUMNS} | {
        "folded": fold(given["name"]),
        "settings": canonical_json(settings),
    }
    insert_rows(connection, "event", [{**row, "id": partition.event, "state": "open", "wishes": "[]", "act": number}])


def _set(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Change some settings."""
    changes, events = dict(payload["changes"]), table("event").c
    names = {"name": changes["name"], "folded": fold(changes.pop("name"))} if "name" in changes else {}
    before = connection.execute(select(events.settings).where(events.id == partition.event)).scalar_one()
    values = {**names, "settings": canonical_json(json.loads(before) | changes), "act": number}
    update_rows(connection, "event", {"id": partition.event}, values)


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
