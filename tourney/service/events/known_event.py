"""An event of a file that is in this database already: whether the file goes on from what is here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Final

from tourney import storage
from tourney.domain.database import EntryState
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import ChangeThere
from tourney.service.event_chain import event_chain
from tourney.service.events.event_file import EventFile
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument

_FIELDS: Final = ("id", "kind", "time", "batch", "payload")


class HereAlreadyError(TourneyError):
    """A refusal of a file whose event is in this database, as `event`."""

    def __init__(self, message: str, hint: str, event: str) -> None:
        super().__init__(ExitCode.CONFLICT, message, hint)
        self.event = event


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """The part of a file's event that is here: number (None: nothing is here), number of entries, and people.

    `people` has the players' numbers here by their numbers in the file.
    """

    number: int | None = None
    entries: int = 0
    people: Mapping[int, int] = field(default_factory=dict)

    def new_changes(self, file: EventFile) -> tuple[ChangeThere, ...]:
        """Return the file's new entries as sentences; none if the whole event is new."""
        return () if self.number is None else tuple(_lines_of_file(file))[self.entries :]


def known_event(store: storage.Store, path: str | PathLike[str], file: EventFile) -> KnownEvent:
    """Return what of the file's event is here.

    Raises HereAlreadyError if the file has nothing new, or if the event went on here as well as there.
    """
    number = store.events.with_any([each.entry.id for each in file.entries])
    if number is None:
        return KnownEvent()
    event = store.events.get(number)
    chain, name = event_chain(store, event), event.settings.name
    here, there = [line.hash for line in chain.lines[1:]], [each.hash for each in file.entries]
    common = sum(1 for _same in _equal(here, there))
    names = {"file": fspath(path), "event": name, "common": common}
    if common == len(there):
        message = _("{file}: this event is here already, as {event}").format(**names)
        hint = _("see it with `tourney event show {event}`").format(event=quote_argument(name))
        raise HereAlreadyError(message, hint, name)
    hint = _(
        "keep the one here, or delete it with `tourney event delete {event}` and import the file again; `tourney undo` "
        "brings it back"
    ).format(event=quote_argument(name))
    people = dict(enumerate(chain.people, 1))
    if common < len(here):
        text = ngettext(
            "{file}: {event} was changed here as well as there; after {common} common change, here “{here}” follows, "
            "and in the file “{there}”",
            "{file}: {event} was changed here as well as there; after {common} common changes, here “{here}” follows, "
            "and in the file “{there}”",
            common,
        )
        own = _own_line([json.loads(line.text) for line in chain.lines[1 : common + 2]], people, store)
        message = text.format(here=own.said, there=tuple(_lines_of_file(file))[common].said, **names)
        raise HereAlreadyError(message, hint, name)
    _refuse_reversed(file, common, names, hint)
    known = KnownEvent(number, common, people)
    _refuse_merged(store, file, known, names, hint)
    return known


def _equal(here: Sequence[str], there: Sequence[str]) -> Iterator[str]:
    """Yield the hashes of the common beginning: a hash proves all lines before it."""
    return (one for one, other in zip(here, there, strict=False) if one == other)


def _refuse_reversed(file: EventFile, common: int, names: Mapping[str, object], hint: str) -> None:
    """Raise HereAlreadyError if a new entry takes back or puts back one that is here: those change only together."""
    history = storage.EntryHistory()
    for each in file.entries[:common]:
        history.add(each.entry)
    for line, before, each in zip(_lines_of_file(file), history.states, file.entries, strict=False):
        if before != each.state:
            message = _("{file}: there, “{change}” of {event} was taken back or put back since").format(
                change=line.said, **names
            )
            raise HereAlreadyError(message, hint, str(names["event"]))


def _refuse_merged(
    store: storage.Store, file: EventFile, known: KnownEvent, names: Mapping[str, object], hint: str
) -> None:
    """Raise HereAlreadyError if somebody who plays in other events here was merged into another player there."""
    mergers = (each.entry.payload for each in file.entries[known.entries :] if each.entry.kind == "player.merge")
    gone = {known.people.get(payload["gone"]) for payload in mergers}
    others = [store.events.get(other) for other in store.events.names() if other != known.number] if gone else []
    for player in (player for other in others for player in other.entrants if player.id in gone):
        message = _("{file}: there, {player} was merged into somebody else; here they play in other events too")
        raise HereAlreadyError(message.format(player=player.shown, **names), hint, str(names["event"]))


def _lines_of_file(file: EventFile) -> Iterator[ChangeThere]:
    """Yield the entries of a file as sentences, with the names that people have there."""
    names = {number: person.player.shown for number, person in file.people.items() if person.player.name}
    return _lines(((each.entry, each.state) for each in file.entries), names)


def _own_line(values: Iterable[dict[str, object]], people: Mapping[int, int], store: storage.Store) -> ChangeThere:
    """Return the last of these entries of the event's chain here as a sentence."""
    shown = {player.id: player.shown for player in (*store.people.gone(), *store.people.players())}
    names = {number: shown[player] for number, player in people.items() if player in shown}
    entries = [_entry(value) for value in values]
    reversals: dict[str, EntryState] = {"undo": "takes back", "redo": "puts back"}
    return tuple(_lines(((entry, reversals.get(entry.kind, "stands")) for entry in entries), names))[-1]


def _entry(value: Mapping[str, object]) -> storage.Entry:
    fields = {name: value[name] for name in _FIELDS}
    return storage.Entry(**fields, by=str(value.get("by", "")))  # type: ignore[arg-type]  # the file was checked


def _lines(entries: Iterable[tuple[storage.Entry, EntryState]], names: Mapping[int, str]) -> Iterator[ChangeThere]:
    text = storage.JournalText(names, {})
    for place, (entry, state) in enumerate(entries, 1):
        line = text.line(storage.LoggedEntry.of(entry, place, state))
        yield ChangeThere(place, line.time, line.said, line.by)
