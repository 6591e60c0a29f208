"""Read the database as domain values, and refuse rows whose checksum is wrong."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, select

from tourney.domain.editions import PublishedEdition
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.results import Outcome, PartialSheet, Result, Ruling, SheetEntry, SheetEntryKind
from tourney.domain.rounds import Clock, Drawing, KeptPlan, Round, Table
from tourney.storage import projections as kinds
from tourney.storage import rows as values
from tourney.storage import sqlite
from tourney.storage.journal import payloads
from tourney.storage.journal.canonical import canonical_json, row_checksum, sha256
from tourney.storage.journal.checksums import Rows, damaged, verified_rows
from tourney.storage.journal.dependents import OrderedBy, resting_on
from tourney.storage.journal.entries import FIRST, Entry, LoggedEntry, chain_hash, parse_entry
from tourney.storage.journal.fold import Reversal, next_redo, next_undo, undo_of, writers
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.replay import databases_before
from tourney.storage.journal.undo import REVERSALS, states
from tourney.storage.league_blocks import Blocks
from tourney.storage.rating_inputs import ImportedFiles, PlayedRounds, PlayedTable, RatedEvent
from tourney.storage.tables import table
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import EntryState
    from tourney.domain.leagues import League

Spot = tuple[int, int]

Named = tuple[tuple[tuple[int, ...], bool], ...]
"""For each of some entries the ids of the players that it named, and whether it keeps the plan that it announced."""

SHEET_ENTRIES: Mapping[str, SheetEntryKind] = {
    kinds.RESULT_ENTER.name: "entered",
    kinds.RESULT_CORRECT.name: "corrected",
    kinds.RESULT_VOID.name: "made void",
}
"""The kinds of entries about a table's sheet, and what each did to it."""

_REFERRED = "SELECT number, kind FROM act WHERE kind IN ('undo', 'redo', 'player.merge')"
"""The entries to which others refer without naming their event."""

AsDrawn = tuple[Round, Event, Drawing | None, Named]


def _read_plans(entry: Entry, number: int, merged: Mapping[int, int]) -> dict[str, KeptPlan]:
    try:
        return payloads.read_plans(entry.payload, merged)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(_("the plan in entry {number} cannot be read").format(number=number)) from error


def _parsed(text: str, number: int) -> Entry:
    try:
        return parse_entry(text)
    except ValueError as error:
        raise damaged(_("entry {number} cannot be read: {error}").format(number=number, error=error)) from error


