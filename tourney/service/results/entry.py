"""Entering a sheet piece by piece: tables that need one, the dialogue about it, and partial sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.results import Hands, PartialSheet, PartialSheetSummary, Result, SheetHand
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import WaitingTables
from tourney.rulebook import rulesets, sheets
from tourney.service.change import Change
from tourney.service.lookup import (
    event_argument,
    find_event,
    find_open_event,
    find_round,
    find_table,
    newest,
    newest_played,
    refuse_finished,
    same_rules,
    table_arguments,
    with_rules_of_round,
)
from tourney.service.results.begun_sheets import begun_sheet, changes, counting_result, hand_names, partial_sheets
from tourney.service.results.dialogue import SheetDialogue, Use
from tourney.service.results.results import find_event_table, find_result, notes_on, refuse_second
from tourney.service.results.sheets import first_hands, place, seated, with_partial_sheet, written
from tourney.text.cards import Alphabet
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.text.ranges import names_text


def waiting(db: str | None, event_name: str | None, round_number: int | None = None) -> WaitingTables:
    """Return the tables with people that lack a result in that round, or in the newest round that has such tables.

    Raises TourneyError NOT_FOUND for an unknown event or round, REFUSED if there is none or the event is finished.
    """
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        rounds = reader.rounds.of(event)
        if round_number is None:
            last = max((drawn.number for drawn in rounds), default=1)
            lacking = [drawn for drawn in rounds if _without_result(reader, event, drawn)]
            round_number = newest_played(event, lacking).number if lacking else last
        tables = _without_result(reader, event, find_round(event, rounds, round_number))
        partial = partial_sheets(reader, event, round_number)
    if not tables:
        message = _("no table of round {round} of {event} needs a sheet")
        raise TourneyError(
            ExitCode.REFUSED,
            message.format(round=round_number, event=event.settings.name),
            _without_need(event, len(rounds), round_number),
        )
    return WaitingTables(event, round_number, tables, partial)


def _without_need(event: Event, drawn: int, round_number: int) -> str:
    """Return what can be done where no table of the round needs a sheet."""
    hint = _(
        "draw the next round with `tourney round draw{event}`, or change a sheet with `tourney result "
        "correct{event} --round {round} --table T --reason TEXT`"
    )
    if drawn >= event.settings.rounds:
        hint = _(
            "finish the event with `tourney event finish{event}`, or change a sheet with `tourney result "
            "correct{event} --round {round} --table T --reason TEXT`"
        )
    return hint.format(event=event_argument(event), round=round_number)


def _without_result(reader: storage.Reader, event: Event, drawn: Round) -> tuple[Table, ...]:
    """Return the tables with people of a round that lack a result."""
    done = reader.results.finished(event.id) - reader.results.void(event.id)
    return tuple(
        table
        for table in drawn.tables
        if (drawn.number, table.number) not in done and any(player.kind == "person" for player in table.players)
    )


def partial_sheets_of(
    db: str | None, event_name: str | None, round_number: int | None = None
) -> tuple[PartialSheetSummary, ...]:
    """Return the partial sheets of an event, or of one round. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return partial_sheets(reader, find_event(reader, event_name), round_number)


def has_partial_sheet(db: str | None, event_name: str | None, round_number: int | None, table_number: int) -> bool:
    """Return whether the table, without a round that of the newest, has a partial sheet.

    Raises TourneyError NOT_FOUND for an unknown event, and REFUSED if no round is drawn and none is named.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        number = newest(event, reader.rounds.of(event)).number if round_number is None else round_number
        return any(sheet.table.number == table_number for sheet in partial_sheets(reader, event, number))


def begin(
    db: str | None,
    event_name: str | None,
    round_number: int | None,
    table_number: int,
    letters: Alphabet | None = None,
) -> SheetDialogue:
    """Return the dialogue that enters the sheet of a table, by default of the newest round; it continues a partial one.

    Cards are typed in these letters, or else in those of the event's language. Raises TourneyError as `EnterResult`
    for a table that can have no sheet.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        rounds = reader.rounds.of(event)
        table = find_table(event, rounds, round_number or newest_played(event, rounds).number, table_number)
        refuse_second(reader, event, table)
        refuse_finished(event)
        same_rules(event)
        hands = _kept(reader, event, table)
        notes = () if hands else _lost(reader, event, table)
        return SheetDialogue(event, table, hands, notes=notes, letters=letters)


def begin_correction(
    db: str | None,
    event_name: str | None,
    round_number: int | None,
    table_number: int,
    letters: Alphabet | None = None,
) -> SheetDialogue:
    """Return the dialogue that corrects a table's sheet, from the hands of its result or of a partial correction.

    Cards are typed in these letters, or else in those of the event's language.

    Raises TourneyError NOT_FOUND if the table has no result, REFUSED for an event that is finished.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        number = round_number or newest_played(event, reader.rounds.of(event)).number
        _event, table, result = find_result(reader, event.settings.name, number, table_number)
        refuse_finished(event)
        same_rules(event)
        before, hands = result.uncounted or result.outcome, _kept(reader, event, table)
        notes = _begun(reader, event, result) if hands else _lost(reader, event, table)
        dialogue = SheetDialogue(event, table, hands or written(event, before), "correct", notes, letters)
        if before.short and len(dialogue.draft.hands) == len(before.hands):
            dialogue.draft.stop()
        return dialogue


@dataclass(frozen=True, slots=True)
class KeepAnswers(Change[None]):
    """Keep a dialogue's answers as the table's partial sheet, instead of the one before.

    Refused: REFUSED for a finished event; CONFLICT if other players sit at the table now, or it has a result; NOT_FOUND
    if its round is no longer drawn, or the result to correct is gone.
    """

    event: str
    table: Table
    hands: Hands
    use: Use = "enter"

    @classmethod
    def of(cls, dialogue: SheetDialogue, use: Use = "enter") -> KeepAnswers:
        """Return the change that keeps the dialogue's answers so far."""
        return cls(dialogue.event.settings.name, dialogue.table, dialogue.draft.kept, use)

    def perform(self, store: storage.Store) -> None:
        """Write the answers."""
        event = find_open_event(store, self.event)
        table = find_table(event, store.rounds.of(event), self.table.round, self.table.number)
        hands = seated(event, table, self.hands, self.table.players)
        if self.use == "enter":
            refuse_second(store, event, table)
        else:
            find_result(store, event.settings.name, table.round, table.number)
        store.results.keep_partial_sheet(event, PartialSheet(table.round, table.number, hands))


