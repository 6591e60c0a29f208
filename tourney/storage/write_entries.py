"""Write entries of the journal, with their index rows in the same transaction; undo and redo them."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, insert, select, update

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.storage import person_names
from tourney.storage.journal import fold
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import (
    PROGRAM,
    Entry,
    Payload,
    chain_hash,
    entry_text,
    new_id,
    utc_now,
)
from tourney.storage.journal.kinds import Change, OfEvent
from tourney.storage.journal.partitions import Partition
from tourney.storage.tables import table
from tourney.storage.write_outside import OutsideStore
from tourney.text.i18n import _


class EntryStore(OutsideStore):
    """Writes entries of any kind in one open transaction, and undoes them."""

    def __init__(self, connection: Connection, db: str | None = None, dry_run: bool = False, by: str = "") -> None:
        super().__init__(connection)
        self.db = db
        self.by = by or PROGRAM
        self.dry_run = dry_run
        self._after_commit: list[Callable[[], None]] = []
        self._batch = ""

    @property
    def wrote(self) -> bool:
        """Return whether entries were written."""
        return bool(self._batch)

    def after_commit(self, follow: Callable[[], None]) -> None:
        """Call `follow` once the transaction is committed; never for a dry run."""
        self._after_commit.append(follow)

    def committed(self) -> None:
        """Call the functions given to `after_commit`."""
        for follow in self._after_commit:
            follow()

    def write(self, change: Change, entry_id: str = "") -> bool:
        """Write a change and its index rows; return False if the same entry was written before under that id.

        Raises TourneyError CONFLICT if that id belongs to another entry.
        """
        return self._append(change.kind_name, change.payload, entry_id)

    def changed(self, change: OfEvent) -> Event:
        """Write a change in an event; return the event after it."""
        self.write(change)
        return self.event(change.payload["event"])

    def add(self, change: Change, entry_id: str = "") -> int:
        """Write the making of something; return its number. A retry returns the number that it got before."""
        if entry_id and (before := self.entry(entry_id)) is not None:
            number = int(before.payload.get(change.makes, 0))
        else:
            number = self.next(change.makes, change.counted_in(change.payload))
        self._append(change.kind_name, {**change.payload, change.makes: number}, entry_id)
        return number

    def _append(self, kind: str, payload: Payload, entry_id: str = "") -> bool:
        entry_id = entry_id or new_id()
        if (before := self.entry(entry_id)) is not None:
            _refuse_other_entry(before, kind, payload)
            return False
        self._batch = self._batch or entry_id
        self._write(Entry(entry_id, kind, utc_now(), self._batch, payload, self.by))
        return True

    def undo(self, number: int | None = None) -> tuple[Entry, ...]:
        """Undo the newest command that stands, or the one with the entry of that number; return its entries.

        No later entry may rest on it (`resting_on`). Raises TourneyError REFUSED if there is none, and as `undo_of`.
        """
        entries = (self.next_undo() if number is None else self.undo_of(number)).entries
        if not entries:
            hint = _("see what was done with `tourney log`")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to undo"), hint)
        self._append("undo", {"batch": entries[0].batch})
        return entries

    def redo(self) -> tuple[Entry, ...]:
        """Put back what was undone last; return its entries. Raises TourneyError REFUSED after a new change."""
        entries = self.next_redo().entries
        if not entries:
            hint = _("only what was undone last can be put back, with nothing new done since")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to redo"), hint)
        self._append("redo", {"batch": entries[0].batch})
        return entries

    def write_checksums(self) -> None:
        """Write the checksums and the names for look-ups that are due; needed once, before the transaction ends."""
        if Partition("players") in self._changed:
            person_names.refresh(self._connection)
        super().write_checksums()

    def _write(self, entry: Entry) -> None:
        text = entry_text(entry)
        number, hash_before = self.head()
        number += 1
        row = {"number": number, "id": entry.id, "kind": entry.kind, "time": entry.time, "text": text}
        head = chain_hash(hash_before, text)
        self._connection.execute(insert(table("act")), [{**row, "hash": head}])
        self._set_head(number, head)
        self._written(fold.apply_entry(self._connection, number, entry))

    def next(self, counted: str, event: int = 0) -> int:
        """Return the number of the next thing of a sort, or of the next one in an event."""
        counters = table("counter").c
        row = self._first(select(counters.last).where(counters.kind == counted, counters.event == event))
        return 1 if row is None else int(row.last) + 1

    def _set_head(self, number: int, head: str) -> None:
        heads = table("head")
        if number == 1:
            self._connection.execute(insert(heads), [{"one": 1, "acts": 1, "hash": head}])
        else:
            self._connection.execute(update(heads).values(acts=number, hash=head))


def _refuse_other_entry(before: Entry, kind: str, payload: Payload) -> None:
    if before.kind != kind or canonical_json(before.payload) != canonical_json(payload):
        message = _("the id {id} belongs to another entry already ({kind})").format(id=before.id, kind=before.kind)
        raise TourneyError(ExitCode.CONFLICT, message, _("send it under a new id"))
