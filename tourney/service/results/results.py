"""Results: enter, correct, void and show a table's sheet."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney import storage
from tourney.domain.errors import DoubtWarning, ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Hands, Length, Outcome, Result, SheetEntry, SheetHand
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import WrittenSheet
from tourney.rulebook import sheets
from tourney.service import database
from tourney.service.lookup import (
    ComparedChange,
    InEvent,
    find_event,
    find_round,
    find_table,
    newest,
    refuse_finished,
    table_arguments,
    with_rules_of_round,
)
from tourney.service.results.begun_sheets import replaced_by
from tourney.service.results.sheets import judge, place, seated, seats_of, with_partial_sheet
from tourney.standings.substitutes import note as substitute_note
from tourney.text.authors import seats_of_author
from tourney.text.cards import Alphabet, english_letters_note, is_ambiguous, prompt_alphabet
from tourney.text.i18n import _
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class Entered:
    """A result that was entered or corrected, and notes for whoever typed its sheet.

    They say which points are unusual, that cards may be in other letters, and what was begun and is replaced.
    """

    result: Result
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnterResult(InEvent[Entered]):
    """Enter a table's sheet, hands in the order of the contracts (from `read_sheet` or `read_flags`).

    Without a `round` the newest is meant. A stopped game has only the first hands; the event's settings say how it
    counts. With `add_kept` the hands of the table's partial sheet are added. `letters` are those of the cards as they
    were written, None if nobody said which. `players` are the `before` of `seated`. A retry under the same `entry_id`
    changes nothing. Refused: NOT_FOUND for an unknown event, round or table, CONFLICT if the table has a result, or
    others sit there now, REFUSED for an impossible sheet and for a finished event.
    """

    event: str | None
    round: int | None
    table: int
    hands: Hands
    length: Length = "whole"
    add_kept: bool = False
    entry_id: str = ""
    letters: Alphabet | None = None
    players: Sequence[Player] = ()

    def perform(self, store: storage.Store) -> Entered:
        """Return the result as the event counts it."""
        event, table = find_event_table(store, self.event, self.round, self.table)
        if not _is_entered(store, self.entry_id):
            refuse_second(store, event, table)
            refuse_finished(event)
        typed = seated(event, table, self.hands, self.players)
        hands = with_partial_sheet(store, event, table, typed) if self.add_kept else typed
        outcome = judge(event, table, hands, self.length)
        notes = notes_on(store, event, table, typed, self.letters)
        is_new = store.write(storage.kinds.results.ResultEntered.of(event, table, outcome), self.entry_id)
        _warn_of_twins(store, event, table, outcome)
        result = _void_if_unfinished(store, event, Result(event.settings.name, table, outcome), is_new)
        database.backup_when_finished(store, event, table.round)
        return Entered(result, notes)


@dataclass(frozen=True, slots=True)
class CorrectResult(ComparedChange[Entered]):
    """Replace the sheet of a table's result, with a reason.

    Refused: as `EnterResult`, and REFUSED if the sheet is the one that counts already, or no reason is given.
    """

    event: str | None
    round: int | None
    table: int
    hands: Hands
    reason: str
    length: Length = "whole"
    entry_id: str = ""
    letters: Alphabet | None = None
    players: Sequence[Player] = ()

    def perform(self, store: storage.Store) -> Entered:
        """Return the corrected result."""
        reason = clean(self.reason, _("reason"))
        event, table, before = find_result(store, self.event, self.round, self.table)
        hands = seated(event, table, self.hands, self.players)
        entered = _is_entered(store, self.entry_id)
        if not entered:
            refuse_finished(event)
        outcome = judge(event, table, hands, self.length)
        if not entered and before.outcome == outcome:
            message = _("nothing changed: the sheet of {place} is the same").format(place=place(event, table))
            hint = _("see it with `tourney result show{place}`").format(place=table_arguments(event, table))
            raise TourneyError(ExitCode.REFUSED, message, hint)
        notes = notes_on(store, event, table, hands, self.letters)
        return Entered(correct_result(store, event, table, outcome, reason, self.entry_id), notes)


@dataclass(frozen=True, slots=True)
class VoidResult(ComparedChange[Result]):
    """Make a table's result count for nothing, with a reason; a new sheet may be entered for it.

    Refused: NOT_FOUND if the table has no result, REFUSED if it is void already, no reason is given or the event is
    finished.
    """

    event: str | None
    round: int
    table: int
    reason: str
    entry_id: str = ""

    def perform(self, store: storage.Store) -> Result:
        """Return the void result, which keeps its sheet as `uncounted`."""
        reason = clean(self.reason, _("reason"))
        event, table, before = find_result(store, self.event, self.round, self.table)
        if not _is_entered(store, self.entry_id):
            if before.state == "void":
                message = _("{place} is void already").format(place=place(event, table))
                raise TourneyError(
                    ExitCode.REFUSED, message, _("`tourney result correct` gives it a sheet that counts")
                )
            refuse_finished(event)
        store.write(storage.kinds.results.ResultVoided(event, table.round, table.number, reason), self.entry_id)
        return _voided(before, reason)


def correct_result(
    store: storage.Store, event: Event, table: Table, outcome: Outcome, reason: str, entry_id: str = ""
) -> Result:
    """Replace the outcome of a table that has a result, and return the new result."""
    is_new = store.write(storage.kinds.results.ResultCorrected.of(event, table, outcome, reason), entry_id)
    _warn_of_twins(store, event, table, outcome)
    return _void_if_unfinished(store, event, Result(event.settings.name, table, outcome, reason=reason), is_new)


def _warn_of_twins(store: storage.Store, event: Event, table: Table, outcome: Outcome) -> None:
    """Warn if another table of the round has a sheet with the same points hand by hand, seat by seat."""
    same = [
        result.table.number
        for result in store.results.of(event, in_round=table.round)
        if result.table.number != table.number
        and outcome.hands
        and [hand.points for hand in result.outcome.hands] == [hand.points for hand in outcome.hands]
    ]
    if same:
        said = sheets.twin_doubt(table.number, same)
        warnings.warn(DoubtWarning(said, said), stacklevel=2)


def show(
    db: str | None, event: str | None = None, round_number: int | None = None, table_number: int | None = None
) -> tuple[Result, ...]:
    """Return results of an event, void ones too, by round and table: all, those of a round, or that of one table.

    Raises TourneyError NOT_FOUND for an unknown event, and if the table has no result.
    """
    with storage.reading(db) as reader:
        if round_number is not None and table_number is not None:
            return (find_result(reader, event, round_number, table_number)[2],)
        results = reader.results.of(found := find_event(reader, event))
        if round_number is not None:
            find_round(found, reader.rounds.of(found), round_number)
        return tuple(result for result in results if round_number in (None, result.table.round))


def newest_round(db: str | None, event: str | None = None) -> int:
    """Return the number of the round drawn last. Raises TourneyError NOT_FOUND, and REFUSED if none is."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        return newest(found, reader.rounds.of(found)).number


