"""Entering a sheet piece by piece: which tables wait for one, taking one up, keeping half of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.modes import Mode
from tourney.domain.results import DeclaredHand, PartialSheet, PartialSheetSummary, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.schedule import WaitingTables
from tourney.service.lookup import find_event, find_round, find_table, refuse_finished, same_rules
from tourney.service.partial_sheets import hand_names, partial_sheets
from tourney.service.results.dialogue import SheetDialogue
from tourney.service.results.results import find_result, refuse_second
from tourney.service.results.sheets import declared, first_hands, place, seated, seats_of, with_partial_sheet, written
from tourney.text.i18n import _
from tourney.text.names import clean

Verb = Literal["enter", "correct"]
"""What is done with a sheet that is typed."""


def waiting(db: str | None, event: str | None, round_number: int | None = None) -> WaitingTables:
    """The tables of people that wait for their sheet, in that round or the newest.

    Raises TourneyError NOT_FOUND for an unknown event or round, REFUSED if no table waits or the event is
    finished.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        refuse_finished(found)
        rounds = reader.rounds(found)
        newest = max((one.number for one in rounds), default=1) if round_number is None else round_number
        done = reader.finished(found.id) - reader.void(found.id)
        tables = find_round(found, rounds, newest).tables
        open_tables = tuple(one for one in tables if (newest, one.number) not in done and _of_people(one))
        half = partial_sheets(reader, found, newest)
    if not open_tables:
        message = _("no table of round {round} of {event} needs a sheet").format(
            round=newest, event=found.settings.name
        )
        hint = _("draw the next round with `tourney round draw`, or change a sheet with `tourney result correct`")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return WaitingTables(found, newest, open_tables, half)


def partial_sheets_of(
    db: str | None, event: str | None, round_number: int | None = None
) -> tuple[PartialSheetSummary, ...]:
    """The sheets half entered, by round and table: all, or those of a round. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return partial_sheets(reader, find_event(reader, event), round_number)


def begun(db: str | None, event: str | None, round_number: int, table: int) -> bool:
    """Whether half the sheet of that table is kept. Raises TourneyError NOT_FOUND for an unknown event."""
    return any(one.table.number == table for one in partial_sheets_of(db, event, round_number))


def begin(db: str | None, event: str | None, round_number: int, table: int) -> SheetDialogue:
    """The sheet of a table as questions, where it was left if half of it was kept.

    Raises TourneyError as `results.enter` does for a table that can have no sheet.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        at = find_table(found, reader.rounds(found), round_number, table)
        refuse_second(reader, found, at)
        refuse_finished(found)
        same_rules(found)
        return SheetDialogue(found, at, _kept(reader, found, at))


def begin_correction(db: str | None, event: str | None, round_number: int, table: int) -> SheetDialogue:
    """The sheet of a table that has a result, as questions: its hands as they stand, or as they were left.

    Raises TourneyError NOT_FOUND if the table has no result, REFUSED for an event that is finished.
    """
    with storage.reading(db) as reader:
        found, at, result = find_result(reader, event, round_number, table)
        refuse_finished(found)
        same_rules(found)
        before = result.uncounted or result.outcome
        hands = _kept(reader, found, at) or written(found, before)
        dialogue = SheetDialogue(found, at, hands)
        if before.short and len(dialogue.draft.hands) == len(before.hands):
            dialogue.draft.stop()
        return dialogue


def keep(db: str | None, dialogue: SheetDialogue, verb: Verb = "enter", patience: storage.Patience = "usual") -> None:
    """Keep what has been typed of a sheet, in the place of what was kept before.

    Once it returns it is in the file. `patience` says how long a locked file is waited for. Raises TourneyError
    CONFLICT if it stays locked, if others sit there meanwhile, or the table has got a result; NOT_FOUND if its round
    is drawn no more, or the result that is to be corrected has gone.
    """
    with storage.writing(db, patience=patience) as store:
        found = find_event(store, dialogue.event.settings.name)
        at = find_table(found, store.rounds(found), dialogue.table.round, dialogue.table.number)
        _refuse_others(found, dialogue.table, at)
        if verb == "enter":
            refuse_second(store, found, at)
        else:
            find_result(store, found.settings.name, at.round, at.number)
        hands = declared(dialogue.seats, dialogue.draft.kept)
        store.keep_partial_sheet(found, PartialSheet(at.round, at.number, hands))


def set_aside(
    db: str | None, event: str | None, round_number: int, table: int, reason: str, mode: Mode = "save"
) -> PartialSheetSummary | None:
    """Set the table's half sheet aside, with a reason; None if there is none. Undo brings it back.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED if no reason is given or the event is
    finished.
    """
    why = clean(reason, _("reason"))
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        at = find_table(found, store.rounds(found), round_number, table)
        there = next((one for one in partial_sheets(store, found, at.round) if one.table == at), None)
        if there is not None:
            refuse_finished(found)
            store.set_aside(found, at, there.hands, why)
    return there


def keep_partial_sheet(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    hands: Sequence[DeclaredHand],
    mode: Mode = "save",
) -> PartialSheetSummary:
    """Keep the first hands of a sheet, to be finished later, with those kept before; they must be sound.

    Raises TourneyError as `results.enter` does.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        at = find_table(found, store.rounds(found), round_number, table)
        refuse_second(store, found, at)
        refuse_finished(found)
        same_rules(found)
        first = with_partial_sheet(store, found, at, hands)
        sheet = first_hands(found, at, first)
        store.keep_partial_sheet(found, PartialSheet(at.round, at.number, declared(seats_of(found, at), sheet)))
    return PartialSheetSummary(found.settings.name, at, hand_names(first))


def _kept(reader: storage.Reader, event: Event, at: Table) -> tuple[SheetHand, ...]:
    """What was kept of the table's sheet; nothing if it was of other players, or of other rules."""
    draft = next((one for one in reader.partial_sheets(event) if (one.round, one.table) == (at.round, at.number)), None)
    if draft is None:
        return ()
    try:
        hands = seated(event, at, draft.hands)
        if rulebook.family(event.rules) == "contract":
            _refuse_faults(event, at, hands)
    except TourneyError:
        return ()
    return hands


def _refuse_faults(event: Event, at: Table, hands: Sequence[SheetHand]) -> None:
    """Raises TourneyError REFUSED for whole hands that cannot be; those of the knock game are looked at one by one."""
    names = [player.shown for player in at.players]
    whole = [hand for hand in hands if len(hand.points) + len(hand.left) == len(names)]
    if whole:
        rulebook.check_sheet(event.rules, names, whole, "short")


def _refuse_others(event: Event, before: Table, at: Table) -> None:
    """Raises TourneyError CONFLICT unless the same people sit at the table as before."""
    if {player.id for player in before.players} != {player.id for player in at.players}:
        message = _("others sit at {place} now").format(place=place(event, at))
        raise TourneyError(ExitCode.CONFLICT, message, _("see where with `tourney round show`, and begin anew"))


def _of_people(table: Table) -> bool:
    return any(player.kind == "person" for player in table.players)
