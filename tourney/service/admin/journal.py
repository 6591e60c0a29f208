"""The journal: telling it as a story, taking the newest act back, putting it back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from tourney import storage
from tourney.domain.database import Log, Turned
from tourney.domain.modes import Mode
from tourney.domain.results import PartialSheetSummary
from tourney.service.admin.journal_text import Story
from tourney.service.impact import Watch, watching
from tourney.service.lookup import find_event
from tourney.service.partial_sheets import names_text, partial_sheets
from tourney.service.seating.plan_diff import plan_changes_by_event, plan_inputs_of
from tourney.text.i18n import _


def log(db: str | None, event: str | None = None, last: int | None = None) -> Log:
    """Every act in a sentence, in order: all acts or those of one event, or the `last` of them.

    Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.reading(db) as reader:
        found = None if event is None else find_event(reader, event)
        acts = list(reader.acts())
        story = Story(_names(reader, acts), _own_names(reader))
        lines = tuple(story.tell(act) for act in acts)
        if found is not None:
            lines = tuple(line for line, events in zip(lines, _events(acts), strict=True) if found.id in events)
        kept = lines if last is None else lines[max(len(lines) - last, 0) :]
        return Log("" if found is None else found.settings.name, kept, reader.head()[1])


def undo(db: str | None, mode: Mode = "save", watch: Watch | None = None) -> Turned:
    """Take the newest command back, whole; erasing a person stays. Raises TourneyError REFUSED if there is none."""
    return _turn(db, "undo", mode, watch)


def redo(db: str | None, mode: Mode = "save", watch: Watch | None = None) -> Turned:
    """Put back what was taken back last. Raises TourneyError REFUSED if nothing was, or something new was done."""
    return _turn(db, "redo", mode, watch)


def _turn(db: str | None, turn: Literal["undo", "redo"], mode: Mode, watch: Watch | None) -> Turned:
    with storage.writing(db, mode) as store:
        journal = list(store.acts())
        names, own = _names(store, journal), _own_names(store)
        following = store.next_undo() if turn == "undo" else store.next_redo()
        touched = {number for act in following.acts for number in _named_events(act.payload)}
        pools = {act.payload["pool"] for act in following.acts if "pool" in act.payload}
        before, foreseen = _halves(store, touched), plan_inputs_of(store, touched)
        with watching(store, watch, touched, pools):
            acts = store.undo() if turn == "undo" else store.redo()
        halves = tuple(_turned_halves(turn, before, _halves(store, touched)))
        ahead = plan_changes_by_event(foreseen, plan_inputs_of(store, touched))
        # A person's name is there only while the registration stands: before it is undone, after it is redone.
        # Where it is there at both times, the later one is that of today.
        story = Story({**names, **_names(store, journal)}, {**own, **_own_names(store)})
        for act in journal:
            story.tell(act)
        stays = tuple(story.say(act.kind, act.payload) for act in following.passed)
        return Turned(turn, story.batch(acts[0].batch), len(acts), stays, halves, ahead)


def _halves(reader: storage.Reader, events: Iterable[int]) -> dict[tuple[int, int, int], PartialSheetSummary]:
    """The half sheets of these events, as far as the events are there, by event, round and table."""
    there = sorted(set(events) & reader.event_names().keys())
    found = ((number, half) for number in there for half in partial_sheets(reader, reader.event(number)))
    return {(number, half.table.round, half.table.number): half for number, half in found}


def _turned_halves(
    turn: Literal["undo", "redo"],
    before: Mapping[tuple[int, int, int], PartialSheetSummary],
    after: Mapping[tuple[int, int, int], PartialSheetSummary],
) -> Iterator[str]:
    """What became of half sheets whose table is not what it was."""
    back = "redo" if turn == "undo" else "undo"
    place = _("{event}, round {round}, table {table} ({hands})")
    aside = _("partial sheet discarded: {place}; `tourney {back}` restores it")
    again = _("partial sheet restored: {place}")
    for said, these, others in ((aside, before, after), (again, after, before)):
        for spot in sorted(these.keys() - others.keys()):
            hands = names_text(these[spot].hands)
            where = place.format(event=these[spot].event, round=spot[1], table=spot[2], hands=hands)
            yield said.format(place=where, back=back)


def _own_names(reader: storage.Reader) -> dict[int, str]:
    """What those were called last who have gone into another, by number."""
    return {player.id: player.shown for player in reader.gone()}


def _names(reader: storage.Reader, acts: Sequence[storage.LoggedAct]) -> dict[int, str]:
    """What players are called today, by number; who has gone into another is called as that one."""
    names = {player.id: player.shown for player in reader.players()}
    for act in reversed(acts):
        if act.kind == "player.merge" and act.state == "stands" and act.payload["keep"] in names:
            names[act.payload["gone"]] = names[act.payload["keep"]]
    return names


def _events(acts: Sequence[storage.LoggedAct]) -> Iterator[frozenset[int]]:
    """The numbers of the events that each act concerns; undo and redo concern those of what they turn."""
    concerned: dict[str, frozenset[int]] = defaultdict(frozenset)
    for act in acts:
        turned = act.payload.get("batch")
        concerned[act.batch] |= concerned[turned] if turned is not None else _named_events(act.payload)
        yield concerned[act.batch] if turned is not None else _named_events(act.payload)


def _named_events(payload: Mapping[str, Any]) -> frozenset[int]:
    return frozenset([payload["event"]] if "event" in payload else payload.get("events", ()))
