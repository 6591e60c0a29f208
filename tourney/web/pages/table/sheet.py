"""The pages of a table's sheet on a phone: hand by hand, sent, confirmed by a second player, or with a flag raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length, SheetHand
from tourney.files.sheet_toml import read_points
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.sheets import written
from tourney.service.results.typed_sheet import reseated_answers
from tourney.service.web.submissions import Confirm, KeepTyped, Submit
from tourney.text.i18n import _
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.hall import number_in
from tourney.web.pages.table import seats
from tourney.web.pages.table.hand_fields import blank_view, hand_view, typed_answers
from tourney.web.pages.table.opened import Opened, make, opened
from tourney.web.pages.table.shown import confirming, current, hand_page, next_hand


def raise_flag(asked: Asked) -> Answer:
    """Call the desk, with what the phone says or without; sent twice it counts once."""
    at = opened(asked)
    table = at.at.table
    text = asked.field("text").strip() or _("somebody at the table calls the desk")
    try:
        entry_id = at.client_id("flag", asked.field("flag")[:20])
        change = RaiseFlag(at.at.event.settings.name, table.round, table.number, text, at.seat, entry_id)
        make(asked, change)
    except TourneyError as error:
        return current(at, error)
    return Moved(f"{at.home}#flags")


MOST_FIELD = 200
"""The most characters of a field of a hand; the longest are the cards that a player holds."""


def show(asked: Asked) -> View:
    """Show what this phone has to do next."""
    return current(opened(asked))


# --- hands ----------------------------------------------------------------------------------------------------------


def hand(asked: Asked) -> Answer:
    """Show one hand, to be typed or corrected."""
    at = opened(asked)
    place = number_in(asked.path["number"]) - 1
    if at.at.result is not None or at.player is None or not _may_type(at) or not 0 <= place <= len(at.hands):
        return Moved(at.home)
    if place == len(at.hands):
        return next_hand(at) if at.length == "whole" else hand_page(at, blank_view(at, place))
    answers = typed_answers(at, place)
    typed = at.read((*at.hands[:place], answers), _all_kept(place, answers)).hands[place]
    return hand_page(at, hand_view(at, place, answers, replace(typed, faults=())))


def keep(asked: Asked) -> Answer:
    """Keep one hand of the sheet if it can have been so; otherwise show what is wrong with it."""
    at, place, sheet_id = opened(asked), number_in(asked.path["number"]) - 1, asked.field("sheet")
    try:
        # The phone forgets what it has typed only where the server has it.
        seat = at.seat
        answers, kept = _answers(at)
        if _has(at, place, answers, kept):
            return Moved(at.home)
        _refuse_late(at, place, sheet_id)
        if not 0 <= place <= len(at.hands):
            message = _("an earlier hand is missing")
            raise TourneyError(ExitCode.CONFLICT, message, _("type the hands in their order"))
        read = _read(at, place, answers, kept)
        if isinstance(read, View):
            return read
        hands, length = read
        _keep(at, seat, hands, length)
    except TourneyError as error:
        return current(at, error)
    return Moved(at.home)


def _answers(at: Opened) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return what was typed by field, with the reading that was chosen, and the fields whose answer is right as typed.

    A button of the form takes a reading (`points-2=15`) or keeps an unusual answer (`points-2`). All of it goes with
    the players to the seats that they have now. Raises TourneyError as `Opened.seats_of_form`.
    """
    asked, seats = at.asked, (at.seats_of_form, at.numbers)
    # The button that names the closer comes after the field that has the closer of before.
    answers = {name: values[-1][:MOST_FIELD] for name, values in asked.form.items() if name not in _OF_THE_FORM}
    field, _separator, value = asked.field("take").partition("=")
    if field:
        answers[field] = value[:MOST_FIELD]
    kept = dict.fromkeys((*asked.form.get("kept", ()), *asked.form.get("keep", ())), "")
    return reseated_answers(answers, *seats), tuple(reseated_answers(kept, *seats))


_OF_THE_FORM = frozenset({"take", "keep", "kept", "sheet", "players", "was"})


def _read(
    at: Opened, place: int, answers: dict[str, str], kept: tuple[str, ...]
) -> View | tuple[tuple[SheetHand[int], ...], Length]:
    """Return the hands with the one that was typed; its page if something is wrong with it."""
    typed = answers if at.is_knock else _with_closers_points(at, place, answers)
    sheet = at.read((*at.hands[:place], typed), _all_kept(place, {field: answers.get(field, "") for field in kept}))
    found = replace(sheet.hands[place], faults=sheet.hands[min(sheet.gap, place)].faults)
    if not found.complete:
        return replace(hand_page(at, hand_view(at, place, answers, found, kept)), status=400)
    later = () if sheet.over else at.hands[place + 1 :]
    length: Length = "whole" if place == len(at.hands) else at.length
    return (*at.hands[:place], found.read, *later), length


def _with_closers_points(at: Opened, place: int, answers: dict[str, str]) -> dict[str, str]:
    """Return the answers of a hand with a contract, in which a closer's points are those of how they closed.

    Their own line may say it, too; it stays where it has points that no closer has, which are a mistake.
    """
    line, closings = f"points-{answers.get('closer', '')}", at.typed.hands[place].closings
    own = read_points(answers.get(line, ""))
    if own is None or own not in closings:
        return answers
    rest = {field: text for field, text in answers.items() if field != line}
    chosen = read_points(answers.get("at_once", ""))
    is_chosen = chosen is not None and chosen != closings[0]
    return rest if is_chosen or len(closings) == 1 else {**rest, "at_once": str(own)}


