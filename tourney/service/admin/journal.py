"""The journal: shown as text, the newest command undone, and put back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tourney import storage
from tourney.domain.database import Log, Turned
from tourney.domain.results import PartialSheetSummary
from tourney.service.admin.journal_text import JournalText
from tourney.service.change import Change, Scope
from tourney.service.lookup import find_event
from tourney.service.partial_sheets import names_text, partial_sheets
from tourney.service.seating.plan_diff import plan_changes_by_event, plan_inputs_of
from tourney.text.i18n import _


def log(db: str | None, event: str | None = None, last: int | None = None) -> Log:
    """Return every entry as a sentence, in order: all entries or those of one event, or the `last` of them.

    Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.reading(db) as reader:
        found = None if event is None else find_event(reader, event)
        entries = list(reader.entries())
        text = JournalText(_names(reader, entries), _own_names(reader))
        lines = tuple(text.line(entry) for entry in entries)
        if found is not None:
            lines = tuple(line for line, events in zip(lines, _events(entries), strict=True) if found.id in events)
        kept = lines if last is None else lines[max(len(lines) - last, 0) :]
        return Log("" if found is None else found.settings.name, kept, reader.head()[1])


@dataclass(frozen=True, slots=True)
class Undo(Change[Turned]):
    """Undo the newest command, whole; erasing a person stays. Refused: REFUSED if there is none."""

    def perform(self, store: storage.Store) -> Turned:
        """Return what was undone, and what that changes in coming rounds and partial sheets."""
        return _turn(store, "undo", store.next_undo(), store.undo)

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the events and pools of the command."""
        return _scope(reader.next_undo())


@dataclass(frozen=True, slots=True)
class Redo(Change[Turned]):
    """Put back what was undone last. Refused: REFUSED if nothing was, or after a new change."""

    def perform(self, store: storage.Store) -> Turned:
        """Return what was put back, and what that changes in coming rounds and partial sheets."""
        return _turn(store, "redo", store.next_redo(), store.redo)

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the events and pools of the command."""
        return _scope(reader.next_redo())


def _scope(following: storage.Reversal) -> Scope:
    return Scope(_touched(following), {entry.payload["pool"] for entry in following.entries if "pool" in entry.payload})


def _touched(following: storage.Reversal) -> set[int]:
    return {number for entry in following.entries for number in _named_events(entry.payload)}


def _turn(
    store: storage.Store,
    turn: Literal["undo", "redo"],
    following: storage.Reversal,
    make: Callable[[], Sequence[storage.Entry]],
) -> Turned:
    journal = list(store.entries())
    names, own = _names(store, journal), _own_names(store)
    touched = _touched(following)
    before, plans = _halves(store, touched), plan_inputs_of(store, touched)
    entries = make()
    halves = tuple(_turned_halves(turn, before, _halves(store, touched)))
    ahead = plan_changes_by_event(plans, plan_inputs_of(store, touched))
    # A person's name is there only while the registration stands: before it is undone, after it is redone.
    # Where it is there at both times, the later one is that of today.
    text = JournalText({**names, **_names(store, journal)}, {**own, **_own_names(store)})
    for entry in journal:
        text.line(entry)
    stays = tuple(text.sentence(entry.kind, entry.payload) for entry in following.skipped)
    return Turned(turn, text.command(entries[0].batch), len(entries), stays, halves, ahead)


def _halves(reader: storage.Reader, events: Iterable[int]) -> dict[tuple[int, int, int], PartialSheetSummary]:
    """Return the partial sheets of these events, as far as the events are there, by event, round and table."""
    existing = sorted(set(events) & reader.event_names().keys())
    found = ((number, half) for number in existing for half in partial_sheets(reader, reader.event(number)))
    return {(number, half.table.round, half.table.number): half for number, half in found}


def _turned_halves(
    turn: Literal["undo", "redo"],
    before: Mapping[tuple[int, int, int], PartialSheetSummary],
    after: Mapping[tuple[int, int, int], PartialSheetSummary],
) -> Iterator[str]:
    """Yield a sentence for each partial sheet that the command discarded or brought back."""
    back = "redo" if turn == "undo" else "undo"
    place = _("{event}, round {round}, table {table} ({hands})")
    discarded = _("partial sheet discarded: {place}; `tourney {back}` restores it")
    restored = _("partial sheet restored: {place}")
    for text, these, others in ((discarded, before, after), (restored, after, before)):
        for spot in sorted(these.keys() - others.keys()):
            hands = names_text(these[spot].hands)
            where = place.format(event=these[spot].event, round=spot[1], table=spot[2], hands=hands)
            yield text.format(place=where, back=back)


def _own_names(reader: storage.Reader) -> dict[int, str]:
    """Return the last name that each merged player had of their own, by number."""
    return {player.id: player.shown for player in reader.gone()}


def _names(reader: storage.Reader, entries: Sequence[storage.LoggedEntry]) -> dict[int, str]:
    """Return the names of today by number; merged players have the name of the one who stayed."""
    names = {player.id: player.shown for player in reader.players()}
    for entry in reversed(entries):
        gone, keep = entry.payload.get("gone"), entry.payload.get("keep")
        if entry.state == "stands" and gone is not None and keep in names:
            names[gone] = names[keep]
    return names


def _events(entries: Sequence[storage.LoggedEntry]) -> Iterator[frozenset[int]]:
    """Yield the events that each entry concerns, by number; undo and redo concern those of the command they reverse."""
    concerned: dict[str, frozenset[int]] = defaultdict(frozenset)
    for entry in entries:
        reversed_ = entry.payload.get("batch")
        named = _named_events(entry.payload) if reversed_ is None else concerned[reversed_]
        concerned[entry.batch] |= named
        yield concerned[entry.batch] if reversed_ is not None else named


def _named_events(payload: Mapping[str, Any]) -> frozenset[int]:
    return frozenset([payload["event"]] if "event" in payload else payload.get("events", ()))
