"""Score sheets from phones at a table: kept while they are typed, sent, and confirmed by a second player.

Two sheets of a table are never merged: the desk sees both, and takes one. A sheet that cannot be taken, because the
desk was first, the table was dissolved or other players sit there now, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Hands, Length, Result
from tourney.domain.rounds import Table
from tourney.domain.submissions import Submission, SubmissionState, WaitingSheets
from tourney.service.change import Change
from tourney.service.change import Outcome as Made
from tourney.service.lookup import InEvent, find_event, find_open_event, find_table
from tourney.service.results.results import EnterResult, find_event_table, refuse_second
from tourney.service.results.sheets import judge, place, seated
from tourney.service.web.phone_sheets import PhoneSheets, disagreeing, same_players
from tourney.service.web.seats import claims, pins_always, why_no_confirmation
from tourney.text.authors import author_of_table
from tourney.text.i18n import _
from tourney.text.names import clean

MOST_SHEETS: Final = 10
"""The most sheets of a seat of a table; older ones make room, first those that were only begun."""
MOST_HANDS: Final = 30
"""The most hands of a sheet: a game of contracts has at most ten, and a knock game rarely twenty."""
MOST_CHARACTERS: Final = 16_000
"""The most characters of a sheet as it is kept; a whole one for eight players has about 3,000."""
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _FromPhone(Change[Made]):
    """A change of the sheet that a phone types, complete or not.

    `id` is the phone's: 32 hexadecimal digits, a new one for each sheet. Refused: NOT_FOUND for an unknown event, round
    or table; REFUSED for a `seat` that is not there (from 0), another kind of id, and for a finished event; CONFLICT if
    the id belongs to another table, and as `seated`, which explains `players`.
    """

    event: str
    round: int
    table: int
    id: str
    device: str
    seat: int
    hands: Hands
    length: Length = "whole"
    players: Sequence[Player] = ()


@dataclass(frozen=True, slots=True)
class KeepTyped(_FromPhone[Submission]):
    """Keep the hands that a phone has typed so far in place of the earlier ones of that `id`.

    A sheet that was sent already stays as it is.
    """

    def perform(self, store: storage.Store) -> Submission:
        """Return the sheet as it is now."""
        event, table, before = _phone_table(store, self)
        if before is not None and before.state != "typing":
            return PhoneSheets(store, event).sheet(before)
        return _keep(store, event, table, self, "typing")


@dataclass(frozen=True, slots=True)
class Submit(_FromPhone[Submission]):
    """Send a whole sheet, which then waits for another player of the table, or for the desk.

    Sent again it counts once; with other hands it replaces itself while it waits. REFUSED also for an impossible sheet.
    If the table has a result by now, the sheet is kept all the same.
    """

    def perform(self, store: storage.Store) -> Submission:
        """Return the sheet as it is now."""
        event, table, before = _phone_table(store, self)
        known = None if before is None else PhoneSheets(store, event).sheet(before)
        if known is not None and known.state in ("confirmed", "refused"):
            return known
        judge(event, table, seated(event, table, self.hands, self.players), self.length)
        if before is None or before.state != "waiting" or before.text != _text(event, table, self):
            known = _keep(store, event, table, self, "waiting")
        assert known is not None, "it was kept"
        return known


@dataclass(frozen=True, slots=True)
class Confirm(Change[Result]):
    """Confirm a sheet that waits, as another player of its table: it is then the table's result.

    `digest` is that of the sheet that was looked at. `device` is the phone that confirms; "" if the player has shown by
    a PIN who they are. Without a PIN the phone has had another seat of the table since before the sheet was sent.
    Confirmed twice it counts once. Refused: NOT_FOUND for a sheet that was not sent; REFUSED for
    whoever and whatever phone typed it, for another phone, somebody of another table and a finished event; CONFLICT if
    the sheet was changed since, another one that waits says something else, the desk has not taken it or was first, or
    the table is not the one it was typed for.
    """

    event: str
    id: str
    digest: str
    player: Player
    device: str = ""

    def perform(self, store: storage.Store) -> Result:
        """Return the table's result."""
        event, row, sheet = _find(store, self.event, self.id)
        if sheet.state == "confirmed":
            return _confirmed(store, event, row, sheet)
        _refuse_unconfirmable(sheet, self.digest, self.player, self.device)
        _refuse_taken_back(store, row)
        table = _same_table(store, event, row, sheet)
        _refuse_disagreement(store, event, table)
        if self.device:
            _refuse_unclaimed(store, event, table, sheet, self.player, self.device)
        elif pins_always(event):
            _refuse_unproved(store, event, table, sheet)
        seats = sorted(_seat(table, player) for player in (sheet.player, self.player) if player is not None)
        store.transaction.by = author_of_table(table.number, seats)
        return _enter(store, event, table, _as_result(row, self.player.id), sheet)