def substitute_notes(db: str | None, event_name: str | None, round_number: int, table_number: int) -> tuple[str, ...]:
    """Return a sentence on each substitute at a table. Raises TourneyError NOT_FOUND if the table has no result."""
    with storage.reading(db) as reader:
        event, table, _result = find_result(reader, event_name, round_number, table_number)
        return tuple(
            substitute_note(each, event.settings.substitutes)
            for each in reader.rounds.substitutions(event)
            if each.round == table.round and each.absent in table.players
        )


def sheet_entries(
    db: str | None, event_name: str | None, round_number: int, table_number: int
) -> tuple[SheetEntry, ...]:
    """Return when and by whom a table's sheet was entered, corrected and made void.

    Raises TourneyError NOT_FOUND.
    """
    with storage.reading(db) as reader:
        event, table, _result = find_result(reader, event_name, round_number, table_number)
        return entries_of(reader, event, table)


def entries_of(reader: storage.Reader, event: Event, table: Table) -> tuple[SheetEntry, ...]:
    """Return when and by whom a table's sheet was entered, corrected and made void; none without a result."""
    entries = reader.results.sheet_entries(event, (table.round, table.number))
    return tuple(replace(entry, players=_players_of(entry.by, table)) for entry in entries)


def _players_of(by: str, table: Table) -> tuple[str, ...]:
    """Return the players whose seats the author of an entry names, such as `table 3: seats 1, 2`."""
    return tuple(table.players[seat].shown for seat in seats_of_author(by) if seat < len(table.players))


def find_event_table(
    reader: storage.Reader, event_name: str | None, round_number: int | None, table_number: int
) -> tuple[Event, Table]:
    """Return an event and a table of it, without a number of the newest round.

    Raises TourneyError NOT_FOUND, and REFUSED if no round is drawn and none is named.
    """
    event = find_event(reader, event_name)
    rounds = reader.rounds.of(event)
    number = newest(event, rounds).number if round_number is None else round_number
    return event, find_table(event, rounds, number, table_number)


