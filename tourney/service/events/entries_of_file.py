"""Entries of an event's file as they are written into a database, each after those before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Final

from tourney import storage
from tourney.bots import builtin, entrants_file
from tourney.domain.errors import TourneyError
from tourney.domain.events import EventSettings
from tourney.domain.leagues import OutsideBot
from tourney.domain.rounds import both_play
from tourney.rulebook import records
from tourney.service.chained_lines import MALFORMED
from tourney.service.events.event_chain import REVERSALS
from tourney.service.events.event_file import EventFile, FileEntry, refuse_line
from tourney.service.events.events import refuse_other_bots
from tourney.text.i18n import _

_SETTINGS: Final = frozenset({*EventSettings.__slots__, "event", "rules_digest", "rules_text"})
"""The values that an entry may give an event."""


@dataclass(slots=True)
class FileEntries:
    """The entries of a file as they are written here, with the numbers and the name that the event has here.

    The first `known` of them are here already.
    """

    path: str | PathLike[str]
    event: int
    name: str | None
    numbers: Mapping[int, int]
    known: int
    _entrants: set[int] = field(default_factory=set)
    _seats: dict[int, dict[int, Sequence[int]]] = field(default_factory=dict)
    _substitutes: dict[int, dict[int, int]] = field(default_factory=dict)
    _flags: set[int] = field(default_factory=set)
    _bots: dict[str, OutsideBot] = field(default_factory=dict)

    def write(self, store: storage.Store, file: EventFile) -> None:
        """Write all entries. Raises TourneyError REFUSED for one that cannot follow those before it."""
        named = {digest for each in file.entries if (digest := each.entry.payload.get("record")) is not None}
        message = _("the records of games in the file are not those that its results name")
        if named != file.records.keys():
            raise refuse_line(self.path, file.entries[-1].line, message, _("export the event again"))
        for digest, text in file.records.items():
            self._refuse_unreadable(file.entries[-1].line, text)
            if store.results.keep_record(text) != digest:
                raise refuse_line(self.path, file.entries[-1].line, message, _("export the event again"))
        for place, each in enumerate(file.entries):
            self._refuse_newer(each)
            try:
                entry = self._as_here(each)
                if each.state == "stands":
                    self._follow(entry)
                if place >= self.known:
                    store.events.bring_in(entry)
            except MALFORMED:
                raise impossible(self.path, each.line) from None

    def _as_here(self, each: FileEntry) -> storage.Entry:
        entry, given = each.entry, ""
        if entry.kind not in REVERSALS:
            storage.KINDS[entry.kind].refuse_other_form(entry.payload)
        if "outside" in entry.payload:
            self._refuse_bots(each)
        if entry.kind in REVERSALS:
            if set(entry.payload) != {"batch"} or type(entry.payload["batch"]) is not str:
                raise ValueError("not an undo")
            payload: storage.Payload = {**entry.payload, "event": self.event}
        else:
            payload = storage.KINDS[entry.kind].renumbered(entry.payload, self._event, self._player)
            if self.name is not None:
                given = storage.given_name(payload)
                payload = storage.renamed(payload, self.name)
        origin = storage.Origin(entry.id, entry.batch, each.state, given)
        return storage.Entry(entry.id, entry.kind, entry.time, "", payload, entry.by, origin=origin)

    def _refuse_bots(self, each: FileEntry) -> None:
        """Raise TourneyError REFUSED for a bot with the name of another one, or characters that cannot be seen."""
        outside = [storage.outside_bot(row) for row in each.entry.payload["outside"]]
        try:
            entrants_file.refuse_unseen(outside)
            if each.state == "stands":
                refuse_other_bots(self._bots, outside)
                self._bots |= {bot.name: bot for bot in outside}
        except TourneyError as error:
            raise refuse_line(self.path, each.line, error.message, error.hint) from None
        for bot in outside:
            if builtin.has_built_in_name(bot.name.strip()):
                message = _("“{name}” is the name of a built-in bot").format(name=bot.name[:80])
                hint = _("its author gives it another name, and exports the file again")
                raise refuse_line(self.path, each.line, message, hint)

    def _refuse_unreadable(self, line: int, record: str) -> None:
        """Raise TourneyError REFUSED for a record that cannot be read."""
        try:
            records.open_record(record)
        except TourneyError as error:
            raise refuse_line(self.path, line, error.message, error.hint) from None
        except MALFORMED:
            raise impossible(self.path, line) from None

    def _refuse_newer(self, each: FileEntry) -> None:
        """Raise TourneyError REFUSED for a setting that this program does not know."""
        if each.entry.kind in ("event.new", "event.set"):
            given = each.entry.payload.get("changes", each.entry.payload)
            if not isinstance(given, dict) or not _SETTINGS.issuperset(given):
                message = _("it has a setting that this program does not know")
                raise refuse_line(self.path, each.line, message, _("update tourney"))

    def _event(self, number: int) -> int:
        if type(number) is not int or number != 1:
            raise ValueError("another event")
        return self.event

    def _player(self, number: int) -> int:
        if type(number) is not int:
            raise TypeError("not a number")
        return self.numbers[number]

    def _follow(self, entry: storage.Entry) -> None:
        """Raise ValueError if the entry names somebody who has not entered, or a table that is not drawn."""
        payload = entry.payload
        if entry.kind == "event.enter":
            self._entrants.update(payload["players"])
        elif entry.kind == "player.merge":
            self._merge(payload["keep"], payload["gone"])
        elif not self._entrants.issuperset(_named(payload)):
            raise ValueError("somebody who has not entered")
        if entry.kind == "flag.raise":
            self._flags.add(payload["flag"])
        elif entry.kind == "flag.answer" and payload["flag"] not in self._flags:
            raise ValueError("an answer to no flag")
        if entry.kind in ("round.publish", "round.substitute") and payload["round"] not in self._seats:
            raise ValueError("a round that is not drawn")
        if entry.kind == "round.substitute":
            self._substitute(**{name: payload[name] for name in ("round", "absent", "substitute")})
        if entry.kind in ("round.draw", "round.cancel"):
            self._substitutes.pop(payload["round"], None)
        if entry.kind == "round.cancel":
            del self._seats[payload["round"]]
        elif "tables" in payload and "round" in payload:
            self._seats[payload["round"]] = {each["table"]: each["players"] for each in payload["tables"]}
        elif entry.kind.startswith("result."):
            seats = len(self._seats[payload["round"]][payload["table"]])
            if any(len(payload[name]) != seats for name in ("points", "hands_won", "places") if name in payload):
                raise ValueError("not a value for each seat")

    def _merge(self, keep: int, gone: int) -> None:
        """Let two people be one. Raises ValueError if neither has entered, or both play in one round."""
        if not {keep, gone} & self._entrants:
            raise ValueError("a merger of others")
        for number in self._seats:
            if both_play(self._seated(number), self._substitutes.get(number, {}), keep, gone):
                raise ValueError("one person in two seats")
        self._entrants = (self._entrants - {gone}) | {keep}

        def now(player: int) -> int:
            return keep if player == gone else player

        for number, tables in self._seats.items():
            self._seats[number] = {at: [*map(now, players)] for at, players in tables.items()}
        for number, others in self._substitutes.items():
            self._substitutes[number] = {now(absent): now(other) for absent, other in others.items()}

    def _substitute(self, round: int, absent: int, substitute: int | None) -> None:
        """Let somebody, or nobody, play for an entrant. Raises ValueError for one who plays in the round already."""
        others = self._substitutes.setdefault(round, {})
        others.pop(absent, None)
        if substitute is not None:
            if substitute in {*self._seated(round), *others.values()}:
                raise ValueError("one person in two seats")
            others[absent] = substitute

    def _seated(self, number: int) -> set[int]:
        return {player for players in self._seats[number].values() for player in players}


def _named(payload: storage.Payload) -> Iterator[int]:
    """Yield the players that an entry about entrants names."""
    yield from payload.get("players", ())
    yield from payload.get("people", ())
    if "round" in payload and "tables" in payload:
        yield from (player for each in payload["tables"] for player in each["players"])
        yield from payload["out"]
    yield from (payload[name] for name in ("player", "absent", "substitute") if payload.get(name) is not None)


def impossible(path: str | PathLike[str], line: int) -> TourneyError:
    """Return the refusal of a line with an entry that no program can have written there."""
    message = _("this entry cannot follow those before it")
    return refuse_line(path, line, message, _("export the event again with `tourney event export`"))
