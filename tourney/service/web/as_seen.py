"""The state that pages show: the event of the hall, the tables at the desk, and marks against forms of older pages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, NamedTuple

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.rounds import Round, as_played
from tourney.domain.submissions import ComparedSheets, RoundNow, TableNow, TableState, WaitingSheets
from tourney.rulebook import rulesets
from tourney.service.change import Change, Outcome, Scope
from tourney.service.events.event_chain import event_code
from tourney.service.lookup import find_event, find_round, newest_played, with_rules_of_round
from tourney.service.results.begun_sheets import partial_sheets
from tourney.service.results.results import find_event_table
from tourney.service.web.access import token_hash
from tourney.service.web.phone_sheets import PhoneSheets
from tourney.text.i18n import _

Numbers = tuple[int, ...]


class Marks(NamedTuple):
    """The mark of pages for everybody, and that of each table's seats, PINs and typed sheets by the table's token."""

    everybody: Hashable
    tables: Mapping[str, Hashable]


def marks(db: str | None, tokens: Collection[str] = ()) -> Marks:
    """Return the marks of the present state; tokens that open no table have none. Raises TourneyError as `reading`."""
    with storage.reading(db) as reader:
        rows = reader.outside.access() if tokens else []
        opened = {row.hash: row for row in rows if row.kind == "table"}
        found = {token: opened.get(token_hash(token)) for token in tokens}
        seats = {event: _players_at(reader, event) for event in {row.event for row in found.values() if row}}
        tables = {token: _of_table(reader, rows, own, seats) for token, own in found.items() if own is not None}
        return Marks(reader.shown_to_all(), tables)


Seats = Mapping[tuple[int | None, int | None], Collection[int]]
"""The numbers of the players by round and table."""


def _players_at(reader: storage.Reader, event: int | None) -> Seats:
    if event not in reader.events.names():
        return {}
    found = reader.events.get(event)
    tables, substitutions = reader.rounds.tables(found), reader.rounds.substitutions(found)
    return {spot: {player.id for player in as_played(table, substitutions).players} for spot, table in tables.items()}


def _of_table(
    reader: storage.Reader,
    rows: Sequence[storage.KeptAccess],
    own: storage.KeptAccess,
    seats: Mapping[int | None, Seats],
) -> Hashable:
    spot = own.event, own.round, own.table_number
    here, merged = seats[own.event].get(spot[1:], ()), reader.people.merged()
    claims = [
        row
        for row in rows
        if (row.kind, row.event) == ("seat", own.event) and storage.survivor(row.player or 0, merged) in here
    ]
    pins = [row.hash for row in rows if row.kind == "pin" and row.event == own.event and row.ended is None]
    sheets = [] if own.event is None else reader.outside.submissions(own.event)
    typed = [sheet for sheet in sheets if (sheet.event, sheet.round, sheet.table_number) == spot]
    return own.ended, tuple(claims), tuple(pins), tuple(typed)


def hall_event(db: str | None, name: str | None = None) -> Event:
    """Return the event that pages for everybody show: the one named, or else the current one.

    The next evening is often prepared while the last one still hangs on the wall: until somebody has checked in or a
    round is published, the newest finished event before it is shown. Raises TourneyError NOT_FOUND.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, name)
        if name is not None or event.state == "finished" or _has_begun(reader, event):
            return event
        earlier = (
            reader.events.get(number) for number in sorted(reader.events.names(), reverse=True) if number < event.id
        )
        return next((found for found in earlier if found.state == "finished"), event)


def _has_begun(reader: storage.Reader, event: Event) -> bool:
    return "checked in" in event.states or any(not drawn.draft for drawn in reader.rounds.of(event))


