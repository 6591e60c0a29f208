"""Entries of an event's file as they are written into a database, each after those before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Final

from tourney import storage
from tourney.bots import builtin, entrants_file
from tourney.domain.errors import TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.domain.rounds import both_play
from tourney.rulebook import records
from tourney.service.chained_lines import MALFORMED
from tourney.service.events.event_chain import REVERSALS
from tourney.service.events.event_file import EventFile, FileEntry, refuse_line
from tourney.service.events.events import refuse_other_bots
from tourney.text.i18n import _

_AFTER_THE_END: Final = frozenset({"event.reopen", "player.merge", "result.partial", "result.drop"})
"""The kinds that an event may have once it is finished; hands were kept there by versions before 0.3."""


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
    _calls: set[tuple[str, int]] = field(default_factory=set)
    _last: dict[str, int] = field(default_factory=dict)
    """The highest number of each sort that was ever given: an undone one is not given again."""
    _counts: dict[tuple[int, int], bool] = field(default_factory=dict)
    """By round and table of each result: True if it counts."""
    _is_finished: bool = False
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
            try:
                entry = self._as_here(each)
                self._number(entry)
                if each.state == "stands":
                    self._follow(entry)
                if place >= self.known:
                    store.events.bring_in(entry)
            except MALFORMED:
                raise impossible(self.path, each.line) from None

    def _as_here(self, each: FileEntry) -> storage.Entry:
        entry, given = each.entry, ""
        if "outside" in entry.payload:
            self._refuse_bots(each)
        if entry.kind in REVERSALS:
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
            entrants_file.refuse_unsound(outside)
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

    def _event(self, number: int) -> int:
        if type(number) is not int or number != 1:
            raise ValueError("another event")
        return self.event

    def _player(self, number: int) -> int:
        if type(number) is not int:
            raise TypeError("not a number")
        return self.numbers[number]

    def _number(self, entry: storage.Entry) -> None:
        """Note the numbers that an entry gives. Raises ValueError for one that is not the next, nor one of before."""
        given = {} if entry.kind in REVERSALS else storage.KINDS[entry.kind].numbers(entry.payload)
        for (counted, event), number in given.items():
            if event and not 1 <= number <= self._last.get(counted, 0) + 1:
                raise ValueError("a number out of order")
            self._last[counted] = max(number, self._last.get(counted, 0))

    def _follow(self, entry: storage.Entry) -> None:
        """Raise ValueError or KeyError for an entry that no command writes after those before it."""
        payload, (noun, verb) = entry.payload, entry.kind.split(".")
        if self._is_finished and entry.kind not in _AFTER_THE_END:
            raise ValueError("a change of an event that has ended")
        if entry.kind == "event.enter":
            self._entrants.update(payload["players"])
        elif entry.kind == "player.merge":
            self._merge(payload["keep"], payload["gone"])
        elif not self._entrants.issuperset(_named(payload)):
            raise ValueError("somebody who has not entered")
        if noun == "event":
            self._is_finished = verb == "finish" or (self._is_finished and verb != "reopen")
        elif noun in ("flag", "ruling"):
            self._follow_call(noun, verb, payload[noun])
        elif noun == "round":
            self._follow_round(verb, payload)
        elif noun == "result":
            self._follow_result(verb, payload)

    def _follow_call(self, noun: str, verb: str, number: int) -> None:
        """Note a call or a decision. Raises ValueError for one that is not there, or is there already."""
        if (verb in ("raise", "add")) == ((noun, number) in self._calls):
            raise ValueError("another call or decision")
        if verb == "cancel":
            self._calls.remove((noun, number))
        else:
            self._calls.add((noun, number))

    def _follow_round(self, verb: str, payload: storage.Payload) -> None:
        """Note who sits where. Raises ValueError for other people at a table that has a result, or in two seats."""
        number, newest = payload["round"], max(self._seats, default=0)
        before = self._seats.get(number)
        if number != newest + 1 if verb == "draw" else before is None or (verb == "cancel" and number != newest):
            raise ValueError("a round that is not drawn, or not the next one")
        if verb == "substitute":
            self._substitute(**{name: payload[name] for name in ("round", "absent", "substitute")})
        if verb in ("draw", "cancel"):
            self._substitutes.pop(number, None)
        after = {each["table"]: each["players"] for each in payload.get("tables", ())}
        if verb in ("draw", "move", "dissolve"):
            if not all(type(table) is int and table > 0 and players for table, players in after.items()):
                raise ValueError("a table that is none")
            seated = [*(player for players in after.values() for player in players), *payload["out"]]
            if len(after) < len(payload["tables"]) or len({*seated}) < len(seated):
                raise ValueError("one table or person twice")
            self._seats[number] = after
            others = self._substitutes.get(number, {})
            playing = [others.get(player, player) for players in after.values() for player in players]
            if len({*playing}) < len(playing):
                raise ValueError("one person in two seats")
        elif verb == "cancel":
            del self._seats[number]
        else:
            return
        for table, players in (before or {}).items():
            if after.get(table) != players and self._counts.get((number, table)):
                raise ValueError("a table that has a result")
            if table not in after:
                self._counts.pop((number, table), None)

    def _follow_result(self, verb: str, payload: storage.Payload) -> None:
        """Note whether a table's result counts. Raises ValueError for one that does not follow from its hands."""
        spot = (payload["round"], payload["table"])
        seats, counts = len(self._seats[spot[0]][spot[1]]), self._counts.get(spot)
        if verb in ("partial", "drop"):
            return
        if counts if verb == "enter" else counts is None if verb == "correct" else not counts:
            raise ValueError("a result twice, or a change of none")
        if verb != "void":
            found = storage.outcome(payload)
            if not found.follows or {len(found.points), *(len(hand.points) for hand in found.hands)} != {seats}:
                raise ValueError("points that do not follow from the hands")
        self._counts[spot] = verb != "void"

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
