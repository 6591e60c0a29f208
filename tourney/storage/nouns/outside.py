"""Read and write rows outside the journal that have checksums: keys to pages, and sheets from phones."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select, update

from tourney.storage.journal.entries import utc_now
from tourney.storage.journal.partitions import Partition
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.nouns.writing import Writing
from tourney.storage.rows import KeptAccess, KeptSubmission
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import table

_ACCESS = Partition("access")


class OutsideReader:
    """Queries of keys to pages and of sheets from phones."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def access(self) -> tuple[KeptAccess, ...]:
        """Return the keys to pages of desks and tables, those that have ended too."""
        return tuple(KeptAccess(*row) for row in self._transaction.rows("access")["access"])

    def submissions(self, event: int) -> tuple[KeptSubmission, ...]:
        """Return the sheets that phones have typed in an event, in the order of their times."""
        rows = (KeptSubmission(*row) for row in self._transaction.rows("submissions", event)["submission"])
        return tuple(sorted(rows, key=lambda row: (row.time, row.id)))

    def submission(self, submission_id: str) -> KeptSubmission | None:
        """Return the sheet from a phone with that id, of whatever event; None if there is none."""
        rows = table("submission").c
        row = self._transaction.first(select(rows.event).where(rows.id == submission_id))
        found = () if row is None else self.submissions(row.event)
        return next((each for each in found if each.id == submission_id), None)


class OutsideStore(OutsideReader):
    """Writes rows outside the journal. What it changes is in no entry, and not undone."""

    _transaction: Writing

    def keep_access(self, rows: Sequence[KeptAccess]) -> None:
        """Keep what new keys open."""
        insert_rows(self._transaction.connection, "access", [row._asdict() for row in rows])
        self._transaction.written([_ACCESS])

    def end_access(self, hashes: Collection[str]) -> None:
        """End keys from now on."""
        rows = table("access")
        ending = update(rows).where(rows.c.hash.in_(sorted(hashes)), rows.c.ended.is_(None))
        self._transaction.connection.execute(ending.values(ended=utc_now()))
        self._transaction.written([_ACCESS])

    def forget_access(self, hashes: Collection[str]) -> None:
        """Delete keys that open nothing any more."""
        rows = table("access")
        self._transaction.connection.execute(delete(rows).where(rows.c.hash.in_(sorted(hashes))))
        self._transaction.written([_ACCESS])

    def keep_submission(self, row: KeptSubmission) -> None:
        """Keep a table's sheet as one phone typed it, in place of an earlier state of it."""
        delete_rows(self._transaction.connection, "submission", id=row.id)
        insert_rows(self._transaction.connection, "submission", [row._asdict()])
        self._transaction.written([Partition("submissions", row.event)])

    def forget_submission(self, row: KeptSubmission) -> None:
        """Delete a sheet that a phone has typed."""
        delete_rows(self._transaction.connection, "submission", id=row.id)
        self._transaction.written([Partition("submissions", row.event)])
