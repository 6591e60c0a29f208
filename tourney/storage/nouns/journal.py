"""Read the journal: entries, what they refer to, and what undo and redo would do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlalchemy import select

from tourney.domain.database import EntryState
from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import person_names, sqlite
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.dependents import OrderedBy, resting_on
from tourney.storage.journal.entries import FIRST, Entry, LoggedEntry, chain_hash
from tourney.storage.journal.fold import Reversal, next_redo, next_undo, undo_of
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import TABLES
from tourney.storage.journal.undo import REVERSALS, states, traces
from tourney.storage.nouns.transaction import Transaction, parsed
from tourney.storage.tables import table
from tourney.text.i18n import _

_OF_EVENT = "SELECT DISTINCT act FROM trace WHERE part = ? AND event = ?"
_CHOSEN = "SELECT act FROM trace JOIN act ON number = act WHERE part = 'current' AND instr(text, ?)"
_POOLS = "SELECT act FROM trace WHERE part = 'pools'"
_MERGERS = "SELECT act FROM trace JOIN act ON number = act WHERE part = 'players' AND kind = 'player.merge'"
_REVERSING = "SELECT act FROM step WHERE act >= ? AND state IN ('takes back', 'puts back') ORDER BY act"
_NEXT_COMMAND = "SELECT act FROM step WHERE act > ? AND batch <> ? ORDER BY act LIMIT 1"


def _events_of(number: int, entry: Entry) -> Iterator[int]:
    """Yield the events to which an entry belongs, 0 for none."""
    for trace in traces(number, entry):
        yield trace["event"] or entry.payload.get("event", 0)


class JournalReader:
    """Queries of the journal.

    Each method raises TourneyError STORAGE if the entries that it reads are not as they were written.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def head(self) -> tuple[int, str]:
        """Return how many entries the journal has, and the hash of the last one (`""` before the first)."""
        row = self._transaction.first(select(*table("head").c["acts", "hash"]))
        if row is None:
            return 0, FIRST
        if self._transaction.chained(row.acts)[1] != row.hash:
            raise damaged(_("the journal's last entry is not the one that was noted"))
        return row.acts, row.hash

    def hashes(self) -> Iterator[str]:
        """Yield the hash of each entry of the journal, in order, as it was written."""
        acts = table("act").c
        yield from self._transaction.connection.execute(select(acts.hash).order_by(acts.number)).scalars()

    def naming(self, names: Collection[str]) -> tuple[int, ...]:
        """Return the numbers of the entries with one of the names as an author or in a text, accents and case aside."""
        found = person_names.having(names)
        return tuple(
            each.number
            for each in self.entries()
            if found([each.by, *each.payload.values(), each.origin and each.origin.name])
        )

    def entry(self, entry_id: str) -> Entry | None:
        """Return the entry of that id; None if the journal has none."""
        acts = table("act")
        row = self._transaction.first(select(acts.c.number).where(acts.c.id == entry_id))
        return None if row is None else self._transaction.entry(row.number)

    def stands(self, entry_id: str) -> bool:
        """Return whether the journal has an entry of that id, and it was not undone."""
        acts, steps = table("act"), table("step")
        joined = acts.join(steps, acts.c.number == steps.c.act)
        row = self._transaction.first(select(steps.c.state).select_from(joined).where(acts.c.id == entry_id))
        return row is not None and row.state == "stands"

    def entries(self) -> Iterator[LoggedEntry]:
        """Yield the entries of the journal in order, each with its state; the chain of hashes is checked."""
        entries, before = [], FIRST
        columns = table("act").c["number", "text", "hash"]
        for expected, row in enumerate(self._transaction.connection.execute(select(*columns).order_by(columns[0])), 1):
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
        wanted = {other for number in numbers for other in (number, *self._reversed_by(number))}
        about = {event for number in wanted for event in _events_of(number, self._transaction.entry(number))}.union(
            events
        ) - {0}
        wanted.update(self._about(about))
        # An entry is reversed by later ones only, so a log of what is new reads few.
        for number in self._numbers(_REVERSING, (min(wanted, default=0),)):
            reversed_ = self._reversed_by(number)
            if not wanted.isdisjoint(reversed_):
                wanted |= {number, *reversed_}
        return tuple(self._logged(number, self._state(number)) for number in sorted(wanted))

    def _about(self, events: Collection[int]) -> Iterator[int]:
        """Yield the numbers of the entries of these events, of those about pools, and of mergers of players."""
        yield from self._numbers(_POOLS)
        yield from self._numbers(_MERGERS)
        for event in events:
            for part in TABLES:
                yield from self._numbers(_OF_EVENT, (part, event))
            # Which event is the current one is not a part of an event, though the entries name it.
            chosen = self._numbers(_CHOSEN, (f'"event":{event}',))
            yield from (number for number in chosen if self._transaction.entry(number).payload.get("event") == event)

    def _numbers(self, query: str, values: Sequence[object] = ()) -> Iterator[int]:
        return (number for (number,) in sqlite.rows(self._transaction.connection, query, values))

    def _state(self, number: int) -> EntryState:
        state: EntryState = sqlite.rows(
            self._transaction.connection, "SELECT state FROM step WHERE act = ?", (number,)
        )[0][0]
        return state

    def _reversed_by(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the command that an entry reversed; none if it is no undo or redo."""
        entry = self._transaction.entry(number)
        if entry.kind not in REVERSALS:
            return ()
        acts = table("act").c
        row = self._transaction.first(select(acts.number).where(acts.id == entry.payload["batch"]))
        if row is None:
            return ()
        # The entries of a command follow each other.
        end = next(self._numbers(_NEXT_COMMAND, (row.number, row.number)), number)
        return tuple(range(row.number, end))

    def numbers_of(self, entries: Iterable[Entry]) -> tuple[int, ...]:
        """Return the numbers of entries."""
        acts = table("act").c
        found = (self._transaction.first(select(acts.number).where(acts.id == entry.id)) for entry in entries)
        return tuple(int(row.number) for row in found if row is not None)

    def next_undo(self) -> Reversal:
        """Return what undo would take back now."""
        return next_undo(self._transaction.connection)

    def undo_of(self, number: int) -> Reversal:
        """Return what undo would take back with the entry of that number: its whole command.

        Raises TourneyError NOT_FOUND for a number that no entry has, REFUSED for an entry that is an undo or redo
        itself, is undone already, or cannot be undone.
        """
        steps = table("step")
        row = (
            None
            if number > self.head()[0]
            else self._transaction.first(select(steps.c.state).where(steps.c.act == number))
        )
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
        if kind_of(parsed(self._transaction.chained(number)[0], number)).permanent:
            message = _("change {number} erased a name, which cannot be undone").format(number=number)
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return undo_of(self._transaction.connection, number)

    def resting_on(self, entries: Sequence[Entry], ordered_by: OrderedBy) -> tuple[LoggedEntry, ...]:
        """Return the later entries that rest on these of a command; `ordered_by` says what a format's draws rest on."""
        return resting_on(self._transaction.connection, entries, ordered_by)

    def next_redo(self) -> Reversal:
        """Return what redo would put back now."""
        return next_redo(self._transaction.connection)

    def _logged(self, number: int, state: EntryState) -> LoggedEntry:
        return LoggedEntry.of(self._transaction.entry(number), number, state)