def round_now(db: str | None, event_name: str | None, round_number: int | None = None) -> RoundNow:
    """Return a round with the states of its tables: the one of that number, or else the newest that is played.

    Raises TourneyError NOT_FOUND for an unknown event or round.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        rounds = reader.rounds.of(event)
        if not rounds and round_number is None:
            return RoundNow(event, None, 0)
        found = newest_played(event, rounds) if round_number is None else find_round(event, rounds, round_number)
        return RoundNow(event, found, len(rounds), tuple(_tables(reader, event, [found])))


def tables_now(db: str | None, event_name: str | None) -> RoundNow:
    """Return the newest round that is played, and before its tables those of earlier rounds that need the desk.

    A draft has no tables yet. Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        rounds = [drawn for drawn in reader.rounds.of(event) if not drawn.draft]
        newest = rounds[-1] if rounds else None
        found = _tables(reader, event, rounds)
        needed = (now for now in found if now.table.round == len(rounds) or not (now.is_in or now.state == "void"))
        return RoundNow(event, newest, len(rounds), tuple(needed))


def compared_sheets(db: str | None, event_name: str | None, round_number: int, table_number: int) -> ComparedSheets:
    """Return the sheets from phones that wait at a table, hand by hand.

    Raises TourneyError NOT_FOUND for an unknown event, round or table.
    """
    with storage.reading(db) as reader:
        event, table = find_event_table(reader, event_name, round_number, table_number)
        return PhoneSheets(reader, event).compared(table)


def _tables(reader: storage.Reader, event: Event, rounds: Sequence[Round]) -> Iterator[TableNow]:
    """Yield the tables of these rounds; only sheets that wait are read hand by hand."""
    sheets = PhoneSheets(reader, event)
    counts = {(result.table.round, result.table.number): result for result in reader.results.totals(event)}
    void, drawn_at = reader.results.void(event.id), reader.rounds.drawn_at(event)
    partial = {(sheet.table.round, sheet.table.number): sheet.hands for sheet in partial_sheets(reader, event)}
    called = {(flag.round, flag.table) for flag in reader.results.open_flags(event)}
    for found in rounds:
        plays = found.clock.started if found.clock else drawn_at[found.number]
        length = len(rulesets.contracts(with_rules_of_round(event, found.number).rules))
        for table in found.tables:
            spot = table.round, table.number
            now = TableNow(table, "open", plays, partial.get(spot, ()), length=length, called=spot in called)
            result: TableState = "stopped" if spot in counts and counts[spot].outcome.short else "complete"
            state = result if spot in counts else "void" if spot in void else None
            yield _with_sheets(now, sheets.of_table(table), state)


def _with_sheets(now: TableNow, sent: WaitingSheets, result: TableState | None) -> TableNow:
    """Return a table with the state of its `result`, or of the sheets that wait or are typed."""
    if sent.since:
        return replace(now, state="disagreement" if sent.differences else "waiting", since=sent.since)
    if result is not None:
        return replace(now, state=result, since="", hands=())
    typing = [sheet for sheet in sent.sheets if sheet.state == "typing"]
    typed = max((len(sheet.hands) for sheet in typing), default=0)
    since = max((sheet.time for sheet in typing), default=now.since)
    return replace(now, state="typing" if typing or now.hands else "open", since=since, typed=typed)


@dataclass(frozen=True, slots=True)
class AsSeen(Change[Outcome]):
    """A change that was decided when what it is `about` had this `mark`, as `marks_of` takes and returns them.

    `event` is its event, "" for none. Refused: CONFLICT if somebody has changed that since; and as the change is.
    """

    event: str
    about: str
    mark: str
    change: Change[Outcome]

    def perform(self, store: storage.Store) -> Outcome:
        """Return the outcome of the change."""
        if self.mark != _mark(store, _event(store, self.event), self.about):
            raise changed_meanwhile()
        return self.change.perform(store)

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the change."""
        return self.change.scope(reader)

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the events of the change."""
        return self.change.cut_scope(reader)


def changed_meanwhile() -> TourneyError:
    """Return the refusal of a form of an older page."""
    message = _("somebody has changed this while the page was open")
    return TourneyError(ExitCode.CONFLICT, message, _("look at what is there now, then decide again"))


