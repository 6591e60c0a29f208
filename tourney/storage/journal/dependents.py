"""Find the later changes that rest on a command, which must be taken back before it can be.

Only entries of the command's events are looked at, and those of the kinds that may read subjects of other events.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, or_, select

from tourney.storage.journal.canonical import found_as
from tourney.storage.journal.entries import Entry, LoggedEntry, parse_entry
from tourney.storage.journal.fold import writers
from tourney.storage.journal.kinds import KINDS, kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.subjects import Name, Subject
from tourney.storage.tables import table
from tourney.text.names import fold

OrderedBy = Callable[[str], str]
"""A function from a format to what orders its players for a draw: nothing, standings or ratings."""
_SEATINGS = frozenset({"round.draw", "round.move", "round.dissolve"})


def resting_on(connection: Connection, entries: Sequence[Entry], ordered_by: OrderedBy) -> tuple[LoggedEntry, ...]:
    """Return the later entries that stand and rest on one of these entries of a command, in order.

    Erasing a person rests on nothing: it stays whatever is undone.
    """
    numbers = _numbers(connection, entries)
    journal = _Journal(connection, ordered_by)
    written: set[Subject] = set()
    freed: dict[Name, int] = {}
    for entry in entries:
        past, kind = _Past(journal, numbers[entry.id]), kind_of(entry)
        written.update(kind.written(entry.payload, past))
        freed |= dict(kind.frees(entry.payload, past))
    events = {event for entry in entries for event in _events(entry)}
    found = []
    for number, entry in _later(connection, min(numbers.values()), set(numbers.values()), events):
        past, kind = _Past(journal, number), kind_of(entry)
        taken = dict(kind.takes(entry.payload, past))
        reads = not written.isdisjoint(kind.read(entry.payload, past))
        if reads or any(name in freed and freed[name] != holder for name, holder in taken.items()):
            found.append(LoggedEntry.of(entry, number, "stands"))
        # Whoever has another name later would not have kept the freed one until then. A person and an event may have
        # the same number, so that the kind of name counts too.
        holders = {(called, holder) for (called, _name), holder in taken.items()}
        freed = {key: holder for key, holder in freed.items() if (key[0], holder) not in holders}
    return tuple(found)


def _events(entry: Entry) -> Sequence[int]:
    if "event" in entry.payload:
        return (entry.payload["event"],)
    events: Sequence[int] = entry.payload.get("events", ())
    return events


def _numbers(connection: Connection, entries: Sequence[Entry]) -> dict[str, int]:
    acts = table("act").c
    query = select(acts.id, acts.number).where(acts.id.in_([entry.id for entry in entries]))
    return {row.id: row.number for row in connection.execute(query)}


def _later(
    connection: Connection, first: int, own: Collection[int], events: Collection[int]
) -> Iterator[tuple[int, Entry]]:
    """Yield the later entries that stand and may rest on a command of these events, with their numbers, in order."""
    acts, steps, traces = table("act"), table("step").c, table("trace").c
    changes = {name: kind for name, kind in KINDS.items() if not kind.permanent}
    across = [name for name, kind in changes.items() if kind.across]
    in_events = select(traces.act).where(traces.act > first, traces.event.in_(sorted(events)))
    query = (
        select(acts.c.number, acts.c.text)
        .select_from(acts.join(table("step"), acts.c.number == steps.act))
        .where(acts.c.number > first, steps.state == "stands", acts.c.kind.in_(list(changes)))
        .where(or_(acts.c.number.in_(in_events), acts.c.kind.in_(across)))
        .order_by(acts.c.number)
    )
    for row in connection.execute(query):
        if row.number not in own:
            yield row.number, parse_entry(row.text)


@dataclass(slots=True)
class _Journal:
    """The entries that stand and have written a partition, each with its number; read once."""

    connection: Connection
    ordered_by: OrderedBy
    _entries: dict[Partition, list[tuple[int, Entry]]] = field(default_factory=dict)

    def entries(self, partition: Partition) -> Sequence[tuple[int, Entry]]:
        if partition not in self._entries:
            rows = writers(self.connection, partition)
            self._entries[partition] = [(row.act, parse_entry(row.text)) for row in rows]
        return self._entries[partition]


@dataclass(frozen=True, slots=True)
class _Past:
    """The state just before the entry of a number; the methods are those of `subjects.Past`."""

    journal: _Journal
    number: int

    def tables(self, event: int, in_round: int) -> Mapping[int, Sequence[int]]:
        for entry in self._newest_first("rounds", event):
            if entry.payload.get("round") == in_round:
                if entry.kind in _SEATINGS:
                    return {drawn["table"]: drawn["players"] for drawn in entry.payload["tables"]}
                if entry.kind == "round.cancel":
                    break
        return {}

    def settings(self, event: int) -> Mapping[str, Any]:
        settings: dict[str, Any] = {}
        for entry in self._newest_first("settings", event):
            if entry.kind in ("event.new", "event.set"):
                settings = {**entry.payload.get("changes", entry.payload), **settings}
        return settings

    def entrants(self, event: int) -> Iterator[int]:
        for entry in self._newest_first("entrants", event):
            if entry.kind == "event.enter":
                yield from entry.payload["players"]
            elif entry.kind == "player.merge":
                yield entry.payload["keep"]

    def apart_by_club(self, event: int) -> bool:
        for entry in self._newest_first("settings", event):
            if entry.kind == "event.wish":
                return any(constraint["kind"] == "clubs apart" for constraint in entry.payload["wishes"])
        return False

    def ordered_by(self, event: int) -> frozenset[str]:
        settings = self.settings(event)
        stages = settings.get("stages", ())
        formats = [stage.get("format", "rotation") for stage in stages] or [settings["format"]]
        return frozenset({*map(self.journal.ordered_by, formats), *(("standings",) if stages else ())})

    def is_draft(self, event: int, in_round: int) -> bool:
        for entry in self._newest_first("rounds", event):
            if entry.payload.get("round") == in_round and entry.kind in ("round.draw", "round.publish"):
                return entry.kind == "round.draw" and bool(entry.payload.get("draft"))
        return False

    def event_name(self, name: str) -> Name:
        return "event", fold(name)

    def person_names(self, player: int, versions: range) -> Iterator[Name]:
        persons = table("person").c
        of_player = (persons.player == player, persons.version >= versions.start, persons.version < versions.stop)
        for row in self.journal.connection.execute(select(persons.name, persons.label).where(*of_player)):
            if row.name:
                yield "person", found_as(row.name, row.label)

    def _newest_first(self, name: str, event: int) -> Iterator[Entry]:
        for number, entry in reversed(self.journal.entries(Partition(name, event))):
            if number < self.number:
                yield entry
