"""The journal shown as text, and commands undone or redone, with sentences on what goes with each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from tourney import storage
from tourney.domain.database import Log, LogLine, Turned
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import PartialSheetSummary
from tourney.seating.formats import FORMATS
from tourney.service import players as people
from tourney.service.change import Change, Scope
from tourney.service.lookup import event_word, find_event
from tourney.service.results.begun_sheets import begun_corrections, partial_sheets
from tourney.service.seating.plan_diff import plan_changes_by_event, plan_inputs_of
from tourney.text.i18n import _, fill, ngettext
from tourney.text.ranges import names_text
from tourney.text.sanitize import quote_argument

MOST_SHOWN = 3
"""The most changes that a refusal names."""
MOST_SAID = 70
"""The most characters of a change's sentence in a refusal."""
_RESULTS = frozenset({"result.enter", "result.correct", "result.void"})


def ordered_by(format_name: str) -> str:
    """Return what orders the players of a format for a draw; a format that is not known here rests on everything."""
    return FORMATS[format_name].ordered_by if format_name in FORMATS else "rating"


def goes_with(entries: Sequence[storage.Entry], text: storage.JournalText, current: str | None) -> Iterator[str]:
    """Yield a sentence for each draw, dissolved table and import of a command, and for its results if it has several.

    A choice of the current event has one, too: afterwards `current` is the event that commands mean. `text` has read
    the journal before the command is undone.
    """
    results = Counter(entry.payload["event"] for entry in entries if entry.kind in _RESULTS)
    for entry in entries:
        payload = entry.payload
        if entry.kind == "round.draw":
            sentence = ngettext(
                "{event}, round {round}: {number} table is no longer drawn",
                "{event}, round {round}: {number} tables are no longer drawn",
                len(payload["tables"]),
            )
            event = text.event(payload["event"])
            yield sentence.format(event=event, round=payload["round"], number=len(payload["tables"]))
        elif entry.kind == "round.dissolve":
            sentence = _("{event}, round {round}: table {table} has its players again, and the others as before")
            yield sentence.format(event=text.event(payload["event"]), round=payload["round"], table=payload["table"])
        elif entry.kind == "rating.import" and payload["games"] > 1:
            sentence = _("pool {pool}: {number} games are no longer imported")
            if "replaces" in payload:
                sentence = _("pool {pool}: {number} games are replaced by those imported before")
            yield sentence.format(pool=text.fact("pool", payload["pool"]), number=payload["games"])
        elif entry.kind == "event.use":
            yield _again(current)
    for number, several in results.items():
        if several > 1:
            sentence = _("{event}: {number} results are as they were before")
            yield sentence.format(event=text.event(number), number=several)


def _again(current: str | None) -> str:
    """Return which event commands mean after the choice of another is taken back."""
    if current is None:
        return _("no event is the current one any more: name the event in commands")
    return _("the current event is {event} again: commands mean it").format(event=current)


def refuse_resting(number: int, resting: Sequence[storage.LoggedEntry], text: storage.JournalText) -> None:
    """Raise TourneyError REFUSED, with the first later commands, if any rest on the command of entry `number`."""
    batches = list(dict.fromkeys(entry.batch for entry in resting))
    if not batches:
        return
    lines = [text.command(batch) for batch in batches]
    shown = "; ".join(f"{line.number} {_cut(line.said)}" for line in lines[:MOST_SHOWN])
    sentence = ngettext(
        "change {number} cannot be taken back alone: {count} later change rests on it: {changes}",
        "change {number} cannot be taken back alone: {count} later changes rest on it: {changes}",
        len(lines),
    )
    message = sentence.format(number=number, count=len(lines), changes=shown)
    if len(lines) > MOST_SHOWN:
        rest = ngettext("{text}; and {number} more", "{text}; and {number} more", len(lines) - MOST_SHOWN)
        message = rest.format(text=message, number=len(lines) - MOST_SHOWN)
    hint = _("take the later ones back first, the newest before the others: `tourney undo {number}`")
    raise TourneyError(ExitCode.REFUSED, message, hint.format(number=max(line.number for line in lines)))


def _cut(said: str) -> str:
    return said if len(said) <= MOST_SAID else f"{said[: MOST_SAID - 1]}…"


_ENDS_SHEET = frozenset({"result.enter", "result.correct", "result.drop"})
"""The kinds of entries that complete a partial sheet, or discard it."""
_DISCARDS_ALL = frozenset({"round.draw", "round.cancel"})
"""The kinds of entries after which a round has no partial sheet."""


def hands_of(entries: Iterable[storage.LoggedEntry]) -> dict[int, tuple[int, ...]]:
    """Return, for the number of each entry that completed or discarded a partial sheet, those of the sheet's hands.

    Only what stands is folded: where a result was taken back, its hands are a partial sheet again.
    """
    begun: dict[tuple[int, int, int], list[int]] = {}
    hands = {}
    for entry in (each for each in entries if each.state == "stands"):
        payload = entry.payload
        if entry.kind == "result.partial":
            begun.setdefault(storage.spot(payload), []).append(entry.number)
        elif entry.kind in _ENDS_SHEET and (folded := begun.pop(storage.spot(payload), [])):
            hands[entry.number] = tuple(folded)
        elif entry.kind in _DISCARDS_ALL:
            begun = {spot: found for spot, found in begun.items() if spot[:2] != (payload["event"], payload["round"])}
    return hands


