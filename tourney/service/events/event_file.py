"""The file of an event, read and checked: its chain, the form of every line, and which entries stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from os import PathLike
from typing import Any, Final

from tourney import storage
from tourney.domain.database import EntryState
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.files.bounded_lines import BoundedLines
from tourney.service.chained_lines import MALFORMED, ChainedFile, ReadLine
from tourney.service.event_chain import FORMAT, REVERSALS, VERSION
from tourney.text.i18n import _
from tourney.text.json_size import MOST_VALUES, values_in

_ID: Final = re.compile(r"[0-9a-f]{32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FIELDS: Final = frozenset({"id", "kind", "time", "batch", "payload"})
_PERSON: Final = frozenset({"person", "name", "label", "club", "bot", "merged"})
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
        self._values += 0 if "record" in line.value else values_in(line.text) + _LINE
        if self._values > MOST_VALUES:
            message = _("the file has more than {most} values besides its records, and no event has so many")
            raise self._lines.refusal(message.format(most=MOST_VALUES), line.number)

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
        entry = storage.Entry(value["id"], kind, value["time"], value["batch"], value["payload"], by)
        self._history.add(entry)
        self._ids.add(entry.id)
        self._made.append((line, digits, entry))
        self._file.head = digits

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


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def refuse_line(path: str | PathLike[str], line: int, message: str, hint: str) -> TourneyError:
    """Return the error REFUSED for a line of an event's file that is sound in itself."""
    refusal = BoundedLines(path, hint).refusal(message, line)
    return TourneyError(ExitCode.REFUSED, refusal.message, hint)
