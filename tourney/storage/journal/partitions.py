"""Partitions of the index: each has a checksum, and is rebuilt by itself when an entry is undone."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, TableClause, delete, literal, select

from tourney.storage.journal.entries import Payload
from tourney.storage.tables import table


class Partition(NamedTuple):
    """Rows of some tables: all of them, those of an event, or those of its round (0: not divided by event or round)."""

    name: str
    event: int = 0
    round: int = 0

    def row(self) -> dict[str, Any]:
        """Return the partition as columns."""
        return {"part": self.name, "event": self.event, "round": self.round}


TABLES: dict[str, tuple[str, ...]] = {
    "players": ("player",),
    "current": ("current_event",),
    "pools": ("pool", "pool_import"),
    "club": (),
    "columns": (),
    "seasons": (),
    "editions": (),
    "settings": ("event",),
    "entrants": ("entrant",),
    "rounds": ("round", "seat", "sitting_out"),
    "results": ("result", "score"),
    "hands": ("hand", "hand_score"),
    "rulings": ("ruling",),
    "substitutes": (),
    "flags": ("flag",),
    "sheets": ("partial_sheet",),
    "drafts": ("draft",),
    "access": ("access",),
    "submissions": ("submission",),
    "leagues": ("league",),
}
"""The tables of each partition, those first that others refer to.

Editions, seasons, substitutes, the club and the names of columns have no table: they are read from their entries,
which never change.
"""

UNWRITTEN = ("drafts", "access", "submissions")
"""The partitions that no entry writes and that have checksums all the same: each is one table outside the journal.

Drafts are the partial sheets of versions before 0009.
"""

UNDIVIDED = frozenset({"players", "current", "club", "columns", "seasons", "pools", "editions", "leagues", "access"})
BY_ROUND = frozenset({"results", "hands", "sheets"})


def partitions_of(names: tuple[str, ...], payload: Payload) -> tuple[Partition, ...]:
    """Return the partitions of those names that an entry of this payload writes; some name many events or rounds."""
    events = payload["events"] if "events" in payload else [payload.get("event", 0)]
    rounds = payload["of_rounds"] if "of_rounds" in payload else [payload.get("round", 0)]
    undivided = [Partition(name) for name in names if name in UNDIVIDED]
    divided = [
        Partition(name, event, number)
        for event in events
        for name in names
        if name not in UNDIVIDED
        for number in (rounds if name in BY_ROUND else [0])
    ]
    return (*undivided, *divided)


def unwritten(connection: Connection) -> list[Partition]:
    """Return the partitions of the rows that no entry has written."""
    found = []
    for name in UNWRITTEN:
        rows = table(TABLES[name][0])
        event = literal(0) if name in UNDIVIDED else rows.c.event
        events = connection.execute(select(event).select_from(rows).distinct()).scalars()
        found += [Partition(name, number) for number in events]
    return found


def clear(connection: Connection, partition: Partition) -> None:
    """Delete the partition's rows."""
    for name in reversed(TABLES[partition.name]):
        rows = table(name)
        connection.execute(delete(rows).where(*_within(rows, partition)))


def _within(rows: TableClause, partition: Partition) -> list[ColumnElement[bool]]:
    """Return the conditions under which a table's rows belong to the partition."""
    columns: dict[str, Any] = dict(rows.c)
    conditions = []
    if partition.event:
        conditions.append((columns["id"] if rows.name == "event" else columns["event"]) == partition.event)
    if partition.round:
        conditions.append(columns["round"] == partition.round)
    return conditions
