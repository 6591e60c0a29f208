"""One open transaction, from which each part reads: rows and entries that are as they were written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from tourney.storage import sqlite
from tourney.storage.journal.checksums import Rows, damaged, verified_rows
from tourney.storage.journal.entries import FIRST, Entry, Payload, chain_hash, parse_entry
from tourney.storage.journal.fold import writers
from tourney.storage.journal.kinds import Change
from tourney.storage.journal.partitions import Partition
from tourney.storage.rows import Spot
from tourney.storage.tables import table
from tourney.text.i18n import _

_ABOUT = "SELECT DISTINCT act FROM trace WHERE part = ? AND event = ? ORDER BY act"
_CHAINED = "SELECT number, text, hash FROM act WHERE number IN (?, ?)"


def parsed(text: str, number: int) -> Entry:
    """Return the entry of that number from its text. Raises TourneyError STORAGE if it cannot be read."""
    try:
        return parse_entry(text)
    except ValueError as error:
        raise damaged(_("entry {number} cannot be read: {error}").format(number=number, error=error)) from error


class Transaction:
    """One open transaction: its connection, and the rows that it has read and found as they were written.

    Without `drafts` rounds are those that everybody may see, and a stage that a draft begins has not begun.

    Each method raises TourneyError STORAGE if the rows that it reads are not as they were written.
    """

    def __init__(self, connection: Connection, *, drafts: bool = True) -> None:
        self.connection = connection
        self.drafts = drafts
        self._seen: dict[Partition, Mapping[str, Rows]] = {}

    def rows(self, name: str, event: int = 0, in_round: int = 0) -> Mapping[str, Rows]:
        """Return the rows of a partition by table, and remember them."""
        partition = Partition(name, event, in_round)
        if partition not in self._seen:
            self._seen[partition] = self.verified(partition)
        return self._seen[partition]

    def verified(self, partition: Partition, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        """Return the rows of a partition, or with `spots` only those of these tables, without remembering them."""
        return verified_rows(self.connection, partition, spots)

    def forget(self) -> None:
        """Free the rows that are remembered: objects that refer to each other keep them long after the transaction."""
        self._seen.clear()

    def writers(self, name: str, event: int = 0, in_round: int = 0) -> Sequence[Row[Any]]:
        """Return the entries (`act`, `text`) that stand and have written a partition, in order."""
        return writers(self.connection, Partition(name, event, in_round))

    def standing(self, name: str, event: int = 0, in_round: int = 0) -> Iterator[Entry]:
        """Yield the entries that stand and have written a partition, in order; the hash of each is checked."""
        for row in self.writers(name, event, in_round):
            yield self.entry(row.act)

    def made(self, kind: type[Change], name: str) -> Iterator[Payload]:
        """Yield the payloads of the entries of a kind that stand and have written a partition, in order."""
        return (entry.payload for entry in self.of_kinds((kind,), name))

    def of_kinds(self, kinds: Sequence[type[Change]], name: str) -> Iterator[Entry]:
        """Yield the entries of these kinds that stand and have written a partition, in order."""
        acts, traces = table("act"), table("trace")
        # Few entries write a partition of no event; a search of all entries by kind would read every text.
        changing = acts.join(traces, traces.c.act == acts.c.number)
        of_kinds = acts.c.kind.in_([kind.kind_name for kind in kinds]), traces.c.part == name, traces.c.event == 0
        numbers = set(self.connection.execute(select(acts.c.number).select_from(changing).where(*of_kinds)).scalars())
        for row in self.writers(name) if numbers else ():
            if row.act in numbers:
                yield self.entry(row.act)

    def entry(self, number: int) -> Entry:
        """Return the entry of that number."""
        return parsed(self.chained(number)[0], number)

    def about(self, part: str, event: int = 0) -> Iterator[Entry]:
        """Yield the entries about a part of an event (0: of none) in order, also those that were undone."""
        for (number,) in sqlite.rows(self.connection, _ABOUT, (part, event)):
            yield self.entry(number)

    def chained(self, number: int) -> tuple[str, str]:
        """Return text and hash of an entry. Raises TourneyError STORAGE if the chain of hashes is broken there."""
        rows = {row[0]: row[1:] for row in sqlite.rows(self.connection, _CHAINED, (number - 1, number))}
        before = rows[number - 1][1] if number - 1 in rows else FIRST
        text, digest = rows.get(number, ("", ""))
        if digest != chain_hash(before, text) or (number > 1 and before == FIRST):
            raise damaged(_("entry {number} is not as it was written").format(number=number))
        return text, digest

    def first(self, query: Select[Any]) -> Row[Any] | None:
        """Return the first row that a query finds; None without one."""
        return self.connection.execute(query).first()