def marks_of(db: str | None, event_name: str, abouts: Collection[str]) -> dict[str, str]:
    """Return the marks of what forms are about, as it is now: each one of `KINDS` with its numbers, or a season.

    Raises TourneyError NOT_FOUND for an unknown event, USAGE for another kind.
    """
    if not abouts:
        return {}
    with storage.reading(db) as reader:
        event = _event(reader, event_name)
        return {about: _mark(reader, event, about) for about in abouts}


def _event(reader: storage.Reader, name: str) -> Event | None:
    return find_event(reader, name) if name else None


def _mark(reader: storage.Reader, event: Event | None, about: str) -> str:
    """Return a text that differs wherever somebody has changed what a form is about."""
    kind, *words = about.split()
    numbers = tuple(int(word) for word in words if word.isdecimal() and len(word) <= 6)
    if kind == "season":
        state: object = [season for season in reader.seasons.all() if season.id in numbers]
    elif event is not None and kind in KINDS:
        state = event.id, KINDS[kind](reader, event, numbers)
    else:
        raise TourneyError(ExitCode.USAGE, _("this page cannot be used in this way"), _("load the page again"))
    return sha256(repr(state).encode()).hexdigest()[:16]


def _seats(reader: storage.Reader, event: Event, _numbers: Numbers) -> object:
    """Return what differs wherever another player sits, a round is drawn or a draft is published."""
    return [
        (
            drawn.number,
            drawn.draft,
            [(table.number, [player.id for player in table.players]) for table in drawn.tables],
            [player.id for player in drawn.sitting_out],
        )
        for drawn in reader.rounds.of(event)
    ]


def _people(_reader: storage.Reader, event: Event, numbers: Numbers) -> list[tuple[int, str, str]]:
    """Return who the entrants of these numbers are, with their names and states; without numbers, all of them."""
    entrants = enumerate(zip(event.entrants, event.states, strict=True), 1)
    return [(player.id, player.shown, state) for at, (player, state) in entrants if at in numbers or not numbers]


def _table(reader: storage.Reader, event: Event, spot: Numbers) -> object:
    """Return the result of a table, what was typed of its sheet at a desk, and the sheets from phones that wait."""
    found = [result for result in reader.results.of(event) if (result.table.round, result.table.number) == spot]
    sheets = [sheet for sheet in PhoneSheets(reader, event).all() if sheet.state == "waiting"]
    sent = [(sheet.id, sheet.digest) for sheet in sheets if (sheet.table.round, sheet.table.number) == spot]
    return [(result.state, result.outcome) for result in found], _typed(reader, event, spot), sent


def _typed(reader: storage.Reader, event: Event, spot: Numbers) -> object:
    return [sheet for sheet in reader.results.partial_sheets(event) if (sheet.round, sheet.table) == spot]


KINDS: Final[Mapping[str, Callable[[storage.Reader, Event, Numbers], object]]] = {
    "event": lambda reader, event, _numbers: event_code(reader, event),
    "rounds": _seats,
    "clock": lambda reader, event, numbers: (
        [(each.clock, each.paused) for each in reader.rounds.of(event)],
        _seats(reader, event, numbers),
    ),
    "people": _people,
    "name": lambda reader, event, numbers: [(number, name) for number, name, _state in _people(reader, event, numbers)],
    "mistake": lambda reader, event, numbers: (_people(reader, event, numbers), _seats(reader, event, ())),
    "constraints": lambda _reader, event, _numbers: event.constraints,
    "table": _table,
    "typed": _typed,
    "flag": lambda reader, event, numbers: [flag for flag in reader.results.flags(event) if flag.number in numbers],
    "ruling": lambda reader, event, numbers: [
        ruling for ruling in reader.results.signed_rulings(event) if ruling.number in numbers
    ],
}
"""The kinds of things that forms are about; a table has the numbers of its round and its own, others one number."""