@dataclass(frozen=True, slots=True)
class TakeOver(InEvent[Result]):
    """Take a phone's sheet as the table's result, at the desk; other sheets that wait there are then not taken.

    They wait again where that result is taken back.

    `digest` is that of the sheet that the desk looked at; "" takes it as it is now. Refused as `Confirm`, whoever typed
    it.
    """

    event: str
    id: str
    digest: str = ""

    def perform(self, store: storage.Store) -> Result:
        """Return the table's result."""
        event, row, sheet = _find(store, self.event, self.id)
        if sheet.state == "confirmed":
            return _confirmed(store, event, row, sheet)
        _refuse_changed(sheet, self.digest or sheet.digest)
        _refuse_taken_back(store, row)
        table = _same_table(store, event, row, sheet)
        taken, sheets = _as_result(row, None), PhoneSheets(store, event)
        result = _enter(store, event, table, taken, sheet)
        for other in store.outside.submissions(event.id):
            here = (other.entry, other.table_number) == (row.entry, row.table_number)
            if here and sheets.sheet(other).state == "waiting":
                store.outside.keep_submission(_not_taken(other, result=taken.result))
        return result


@dataclass(frozen=True, slots=True)
class RefuseSheet(Change[Submission]):
    """Refuse a phone's sheet, at the desk, with a reason that the phone shows.

    Refused: NOT_FOUND for an unknown sheet, CONFLICT if it was confirmed, REFUSED if no reason is given.
    """

    event: str
    id: str
    reason: str

    def perform(self, store: storage.Store) -> Submission:
        """Return the refused sheet."""
        reason = clean(self.reason, _("reason"))
        event, row, sheet = _find(store, self.event, self.id)
        if sheet.state == "confirmed":
            message = _("the sheet of {place} was confirmed already").format(place=place(event, sheet.table))
            raise TourneyError(ExitCode.CONFLICT, message, _("correct the result instead"))
        store.outside.keep_submission(_not_taken(row, reason=reason))
        return _find(store, self.event, self.id)[2]


def submission(db: str | None, event_name: str, submission_id: str) -> Submission:
    """Return one sheet from a phone. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return _find(reader, event_name, submission_id)[2]


def sheets_of_table(db: str | None, event_name: str, round_number: int, table_number: int) -> WaitingSheets:
    """Return the sheets from phones of a table. Raises TourneyError NOT_FOUND for an unknown event, round or table."""
    with storage.reading(db) as reader:
        event, table = find_event_table(reader, event_name, round_number, table_number)
        return PhoneSheets(reader, event).of_table(table)


def waiting_sheets(db: str | None, event_name: str | None = None) -> tuple[WaitingSheets, ...]:
    """Return the tables of which a sheet waits, by how long the oldest has waited. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = PhoneSheets(reader, find_event(reader, event_name)).of_tables()
        return tuple(sorted((each for each in found if each.since), key=lambda each: each.since))


def stray_sheets(db: str | None, event_name: str | None = None) -> tuple[Submission, ...]:
    """Return the sheets that wait although their table is gone, or other players sit there now.

    They can only be read: nobody can take one. Raises TourneyError NOT_FOUND.
    """
    with storage.reading(db) as reader:
        return tuple(PhoneSheets(reader, find_event(reader, event_name)).stray())


# --- one phone's sheet ------------------------------------------------------------------------------------------


