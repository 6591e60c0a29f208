"""Read and write the results of an event, its partial sheets, its rulings and the records of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import insert, select

from tourney.domain.events import EntrantState, Event
from tourney.domain.results import Flag, HandScore, Outcome, PartialSheet, Result, Ruling, SheetEntry, SheetEntryKind
from tourney.domain.rounds import Round, Table
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import sha256
from tourney.storage.journal.checksums import Rows, damaged
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.nouns.people import PeopleReader
from tourney.storage.nouns.rounds import RoundReader, last_sheet_entry
from tourney.storage.nouns.transaction import Transaction, parsed
from tourney.storage.nouns.writing import Writing
from tourney.storage.rows import Spot
from tourney.storage.tables import table
from tourney.text.i18n import _

SHEET_ENTRIES: Mapping[str, SheetEntryKind] = {
    kinds.results.ResultEntered.kind_name: "entered",
    kinds.results.ResultCorrected.kind_name: "corrected",
    kinds.results.ResultVoided.kind_name: "made void",
}
"""The kinds of entries about a table's sheet, and what each did to it."""


class ResultReader:
    """Queries of the results of an event, of its partial sheets and of its rulings."""

    def __init__(self, transaction: Transaction, people: PeopleReader, rounds: RoundReader) -> None:
        self._transaction = transaction
        self._people = people
        self._rounds = rounds

    def of(
        self, event: Event, *, last: int | None = None, in_round: int = 0, spot: Spot | None = None
    ) -> tuple[Result, ...]:
        """Return the results of the event, void ones too, by round and table.

        All are meant, those up to round `last`, those `in_round`, or the one at `spot`.
        """
        in_round = in_round if spot is None else spot[0]
        found = {
            **self._transaction.rows("results", event.id, in_round),
            **self._transaction.rows("hands", event.id, in_round),
        }
        tables = self._rounds.tables(event)
        outcomes = values.outcomes(found)
        uncounted = self._uncounted(event, {row.round for row in found["result"] if row.state == "void"})
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, uncounted)
            for row in found["result"]
            if (last is None or row.round <= last) and spot in (None, (row.round, row.table_number))
        )

    def totals(self, event: Event) -> tuple[Result, ...]:
        """Return the results of the event that count, without their hands, by round and table."""
        found = {**self._transaction.rows("results", event.id), "hand": [], "hand_score": []}
        tables = values.tables(self._transaction.rows("rounds", event.id)["seat"], self._people.by_number())
        return self._counted(event, found, tables)

    def hands(self, event: Event, in_round: int) -> Mapping[Spot, Sequence[HandScore]]:
        """Return the hands of the tables of a round, by round and table."""
        return values.hands(self._transaction.rows("hands", event.id, in_round))

    def of_player(self, event: Event, player: int) -> tuple[Result, ...]:
        """Return the results that count of all tables of the player with that number, by round and table."""
        seats = self._transaction.rows("rounds", event.id)["seat"]
        sat = {(row.round, row.table_number) for row in seats if row.player == player}
        partitions = (self._transaction.verified(Partition(name, event.id), sat) for name in ("results", "hands"))
        found = {name: rows for partition in partitions for name, rows in partition.items()}
        seats_at_tables = [row for row in seats if (row.round, row.table_number) in sat]
        tables = values.tables(seats_at_tables, values.Known({entrant.id: entrant for entrant in event.entrants}))
        return self._counted(event, found, tables)

    def _counted(self, event: Event, found: Mapping[str, Rows], tables: Mapping[Spot, Table]) -> tuple[Result, ...]:
        outcomes = values.outcomes(found)
        return tuple(
            values.result(event, row, tables[row.round, row.table_number], outcomes, {})
            for row in found["result"]
            if row.state == "counts"
        )

    def finished(self, event: int) -> frozenset[Spot]:
        """Return (round, table) of the tables that have a result, void ones too."""
        return frozenset((row.round, row.table_number) for row in self._transaction.rows("results", event)["result"])

    def void(self, event: int) -> frozenset[Spot]:
        """Return (round, table) of the tables whose result was made void."""
        rows = self._transaction.rows("results", event)["result"]
        return frozenset((row.round, row.table_number) for row in rows if row.state == "void")

    def counting(self, event: int) -> frozenset[Spot]:
        """Return (round, table) of the tables that have a result that counts."""
        return self.finished(event) - self.void(event)

    def waiting(self, event: Event, rounds: Iterable[Round]) -> list[Table]:
        """Return the tables of these rounds that have no result; a void one is none to wait for."""
        done = self.finished(event.id)
        return [at for drawn in rounds for at in drawn.tables if (at.round, at.number) not in done]

    def begun(self, event: Event) -> frozenset[Spot]:
        """Return (round, table) of the tables that have a partial sheet."""
        return frozenset((sheet.round, sheet.table) for sheet in self.partial_sheets(event))

    def records_kept(self, event: Event) -> Counter[Spot]:
        """Return how often each table of the event was played and its record kept, also where that was undone since."""
        acts = table("act").c
        rows = self._transaction.connection.execute(
            select(acts.number, acts.text).where(acts.kind == kinds.results.ResultEntered.kind_name)
        )
        entered = (parsed(row.text, row.number).payload for row in rows)
        kept = (each for each in entered if each["event"] == event.id and "record" in each)
        return Counter((each["round"], each["table"]) for each in kept)

    def entered_at(self, event: Event, in_round: int) -> dict[int, str]:
        """Return when the sheet of each table of a round was first entered (UTC), if that entry stands."""
        times: dict[int, str] = {}
        for row in self._transaction.writers("results", event.id, in_round):
            entry = parsed(row.text, row.act)
            if kinds.results.ResultEntered.made(entry):
                times.setdefault(entry.payload["table"], entry.time)
        return times

    def sheet_entries(self, event: Event, spot: Spot) -> tuple[SheetEntry, ...]:
        """Return the entries that stand about a table's sheet, in order, since its round was last cancelled."""
        found: list[SheetEntry] = []
        for entry in self._transaction.standing("results", event.id, spot[0]):
            if kinds.rounds.RoundCancelled.made(entry):
                found.clear()
            elif entry.kind in SHEET_ENTRIES and entry.payload["table"] == spot[1]:
                reason = entry.payload.get("reason", "")
                outcome = None if kinds.results.ResultVoided.made(entry) else payloads.outcome(entry.payload)
                found.append(SheetEntry(SHEET_ENTRIES[entry.kind], entry.time, entry.by, reason, outcome=outcome))
        return tuple(found)

    def attendance_after(self, event: Event, last: int) -> Event:
        """Return the event with its entrants and their states as they were after round `last`.

        The entrants are those from before its draw, and everybody with a seat up to then. The states are those when its
        last result came in; if that is missing, those at the draw of the next round, or of now.
        """
        drawn_rounds = self._rounds.of(event)
        acts = self._rounds.draws(event)
        drawn = {each.number: acts[each.number][0] for each in drawn_rounds}
        there = self._states_before(event, drawn.get(last))
        states = self._states_before(event, self._finished_by(event, last) or drawn.get(last + 1))
        rounds = (each for each in drawn_rounds if each.number <= last)
        seated = {player.id for each in rounds for table in each.tables for player in table.players}
        seated |= {each.substitute.id for each in self._rounds.substitutions(event) if each.round <= last}
        pairs = zip(event.entrants, event.states, strict=True)
        kept = [(each, states.get(each.id, now)) for each, now in pairs if each.id in there or each.id in seated]
        there_then = replace(
            event, entrants=tuple(each for each, _state in kept), states=tuple(state for _each, state in kept)
        )
        return self._rounds.with_substitutes(there_then, last)

    def _finished_by(self, event: Event, number: int) -> int | None:
        """Return the number of the entry with which each table of a round had a result; None if one has none."""
        first: dict[int, int] = {}
        for row in self._transaction.writers("results", event.id, number):
            entry = self._transaction.entry(row.act)
            if kinds.rounds.RoundCancelled.made(entry):
                first.clear()
            elif entry.kind in SHEET_ENTRIES:
                first.setdefault(entry.payload["table"], row.act)
        tables = [table.number for each in self._rounds.of(event) if each.number == number for table in each.tables]
        return max(map(first.__getitem__, tables)) if tables and first.keys() >= set(tables) else None

    def _states_before(self, event: Event, act: int | None) -> dict[int, EntrantState]:
        """Return the state of each entrant by the entries before entry `act`, or by all, by the player's number."""
        states: dict[int, EntrantState] = {}
        merged = self._people.merged()
        for row in self._transaction.writers("entrants", event.id):
            entry = self._transaction.entry(row.act)
            if (act is None or row.act < act) and kind_of(entry) in kinds.people.ATTENDANCE:
                state = "checked in" if kinds.people.PlayersCheckedIn.made(entry) else "entered"
                state = entry.payload.get("how", entry.payload.get("state", state))
                states |= {payloads.survivor(player, merged): state for player in entry.payload["players"]}
        return states

    def partial_sheets(self, event: Event) -> tuple[PartialSheet, ...]:
        """Return the partial sheets by round and table.

        They are those for the players who sit at the table now, begun since the last entry about the table's sheet, and
        not discarded.
        """
        kept = {
            (row.round, row.table_number): row.text
            for row in self._transaction.rows("sheets", event.id)["partial_sheet"]
        }
        drafts = {
            (row.round, row.table_number): row.text for row in self._transaction.rows("drafts", event.id)["draft"]
        }
        tables = self._rounds.tables(event) if kept or drafts else {}
        sheets = (
            self._partial_sheet(event, tables[spot], kept.get(spot, ""), drafts.get(spot, ""))
            for spot in sorted(kept.keys() | drafts.keys())
            if spot in tables
        )
        return tuple(sheet for sheet in sheets if sheet is not None)

    def rulings(self, event: Event) -> tuple[Ruling, ...]:
        """Return the arbiter's decisions, cancelled ones too, by number."""
        rows = self._transaction.rows("rulings", event.id)["ruling"]
        players = self._people.by_number() if rows else values.Known({})
        return tuple(values.ruling(event, row, players) for row in rows)

    def signed_rulings(self, event: Event) -> tuple[Ruling, ...]:
        """Return the decisions as `rulings` does, with who wrote down and who cancelled each."""
        by, cancelled_by = {}, {}
        for entry in self._transaction.standing("rulings", event.id):
            if kinds.results.RulingAdded.made(entry):
                by[entry.payload["ruling"]] = entry.by
            elif kinds.results.RulingCancelled.made(entry):
                cancelled_by[entry.payload["ruling"]] = entry.by
        return tuple(
            replace(ruling, by=by[ruling.number], cancelled_by=cancelled_by.get(ruling.number, ""))
            for ruling in self.rulings(event)
        )

    def flags(self, event: Event) -> tuple[Flag, ...]:
        """Return what tables have asked the desk, answered or not, by number, with who raised and answered each."""
        rows = self._transaction.rows("flags", event.id)["flag"]
        if not rows:
            return ()
        raised, answered_by = {}, {}
        for entry in self._transaction.standing("flags", event.id):
            if kinds.results.FlagRaised.made(entry):
                raised[entry.payload["flag"]] = entry
            else:
                answered_by[entry.payload["flag"]] = entry.by
        players, merged = self._people.by_number(), self._people.merged()
        return tuple(
            Flag(
                row.number,
                event.settings.name,
                row.round,
                row.table_number,
                None if row.player is None else players[payloads.survivor(row.player, merged)],
                row.text,
                row.state,
                row.answer,
                raised[row.number].time,
                raised[row.number].by,
                answered_by.get(row.number, ""),
            )
            for row in rows
        )

    def open_flags(self, event: Event) -> tuple[Flag, ...]:
        """Return the flags of an event that have no answer yet."""
        return tuple(flag for flag in self.flags(event) if flag.state == "open")

    def _partial_sheet(self, event: Event, at: Table, kept: str, drafts: str) -> PartialSheet | None:
        """Return the partial sheet of a table from the texts of both tables that hold some; None without one."""
        sheets = payloads.read_sheets(kept)
        if drafts:
            last = last_sheet_entry(self._transaction, event, (at.round, at.number))
            sheets += [sheet for sheet in payloads.read_sheets(drafts) if sheet["result"] == last]
        hands = payloads.partial_sheet_hands(sheets, at.players, self._people.merged())
        return None if hands is None else PartialSheet(at.round, at.number, hands)

    def _uncounted(self, event: Event, rounds: Iterable[int]) -> dict[Spot, Outcome]:
        """Return the sheets of these rounds as they were entered or corrected last, void ones too."""
        sheets: dict[Spot, int] = {}
        for number in rounds:
            for row in self._transaction.writers("results", event.id, number):
                entry = parsed(row.text, row.act)
                if kinds.results.ResultEntered.made(entry) or kinds.results.ResultCorrected.made(entry):
                    sheets[number, entry.payload["table"]] = row.act
        texts = {spot: self._transaction.chained(number)[0] for spot, number in sheets.items()}
        return {spot: payloads.outcome(parsed(text, sheets[spot]).payload) for spot, text in texts.items()}

    def record(self, digest: str) -> str:
        """Return the text of the record that a result names."""
        records = table("record")
        row = self._transaction.first(select(records.c.text).where(records.c.digest == digest))
        if row is None or sha256(str(row.text)) != digest:
            raise damaged(_("a game's record is not as it was written"))
        return str(row.text)


class ResultStore(ResultReader):
    """Reads and writes partial sheets and records."""

    _transaction: Writing

    def keep_partial_sheet(self, event: Event, draft: PartialSheet) -> None:
        """Keep a partial sheet for the players of its table, in place of the former one, from which it must differ.

        The sheet of a table whose result counts is a correction.
        """
        if draft not in self.partial_sheets(event):
            spot = (draft.round, draft.table)
            corrects = spot in self.finished(event.id) - self.void(event.id)
            self._transaction.write(
                kinds.results.SheetKept.of(event, self._rounds.tables(event)[spot], draft.hands, corrects)
            )

    def keep_record(self, text: str) -> str:
        """Keep the record of a game; return its digest."""
        records, digest = table("record"), sha256(text)
        if self._transaction.first(select(records.c.digest).where(records.c.digest == digest)) is None:
            self._transaction.connection.execute(insert(records), [{"digest": digest, "text": text}])
        return digest