def log(db: str | None, event: str | None = None, last: int | None = None, *, folded: bool = False) -> Log:
    """Return the journal as sentences, in order: all entries or those of one event, or only the `last` of these.

    `folded` leaves out the hands of sheets that have a result. Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.reading(db) as reader:
        found = None if event is None else find_event(reader, event)
        newest, head = reader.journal.head()
        lines, hands = _lines(reader, found, last, folded=folded)
        reach = last or newest
        while last is not None and found is None and len(lines) < last and reach < newest:
            # So many of the newest entries are hands that are left out.
            reach = min(2 * reach, newest)
            lines, hands = _lines(reader, found, reach, folded=folded)
        kept = lines if last is None else lines[max(len(lines) - last, 0) :]
        return Log("" if found is None else found.settings.name, tuple(kept), head, hands, folded)


def _lines(
    reader: storage.Reader, event: Event | None, last: int | None, *, folded: bool
) -> tuple[Sequence[LogLine], dict[int, tuple[int, ...]]]:
    """Return the lines of one event, or the `last` of all, and the hands of each result."""
    entries = _read(reader, event, last)
    hands = hands_of(entries)
    left_out = set(chain.from_iterable(hands.values())) if folded else set()
    text = storage.JournalText(_names(reader, entries), _own_names(reader))
    lines = [text.line(entry) for entry in entries]
    if event is not None:
        lines = [line for line, events in zip(lines, _events(entries), strict=True) if event.id in events]
    elif last is not None:
        lines = lines[-last:]
    return [line for line in lines if line.number not in left_out], hands


def _read(reader: storage.Reader, event: Event | None, last: int | None) -> Sequence[storage.LoggedEntry]:
    """Return the entries for the log, with those to which their sentences refer."""
    if event is not None:
        return reader.journal.entries_about((), {event.id})
    if last is None:
        return list(reader.journal.entries())
    newest = reader.journal.head()[0]
    return reader.journal.entries_about(range(max(newest - last, 0) + 1, newest + 1))


@dataclass(frozen=True, slots=True)
class Undo(Change[Turned]):
    """Undo all entries of the newest command, or of the one with the entry `number`, except the erasure of a person.

    Refused: NOT_FOUND for an unknown number; REFUSED if there is nothing to undo, for an entry that is undone already,
    erased a name or is an undo or redo itself, and if later changes rest on the command, which the message names.
    """

    number: int | None = None

    def perform(self, store: storage.Store) -> Turned:
        """Return the command undone, what goes with it, and the changes in coming rounds and partial sheets."""
        following = self._following(store)
        if self.number is not None:
            _refuse_resting(store, self.number, following)
        return _turn(store, "undo", following, lambda: store.undo(self.number))

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the events and pools of the command."""
        return _scope(self._following(reader))

    def _following(self, reader: storage.Reader) -> storage.Reversal:
        return reader.journal.next_undo() if self.number is None else reader.journal.undo_of(self.number)


def _refuse_resting(store: storage.Store, number: int, following: storage.Reversal) -> None:
    resting = store.journal.resting_on(following.entries, ordered_by)
    if resting:
        journal = list(store.journal.entries())
        text = storage.JournalText(_names(store, journal), _own_names(store))
        for entry in journal:
            text.line(entry)
        refuse_resting(number, resting, text)


def outlook(db: str | None, number: int | None = None) -> Turned | None:
    """Return what undo would do if it takes back more than one would expect: a draw, a choice, more than one result.

    None for any other command. Raises TourneyError as `Undo`.
    """
    with storage.writing(db, dry_run=True) as store:
        turned = Undo(number).perform(store)
        return turned if turned.goes else None