class Reader:
    """Queries of one open transaction.

    Each method raises TourneyError STORAGE if the rows that it reads are not as they were written.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._seen: dict[Partition, Mapping[str, Rows]] = {}
        self._living: tuple[Rows, dict[int, Player]] = ([], {})

    def head(self) -> tuple[int, str]:
        """Return how many entries the journal has, and the hash of the last one (`""` before the first)."""
        row = self._first(select(*table("head").c["acts", "hash"]))
        if row is None:
            return 0, FIRST
        if self._chained(row.acts)[1] != row.hash:
            raise damaged(_("the journal's last entry is not the one that was noted"))
        return row.acts, row.hash

    def entry(self, entry_id: str) -> Entry | None:
        """Return the entry of that id; None if the journal has none."""
        acts = table("act")
        row = self._first(select(acts.c.number).where(acts.c.id == entry_id))
        return None if row is None else self._entry(row.number)

    def entries(self) -> Iterator[LoggedEntry]:
        """Yield the entries of the journal in order, each with its state; the chain of hashes is checked."""
        entries, before = [], FIRST
        columns = table("act").c["number", "text", "hash"]
        for expected, row in enumerate(self._connection.execute(select(*columns).order_by(columns[0])), 1):
            before = chain_hash(before, row.text)
            if (row.number, row.hash) != (expected, before):
                raise damaged(_("entry {number} is not as it was written").format(number=expected))
            entries.append(_parsed(row.text, expected))
        if self.head() != (len(entries), before):
            raise damaged(_("the journal's last entry is not the one that was noted"))
        for number, (entry, state) in enumerate(zip(entries, states(entries), strict=True), 1):
            yield LoggedEntry.of(entry, number, state)

    def entries_about(self, numbers: Collection[int], events: Collection[int] = ()) -> tuple[LoggedEntry, ...]:
        """Return these entries and those of the events, with all others that their sentences refer to, in order.

        These are the other entries of the events that they name, those about pools and mergers of players, and what
        undid or redid any of them. So the time does not depend on other events.
        """
        kinds_of = {row[0]: row[1] for row in sqlite.rows(self._connection, _REFERRED)}
        batches: dict[int, set[int]] = defaultdict(set)
        for number, batch, _state in (steps := sqlite.rows(self._connection, "SELECT act, batch, state FROM step")):
            batches[batch].add(number)
        reversed_by = {number: self._reversed(number) for number, kind in kinds_of.items() if kind in REVERSALS}
        wanted = {other for number in numbers for other in batches[reversed_by.get(number, 0)] | {number}}
        traces = sqlite.rows(self._connection, "SELECT part, event, act FROM trace")
        named = {event or self._entry(act).payload.get("event", 0) for _part, event, act in traces if act in wanted}
        about = named.union(events) - {0}
        wanted |= {number for part, event, number in traces if event in about or part == "pools"}
        wanted |= {number for number, kind in kinds_of.items() if kind not in REVERSALS}
        for number, batch in reversed_by.items():
            if not wanted.isdisjoint(batches[batch]):
                wanted |= batches[batch] | {number}
        states_of = {number: state for number, _batch, state in steps}
        return tuple(self._logged(number, states_of[number]) for number in sorted(wanted))

    def numbers_of(self, entries: Iterable[Entry]) -> tuple[int, ...]:
        """Return the numbers of entries."""
        acts = table("act").c
        found = (self._first(select(acts.number).where(acts.id == entry.id)) for entry in entries)
        return tuple(int(row.number) for row in found if row is not None)

    def _reversed(self, number: int) -> int:
        """Return the number of the first entry that an entry of undo or redo reversed."""
        acts = table("act").c
        row = self._first(select(acts.number).where(acts.id == self._entry(number).payload["batch"]))
        return 0 if row is None else int(row.number)

    def _logged(self, number: int, state: EntryState) -> LoggedEntry:
        return LoggedEntry.of(self._entry(number), number, state)

    def next_undo(self) -> Reversal:
        """Return what undo would take back now."""
        return next_undo(self._connection)

    def undo_of(self, number: int) -> Reversal:
        """Return what undo would take back with the entry of that number: its whole command.

        Raises TourneyError NOT_FOUND for a number that no entry has, REFUSED for an entry that is an undo or redo
        itself, is undone already, or cannot be undone.
        """
        steps = table("step")
        row = None if number > self.head()[0] else self._first(select(steps.c.state).where(steps.c.act == number))
        hint = _("see the numbers with `tourney log`")
        if row is None:
            raise TourneyError(ExitCode.NOT_FOUND, _("there is no change {number}").format(number=number), hint)
        refusals = {
            "undone": (_("change {number} is undone already"), hint),
            "takes back": (_("change {number} is an undo itself"), _("put back what was undone last: `tourney redo`")),
            "puts back": (_("change {number} only put another back"), _("give the number of that one: `tourney log`")),
        }
        if row.state in refusals:
            message, hint = refusals[row.state]
            raise TourneyError(ExitCode.REFUSED, message.format(number=number), hint)
        if kind_of(_parsed(self._chained(number)[0], number)).permanent:
            message = _("change {number} erased a name, which cannot be undone").format(number=number)
            raise TourneyError(ExitCode.REFUSED, message, hint)
        return undo_of(self._connection, number)

    def resting_on(self, entries: Sequence[Entry], ordered_by: OrderedBy) -> tuple[LoggedEntry, ...]:
        """Return the later entries that rest on these of a command; `ordered_by` says what a format's draws rest on."""
        return resting_on(self._connection, entries, ordered_by)

    def next_redo(self) -> Reversal:
        """Return what redo would put back now."""
        return next_redo(self._connection)

    def players(self) -> tuple[Player, ...]:
        """Return all players and seats of bots in the order of registration, except those merged into another."""
        return tuple(self._players().values())

    def gone(self) -> tuple[Player, ...]:
        """Return the players merged into another, each under the last name before the merger."""
        return tuple(self._with_names([row for row in self._rows("players")["player"] if row.merged is not None]))

    def current_event(self) -> int | None:
        """Return the number of the event set by `event use`; None if none is set."""
        rows = self._rows("current")["current_event"]
        return rows[0].event if rows else None

    def meant_event(self) -> int | None:
        """Return the number of the event that commands mean when none is named; None if none can be.

        It is the one set by `event use`, otherwise the only event, otherwise the only one in play: open, and a round of
        it is drawn. So the event in play stays the current one when the next is created. Where none is in play, it is
        the only open one.
        """
        chosen = self.current_event()
        if chosen is not None:
            return chosen
        rows = self._rows("settings")["event"]
        if len(rows) > 1:
            rows = [row for row in rows if row.state == "open"]
            rows = [row for row in rows if self._rows("rounds", row.id)["round"]] or rows
        return rows[0].id if len(rows) == 1 else None

    def event_names(self) -> dict[int, str]:
        """Return the names of events by number, in the order they were made."""
        return {row.id: row.name for row in self._rows("settings")["event"]}

    def event(self, number: int) -> Event:
        """Return the event of that number with its entrants."""
        rows = self._rows("settings", number)["event"]
        if not rows:
            raise damaged(_("event {number} is not there").format(number=number))
        players = self._players()
        entrants = self._rows("entrants", number)["entrant"]
        people = tuple(players[row.player] for row in entrants)
        constraints = payloads.read_constraints(rows[0].wishes, players, self.merged())
        states = tuple(row.state for row in entrants)
        meant = self.meant_event()
        current = "" if meant is None else self._rows("settings", meant)["event"][0].name
        return values.event(rows[0], people, states, constraints, current)

    def events_of(self, player: int) -> tuple[str, ...]:
        """Return the names of the events that the player has entered, in the order they were made."""
        entered = {row.event for row in self._rows("entrants")["entrant"] if row.player == player}
        return tuple(name for number, name in self.event_names().items() if number in entered)

    def rated_events(self) -> tuple[RatedEvent, ...]:
        """Return all events in the order of rating: by date, or without one by the day (UTC) they were made."""
        rows = self._rows("settings")["event"]
        events = [
            RatedEvent(row.id, row.name, row.rules, json.loads(row.settings).get("date") or self._day(row.act))
            for row in rows
        ]
        return tuple(sorted(events, key=lambda event: (event.day, event.number)))

    def rounds(self, event: Event) -> tuple[Round, ...]:
        """Return the drawn rounds of the event in order, players in seat order, byes in the order of entry."""
        rows = self._rows("rounds", event.id)
        tables = values.tables(rows["seat"], values.Known({player.id: player for player in event.entrants}))
        out: dict[int, set[int]] = defaultdict(set)
        for row in rows["sitting_out"]:
            out[row.round].add(row.player)
        return tuple(
            Round(
                row.number,
                tuple(table_ for (drawn, _at), table_ in tables.items() if drawn == row.number),
                tuple(player for player in event.entrants if player.id in out[row.number]),
                None if row.started is None else Clock(row.started, row.minutes),
            )
            for row in rows["round"]
        )

    def as_drawn(self, event: Event) -> tuple[tuple[AsDrawn, ...], dict[str, KeptPlan]]:
        """Return each drawn round in order, as it was drawn, and the steps of the plan that entries keep, by key.

        Each round comes with the event's settings and constraints at that time, how it was drawn, and the players that
        each entry about attendance named until the next draw.
        """
        names = ("settings", "entrants", "rounds")
        numbers = {row.act for name in names for row in writers(self._connection, Partition(name, event.id))}
        players, merged = self._players(), self.merged()
        everybody = values.Known(players | {gone: players[payloads.survivor(gone, merged)] for gone in merged})
        now = replace(event, constraints=())
        drawn: dict[int, tuple[Round, Event, Drawing | None]] = {}
        plans: dict[str, KeptPlan] = {}
        named: list[Named] = [()]
        for number in sorted(numbers):
            entry = self._entry(number)
            kind, payload = kind_of(entry), entry.payload
            plans |= _read_plans(entry, number, merged)
            if kind in (kinds.EVENT_NEW, kinds.EVENT_SET):
                now = replace(now, settings=payloads.settings(now.settings, payload))
            elif kind is kinds.EVENT_CONSTRAIN:
                constraints = payloads.read_constraints(canonical_json(payload["wishes"]), players, merged)
                now = replace(now, constraints=constraints)
            elif kind in kinds.ATTENDANCE:
                players_named = tuple(payloads.survivor(player, merged) for player in payload["players"])
                named[-1] += ((players_named, "plan" in payload),)
            elif kind is kinds.ROUND_DRAW:
                drawn[payload["round"]] = (
                    payloads.drawn(payload, everybody),
                    now,
                    payloads.drawn_by(payload, everybody),
                )
                named.append(())
            elif kind is kinds.ROUND_CANCEL:
                del drawn[payload["round"]]
                named[-2:] = [named[-2] + named[-1]]
        rounds = tuple((*drawn[number], after) for number, after in zip(sorted(drawn), named[1:], strict=True))
        return rounds, plans

    def draws(self, event: Event) -> Iterator[tuple[Round, Drawing | None, Reader]]:
        """Yield each drawing of a round of the event that stands, in order.

        Each has the round as it was drawn, how it was drawn, and the database before it, valid until the next drawing.
        """

        def is_drawing(entry: LoggedEntry) -> bool:
            return kinds.ROUND_DRAW.made(entry) and entry.payload["event"] == event.id

        for entry, past in databases_before(self._connection, list(self.entries()), is_drawing):
            before = Reader(past)
            players = {player.id: player for player in before.players()}
            yield payloads.drawn(entry.payload, players), payloads.drawn_by(entry.payload, players), before

    def times_edited(self, event: Event) -> dict[int, int]:
        """Return how often each round has been edited since it was last drawn."""
        times: dict[int, int] = {}
        for row in writers(self._connection, Partition("rounds", event.id)):
            entry = self._entry(row.act)
            if kinds.ROUND_DRAW.made(entry):
                times[entry.payload["round"]] = 0
            elif kinds.ROUND_MOVE.made(entry) or kinds.ROUND_DISSOLVE.made(entry):
                times[entry.payload["round"]] += 1
        return times

    def results_of(self, event: Event, player: int) -> tuple[Result, ...]:
        """Return the results that count of all tables of the player with that number, by round and table."""
        seats = self._rows("rounds", event.id)["seat"]
        sat = {(row.round, row.table_number) for row in seats if row.player == player}
        partitions = (self._verified(Partition(name, event.id), sat) for name in ("results", "hands"))
        found = {name: rows for partition in partitions for name, rows in partition.items()}
        seats_at_tables = [row for row in seats if (row.round, row.table_number) in sat]
        tables = values.tables(seats_at_tables, values.Known({entrant.id: entrant for entrant in event.entrants}))
        outcomes = values.outcomes(found)
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, {})
            for row in found["result"]
            if row.state == "counts"
        )

    def results(self, event: Event, *, last: int | None = None, spot: Spot | None = None) -> tuple[Result, ...]:
        """Return the results of the event, void ones too, by round and table: all, up to round `last`, or at `spot`."""
        in_round = 0 if spot is None else spot[0]
        found = {**self._rows("results", event.id, in_round), **self._rows("hands", event.id, in_round)}
        tables = self._tables(event)
        outcomes = values.outcomes(found)
        uncounted = self._uncounted(event, {row.round for row in found["result"] if row.state == "void"})
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, uncounted)
            for row in found["result"]
            if (last is None or row.round <= last) and spot in (None, (row.round, row.table_number))
        )

    def finished(self, event: int) -> frozenset[Spot]:
        """Return (round, table) of the tables that have a result, void ones too."""
        return frozenset((row.round, row.table_number) for row in self._rows("results", event)["result"])

    def drawn_at(self, event: Event) -> dict[int, str]:
        """Return when each drawn round of the event was drawn (UTC)."""
        times: dict[int, str] = {}
        for row in writers(self._connection, Partition("rounds", event.id)):
            entry = _parsed(row.text, row.act)
            if kinds.ROUND_DRAW.made(entry):
                times[entry.payload["round"]] = entry.time
        return times

    def entered_at(self, event: Event, in_round: int) -> dict[int, str]:
        """Return when the sheet of each table of a round was first entered (UTC), if that entry stands."""
        times: dict[int, str] = {}
        for row in writers(self._connection, Partition("results", event.id, in_round)):
            entry = _parsed(row.text, row.act)
            if kinds.RESULT_ENTER.made(entry):
                times.setdefault(entry.payload["table"], entry.time)
        return times

    def void(self, event: int) -> frozenset[Spot]:
        """Return (round, table) of the tables whose result was made void."""
        rows = self._rows("results", event)["result"]
        return frozenset((row.round, row.table_number) for row in rows if row.state == "void")

    def rulings(self, event: Event) -> tuple[Ruling, ...]:
        """Return the arbiter's decisions, cancelled ones too, by number."""
        rows = self._rows("rulings", event.id)["ruling"]
        players = self._players() if rows else values.Known({})
        return tuple(values.ruling(event, row, players) for row in rows)

    def signed_rulings(self, event: Event) -> tuple[Ruling, ...]:
        """Return the decisions as `rulings` does, with who wrote down and who cancelled each."""
        by, cancelled_by = {}, {}
        for entry in self._writers("rulings", event.id):
            if kinds.RULING_ADD.made(entry):
                by[entry.payload["ruling"]] = entry.by
            elif kinds.RULING_CANCEL.made(entry):
                cancelled_by[entry.payload["ruling"]] = entry.by
        return tuple(
            replace(ruling, by=by[ruling.number], cancelled_by=cancelled_by.get(ruling.number, ""))
            for ruling in self.rulings(event)
        )

    def sheet_entries(self, event: Event, spot: Spot) -> tuple[SheetEntry, ...]:
        """Return the entries that stand about a table's sheet, in order, since its round was last cancelled."""
        found: list[SheetEntry] = []
        for entry in self._writers("results", event.id, spot[0]):
            if kinds.ROUND_CANCEL.made(entry):
                found.clear()
            elif entry.kind in SHEET_ENTRIES and entry.payload["table"] == spot[1]:
                reason = entry.payload.get("reason", "")
                found.append(SheetEntry(SHEET_ENTRIES[entry.kind], entry.time, entry.by, reason))
        return tuple(found)

    def partial_sheets(self, event: Event) -> tuple[PartialSheet, ...]:
        """Return the partial sheets by round and table.

        They are those for the players who sit at the table now, begun since the last entry about the table's sheet, and
        not discarded.
        """
        kept = {(row.round, row.table_number): row.text for row in self._rows("sheets", event.id)["partial_sheet"]}
        drafts = {(row.round, row.table_number): row.text for row in self._rows("drafts", event.id)["draft"]}
        tables = self._tables(event) if kept or drafts else {}
        sheets = (
            self._partial_sheet(event, tables[spot], kept.get(spot, ""), drafts.get(spot, ""))
            for spot in sorted(kept.keys() | drafts.keys())
            if spot in tables
        )
        return tuple(sheet for sheet in sheets if sheet is not None)

    def played(self) -> Iterator[PlayedTable]:
        """Yield all tables that count, of all events, in the order of rating: event date, event, round, table."""
        players = self._players()
        names = self.event_names()
        seats = self._everywhere("rounds", "seat")
        scores = self._everywhere("results", "score")
        for number in filter(scores.__contains__, (event.number for event in self.rated_events())):
            tables = values.tables(seats[number], players)
            for at, group in groupby(scores[number], lambda row: (row.round, row.table_number)):
                yield PlayedTable(names[number], tables[at].players, tuple(row.place for row in group))

    def played_rounds(self) -> PlayedRounds:
        """Return the tables that count for ratings, by round, as this transaction sees them until its next entry."""
        # Reading the events writes every checksum that is due, before the first partition is read.
        days = {event.number: event.day for event in self.rated_events()}
        return PlayedRounds(self._connection, self._verified, days)

    def pools(self) -> dict[int, Pool]:
        """Return the pools that were opened, imported or given parameters, by number."""
        return {
            row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw, row.absence)
            for row in self._rows("pools")["pool"]
        }

    def imported_files(self, pool: int) -> ImportedFiles:
        """Return the files imported into the pool, for ratings."""
        files = [row for row in self._rows("pools")["pool_import"] if row.pool == pool]
        return ImportedFiles(self._connection, files, lambda number: self._entry(number).payload)

    def editions(self, pool: str) -> tuple[PublishedEdition, ...]:
        """Return the editions of the pool of that name, in order."""
        numbers = (row.act for row in writers(self._connection, Partition("editions")))
        chained = ((number, *self._chained(number)) for number in numbers)
        entries = ((number, _parsed(text, number), head) for number, text, head in chained)
        return tuple(
            PublishedEdition(payloads.read_edition(entry.payload), number, entry.time, entry.by, head)
            for number, entry, head in entries
            if entry.payload["name"] == pool
        )

    def column_names(self) -> dict[str, str]:
        """Return the columns that a club's own headers stand for, by the header without accents and case."""
        named = (self._entry(row.act).payload["columns"] for row in writers(self._connection, Partition("columns")))
        return {theirs: ours for names in named for theirs, ours in names.items()}

    def leagues(self) -> dict[int, League]:
        """Return the leagues by number, in the order they were begun."""
        return {row.id: values.league(row) for row in self._rows("leagues")["league"]}

    def league_program(self, number: int) -> str:
        """Return the version of this program that began the league."""
        return str(next(row.program for row in self._rows("leagues")["league"] if row.id == number))

    def blocks(self, number: int) -> Blocks:
        """Return the results of a league's blocks, with the bots that it has now."""
        return Blocks(self._connection, number, len(self.leagues()[number].bots))

    def record(self, digest: str) -> str:
        """Return the text of the record that a result names."""
        records = table("record")
        row = self._first(select(records.c.text).where(records.c.digest == digest))
        if row is None or sha256(str(row.text)) != digest:
            raise damaged(_("a game's record is not as it was written"))
        return str(row.text)

    def checkpoints(self, pool: str) -> frozenset[str]:
        """Return the digests of the inputs for which ratings of a pool are cached."""
        kept = table("rating_checkpoint").c
        return frozenset(self._connection.execute(select(kept.inputs).where(kept.pool == pool)).scalars())

    def checkpoint(self, pool: str, inputs: str) -> str | None:
        """Return the cached ratings for these inputs as text; None if the row is missing or damaged."""
        kept = table("rating_checkpoint")
        row = self._first(select(kept).where(kept.c.pool == pool, kept.c.inputs == inputs))
        return str(row.text) if row is not None and row_checksum(row[:-1]) == row.checksum else None

    def _first(self, query: Select[Any]) -> Row[Any] | None:
        return self._connection.execute(query).first()

    def _rows(self, name: str, event: int = 0, in_round: int = 0) -> Mapping[str, Rows]:
        """Return the rows of a partition by table, and remember them."""
        partition = Partition(name, event, in_round)
        if partition not in self._seen:
            self._seen[partition] = self._verified(partition)
        return self._seen[partition]

    def _verified(self, partition: Partition, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        """Return the rows of a partition, or with `spots` only those of these tables, without remembering them."""
        return verified_rows(self._connection, partition, spots)

    def _everywhere(self, partition: str, name: str) -> Mapping[int, Rows]:
        """Return the rows of all events, by event."""
        return {event: list(rows) for event, rows in groupby(self._rows(partition)[name], lambda row: row.event)}

    def _tables(self, event: Event) -> Mapping[Spot, Table]:
        return values.Known(
            {(table_.round, table_.number): table_ for each in self.rounds(event) for table_ in each.tables}
        )

    def _partial_sheet(self, event: Event, at: Table, kept: str, drafts: str) -> PartialSheet | None:
        """Return the partial sheet of a table from the texts of both tables that hold some; None without one."""
        sheets = payloads.read_sheets(kept)
        if drafts:
            last = self._sheet_entry(event, (at.round, at.number))
            sheets += [sheet for sheet in payloads.read_sheets(drafts) if sheet["result"] == last]
        hands = payloads.partial_sheet_hands(sheets, at.players, self.merged())
        return None if hands is None else PartialSheet(at.round, at.number, hands)

    def _uncounted(self, event: Event, rounds: Iterable[int]) -> dict[Spot, Outcome]:
        """Return the sheets of these rounds as they were entered or corrected last, void ones too."""
        sheets: dict[Spot, int] = {}
        for number in rounds:
            for row in writers(self._connection, Partition("results", event.id, number)):
                entry = _parsed(row.text, row.act)
                if kinds.RESULT_ENTER.made(entry) or kinds.RESULT_CORRECT.made(entry):
                    sheets[number, entry.payload["table"]] = row.act
        texts = {spot: self._chained(number)[0] for spot, number in sheets.items()}
        return {spot: payloads.outcome(_parsed(text, sheets[spot]).payload) for spot, text in texts.items()}

    def _sheet_entry(self, event: Event, spot: Spot) -> int:
        """Return the number of the last entry that stands about the table's sheet, 0 if there is none.

        It enters, corrects or voids a result, discards a partial sheet, or cancels the round.
        """
        entries = reversed(writers(self._connection, Partition("results", event.id, spot[0])))
        tables = ((row.act, _parsed(row.text, row.act).payload.get("table")) for row in entries)
        return next((number for number, table_number in tables if table_number in (None, spot[1])), 0)

    def _writers(self, name: str, event: int, in_round: int = 0) -> Iterator[Entry]:
        """Yield the entries that stand and have written a partition, in order; the hash of each is checked."""
        for row in writers(self._connection, Partition(name, event, in_round)):
            yield self._entry(row.act)

    def merged(self) -> dict[int, int]:
        """Return which player was merged into which, by number."""
        return {each.id: each.merged for each in self._rows("players")["player"] if each.merged is not None}

    def _players(self) -> dict[int, Player]:
        """Return the players who were not merged into another, by number; remembered as long as their rows."""
        rows = self._rows("players")["player"]
        if rows is not self._living[0]:
            called = self._with_names([row for row in rows if row.merged is None])
            self._living = rows, values.Known({player.id: player for player in called})
        return self._living[1]

    def _with_names(self, rows: Sequence[Row[Any]]) -> Iterator[Player]:
        """Yield these players with their names."""
        persons = table("person")
        texts = {(row.player, row.version): row for row in self._connection.execute(select(persons))}
        return (values.player(row, texts.get((row.id, row.version))) for row in rows)

    def _day(self, number: int) -> str:
        """Return the day (UTC) on which the entry was made."""
        return self._entry(number).time[:10]

    def _entry(self, number: int) -> Entry:
        """Return the entry of that number."""
        return _parsed(self._chained(number)[0], number)

    def _chained(self, number: int) -> tuple[str, str]:
        """Return text and hash of an entry. Raises TourneyError STORAGE if the chain of hashes is broken there."""
        acts = table("act")
        query = select(acts.c.number, acts.c.text, acts.c.hash).where(acts.c.number.in_((number - 1, number)))
        rows = {row.number: row for row in self._connection.execute(query)}
        before = rows[number - 1].hash if number - 1 in rows else FIRST
        row = rows.get(number)
        if row is None or row.hash != chain_hash(before, row.text) or (number > 1 and before == FIRST):
            raise damaged(_("entry {number} is not as it was written").format(number=number))
        return row.text, row.hash