def _all_kept(place: int, answers: Mapping[str, str]) -> set[tuple[int, str, str]]:
    """Return these answers of a hand as ones that are right even if they are unusual."""
    return {(place, field, " ".join(text.split())) for field, text in answers.items()}


def _keep(at: Opened, seat: int, hands: tuple[SheetHand[int], ...], length: Length) -> None:
    table, event = at.at.table, at.at.event.settings.name
    sheet = (at.sheet_id, at.device, seat, hands, length, table.players)
    make(at.asked, KeepTyped(event, table.round, table.number, *sheet))


def _may_type(at: Opened) -> bool:
    """Return whether this phone has a sheet that is being typed, or may begin one."""
    return at.mine is None or at.is_typing


def _has(at: Opened, place: int, answers: dict[str, str], kept: tuple[str, ...]) -> bool:
    """Return whether the table's result, or else this phone's sheet, has the hand as it was typed."""
    if at.at.result is not None:
        hands = written(at.at.event, at.at.result.outcome)
    else:
        hands = () if at.mine is None else at.mine.hands
    if not 0 <= place < len(hands):
        return False
    typed = at.read((*hands[:place], answers), _all_kept(place, {field: answers.get(field, "") for field in kept}))
    hand = typed.hands[place].read if typed.hands[place].complete else None
    if at.at.result is None and at.is_typing:
        return hand == hands[place]
    same_closer = hand is not None and (hand.closer == hands[place].closer or hands[place].closer is None)
    return hand is not None and hand.points == hands[place].points and same_closer


def _refuse_late(at: Opened, place: int, sheet_id: str) -> None:
    """Raise TourneyError CONFLICT for a hand of which the sheet is not being typed, or that was changed since.

    The phone keeps and shows it.
    """
    if at.at.result is not None:
        message, hint = _("this hand was not kept: the table has a result"), _("if the result is wrong, call the desk")
    elif not _may_type(at):
        message, hint = _("this hand was not kept: its sheet was sent before"), _("correct the sheet here")
    elif sheet_id not in ("", at.sheet_id):
        message, hint = _("this hand was typed for another sheet"), _("type it again here")
    elif at.asked.field("was") != at.was(place):
        message, hint = _("this hand was not kept: another page has changed it"), _("tap its row if it is wrong")
    else:
        return
    raise TourneyError(ExitCode.CONFLICT, message, hint)


def stop(asked: Asked) -> Answer:
    """End the sheet after the hands that are typed, because the game was stopped; or let it go on."""
    at = opened(asked)
    if at.at.result is not None or not at.hands:
        return Moved(at.home)
    try:
        _keep(at, at.seat, at.hands, "whole" if asked.field("go") else "short")
    except TourneyError as error:
        return current(at, error)
    return Moved(at.home)


def copy(asked: Asked) -> Answer:
    """Begin a sheet with the hands of another one: of this phone's that was sent, or of another phone's.

    Of one that was typed when others sat here, it has the hands of those who are still here.
    """
    at = opened(asked)
    found = next((sheet for sheet in at.of_these_players if sheet.id == asked.field("id")), None)
    hands, length = ((), "whole") if found is None else (found.hands, found.length)
    if at.before is not None and at.before.id == asked.field("id"):
        hands = at.carried
    if at.at.result is not None or not hands:
        return Moved(at.home)
    try:
        _keep(at, at.seat, hands, length)
    except TourneyError as error:
        return current(at, error)
    return Moved(at.home)


# --- sending and confirming ---------------------------------------------------------------------------------------


def send(asked: Asked) -> Answer:
    """Send the whole sheet; sent twice it counts once. Beside a result the desk sees it, too."""
    at = opened(asked)
    if not at.is_typing or at.sheet_id != asked.field("sheet"):
        return Moved(at.home)
    table, event = at.at.table, at.at.event.settings.name
    try:
        seat = at.seat
        sheet = (at.sheet_id, at.device, seat, at.hands, at.length, table.players)
        make(asked, Submit(event, table.round, table.number, *sheet))
    except TourneyError as error:
        return current(at, error)
    return Moved(at.home)


def other_sheet(asked: Asked) -> Answer:
    """Show a sheet of another phone that waits to be confirmed."""
    at = opened(asked)
    found = next((sheet for sheet in at.others if sheet.id == asked.path["id"] and sheet.state == "waiting"), None)
    if found is None or at.at.result is not None or at.player is None:
        return Moved(at.home)
    return confirming(at, found)


def confirm(asked: Asked) -> Answer:
    """Confirm a sheet that waits, as this phone's player, or as another player with their PIN."""
    at = opened(asked)
    if at.at.result is not None:
        return Moved(at.home)
    try:
        sheet = at.waiting(asked.field("id"))
        player, device = at.at.table.players[at.seat], at.device
        if "pin" in asked.form:
            player, device = seats.by_pin(at), ""
        make(asked, Confirm(at.at.event.settings.name, sheet.id, asked.field("digest"), player, device))
    except TourneyError as error:
        return current(opened(asked), error)
    return Moved(at.home)
