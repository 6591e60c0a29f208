"""The parts of the index: what is folded alone when an act is taken back, and what is sealed alone."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, delete

from tourney.storage.journal.entries import Payload
from tourney.storage.schema import table


class Part(NamedTuple):
    """Rows of some tables: all of them, those of an event, or those of a round of it (0: not divided by it)."""

    name: str
    event: int = 0
    round: int = 0

    def row(self) -> dict[str, Any]:
        """The part as columns."""
        return {"part": self.name, "event": self.event, "round": self.round}


TABLES: dict[str, tuple[str, ...]] = {
    "players": ("player",),
    "current": ("current_event",),
    "pools": ("pool", "pool_import"),
    "settings": ("event",),
    "entrants": ("entrant",),
    "rounds": ("round", "seat", "sitting_out"),
    "results": ("result", "score"),
    "hands": ("hand", "hand_score"),
    "rulings": ("ruling",),
    "drafts": ("draft",),
    "leagues": ("league",),
}
"""The tables of each part, those first that others refer to. No act writes drafts; they are sealed all the same."""

UNDIVIDED = frozenset({"players", "current", "pools", "leagues"})
BY_ROUND = frozenset({"results", "hands"})


def parts_of(names: tuple[str, ...], payload: Payload) -> tuple[Part, ...]:
    """The parts of those names that an act of this payload writes; what merges two entries names many events."""
    events = payload["events"] if "events" in payload else [payload.get("event", 0)]
    alone = [Part(name) for name in names if name in UNDIVIDED]
    divided = [_part(name, event, payload) for event in events for name in names if name not in UNDIVIDED]
    return (*alone, *divided)


def _part(name: str, event: int, payload: Payload) -> Part:
    return Part(name, event, payload["round"] if name in BY_ROUND else 0)


def within(rows: Table, part: Part) -> list[ColumnElement[bool]]:
    """The conditions that a table's rows are of the part."""
    columns: dict[str, Any] = dict(rows.c)
    found = []
    if part.event:
        found.append((columns["id"] if rows.name == "event" else columns["event"]) == part.event)
    if part.round:
        found.append(columns["round"] == part.round)
    return found


def clear(connection: Connection, part: Part) -> None:
    """Delete the part's rows."""
    for name in reversed(TABLES[part.name]):
        rows = table(name)
        connection.execute(delete(rows).where(*within(rows, part)))
