"""The chain of an event: its entries as lines, people and event numbered from 1, each with the hash of all so far.

An entry's line never changes, so that the hash behind it, of which paper and messages carry the first digits, is found
again in every later export.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tourney import storage
from tourney.domain.database import CODE_LENGTH
from tourney.domain.events import Event
from tourney.service.chained_lines import ChainedLine
from tourney.service.people_file import ERASED

FORMAT: Final = "tourney event"
VERSION: Final = 1
REVERSALS: Final = ("undo", "redo")


@dataclass(frozen=True, slots=True)
class EventLine:
    """An entry in the chain of an event: its place there from 1, and the hash of the chain up to it."""

    event: int
    place: int
    entry: storage.LoggedEntry
    hash: str


@dataclass(frozen=True, slots=True)
class EventChain:
    """The header and the entries of an event as lines.

    `people` are the players' numbers in the database, in the order of their numbers in the lines; `records` are the
    digests of the games' records that results name.
    """

    lines: tuple[ChainedLine, ...]
    people: tuple[int, ...]
    records: tuple[str, ...]

    @property
    def head(self) -> str:
        """Return the hash of the last entry."""
        return self.lines[-1].hash


def event_code(reader: storage.Reader, event: Event) -> str:
    """Return the code of an event as it is now: the first 16 digits of the head of its chain, as exported."""
    return event_chain(reader, event).head[:CODE_LENGTH]


def event_chain(reader: storage.Reader, event: Event) -> EventChain:
    """Return the chain of an event: every entry that concerns it, undone ones too."""
    chain = _GrowingChain(event.id)
    lines = [chain.last]
    records: dict[str, None] = {}
    for entry in _standing_imports(reader.journal.entries_about((), {event.id})):
        made = chain.as_made(entry)
        if made is None:
            continue
        lines.append(chain.add(made))
        if made.payload.get("record"):
            records[made.payload["record"]] = None
    return EventChain(tuple(lines), tuple(chain.people), tuple(records))


def all_chains(entries: Iterable[storage.LoggedEntry]) -> Iterator[EventLine]:
    """Yield the lines of the chains of all events as the journal's entries made them, without their first lines."""
    chains: dict[int, _GrowingChain] = {}
    events_of_batch: dict[str, set[int]] = defaultdict(set)
    for entry in _standing_imports(entries):
        for event in sorted(_events_of(entry, events_of_batch)):
            chain = chains.setdefault(event, _GrowingChain(event))
            made = chain.as_made(entry)
            if made is not None:
                events_of_batch[entry.batch].add(event)
                yield EventLine(event, chain.length, entry, chain.add(made).hash)


def _standing_imports(entries: Iterable[storage.LoggedEntry]) -> Iterator[storage.LoggedEntry]:
    """Yield the entries without those that came back to an event and were taken back here: it is as before them."""
    undone: set[str] = set()
    for entry in entries:
        if entry.kind == "event.import" and "more" in entry.payload and entry.state == "undone":
            undone.add(entry.batch)
        if entry.origin is None or entry.batch not in undone:
            yield entry


def _events_of(entry: storage.Entry, events_of_batch: Mapping[str, set[int]]) -> set[int]:
    """Return the events that an entry may concern: those that it names, or those of the batch that it reverses."""
    named = {*entry.payload.get("events", ()), entry.payload.get("event", 0)} - {0}
    if entry.kind in REVERSALS and entry.origin is None:
        return events_of_batch.get(entry.payload["batch"], set())
    return named


class _GrowingChain:
    """The chain of one event while its entries are added: its length without the first line, its last line, people."""

    def __init__(self, event: int) -> None:
        self.length = 0
        self.last = ChainedLine.after("", {"format": FORMAT, "version": VERSION})
        self._event = event
        self._batches = _Batches()
        self._numbers = _Numbers()

    @property
    def people(self) -> Iterable[int]:
        """Return the players' numbers in the database, in the order of their numbers in the lines."""
        return self._numbers.given

    def as_made(self, entry: storage.Entry) -> storage.Entry | None:
        """Return the entry as it was made in this event, None if it does not concern it.

        A batch is named by its first entry that concerns the event.
        """
        if entry.kind in REVERSALS:
            reversed_ = self._batches.reversed_by(entry, self._event)
            return self._batches.as_made(entry, {"batch": reversed_}) if reversed_ else None
        if _concerns(entry, self._event):
            return self._batches.as_made(entry, _in_event(entry, self._event))
        return None

    def add(self, made: storage.Entry) -> ChainedLine:
        """Add an entry as `as_made` returns it, and return its line."""
        self.last = ChainedLine.after(self.last.hash, _fields(made, self._numbers))
        self.length += 1
        return self.last


