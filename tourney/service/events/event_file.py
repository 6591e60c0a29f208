"""The file of an event: exported, read, checked by chain and form, and compared with an event that is here already."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from os import PathLike, fspath
from typing import Any, Final
from warnings import warn

from tourney import storage
from tourney.domain.database import CODE_LENGTH, EntryState
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.events import ChangeThere, Event, EventSettings
from tourney.domain.people import Player
from tourney.files.bounded_lines import BoundedLines
from tourney.service.chained_lines import MALFORMED, ChainedFile, ReadLine
from tourney.service.events.event_chain import FORMAT, REVERSALS, VERSION, event_chain, file_lines
from tourney.service.lookup import find_event
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class Exported:
    """An event as the text of its file: its numbers of entries and of people, and the code of its chain."""

    event: Event
    text: str
    entries: int
    people: int
    code: str


def exported(db: str | None, event: str | None = None) -> Exported:
    """Return the text of an event's file. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if found.state == "open" and found.settings.drawn_deals:
            message = _("the file has the seed of the bots' deals, which gives away all cards")
            warn(TourneyWarning(message), stacklevel=2)
        chain = event_chain(reader, found)
        text = "".join(f"{line.hash} {line.text}\n" for line in file_lines(reader, chain))
        return Exported(found, text, len(chain.lines) - 1, len(chain.people), chain.head[:CODE_LENGTH])