def notes_on(
    reader: storage.Reader, event: Event, table: Table, hands: Sequence[SheetHand[int]], letters: Alphabet | None
) -> tuple[str, ...]:
    """Return sentences on a possible sheet: unusual points, the letters of its cards, and what was begun before."""
    rules = with_rules_of_round(event, table.round).rules
    doubts = sheets.doubts(rules, seats_of(event, table).names, dict(enumerate(hands, 1)))
    replaced = replaced_by(reader, event, (table.round, table.number), hands)
    return (*doubts, *_letters_note(event, hands, letters), *replaced)


def letters_note(db: str | None, event_name: str | None, sheet: WrittenSheet) -> tuple[str, ...]:
    """Return a note on a sheet's cards that are others in Spanish letters, if nobody said which, to Spanish speakers.

    They read Spanish, or the event is in Spanish.
    """
    with storage.reading(db) as reader:
        return _letters_note(find_event(reader, event_name), sheet.hands, sheet.letters)


def _letters_note(event: Event, hands: Hands, letters: Alphabet | None) -> tuple[str, ...]:
    if letters or not is_ambiguous(cards for hand in hands for cards in hand.left.values()):
        return ()
    return (english_letters_note(),) if "es" in (prompt_alphabet(), event.settings.lang) else ()


def record(db: str | None, event_name: str | None, round_number: int, table_number: int) -> str:
    """Return the record of a table's game as text: of the game that bots played, or made from a sheet's points.

    Raises TourneyError NOT_FOUND if the table has no result that counts.
    """
    with storage.reading(db) as reader:
        event, table, result = find_result(reader, event_name, round_number, table_number)
        if result.state == "void":
            raise _no_result(reader, event, table)
        kept = reader.results.record(result.record_digest) if result.record_digest else None
    if kept is not None:
        return kept
    names = [player.shown for player in table.players]
    rules = with_rules_of_round(event, table.round).rules
    return sheets.entered_record(rules, names, result.outcome, event.settings.stake)


def find_result(
    reader: storage.Reader, event_name: str | None, round_number: int | None, table_number: int
) -> tuple[Event, Table, Result]:
    """Return an event, a table and its result, which may be void. Raises TourneyError as `find_event_table`."""
    event, table = find_event_table(reader, event_name, round_number, table_number)
    results = reader.results.of(event, spot=(table.round, table.number))
    if not results:
        raise _no_result(reader, event, table)
    return event, table, results[0]


def refuse_second(reader: storage.Reader, event: Event, table: Table) -> None:
    """Raise TourneyError CONFLICT if the table has a result that counts."""
    if any(result.state == "counts" for result in reader.results.of(event, spot=(table.round, table.number))):
        message = _("{place} has a result already").format(place=place(event, table))
        hint = _("change it with `tourney result correct{place} --reason TEXT`")
        raise TourneyError(ExitCode.CONFLICT, message, hint.format(place=table_arguments(event, table)))


def _no_result(reader: storage.Reader, event: Event, table: Table) -> TourneyError:
    message = _("{place} has no result").format(place=place(event, table))
    hint = _("enter its sheet with `tourney result enter{place}`")
    if any((sheet.round, sheet.table) == (table.round, table.number) for sheet in reader.results.partial_sheets(event)):
        hint = _(
            "it has a partial sheet: finish it with `tourney result enter{place}`, or discard it with `tourney result "
            "void{place} --reason TEXT`"
        )
    return TourneyError(ExitCode.NOT_FOUND, message, hint.format(place=table_arguments(event, table)))


def _void_if_unfinished(store: storage.Store, event: Event, result: Result, is_new: bool) -> Result:
    """Return the result as the event counts it; a stopped game may be void, and is then made void."""
    if not result.outcome.short or event.settings.unfinished != "void":
        return result
    reason = _("unfinished")
    if is_new:
        at = result.table
        store.write(storage.kinds.results.ResultVoided(event, at.round, at.number, reason))
    return _voided(result, reason)


def _voided(result: Result, reason: str) -> Result:
    sheet = result.uncounted or result.outcome
    return replace(result, outcome=storage.NOTHING, uncounted=sheet, record_digest="", state="void", reason=reason)


def _is_entered(store: storage.Store, entry_id: str) -> bool:
    """Return whether a change with this id has been made already, so that this is a retry."""
    return entry_id != "" and store.journal.entry(entry_id) is not None
