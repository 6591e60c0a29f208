"""Work out which entries stand: undo takes back a command, redo the one undone last, until a new one is entered.

A batch is all entries of one command. Erasing a person always stands: undo passes over it. This module replays the
whole journal from the beginning, for a check or an upgrade; `fold` does the same entry by entry.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tourney.storage.journal.checksums import damaged, write_checksums
from tourney.storage.journal.entries import Entry
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition, unwritten
from tourney.storage.sqlite import run_for_all
from tourney.storage.table_rows import insert_rows
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import EntryState

REVERSALS: Mapping[str, EntryState] = {"undo": "takes back", "redo": "puts back"}
"""The kinds of entries that undo or redo others, and the state that such an entry has."""
IMPOSSIBLE = (DBAPIError, sqlite3.Error, AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""The errors of replaying an entry that no command can have written."""


_ROWS = 5000
"""The rows that a replay collects before it writes them."""


@dataclass(slots=True)
class EntryHistory:
    """The state of each entry so far, by index from 0; `undone` is a stack of batches, the one undone last on top."""

    states: list[EntryState] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    _batch: str = ""
    _batches: dict[str, list[int]] = field(default_factory=dict)
    _standing: set[str] = field(default_factory=set)

    def add(self, entry: Entry) -> None:
        """Add the next entry.

        Raises ValueError for an entry of a batch that is over, for one that undoes a batch that does not stand, and for
        one that puts another batch back than the one undone last.
        """
        if entry.batch not in {entry.id, self._batch}:
            raise ValueError("its batch is over")
        self._batch = entry.batch
        if entry.origin is not None and entry.is_past:
            self.undone.clear()
            self.states.append(entry.origin.state)
            return
        if entry.kind not in REVERSALS:
            self._add_change(entry)
            return
        batch = entry.payload["batch"]
        if entry.kind == "undo":
            if batch not in self._standing:
                raise ValueError("that batch does not stand")
            self._standing.remove(batch)
            self.undone.append(batch)
        else:
            if not self.undone or self.undone[-1] != batch:
                raise ValueError("it is not that batch's turn")
            self._standing.add(self.undone.pop())
        for number in self._batches[batch]:
            self.states[number] = "undone" if entry.kind == "undo" else "stands"
        self.states.append(REVERSALS[entry.kind])

    def _add_change(self, entry: Entry) -> None:
        self.undone.clear()
        if not kind_of(entry).permanent:
            numbers = self._batches.setdefault(entry.batch, [])
            if not numbers:
                self._standing.add(entry.batch)
            numbers.append(len(self.states))
        self.states.append("stands")


def states(entries: Sequence[Entry]) -> list[EntryState]:
    """Return the state of each entry of the whole journal. Raises TourneyError STORAGE for an impossible journal."""
    history = EntryHistory()
    try:
        for entry in entries:
            history.add(entry)
    except IMPOSSIBLE as error:
        raise damaged(_("the journal is impossible: {error}").format(error=error)) from error
    return history.states


def replay_all(connection: Connection, entries: Iterable[Entry]) -> Iterator[str]:
    """Fill the empty index from all entries, with its checksums; yield a line for each entry that is impossible.

    `entries` are iterated over twice, and none is kept.
    """
    history, notes = EntryHistory(), _Notes(connection)
    for number, entry in enumerate(entries, 1):
        try:
            notes.add(number, entry)
            history.add(entry)
        except IMPOSSIBLE:
            yield _impossible(number, entry)
            break
    notes.write(history)
    for number, (entry, state) in enumerate(zip(entries, history.states, strict=False), 1):
        if state == "stands":
            try:
                kind_of(entry).project(connection, number, entry.payload)
            except IMPOSSIBLE:
                yield _impossible(number, entry)
    write_checksums(connection, sorted({*notes.partitions, *unwritten(connection)}))


@dataclass(slots=True)
class _Notes:
    """Rows of the index that no undo changes: partitions written, numbers assigned, the command of each entry."""

    connection: Connection
    partitions: set[Partition] = field(default_factory=set)
    _traces: list[dict[str, Any]] = field(default_factory=list)
    _last: dict[tuple[str, int], int] = field(default_factory=dict)
    _first: dict[str, int] = field(default_factory=dict)
    _batches: list[int] = field(default_factory=list)

    def add(self, number: int, entry: Entry) -> None:
        if entry.kind not in REVERSALS:
            kind = kind_of(entry)
            self.partitions.update(kind.partitions(entry.payload))
            self._last |= kind.numbers(entry.payload)
        self._traces += traces(number, entry)
        self._batches.append(self._first.setdefault(entry.batch, number))
        if len(self._traces) >= _ROWS:
            self._write_traces()

    def write(self, history: EntryHistory) -> None:
        self._write_traces()
        rows = [{"kind": counted, "event": event, "last": last} for (counted, event), last in self._last.items()]
        insert_rows(self.connection, "counter", rows)
        steps = zip(count(1), self._batches, history.states, strict=False)
        run_for_all(self.connection, "INSERT INTO step (act, batch, state) VALUES (?, ?, ?)", steps)
        undone = [{"place": place, "batch": self._first[batch]} for place, batch in enumerate(history.undone, 1)]
        insert_rows(self.connection, "undone", undone)

    def _write_traces(self) -> None:
        insert_rows(self.connection, "trace", self._traces)
        self._traces.clear()


def _impossible(number: int, entry: Entry) -> str:
    return _("journal: entry {number} ({kind}) cannot follow those before it").format(number=number, kind=entry.kind)


def traces(number: int, entry: Entry) -> list[dict[str, Any]]:
    """Return the rows that say which partitions the entry writes, were it to stand.

    Undo and redo write none of their own. Those that came with an event are listed under its settings.
    """
    if entry.kind in REVERSALS:
        return [] if entry.origin is None else [{**Partition("settings", entry.payload["event"]).row(), "act": number}]
    return [{**partition.row(), "act": number} for partition in kind_of(entry).partitions(entry.payload)]
