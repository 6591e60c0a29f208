"""The score sheets that phones have sent, where those of one table disagree, and all that a table's page shows."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Final

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Flag, HandScore, Outcome, Result, SheetEntry, SheetHand
from tourney.domain.rounds import Substitution, Table
from tourney.domain.submissions import ComparedHand, ComparedSheets, SeatClaim, Submission, WaitingSheets
from tourney.service.lookup import same_rules
from tourney.service.results.begun_sheets import hand_names
from tourney.service.results.results import entries_of, find_event_table
from tourney.service.results.sheets import judge, written
from tourney.service.web.seats import claims

DIGEST_LENGTH: Final = 16

Typed = tuple[Sequence[SheetHand[int]], Sequence[HandScore] | None]
"""The hands of a sheet as they were typed, and as they count if that is known."""


class PhoneSheets:
    """The sheets from phones of one event, as one transaction sees them; names and tables are read once."""

    def __init__(self, reader: storage.Reader, event: Event) -> None:
        self._reader, self._event = reader, event

    def all(self) -> list[Submission]:
        """Return all sheets, in the order of their times."""
        return [self.sheet(row) for row in self._reader.outside.submissions(self._event.id)]

    def sheet(self, row: storage.KeptSubmission) -> Submission:
        """Return a sheet; one that was taken, or refused for another, waits again where that result does not stand."""
        now = self.present_table(row)
        there = () if now is None else now.players
        seats, hands, length = storage.read_sheet_text(row.text, self._players, self._merged, there)
        undone = row.result != "" and not self._reader.journal.stands(row.result)
        sheet = Submission(
            row.id,
            self._event.settings.name,
            Table(row.round, row.table_number, seats),
            row.device,
            None if row.player is None else self._players[row.player],
            hands,
            length,
            row.time,
            "waiting" if undone else row.state,
            hashlib.sha256(row.text.encode()).hexdigest()[:DIGEST_LENGTH],
            confirmed_by=None if row.confirmed_by is None else self._players[row.confirmed_by],
            reason=row.reason,
        )
        return replace(sheet, outcome=self._outcome(row, sheet)) if sheet.state == "waiting" else sheet

    def present_table(self, row: storage.KeptSubmission) -> Table | None:
        """Return the table of a sheet as it is now; None if it was dissolved, or its round cancelled or drawn anew."""
        return self._tables.get((row.entry, row.table_number))

    def of_table(self, table: Table) -> WaitingSheets:
        """Return the sheets of a table that were typed for this drawing of its round."""
        found = _newest([self.sheet(row) for row in self._rows.get((table.round, table.number), ())])
        counting = self._counting(table) if found else None
        entered = [outcome for outcome in (counting,) if outcome is not None]
        waiting = [sheet for sheet in found if sheet.state == "waiting" and sheet.outcome not in entered]
        return WaitingSheets(
            self._event.settings.name,
            table,
            waiting[0].time if waiting else "",
            tuple(found),
            tuple(self._disagreement(table, waiting, counting)),
            (table.round, table.number) in self._reader.results.counting(self._event.id),
        )

    def of_tables(self) -> Iterator[WaitingSheets]:
        """Yield the sheets of each table that has some, in the order of rounds and tables."""
        for drawn in self._reader.rounds.of(self._event):
            yield from (self.of_table(table) for table in drawn.tables if (table.round, table.number) in self._rows)

    def stray(self) -> Iterator[Submission]:
        """Yield the sheets that wait although their table is gone, or other players sit there."""
        for row in self._reader.outside.submissions(self._event.id):
            sheet, table = self.sheet(row), self.present_table(row)
            if sheet.state == "waiting" and (table is None or not same_players(table, sheet.table)):
                yield sheet

    def _disagreement(
        self, table: Table, waiting: Sequence[Submission], counting: Outcome | None
    ) -> Iterator[ComparedHand]:
        """Yield where the result of a table, or else its oldest sheet, and the next sheet say different things."""
        sheets = self._columns(table, waiting, counting)
        for other in sheets[1:]:
            if found := [hand for hand in _side_by_side((sheets[0], other)) if not hand.same]:
                yield from found
                return

    def compared(self, table: Table) -> ComparedSheets:
        """Return the sheets that wait at a table, hand by hand, after the result that counts if there is one."""
        found = self.of_table(table)
        waiting = tuple(sheet for sheet in found.sheets if sheet.state == "waiting")
        counting = self._counting(table)
        columns = self._columns(table, waiting, counting)
        return ComparedSheets(waiting, tuple(_side_by_side(columns)), counting is not None)

    def _columns(self, table: Table, waiting: Sequence[Submission], counting: Outcome | None) -> list[Typed]:
        """Return the hands of what counts if there is anything, and of the sheets that wait, each with who closed."""
        found = [(sheet.hands, None if sheet.outcome is None else sheet.outcome.hands) for sheet in waiting]
        if counting is not None:
            found.insert(0, (written(self._event, counting), counting.hands))
        return [_with_closers(hands, scores) for hands, scores in found]

    def _counting(self, table: Table) -> Outcome | None:
        results = self._reader.results.of(self._event, spot=(table.round, table.number))
        return next((result.outcome for result in results if result.state == "counts"), None)

    def _outcome(self, row: storage.KeptSubmission, sheet: Submission) -> Outcome | None:
        """Return what a sheet would count as at the table as it is now; None if it cannot."""
        table = self.present_table(row)
        if table is None or not same_players(table, sheet.table):
            return None
        try:
            return judge(self._event, table, sheet.hands, sheet.length)
        except TourneyError:
            return None

    @cached_property
    def _merged(self) -> Mapping[int, int]:
        return self._reader.people.merged()

    @cached_property
    def _players(self) -> dict[int, Player]:
        """The players by number, also by the numbers of those merged into them."""
        players = {player.id: player for player in self._reader.people.players()}
        return players | {gone: players[storage.survivor(gone, self._merged)] for gone in self._merged}

    @cached_property
    def _rows(self) -> Mapping[tuple[int, int], Sequence[storage.KeptSubmission]]:
        """The sheets of each table as it is now, by its round and number, in the order of their times."""
        found = defaultdict[tuple[int, int], list[storage.KeptSubmission]](list)
        for row in self._reader.outside.submissions(self._event.id):
            if (table := self.present_table(row)) is not None:
                found[table.round, table.number].append(row)
        return found

    @cached_property
    def _tables(self) -> dict[tuple[str, int], Table]:
        """The tables by the entry that drew their round and their number."""
        entries = self._reader.rounds.draw_entries(self._event)
        rounds = self._reader.rounds.of(self._event)
        return {(entries[drawn.number], table.number): table for drawn in rounds for table in drawn.tables}


def same_players(table: Table, other: Table) -> bool:
    """Return whether the same people sit at both tables, in whatever seats."""
    return {player.id for player in table.players} == {player.id for player in other.players}


def disagreeing(sheets: WaitingSheets) -> tuple[Submission, Submission] | None:
    """Return the oldest sheet that waits of those who sit there, and the first one that says something else.

    None if all of them agree.
    """
    found = [sheet for sheet in sheets.sheets if sheet.state == "waiting" and same_players(sheet.table, sheets.table)]
    other = next((sheet for sheet in found if sheet.outcome != found[0].outcome), None)
    return None if other is None else (found[0], other)


def _newest(sheets: Sequence[Submission]) -> list[Submission]:
    """Return the newest sheet of each phone, in the order of their times."""
    newest = {sheet.device: sheet for sheet in sheets}
    return [sheet for sheet in sheets if newest[sheet.device] is sheet]


def _with_closers(hands: Sequence[SheetHand[int]], scores: Sequence[HandScore] | None) -> Typed:
    """Return hands with the seats of those who closed also where only the points say it."""
    if scores is None:
        return hands, scores
    pairs = zip(hands, scores, strict=True)
    return [replace(hand, closer=score.closer) if hand.closer is None else hand for hand, score in pairs], scores


def _side_by_side(columns: Sequence[Typed]) -> Iterator[ComparedHand]:
    """Yield each hand as the sheets have it, compared as it counts if it does in all of them, otherwise as typed."""
    by_scores = all(scores is not None for _hands, scores in columns)
    rows = zip_longest(*(scores if by_scores and scores is not None else hands for hands, scores in columns))
    typed = zip_longest(*(hands for hands, _scores in columns))
    names = hand_names(max((hands for hands, _scores in columns), key=len, default=()))
    for name, each, row in zip(names, typed, rows, strict=True):
        yield ComparedHand(name, each, all(value == row[0] for value in row))


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A table with its claimed seats, the sheets that its phones have typed, its result with history, and its flags.

    `drawn` is the entry that drew its round. The result may be void; it is None before a sheet was confirmed or
    entered.
    """

    event: Event
    table: Table
    drawn: str
    sheets: WaitingSheets
    result: Result | None
    entries: tuple[SheetEntry, ...]
    flags: tuple[Flag, ...]
    substitutions: tuple[Substitution, ...] = ()
    claims: tuple[SeatClaim, ...] = ()


def table_sheet(db: str | None, event_name: str, round_number: int, table_number: int) -> TableSheet:
    """Return a table with all that is known of its sheet.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED if the event's rules are others by now.
    """
    with storage.reading(db) as reader:
        event, table = find_event_table(reader, event_name, round_number, table_number)
        spot = (table.round, table.number)
        results = reader.results.of(event, spot=spot)
        entries = entries_of(reader, event, table) if results else ()
        flags = tuple(flag for flag in reader.results.flags(event) if (flag.round, flag.table) == spot)
        sheets = PhoneSheets(reader, event).of_table(table)
        substitutions = reader.rounds.substitutions(event)
        claimed, drawn = claims(reader, event, table), reader.rounds.draw_entries(event)[table.round]
    same_rules(event)
    result = results[0] if results else None
    return TableSheet(event, table, drawn, sheets, result, entries, flags, substitutions, claimed)
