"""Read the journal: entries, what they refer to, and what undo and redo would do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, select

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import sqlite
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.dependents import OrderedBy, resting_on
from tourney.storage.journal.entries import FIRST, Entry, LoggedEntry, chain_hash, parse_entry
from tourney.storage.journal.fold import Reversal, next_redo, next_undo, undo_of, writers
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.undo import REVERSALS, states
from tourney.storage.tables import table
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import EntryState

_REFERRED = "SELECT number, kind FROM act WHERE kind IN ('undo', 'redo', 'player.merge')"
"""The entries to which others refer without naming their event."""


def parsed(text: str, number: int) -> Entry:
    try:
        return parse_entry(text)
    except ValueError as error:
        raise damaged(_("entry {number} cannot be read: {error}").format(number=number, error=error)) from error


class JournalReader:
    """Queries of the journal in one open transaction.

    Each method raises TourneyError STORAGE if the entries that it reads are not as they were written.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self) -> tuple[int, str]:
        """Return how many entries the journal has, and the hash of the last one (`""` before the first)."""
        row = self._first(select(*table("head").c["acts", "hash"]))
        if row is None:
            return 0, FIRST
        if self._chained(row.acts)[1] != row.hash:
            raise damaged(_("the journal's last entry is not the one that was noted"))
        return row.acts, row.hash

    def hashes(self) -> Iterator[str]:
        """Yield the hash of each entry of the journal, in order, as it was written."""
        acts = table("act").c
        yield from self._connection.execute(select(acts.hash).order_by(acts.number)).scalars()

    def entry(self, entry_id: str) -> Entry | None:
        """Return the entry of that id; None if the journal has none."""
        acts = table("act")
        row = self._first(select(acts.c.number).where(acts.c.id == entry_id))
        return None if row is None else self._entry(row.number)

    def stands(self, entry_id: str) -> bool:
        """Return whether the journal has an entry of that id, and it was not undone."""
        acts, steps = table("act"), table("step")
        joined = acts.join(steps, acts.c.number == steps.c.act)
        row = self._first(select(steps.c.state).select_from(joined).where(acts.c.id == entry_id))
        return row is not None and row.state == "stands"

    def entries(self) -> Iterator[LoggedEntry]:
        """Yield the entries of the journal in order, each with its state; the chain of hashes is checked."""
        entries, before = [], FIRST
        columns = table("act").c["number", "text", "hash"]
        for expected, row in enumerate(self._connection.execute(select(*columns).order_by(columns[0])), 1):
            before = chain_hash(before, row.text)
            if (row.number, row.hash) != (expected, before):
                raise damaged(_("entry {number} is not as it was written").format(number=expected))
            entries.append(parsed(row.text, expected))
        if self.head() != (len(entries), before):
            raise damaged(_("the journal's last entry is not the one that was noted"))
        for number, (entry, state) in enumerate(zip(entries, states(entries), strict=True), 1):
            yield LoggedEntry.of(entry, number, state)

    def entries_about(self, numbers: Collection[int], events: Collection[int] = ()) -> tuple[LoggedEntry, ...]:
        """Return these entries and those of the events, with all others that their sentences refer to, in order.

        These are the other entries of the events that they name, those about pools and mergers of players, and what
        undid or redid any of them. So the time does not depend on other events.
        """
        kinds_of = {row[0]: row[1] for row in sqlite.rows(self._connection, _REFERRED)}
        batches: dict[int, set[int]] = defaultdict(set)
        for number, batch, _state in (steps := sqlite.rows(self._connection, "SELECT act, batch, state FROM step")):
            batches[batch].add(number)
        reversed_by = {number: self._reversed(number) for number, kind in kinds_of.items() if kind in REVERSALS}
        wanted = {other for number in numbers for other in batches[reversed_by.get(number, 0)] | {number}}
        traces = sqlite.rows(self._connection, "SELECT part, event, act FROM trace")
        named = {event or self._entry(act).payload.get("event", 0) for _part, event, act in traces if act in wanted}
        about = named.union(events) - {0}
        wanted |= {number for part, event, number in traces if event in about or part == "pools"}
        wanted |= {number for number, kind in kinds_of.items() if kind not in REVERSALS}
        for number, batch in reversed_by.items():
            if not wanted.isdisjoint(batches[batch]):
                wanted |= batches[batch] | {number}
        states_of = {number: state for number, _batch, state in steps}
        return tuple(self._logged(number, states_of[number]) for number in sorted(wanted))

    def numbers_of(self, entries: Iterable[Entry]) -> tuple[int, ...]:
        """Return the numbers of entries."""
        acts = table("act").c
        found = (self._first(select(acts.number).where(acts.id == entry.id)) for entry in entries)
        return tuple(int(row.number) for row in found if row is not None)

    def next_undo(self) -> Reversal:
        """Return what undo would take back now."""
        return next_undo(self._connection)

    def undo_of(self, number: int) -> Reversal:
        """Return what undo would take back with the entry of that number: its whole command.

        Raises TourneyError NOT_FOUND for a number that no entry has, REFUSED for an entry that is an undo or redo
        itself, is undone already, or cannot be undone.
        """
        steps = table("step")
        row = None if number > self.head()[0] else self._first(select(steps.c.state).where(steps.c.act == number))
        hint = _("see the numbers with `tourney log`")
        if row is None:
            raise TourneyError(ExitCode.NOT_FOUND, _("there is no change {number}").format(number=number), hint)
        refusals = {
            "undone": (_("change {number} is undone already"), hint),
            "takes back": (_("change {number} is an undo itself"), _("put back what was undone last: `tourney redo`")),
            "puts back": (_("change {number} only put another back"), _("give the number of that one: `tourney log`")),
        }
        if row.state in refusals:
            message, hint = refusals[row.state]
            raise TourneyError(ExitCode.REFUSED, message.format(number=number), hint)
        if kind_of(parsed(self._chained(number)[0], number)).permanent:
            message = _("change {number} erased a name, which cannot be undone").format(number=number)
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return undo_of(self._connection, number)

    def resting_on(self, entries: Sequence[Entry], ordered_by: OrderedBy) -> tuple[LoggedEntry, ...]:
        """Return the later entries that rest on these of a command; `ordered_by` says what a format's draws rest on."""
        return resting_on(self._connection, entries, ordered_by)

    def next_redo(self) -> Reversal:
        """Return what redo would put back now."""
        return next_redo(self._connection)

    def _reversed(self, number: int) -> int:
        """Return the number of the first entry that an entry of undo or redo reversed."""
        acts = table("act").c
        row = self._first(select(acts.number).where(acts.id == self._entry(number).payload["batch"]))
        return 0 if row is None else int(row.number)

    def _logged(self, number: int, state: EntryState) -> LoggedEntry:
        return LoggedEntry.of(self._entry(number), number, state)

    def _writers(self, name: str, event: int, in_round: int = 0) -> Iterator[Entry]:
        """Yield the entries that stand and have written a partition, in order; the hash of each is checked."""
        for row in writers(self._connection, Partition(name, event, in_round)):
            yield self._entry(row.act)

    def _day(self, number: int) -> str:
        """Return the day (UTC) on which the entry was made."""
        return self._entry(number).time[:10]

    def _entry(self, number: int) -> Entry:
        """Return the entry of that number."""
        return parsed(self._chained(number)[0], number)

    def _chained(self, number: int) -> tuple[str, str]:
        """Return text and hash of an entry. Raises TourneyError STORAGE if the chain of hashes is broken there."""
        acts = table("act")
        query = select(acts.c.number, acts.c.text, acts.c.hash).where(acts.c.number.in_((number - 1, number)))
        rows = {row.number: row for row in self._connection.execute(query)}
        before = rows[number - 1].hash if number - 1 in rows else FIRST
        row = rows.get(number)
        if row is None or row.hash != chain_hash(before, row.text) or (number > 1 and before == FIRST):
            raise damaged(_("entry {number} is not as it was written").format(number=number))
        return row.text, row.hash

    def _first(self, query: Select[Any]) -> Row[Any] | None:
        return self._connection.execute(query).first()
