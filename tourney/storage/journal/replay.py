"""The database as it was before some entries, in memory.

When an entry that stands was made, the entries before it that stood are those that stand now, except commands taken
back alone since, on which it did not rest. So replaying those that stand gives the database of that time in all that
determined the entry, with the names of today.
"""

from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import Connection, select

from tourney.storage import sqlite
from tourney.storage.journal.checksums import write_checksums
from tourney.storage.journal.entries import LoggedEntry
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.undo import REVERSALS, traces
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import create_tables, table


def databases_before(
    connection: Connection, entries: Sequence[LoggedEntry], selected: Callable[[LoggedEntry], bool]
) -> Iterator[tuple[LoggedEntry, Connection]]:
    """Yield each selected entry that stands, with the database as it was before it; valid until the next.

    `entries` are the whole journal of the database behind `connection`.
    """
    with sqlite.nameless("DEFERRED", keys="off") as memory:
        create_tables(memory)
        for name in ("act", "person"):
            insert_rows(memory, name, [dict(row) for row in connection.execute(select(table(name))).mappings()])
        past = _PastDatabase(memory, entries)
        for entry in entries:
            if entry.state == "stands" and not kind_of(entry).permanent:
                if selected(entry):
                    past.write_checksums()
                    yield entry, memory
                past.apply(entry)


class _PastDatabase:
    """A database in memory to which the entries that stand are applied one by one."""

    def __init__(self, memory: Connection, entries: Sequence[LoggedEntry]) -> None:
        self._memory = memory
        self._changed: set[Partition] = set()
        self._first: dict[str, int] = {}
        for entry in entries:
            self._first.setdefault(entry.batch, entry.number)
        self._permanent = [each for each in entries if each.kind not in REVERSALS and kind_of(each).permanent]
        self._permanent_partitions = {
            written for each in self._permanent for written in kind_of(each).partitions(each.payload)
        }

    def apply(self, entry: LoggedEntry) -> None:
        """Write what the entry does."""
        row = {"act": entry.number, "batch": self._first[entry.batch], "state": "stands"}
        insert_rows(self._memory, "step", [row])
        insert_rows(self._memory, "trace", traces(entry.number, entry))
        changed = kind_of(entry).project(self._memory, entry.number, entry.payload)
        self._changed.update(changed)
        # An erased name must appear nowhere, so permanent entries apply from the beginning.
        if not self._permanent_partitions.isdisjoint(changed):
            for each in self._permanent:
                kind_of(each).project(self._memory, each.number, each.payload)

    def write_checksums(self) -> None:
        """Write the checksums, without which the database cannot be read."""
        write_checksums(self._memory, sorted(self._changed))
        self._changed.clear()