_ID: Final = re.compile(r"[0-9a-f]{32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FIELDS: Final = frozenset({"id", "kind", "time", "batch", "payload"})
_PERSON: Final = frozenset({"person", "name", "label", "club", "bot", "merged"})
_SETTINGS: Final = frozenset(EventSettings.__slots__)
_LONG: Final = frozenset({"rules_text", "outside"})
"""The values of entries that have bounds of their own."""
MOST_TEXT: Final = 1_000
"""The most characters of any other text; a reason or a call that is typed has at most 200."""
MOST_NUMBER: Final = 10**9
_LINE: Final = 8
"""The values for which a line counts besides its own."""


@dataclass(frozen=True, slots=True)
class FilePerson:
    """A person of an event's file, numbered as there; without a name if it was erased or nobody has it any more.

    `merged` is the number of the person into whom this one was merged.
    """

    line: int
    player: Player
    merged: int | None


@dataclass(frozen=True, slots=True)
class FileEntry:
    """An entry of an event's file, with the number and the hash of its line, and whether it stands at the end."""

    line: int
    hash: str
    entry: storage.Entry
    state: EntryState


@dataclass(slots=True)
class EventFile:
    """The content of an event's file; `head` is the hash of its last entry."""

    entries: list[FileEntry] = field(default_factory=list)
    people: dict[int, FilePerson] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    head: str = ""

    @property
    def standing(self) -> Iterator[FileEntry]:
        """Yield the entries that stand and change the event."""
        return (each for each in self.entries if each.state == "stands")


def read_event_file(path: str | PathLike[str]) -> EventFile:
    """Return the content of an event's file.

    Raises TourneyError NOT_FOUND for a missing file, REFUSED, with the number of the line, for any other problem.
    """
    lines = BoundedLines(path, _("write it again with `tourney event export`, and send it as an attachment"))
    return _FileReader(lines).read()


class _FileReader:
    """Reads the lines of a file in order; each is checked as soon as it is read."""

    def __init__(self, lines: BoundedLines) -> None:
        self._lines = lines
        self._file = EventFile()
        self._history = storage.EntryHistory()
        self._made: list[tuple[int, str, storage.Entry]] = []
        self._ids: set[str] = set()
        self._values = 0
        self._ended = False

    def read(self) -> EventFile:
        number = 0
        for line in self._chained.read():
            number = line.number
            self._count(line)
            self._take(number, line.value, line.hash)
        if not self._ended:
            raise self._lines.refusal(_("the file ends after line {line}, before its end").format(line=number))
        states = self._history.states
        pairs = zip(self._made, states, strict=True)
        self._file.entries = [FileEntry(*made, state) for made, state in pairs]
        if not states or states[0] != "stands" or self._made[0][-1].kind != "event.new":
            raise self._lines.refusal(_("it does not begin with the creation of an event"), 2)
        return self._file

    def _count(self, line: ReadLine) -> None:
        """Count the values of a line that is held as values. Raises TourneyError REFUSED for one too many."""
        self._values += 0 if "record" in line.value else storage.values_in(line.text) + _LINE
        if self._values > storage.MOST_VALUES:
            message = _("the file has more than {most} values besides its records, and no event has so many")
            raise self._lines.refusal(message.format(most=storage.MOST_VALUES), line.number)

    @property
    def _chained(self) -> ChainedFile:
        other = _("this is not the file of an event")
        hint = _("`tourney event export` writes such files; score sheets are imported with --sheets FILE")
        version = _("the file has version {version} of event files, and this program reads version {known}")
        return ChainedFile(self._lines, FORMAT, VERSION, other, hint, version)

    def _take(self, line: int, value: Any, digits: str) -> None:
        if self._ended:
            raise self._lines.refusal(_("it follows the end"), line)
        if line == 1:
            return
        take = next((take for key, take in self._TAKES.items() if key in value), None)
        try:
            if take is None:
                raise ValueError("unknown")
            take(self, line, value, digits)
        except MALFORMED:
            raise self._lines.refusal(_("no program writes such a line here"), line) from None

    def _entry(self, line: int, value: Mapping[str, Any], digits: str) -> None:
        kind = value["kind"]
        if not storage.is_of_events(kind) and kind not in REVERSALS:
            message = _("this program does not know the kind of entry “{kind}”").format(kind=str(kind)[:40])
            refusal = self._lines.refusal(message, line)
            raise TourneyError(refusal.code, refusal.message, _("update tourney"))
        by = value.get("by", "")
        fields = _FIELDS | ({"by"} if by else set())
        sound = (
            set(value) == fields
            and all(isinstance(each, str) for name, each in value.items() if name != "payload")
            and isinstance(value["payload"], dict)
            and _ID.fullmatch(value["id"])
            and value["time"].endswith("Z")
            and value["id"] not in self._ids
            and not self._file.people
        )
        datetime.fromisoformat(value["time"])
        started = value["payload"].get("started") or value["time"]
        if not (storage.is_of_calendar(value["time"]) and storage.is_of_calendar(started)):
            raise ValueError("not a time")
        if not isinstance(storage.given_name(value["payload"]), str) or not _is_text(
            value["payload"].get("record", "")
        ):
            raise ValueError("not a name")
        if not sound or (kind == "event.new") != (not self._made):
            raise ValueError("not an entry")
        self._refuse_newer(line, kind, value["payload"])
        _refuse_other_form(kind, value["payload"], by)
        entry = storage.Entry(value["id"], kind, value["time"], value["batch"], value["payload"], by)
        self._history.add(entry)
        self._ids.add(entry.id)
        self._made.append((line, digits, entry))
        self._file.head = digits

    def _refuse_newer(self, line: int, kind: str, payload: storage.Payload) -> None:
        """Raise TourneyError REFUSED for an entry with a value that this program does not know."""
        known = {"batch"} if kind in REVERSALS else storage.KINDS[kind].value_names()
        if not known >= payload.keys() or not payload.get("changes", {}).keys() <= _SETTINGS:
            refusal = self._lines.refusal(_("it has a value that this program does not know"), line)
            raise TourneyError(refusal.code, refusal.message, _("update tourney"))

    def _person(self, line: int, value: Mapping[str, Any], _digits: str) -> None:
        number, merged = len(self._file.people) + 1, value.get("merged")
        texts = {name: value.get(name, "") for name in ("name", "label", "club", "bot")}
        named = [name for name in ("name", "bot") if name in value]
        sound = (
            type(value["person"]) is int
            and value["person"] == number
            and set(value) <= _PERSON
            and all(isinstance(text, str) for text in texts.values())
            and all(text for name, text in texts.items() if name in value)
            and len(named) <= 1
            and (named == ["name"] or not (texts["label"] or texts["club"]))
            and (merged is None or type(merged) is int)
        )
        if not sound or not self._made or self._file.records:
            raise ValueError("not a person")
        kind: Any = "bot" if texts["bot"] else "person"
        player = Player(number, texts["bot"] or texts["name"], kind, texts["label"], texts["club"])
        self._file.people[number] = FilePerson(line, player, merged)

    def _record(self, _line: int, value: Mapping[str, Any], _digits: str) -> None:
        sound = set(value) == {"record", "text"} and isinstance(value["text"], str)
        if not sound or not _DIGEST.fullmatch(value["record"]) or not self._made:
            raise ValueError("not a record")
        self._file.records[value["record"]] = value["text"]

    def _end(self, _line: int, value: Mapping[str, Any], _digits: str) -> None:
        file = self._file
        counts = {"entries": len(self._made), "people": len(file.people), "records": len(file.records)}
        if value != {**counts, "head": file.head}:
            raise ValueError("not the end")
        self._ended = True

    _TAKES: Final[Mapping[str, Callable[[_FileReader, int, Mapping[str, Any], str], None]]] = {
        "kind": _entry,
        "person": _person,
        "record": _record,
        "head": _end,
    }


def _refuse_other_form(kind: str, payload: storage.Payload, by: str) -> None:
    """Raise ValueError, KeyError or TypeError for values that no command writes into an entry."""
    if kind in REVERSALS and type(payload["batch"]) is not str:
        raise TypeError("batch")
    if kind not in REVERSALS:
        storage.KINDS[kind].refuse_other_form(payload)
    for each in _leaves([by, payload]):
        if len(each) > MOST_TEXT if isinstance(each, str) else abs(each) > MOST_NUMBER:
            raise ValueError("a value that is too long")


def _leaves(value: object) -> Iterator[str | int]:
    """Yield all texts and numbers in a value of JSON."""
    if isinstance(value, str | int):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from () if name in _LONG else _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def refuse_line(path: str | PathLike[str], line: int, message: str, hint: str) -> TourneyError:
    """Return the error REFUSED for a line of an event's file that is sound in itself."""
    refusal = BoundedLines(path, hint).refusal(message, line)
    return TourneyError(ExitCode.REFUSED, refusal.message, hint)


_KNOWN_FIELDS: Final = ("id", "kind", "time", "batch", "payload")


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
        message = _("{file}: this event is here already, as {event}, and nothing in the file is new").format(**names)
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


def _entry(value: Mapping[str, Any]) -> storage.Entry:
    fields = {name: value[name] for name in _KNOWN_FIELDS}
    return storage.Entry(**fields, by=str(value.get("by", "")))


def _lines(entries: Iterable[tuple[storage.Entry, EntryState]], names: Mapping[int, str]) -> Iterator[ChangeThere]:
    text = storage.JournalText(names, {})
    for place, (entry, state) in enumerate(entries, 1):
        line = text.line(storage.LoggedEntry.of(entry, place, state))
        yield ChangeThere(place, line.time, line.said, line.by)