def _concerns(entry: storage.Entry, event: int) -> bool:
    if not storage.is_of_events(entry.kind):
        return False
    return event in entry.payload.get("events", ()) or entry.payload.get("event") == event


def _in_event(entry: storage.Entry, event: int) -> storage.Payload:
    """Return the payload without other events, and with the event's name where the entry was made."""
    if "events" in entry.payload:
        return {**entry.payload, "events": [event]}
    if entry.origin is None or not entry.origin.name:
        return entry.payload
    return storage.renamed(entry.payload, entry.origin.name)


@dataclass(slots=True)
class _Batches:
    """The batches of an event's entries: for each, the id of its first entry that concerns the event."""

    _first: dict[str, str] = field(default_factory=dict)

    def as_made(self, entry: storage.Entry, payload: storage.Payload) -> storage.Entry:
        """Return the entry with its own id and batch, and this payload."""
        if entry.origin is not None:
            origin = entry.origin
            return storage.Entry(origin.id, entry.kind, entry.time, origin.batch, payload, entry.by)
        first = self._first.setdefault(entry.batch, entry.id)
        return storage.Entry(entry.id, entry.kind, entry.time, first, payload, entry.by)

    def reversed_by(self, entry: storage.Entry, event: int) -> str:
        """Return the batch that undo or redo reverses; "" if it has no entry of the event."""
        batch: str = entry.payload["batch"]
        if entry.origin is not None:
            return batch if entry.payload["event"] == event else ""
        return self._first.get(batch, "")


@dataclass(slots=True)
class _Numbers:
    """The numbers of players in the lines, given from 1 when a player is first named."""

    given: dict[int, int] = field(default_factory=dict)

    def of(self, player: int) -> int:
        return self.given.setdefault(player, len(self.given) + 1)


def _fields(entry: storage.Entry, numbers: _Numbers) -> dict[str, Any]:
    payload = entry.payload
    if entry.kind not in REVERSALS:
        payload = storage.KINDS[entry.kind].renumbered(payload, lambda _event: 1, numbers.of)
    by = {"by": entry.by} if entry.by else {}
    fields = {"id": entry.id, "kind": entry.kind, "time": entry.time, "batch": entry.batch}
    return {**fields, **by, "payload": payload}


def file_lines(reader: storage.Reader, chain: EventChain) -> Iterator[ChainedLine]:
    """Yield all lines of the file of an event: its chain, its people, the records of its games, and the end."""
    yield from chain.lines
    before, people = chain.head, _people(reader, chain.people)
    rest: Iterable[object] = (
        *people,
        *({"record": digest, "text": reader.results.record(digest)} for digest in chain.records),
    )
    end = {"entries": len(chain.lines) - 1, "head": chain.head, "people": len(people), "records": len(chain.records)}
    for value in (*rest, end):
        line = ChainedLine.after(before, value)
        before = line.hash
        yield line


def _people(reader: storage.Reader, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return the people of these numbers as lines of the file, and the people that any of them were merged into."""
    living = {player.id: player for player in reader.people.players()}
    gone, merged = {player.id: player for player in reader.people.gone()}, reader.people.merged()
    listed = list(numbers)
    for number in listed:
        if number in merged and merged[number] not in listed:
            listed.append(merged[number])
    lines = []
    for place, number in enumerate(listed, 1):
        player = living.get(number) or gone.get(number)
        line: dict[str, Any] = {"person": place}
        if player is not None and not ERASED.fullmatch(player.name):
            texts = {"label": player.label, "club": player.club}
            called = {"bot": player.name} if player.kind == "bot" else {"name": player.name}
            line |= called | {name: text for name, text in texts.items() if text}
        if number in merged:
            line["merged"] = listed.index(merged[number]) + 1
        lines.append(line)
    return lines
