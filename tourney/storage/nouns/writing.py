"""Write entries of the journal, with their index rows in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, insert, select, update

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import person_names
from tourney.storage.journal import fold
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.checksums import Rows, write_checksums
from tourney.storage.journal.entries import Entry, Payload, chain_hash, entry_text, new_id, utc_now
from tourney.storage.journal.kinds import Change
from tourney.storage.journal.partitions import Partition
from tourney.storage.nouns.journal import JournalReader
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.rows import Spot
from tourney.storage.tables import table
from tourney.text.i18n import _


class Writing(Transaction):
    """An open transaction that may write. All its entries belong to one command, made by one author."""

    def __init__(self, connection: Connection, by: str) -> None:
        super().__init__(connection)
        self.by = by
        self.journal = JournalReader(self)
        self.batch = ""
        """The id of the first entry; empty as long as nothing is written."""
        self._changed: set[Partition] = set()

    def write(self, change: Change, entry_id: str = "") -> bool:
        """Write a change and its index rows; return False if the same entry was written before under that id.

        Raises TourneyError CONFLICT if that id belongs to another entry.
        """
        return self.append(change.kind_name, change.payload, entry_id)

    def add(self, change: Change, entry_id: str = "") -> int:
        """Write the making of something; return its number. A retry returns the number that it got before."""
        if entry_id and (before := self.journal.entry(entry_id)) is not None:
            number = int(before.payload.get(change.makes, 0))
        else:
            number = self.next(change.makes, change.counted_in(change.payload))
        self.append(change.kind_name, {**change.payload, change.makes: number}, entry_id)
        return number

    def append(self, kind: str, payload: Payload, entry_id: str = "") -> bool:
        """Write an entry of a kind, as `write` does."""
        entry_id = entry_id or new_id()
        if (before := self.journal.entry(entry_id)) is not None:
            _refuse_other_entry(before, kind, payload)
            return False
        self.batch = self.batch or entry_id
        self.write_entry(Entry(entry_id, kind, utc_now(), self.batch, payload, self.by))
        return True

    def next(self, counted: str, event: int = 0) -> int:
        """Return the number of the next thing of a sort, or of the next one in an event."""
        counters = table("counter").c
        row = self.first(select(counters.last).where(counters.kind == counted, counters.event == event))
        return 1 if row is None else int(row.last) + 1

    def write_entry(self, entry: Entry) -> None:
        """Write an entry as it is, with its index rows."""
        text = entry_text(entry)
        number, hash_before = self.journal.head()
        number += 1
        row = {"number": number, "id": entry.id, "kind": entry.kind, "time": entry.time, "text": text}
        head = chain_hash(hash_before, text)
        self.connection.execute(insert(table("act")), [{**row, "hash": head}])
        self.set_head(number, head)
        self.written(fold.apply_entry(self.connection, number, entry))

    def set_head(self, number: int, head: str) -> None:
        """Note which entry is the last, and its hash."""
        heads = table("head")
        if number == 1:
            self.connection.execute(insert(heads), [{"one": 1, "acts": 1, "hash": head}])
        else:
            self.connection.execute(update(heads).values(acts=number, hash=head))

    def write_checksums(self) -> None:
        """Write the checksums and the names for look-ups that are due; needed once, before the transaction ends."""
        if Partition("players") in self._changed:
            person_names.refresh(self.connection)
        write_checksums(self.connection, sorted(self._changed))
        self._changed.clear()

    def written(self, partitions: Iterable[Partition]) -> None:
        """Mark partitions whose checksums must be written before they are read again, or the transaction ends."""
        self._changed.update(partitions)
        self.forget()

    def verified(self, partition: Partition, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        """Return the rows of a partition as `Transaction` does, once every checksum that is due is written."""
        self.write_checksums()
        return super().verified(partition, spots)


def _refuse_other_entry(before: Entry, kind: str, payload: Payload) -> None:
    if before.kind != kind or canonical_json(before.payload) != canonical_json(payload):
        message = _("the id {id} belongs to another entry already ({kind})").format(id=before.id, kind=before.kind)
        raise TourneyError(ExitCode.CONFLICT, message, _("send it under a new id"))