@dataclass(frozen=True, slots=True)
class KeepPartialSheet(Change[PartialSheetSummary]):
    """Keep the first hands of a sheet, added to the hands of the table's partial sheet; they must be possible.

    Refused as `EnterResult`.
    """

    event: str | None
    round: int | None
    table: int
    hands: Hands
    letters: Alphabet | None = None

    def perform(self, store: storage.Store) -> PartialSheetSummary:
        """Return the partial sheet that is now kept."""
        event, table = find_event_table(store, self.event, self.round, self.table)
        refuse_second(store, event, table)
        refuse_finished(event)
        same_rules(event)
        typed = seated(event, table, self.hands)
        hands = with_partial_sheet(store, event, table, typed)
        sheet = first_hands(event, table, hands)
        notes = notes_on(store, event, table, typed, self.letters)
        store.results.keep_partial_sheet(event, PartialSheet(table.round, table.number, sheet))
        return PartialSheetSummary(event.settings.name, table, hand_names(hands), notes)


@dataclass(frozen=True, slots=True)
class DropBegun(Change[PartialSheetSummary]):
    """Discard what was begun of a table's sheet, or of the correction of its result, with a reason; undo restores it.

    A result stays as it is. Refused: NOT_FOUND for an unknown event, round or table, and where nothing of that `use`
    was begun; REFUSED if no reason is given or the event is finished.
    """

    event: str | None
    round: int | None
    table: int
    reason: str
    use: Use = "enter"

    def perform(self, store: storage.Store) -> PartialSheetSummary:
        """Return what was discarded."""
        reason = clean(self.reason, _("reason"))
        event, table = find_event_table(store, self.event, self.round, self.table)
        if self.use == "correct":
            find_result(store, self.event, table.round, table.number)
        begun = begun_sheet(store, event, table.round, table.number)
        corrects = counting_result(store, event, table.round, table.number) is not None
        if begun is None or corrects != (self.use == "correct"):
            raise _nothing_begun(event, table, self.use)
        refuse_finished(event)
        names = hand_names(begun.hands)
        store.write(storage.kinds.results.SheetDiscarded(event, table.round, table.number, names, reason))
        return PartialSheetSummary(event.settings.name, table, names)


def _nothing_begun(event: Event, table: Table, use: Use) -> TourneyError:
    if use == "enter":
        message, hint = _("{place} has no partial sheet"), _("see what it has with `tourney result show{place}`")
    else:
        message, hint = _("no correction of {place} was begun"), _("see its sheet with `tourney result show{place}`")
    arguments = table_arguments(event, table)
    return TourneyError(ExitCode.NOT_FOUND, message.format(place=place(event, table)), hint.format(place=arguments))


def _begun(reader: storage.Reader, event: Event, result: Result) -> tuple[str, ...]:
    """Return lines that say that a begun correction is continued, and how to drop it."""
    begun = begun_sheet(reader, event, result.table.round, result.table.number)
    if begun is None or result.state == "void":
        return ()
    continued = _("the correction that was begun is continued: {hands}")
    drop = _("to drop it: q, then `tourney result correct{place} --drop --reason …`")
    return (
        continued.format(hands=changes(event, result, begun)),
        drop.format(place=table_arguments(event, result.table)),
    )


def _lost(reader: storage.Reader, event: Event, table: Table) -> tuple[str, ...]:
    """Return a line that names a begun sheet's hands that cannot be continued, since the rules do not allow them."""
    begun = begun_sheet(reader, event, table.round, table.number)
    if begun is None or not begun.hands:
        return ()
    text = _("the sheet that was begun is not possible by the rules and is replaced: {hands}")
    return (text.format(hands=names_text(hand_names(begun.hands))),)


def _kept(reader: storage.Reader, event: Event, table: Table) -> tuple[SheetHand[int], ...]:
    """Return the hands of the table's partial sheet; none if it is of other players or impossible by the rules."""
    sheet = begun_sheet(reader, event, table.round, table.number)
    if sheet is None:
        return ()
    try:
        if rulesets.family(event.rules) == "contract":
            _refuse_impossible(event, table, sheet.hands)
    except TourneyError:
        return ()
    return sheet.hands


def _refuse_impossible(event: Event, table: Table, hands: Sequence[SheetHand[int]]) -> None:
    """Raise TourneyError REFUSED for complete hands that are impossible."""
    names = [player.shown for player in table.players]
    complete = [hand for hand in hands if len(hand.points) + len(hand.left) == len(names)]
    if complete:
        sheets.check_sheet(with_rules_of_round(event, table.round).rules, names, complete, "short")