def _phone_table(store: storage.Store, sent: _FromPhone[Made]) -> tuple[Event, Table, storage.KeptSubmission | None]:
    """Return the event and the table of a sheet that a phone sends, and the sheet as it was; None for a new one.

    Raises TourneyError as `_FromPhone` says.
    """
    if not _ID.fullmatch(sent.id):
        message = _("“{id}” is not the number of a sheet").format(id=sent.id[:40])
        raise TourneyError(ExitCode.REFUSED, message, _("load the page again"))
    if len(sent.hands) > MOST_HANDS:
        message = _("a phone's sheet has at most {most} hands").format(most=MOST_HANDS)
        raise TourneyError(ExitCode.REFUSED, message, _("let the desk enter this sheet"))
    event = find_open_event(store, sent.event)
    table = find_table(event, store.rounds.of(event), sent.round, sent.table)
    if not 0 <= sent.seat < len(table.players):
        message = _("{place} has no seat {seat}").format(place=place(event, table), seat=sent.seat + 1)
        raise TourneyError(ExitCode.REFUSED, message, _("load the page again"))
    before = store.outside.submission(sent.id)
    here = (event.id, store.rounds.draw_entries(event)[table.round], table.number, sent.device)
    if before is not None and (before.event, before.entry, before.table_number, before.device) != here:
        message = _("this sheet is of another table or phone")
        raise TourneyError(ExitCode.CONFLICT, message, _("load the page again"))
    if before is None:
        _make_room(store, event, (here[1], table.number, table.players[sent.seat].id))
    return event, table, before


def _make_room(store: storage.Store, event: Event, seat: tuple[str, int, int]) -> None:
    """Delete the oldest sheet of a seat that counts for nothing, if there are as many as there may be.

    The seat is the entry that drew the round, the table and the player, so that nobody takes the room of others.
    """
    rows = [row for row in store.outside.submissions(event.id) if (row.entry, row.table_number, row.player) == seat]
    if len(rows) >= MOST_SHEETS:
        begun = [row for row in rows if row.state == "typing"]
        sent = [row for row in rows if row.state != "confirmed"]
        for row in (*begun, *sent)[:1]:
            store.outside.forget_submission(row)


def _text(event: Event, table: Table, sent: _FromPhone[Made]) -> str:
    """Return the hands as text, the players under the names that they are shown by."""
    text = storage.sheet_text(table, seated(event, table, sent.hands, sent.players), sent.length)
    if len(text) > MOST_CHARACTERS:
        message = _("the sheet of {place} is too long").format(place=place(event, table))
        raise TourneyError(ExitCode.REFUSED, message, _("load the page again"))
    return text


def _keep(
    store: storage.Store, event: Event, table: Table, sent: _FromPhone[Made], state: SubmissionState
) -> Submission:
    row = storage.KeptSubmission(
        sent.id,
        event.id,
        table.round,
        table.number,
        store.rounds.draw_entries(event)[table.round],
        sent.device,
        table.players[sent.seat].id,
        _text(event, table, sent),
        storage.utc_now(),
        state,
    )
    store.outside.keep_submission(row)
    return PhoneSheets(store, event).sheet(row)


# --- confirming ---------------------------------------------------------------------------------------------------


def _find(
    reader: storage.Reader, event_name: str, submission_id: str
) -> tuple[Event, storage.KeptSubmission, Submission]:
    event = find_event(reader, event_name)
    row = next((row for row in reader.outside.submissions(event.id) if row.id == submission_id), None)
    if row is None:
        message = _("{event} has no such sheet from a phone").format(event=event.settings.name)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("load the page again"))
    return event, row, PhoneSheets(reader, event).sheet(row)


def _refuse_unconfirmable(sheet: Submission, digest: str, player: Player, device: str) -> None:
    """Raise TourneyError unless the sheet waits as it was looked at, and the player may confirm it."""
    if sheet.state == "refused":
        raise TourneyError(ExitCode.CONFLICT, _refused(sheet), _("ask at the desk, or send a new sheet"))
    if sheet.state == "typing":
        message = _("this sheet is still being typed")
        raise TourneyError(ExitCode.REFUSED, message, _("send it first, then another player confirms it"))
    _refuse_changed(sheet, digest)
    if player not in sheet.table.players:
        message = _("{player} does not sit at this table").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("a player of the table confirms its sheet"))
    if player == sheet.player:
        message = _("{player} has typed this sheet").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("another player of the table confirms it"))
    if device == sheet.device:
        message = _("this sheet was typed on this phone")
        raise TourneyError(ExitCode.REFUSED, message, _("confirm it on another phone, or with a PIN"))


def _refuse_unclaimed(
    reader: storage.Reader, event: Event, table: Table, sheet: Submission, player: Player, device: str
) -> None:
    """Raise TourneyError REFUSED unless the phone has the player's seat, and may confirm from there without a PIN."""
    found = tuple(claim for claim in claims(reader, event, table) if claim.device != device or claim.player == player)
    if why := why_no_confirmation(event, found, device, sheet):
        raise TourneyError(ExitCode.REFUSED, why, _("confirm with a PIN, or ask the desk to look at the sheet"))


