"""Work out which entries stand: undo takes back a command, redo the one undone last, until a new one is entered.

A batch is all entries of one command. Erasing a person always stands: undo passes over it. This module replays the
whole journal from the beginning, for a check or an upgrade; `fold` does the same entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tourney.storage.journal.checksums import damaged, write_checksums
from tourney.storage.journal.entries import Entry
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition, unwritten
from tourney.storage.table_rows import insert_rows
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import EntryState

REVERSALS: Mapping[str, EntryState] = {"undo": "takes back", "redo": "puts back"}
"""The kinds of entries that undo or redo others, and the state that such an entry has."""
IMPOSSIBLE = (DBAPIError, AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""The errors of replaying an entry that no command can have written."""


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


def replay_all(connection: Connection, entries: Sequence[Entry]) -> Iterator[str]:
    """Fill the empty index from all entries, with its checksums; yield a line for each entry that is impossible."""
    history, notes = EntryHistory(), _Notes()
    for number, entry in enumerate(entries, 1):
        try:
            notes.add(number, entry)
            history.add(entry)
        except IMPOSSIBLE:
            yield _impossible(number, entry)
            break
    entries_and_states = list(zip(entries, history.states, strict=False))
    _write_steps(connection, entries_and_states, history)
    notes.write(connection)
    for number, (entry, state) in enumerate(entries_and_states, 1):
        if state == "stands":
            try:
                kind_of(entry).project(connection, number, entry.payload)
            except IMPOSSIBLE:
                yield _impossible(number, entry)
    write_checksums(connection, sorted({*notes.partitions, *unwritten(connection)}))


@dataclass(slots=True)
class _Notes:
    """The partitions that entries write and the numbers that they assign, whether they stand or not."""

    partitions: set[Partition] = field(default_factory=set)
    _traces: list[dict[str, Any]] = field(default_factory=list)
    _last: dict[tuple[str, int], int] = field(default_factory=dict)

    def add(self, number: int, entry: Entry) -> None:
        if entry.kind not in REVERSALS:
            kind = kind_of(entry)
            self.partitions.update(kind.partitions(entry.payload))
            self._last |= kind.numbers(entry.payload)
        self._traces += traces(number, entry)

    def write(self, connection: Connection) -> None:
        insert_rows(connection, "trace", self._traces)
        rows = [{"kind": counted, "event": event, "last": last} for (counted, event), last in self._last.items()]
        insert_rows(connection, "counter", rows)


def _impossible(number: int, entry: Entry) -> str:
    return _("journal: entry {number} ({kind}) cannot follow those before it").format(number=number, kind=entry.kind)


def _write_steps(
    connection: Connection, entries_and_states: Sequence[tuple[Entry, EntryState]], history: EntryHistory
) -> None:
    first = {entry.id: number for number, (entry, _state) in enumerate(entries_and_states, 1)}
    steps = [
        {"act": number, "batch": first[entry.batch], "state": state}
        for number, (entry, state) in enumerate(entries_and_states, 1)
    ]
    insert_rows(connection, "step", steps)
    undone = [{"place": place, "batch": first[batch]} for place, batch in enumerate(history.undone, 1)]
    insert_rows(connection, "undone", undone)


def traces(number: int, entry: Entry) -> list[dict[str, Any]]:
    """Return the rows that say which partitions the entry writes, were it to stand.

    Undo and redo write none of their own. Those that came with an event are listed under its settings.
    """
    if entry.kind in REVERSALS:
        return [] if entry.origin is None else [{**Partition("settings", entry.payload["event"]).row(), "act": number}]
    return [{**partition.row(), "act": number} for partition in kind_of(entry).partitions(entry.payload)]
