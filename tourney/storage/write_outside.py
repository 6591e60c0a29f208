"""Write rows outside the journal that have checksums: keys to pages, and sheets from phones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Connection, delete, update

from tourney.storage.journal.checksums import Rows, write_checksums
from tourney.storage.journal.entries import utc_now
from tourney.storage.journal.partitions import Partition
from tourney.storage.read.reader import Reader
from tourney.storage.rows import KeptAccess, KeptSubmission, Spot
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import table

_ACCESS = Partition("access")


class OutsideStore(Reader):
    """An open transaction that may write rows outside the journal. What it changes is in no entry, and not undone."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._changed: set[Partition] = set()

    def keep_access(self, rows: Sequence[KeptAccess]) -> None:
        """Keep what new keys open."""
        insert_rows(self._connection, "access", [row._asdict() for row in rows])
        self._written([_ACCESS])

    def end_access(self, hashes: Collection[str]) -> None:
        """End keys from now on."""
        rows = table("access")
        ending = update(rows).where(rows.c.hash.in_(sorted(hashes)), rows.c.ended.is_(None))
        self._connection.execute(ending.values(ended=utc_now()))
        self._written([_ACCESS])

    def forget_access(self, hashes: Collection[str]) -> None:
        """Delete keys that open nothing any more."""
        rows = table("access")
        self._connection.execute(delete(rows).where(rows.c.hash.in_(sorted(hashes))))
        self._written([_ACCESS])

    def keep_submission(self, row: KeptSubmission) -> None:
        """Keep a table's sheet as one phone typed it, in place of an earlier state of it."""
        delete_rows(self._connection, "submission", id=row.id)
        insert_rows(self._connection, "submission", [row._asdict()])
        self._written([Partition("submissions", row.event)])

    def forget_submission(self, row: KeptSubmission) -> None:
        """Delete a sheet that a phone has typed."""
        delete_rows(self._connection, "submission", id=row.id)
        self._written([Partition("submissions", row.event)])

    def write_checksums(self) -> None:
        """Write the checksums that are due; needed once, before the transaction ends."""
        write_checksums(self._connection, sorted(self._changed))
        self._changed.clear()

    def _written(self, partitions: Iterable[Partition]) -> None:
        """Mark partitions whose checksums must be written before they are read again, or the transaction ends."""
        self._changed.update(partitions)
        self._seen.clear()

    def _verified(self, partition: Partition, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        self.write_checksums()
        return super()._verified(partition, spots)