@dataclass(frozen=True, slots=True)
class Redo(Change[Turned]):
    """Redo the command that was undone last, which has the entry `number` if one is given.

    Refused: REFUSED if none was, or after a new change; CONFLICT if the last one has another number.
    """

    number: int | None = None

    def perform(self, store: storage.Store) -> Turned:
        """Return the command redone, and the changes in coming rounds and partial sheets."""
        turned = _turn(store, "redo", store.journal.next_redo(), store.redo)
        if self.number not in (None, turned.line.number):
            message = _("something else was taken back last: {change}").format(change=turned.line.said)
            raise TourneyError(ExitCode.CONFLICT, message, _("look at it, then put it back"))
        return turned

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the events and pools of the command."""
        return _scope(reader.journal.next_redo())


def _scope(following: storage.Reversal) -> Scope:
    return Scope(
        _events_of(following), {entry.payload["pool"] for entry in following.entries if "pool" in entry.payload}
    )


def _events_of(following: storage.Reversal) -> set[int]:
    return {number for entry in following.entries for number in _named_events(entry.payload)}


def _turn(
    store: storage.Store,
    turn: Literal["undo", "redo"],
    following: storage.Reversal,
    make: Callable[[], Sequence[storage.Entry]],
) -> Turned:
    journal = store.journal.entries_about(store.journal.numbers_of((*following.entries, *following.skipped)))
    names, own = _names(store, journal), _own_names(store)
    concerned = _events_of(following)
    before, plans = _begun_of(store, concerned), plan_inputs_of(store, concerned)
    mistakable = people.mistakable(store)
    entries = make()
    _refuse_mistakable(people.mistakable(store) - mistakable)
    halves = tuple(_begun_sentences(turn, before, _begun_of(store, concerned)))
    ahead = plan_changes_by_event(plans, plan_inputs_of(store, concerned))
    # A person has a name only while the registration stands: before it is undone, after it is redone.
    # Where both times have a name, the later one is today's.
    text = storage.JournalText({**names, **_names(store, journal)}, {**own, **_own_names(store)})
    for entry in journal:
        text.line(entry)
    goes = tuple(goes_with(entries, text, _current(store))) if turn == "undo" else ()
    stays = tuple(text.sentence(entry.kind, entry.payload) for entry in following.skipped)
    return Turned(turn, text.command(entries[0].batch), len(entries), stays, halves, ahead, goes)


def _refuse_mistakable(new: Collection[tuple[Player, str, Player]]) -> None:
    """Raise TourneyError CONFLICT if rankings would show somebody under a name that somebody else has."""
    for player, name, other in sorted(new, key=lambda each: each[0].id):
        message = _("rankings would show {player} as {name}, which is also the name of another player: {other}")
        hint = _("change one of the names first, with `tourney player rename` or `tourney player publish`")
        raise TourneyError(ExitCode.CONFLICT, fill(message, player=player.shown, name=name, other=other.shown), hint)


def _current(reader: storage.Reader) -> str | None:
    """Return the name of the event that commands mean."""
    current = reader.events.meant()
    return None if current is None else reader.events.names()[current]


_Begun = Mapping[tuple[bool, int, int, int], PartialSheetSummary]
"""Partial sheets, and if the key begins with True begun corrections, by event, round and table."""


def _begun_of(reader: storage.Reader, events: Iterable[int]) -> _Begun:
    """Return what is begun in those events that exist."""
    existing = sorted(set(events) & reader.events.names().keys())
    return {
        (corrects, number, sheet.table.round, sheet.table.number): sheet
        for number in existing
        for corrects, sheets in ((False, partial_sheets), (True, begun_corrections))
        for sheet in sheets(reader, reader.events.get(number))
    }


def _begun_sentences(turn: Literal["undo", "redo"], before: _Begun, after: _Begun) -> Iterator[str]:
    """Yield a sentence for each partial sheet and begun correction that the undo or redo discarded or restored."""
    back = "redo" if turn == "undo" else "undo"
    place = _("{event}, round {round}, table {table} ({hands})")
    discarded = {
        False: _("partial sheet discarded: {place}; `tourney {back}` restores it"),
        True: _("begun correction discarded: {place}; `tourney {back}` restores it"),
    }
    restored = {
        False: _("partial sheet restored: {place}"),
        True: _(
            "begun correction restored: {place}; to drop it: `tourney result correct {event} --round {round} --table "
            "{table} --drop --reason …`"
        ),
    }
    for texts, sheets, others in ((discarded, before, after), (restored, after, before)):
        for key in sorted(sheets.keys() - others.keys()):
            spot = {"round": sheets[key].table.round, "table": sheets[key].table.number}
            where = place.format(event=sheets[key].event, hands=names_text(sheets[key].hands), **spot)
            event = quote_argument(event_word(sheets[key].event))
            yield texts[key[0]].format(place=where, back=back, event=event, **spot)


def _own_names(reader: storage.Reader) -> dict[int, str]:
    """Return the last name of each merged player before the merger, by number."""
    return {player.id: player.shown for player in reader.people.gone()}


def _names(reader: storage.Reader, entries: Sequence[storage.LoggedEntry]) -> dict[int, str]:
    """Return today's names by number; a merged player has the name of the registration that was kept."""
    names = {player.id: player.shown for player in reader.people.players()}
    for entry in reversed(entries):
        gone, keep = entry.payload.get("gone"), entry.payload.get("keep")
        if entry.state == "stands" and gone is not None and keep in names:
            names[gone] = names[keep]
    return names


def _events(entries: Sequence[storage.LoggedEntry]) -> Iterator[frozenset[int]]:
    """Yield the numbers of the events that each entry concerns; for undo and redo, those of the command reversed."""
    concerned: dict[str, frozenset[int]] = defaultdict(frozenset)
    for entry in entries:
        reversed_ = entry.payload.get("batch")
        named = _named_events(entry.payload) if reversed_ is None else concerned[reversed_]
        concerned[entry.batch] |= named
        yield concerned[entry.batch] if reversed_ is not None else named


def _named_events(payload: Mapping[str, Any]) -> frozenset[int]:
    return frozenset([payload["event"]] if "event" in payload else payload.get("events", ()))