def _refuse_unproved(reader: storage.Reader, event: Event, table: Table, sheet: Submission) -> None:
    """Raise TourneyError REFUSED unless the phone that sent the sheet has the seat of its player by a PIN now."""
    if not any((claim.device, claim.player) == (sheet.device, sheet.player) for claim in claims(reader, event, table)):
        message = _("the phone that has sent the sheet does not have its seat by a PIN")
        raise TourneyError(ExitCode.REFUSED, message, _("ask the desk to look at the sheet"))


def _refuse_changed(sheet: Submission, digest: str) -> None:
    """Raise TourneyError CONFLICT unless the sheet is as it was looked at."""
    if sheet.digest != digest:
        message = _("this sheet was changed since you looked at it")
        raise TourneyError(ExitCode.CONFLICT, message, _("look at it again, then confirm it"))


def _refuse_taken_back(reader: storage.Reader, row: storage.KeptSubmission) -> None:
    """Raise TourneyError CONFLICT for a sheet that its phone has begun to correct: the newer one is on the pages."""
    of_phone = (row.entry, row.table_number, row.device)
    sent = reader.outside.submissions(row.event)
    if [each.id for each in sent if (each.entry, each.table_number, each.device) == of_phone][-1] != row.id:
        message = _("this sheet is being corrected on its phone")
        raise TourneyError(ExitCode.CONFLICT, message, _("look at the table again"))


def _refused(sheet: Submission) -> str:
    if sheet.reason:
        return _("the desk has not taken this sheet: {reason}").format(reason=sheet.reason)
    return _("the desk has taken another sheet of this table")


def _same_table(reader: storage.Reader, event: Event, row: storage.KeptSubmission, sheet: Submission) -> Table:
    """Return the table as it is now. Raises TourneyError CONFLICT if it is not the one that the sheet was typed for."""
    table = PhoneSheets(reader, event).present_table(row)
    kept = _("the sheet is kept: ask at the desk")
    if table is None:
        message = _("{place} was dissolved, or its round cancelled, since this sheet was begun")
        raise TourneyError(ExitCode.CONFLICT, message.format(place=place(event, sheet.table)), kept)
    if not same_players(table, sheet.table):
        message = _("other players sit at {place} now").format(place=place(event, table))
        raise TourneyError(ExitCode.CONFLICT, message, kept)
    return table


def _refuse_disagreement(reader: storage.Reader, event: Event, table: Table) -> None:
    """Raise TourneyError CONFLICT if two sheets of the table say different things, between which the desk decides."""
    if disagreeing(PhoneSheets(reader, event).of_table(table)) is not None:
        message = _("two sheets of this table do not agree")
        raise TourneyError(ExitCode.CONFLICT, message, _("correct the one that is wrong, or ask the desk"))


def _as_result(row: storage.KeptSubmission, confirmed_by: int | None) -> storage.KeptSubmission:
    """Return a sheet as one that counts, by the entry of a new result; None: the desk has taken it."""
    return row._replace(state="confirmed", confirmed_by=confirmed_by, result=storage.new_id(), reason="")


def _not_taken(row: storage.KeptSubmission, reason: str = "", result: str = "") -> storage.KeptSubmission:
    """Return a sheet as one that was refused, for that reason or as long as the `result` of another one stands."""
    return row._replace(state="refused", confirmed_by=None, result=result, reason=reason)


def _enter(store: storage.Store, event: Event, table: Table, row: storage.KeptSubmission, sheet: Submission) -> Result:
    """Enter the sheet as the result of `row`. Raises TourneyError CONFLICT if the table has one by now."""
    try:
        refuse_second(store, event, table)
    except TourneyError as error:
        raise TourneyError(error.code, error.message, _("the sheet is kept: the desk sees both")) from None
    enter = EnterResult(event.settings.name, table.round, table.number, sheet.hands, sheet.length, entry_id=row.result)
    result = enter.perform(store).result
    store.outside.keep_submission(row)
    return result


def _confirmed(reader: storage.Reader, event: Event, row: storage.KeptSubmission, sheet: Submission) -> Result:
    """Return the result of a table whose sheet was confirmed before; the desk may have changed it since."""
    table = _same_table(reader, event, row, sheet)
    return reader.results.of(event, spot=(table.round, table.number))[0]


def _seat(table: Table, player: Player) -> int:
    return [seated.id for seated in table.players].index(player.id)
