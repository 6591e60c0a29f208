"""A table's page for one phone: which step it shows, what surrounds every step, and why a link has ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal

from tourney.domain.errors import TourneyError
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result, SheetHand
from tourney.domain.rules import RulesRef
from tourney.domain.submissions import Submission
from tourney.reports import rules as rules_report
from tourney.reports.render.report import Report, Section
from tourney.reports.results import results as results_report
from tourney.reports.results.history import history
from tourney.rulebook import rules_page
from tourney.service.lookup import with_rules_of_round
from tourney.service.results.sheets import judge
from tourney.service.web.access import players_with_pin
from tourney.service.web.keys import new_token
from tourney.service.web.phone_sheets import disagreeing
from tourney.service.web.seats import pins_always, why_no_confirmation
from tourney.text.i18n import _, for_terminal, language
from tourney.text.names import MAX_LENGTH
from tourney.web.access import ME, known_player, seat_cookie, seat_holder, seat_key
from tourney.web.answers import Answer, ClosedLinkError, Moved, View, for_everybody, status_of
from tourney.web.page import Asked
from tourney.web.pages.field_view import side_by_side
from tourney.web.pages.player import can_enter, own_table, seat_sentence
from tourney.web.pages.table.hand_fields import HandView, blank_view, hand_view, later_views, typed_answers
from tourney.web.pages.table.opened import Opened
from tourney.web.render import Shown, report_view, with_column


def closed(asked: Asked, why: ClosedLinkError) -> Answer:
    """Say in one sentence why the link opens nothing, and where this phone's player sits in the newest round.

    After the end of the evening, go to how its player has ended.
    """
    event = asked.server.shown_if_any()
    player = None if event is None else known_player(asked.cookies, event.entrants)
    if event is not None and event.state == "finished" and player:
        return Moved(ME)
    table = player and own_table(asked, player)
    values = {
        "message": why.message,
        "hint": why.hint,
        "seat": seat_sentence(table, player) if player and table else "",
        "can_enter": event is not None and table is not None and can_enter(asked, event),
    }
    return View("table/closed.html", why.message, values, status_of(why))


SheetStep = Literal["who", "hand", "review", "sent", "confirm", "follow", "refused", "result"]
"""The steps of a table's sheet on one phone; each has a template of its own."""


_HEAD: Final = 26
"""The letters of names that fit the head of a whole sheet on a phone; more of them stand upright there."""


def page(at: Opened, step: SheetStep, values: Mapping[str, Any], fault: TourneyError | None = None) -> View:
    """Return a step of the sheet with what stands around it; `fault` is a refusal of what was sent."""
    table = at.at.table
    names = at.names
    title = _("Round {round}, table {table}").format(round=table.round, table=table.number)
    message, hint = for_everybody(fault)
    around = {
        "step": step,
        "home": at.home,
        "own_id": at.own_id,
        "heading": title,
        "names": names,
        "players": at.numbers,
        "is_tall": sum(map(len, names)) > _HEAD,
        "player": at.player.shown if at.player and at.device else "",
        "notices": tuple(_notices(at, step)),
        "flags": at.at.flags,
        "rules": _rules(with_rules_of_round(at.at.event, table.round).rules, language()),
        "fault": message,
        "hint": "" if for_terminal(hint) else hint,
        "most": MAX_LENGTH,
        "flag_id": str(len(at.at.flags)),
        "claimed": _claimed(at) if step not in ("who", "hand") else "",
    }
    status = 200 if fault is None else status_of(fault)
    return View(f"table/{step}.html", title, {**around, **values}, status)


def current(at: Opened, fault: TourneyError | None = None) -> View:
    """Return the step that comes next on this phone."""
    if at.at.result is not None:
        return page(at, "result", result_values(at, at.at.result), fault)
    if at.player is None or not at.device:
        return who_page(at, fault)
    if at.mine is not None and at.mine.state == "refused":
        return page(
            at, "refused", {"reason": at.mine.reason, "id": at.mine.id, "so_far": _so_far(at, at.mine.hands)}, fault
        )
    if at.mine is not None and at.mine.state == "waiting":
        return page(at, "sent", sent_values(at, at.mine), fault)
    if at.mine is None and (found := _to_confirm(at)) is not None:
        return confirming(at, found, fault)
    if at.mine is None and (found := _typing(at)) is not None:
        return page(at, "follow", {"sheet": found, "so_far": _so_far(at, found.hands), "name": _name(found)}, fault)
    return next_hand(at, fault)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat that a phone may take: its number from 1, whose it is, and in words what is known of it.

    `id` is the player's number.
    Without a PIN it can be taken if it is `free`; with one if the player has a PIN.
    """

    number: int
    id: int
    name: str
    state: str
    free: bool
    has_pin: bool
    is_known: bool
    is_chosen: bool


def who_page(at: Opened, fault: TourneyError | None = None, chosen: Player | None = None) -> View:
    """Return the page on which the phone takes a seat; `chosen` is the player of the one that was refused."""
    values: dict[str, Any] = {
        "others": [] if at.player else _sheets_of_others(at),
        "seats": list(_seats(at, chosen)),
        "device": at.device,
        "always": pins_always(at.at.event),
    }
    name, cookies = at.at.event.settings.name, at.asked.cookies
    made = at.asked.server.made_by(name)
    mine = seat_holder(at.asked.db, name, seat_key(cookies, made))
    if mine is not None and mine not in at.playing.values():
        text = _("This phone has the seat of {player}, who does not sit at this table.")
        values["notices"] = ((text.format(player=mine.shown), _("Go to my table"), ME),)
    shown = page(at, "who", values, fault)
    if seat_cookie(made) in cookies:
        return shown
    # The phone has its key before it chooses: where the answer is lost, nobody else can show it.
    return replace(shown, cookies=((seat_cookie(made), new_token()),))


def _seats(at: Opened, chosen: Player | None) -> Iterator[SeatView]:
    taken = {claim.player for claim in at.at.claims}
    known = known_player(at.asked.cookies, [*at.playing.values()])
    with_pin = players_with_pin(at.asked.db, at.at.event.settings.name, [*at.playing.values()])
    for number, (player, name) in enumerate(zip(at.at.table.players, at.names, strict=True), 1):
        state = _("another phone has this seat") if player in taken else ""
        if player == at.player:
            state = _("this phone has this seat")
        free = player == at.player or not (player in taken or pins_always(at.at.event))
        has_pin = at.playing[player] in with_pin
        yield SeatView(
            number, player.id, name, state, free, has_pin, at.playing[player] == known, player == chosen and not free
        )


def next_hand(at: Opened, fault: TourneyError | None = None) -> View:
    """Return the hand that is typed next, or the whole sheet if that was the last."""
    place = at.typed.gap
    if place < len(at.hands) and at.length != "short":
        return hand_page(at, hand_view(at, place, typed_answers(at, place), at.typed.hands[place]), fault)
    if at.length == "short" or at.typed.over:
        return review(at, fault)
    return hand_page(at, blank_view(at, place), fault)


def hand_page(at: Opened, hand: HandView, fault: TourneyError | None = None) -> View:
    """Return the form of one hand, with the hands that are typed already."""
    faults = bool(hand.fault or fault is not None or any(field.fault for field in hand.fields))
    values = {
        "hand": hand,
        "sheet_id": at.sheet_id,
        "so_far": _so_far(at, at.hands, with_ways=True),
        "scores": at.typed.scores if at.is_knock else (),
        "mode": "cards" if at.asked.query.get("cards") or _has_cards(hand) else "points",
        "is_next": hand.place >= len(at.hands),
        "before": at.before if at.carried and not at.hands else None,
        "carried": _so_far(at, at.carried),
        "holds": faults,
        "later": [] if hand.place < len(at.hands) else later_views(at, hand.place),
    }
    return page(at, "hand", values, fault)


def _has_cards(hand: HandView) -> bool:
    """Return whether cards are typed in a field, for which a phone shows letters."""
    return any(letter.isalpha() for field in hand.points for letter in field.value)


def _so_far(at: Opened, hands: Sequence[SheetHand[int]], *, with_ways: bool = False) -> Shown | None:
    """Return hands that were typed as the grid of a whole sheet, with the running totals; None if there are none.

    With its ways each row leads to its hand.
    """
    if not hands:
        return None
    table = at.at.table
    try:
        scores = judge(at.at.event, table, hands, "whole" if at.typed.over and hands == at.hands else "short").hands
    except TourneyError:
        scores = ()
    report = Report(_("Hands so far"), *results_report.typed_table(at.names, hands, scores))
    return _grid(at, report, _ways(at, scores or hands) if with_ways else [])


def _ways(at: Opened, hands: Sequence[SheetHand[int] | HandScore]) -> list[str]:
    """Return the way to each hand of a sheet that is being typed, for each row of its grid."""
    ways = list[str]()
    for number, hand in enumerate(hands, 1):
        ways.append(f"{at.home}/hands/{number}")
        if isinstance(hand, HandScore) and hand.off:
            ways.append("")
    return ways


def _grid(at: Opened, report: Report, ways: Sequence[str] = ()) -> Shown:
    """Return the grid of a sheet; on a phone the points show who closed a hand with a contract."""
    shown = report if at.is_knock else with_column(report, "closer", priority=2)
    links = [*ways, *[""] * (len(report.rows) - len(ways))] if ways else []
    return report_view(shown, links)


def review(at: Opened, fault: TourneyError | None = None) -> View:
    """Return the whole sheet before it is sent."""
    try:
        outcome = judge(at.at.event, at.at.table, at.hands, at.length)
        shown = _grid(at, results_report.sheet(_as_result(at, outcome)), _ways(at, outcome.hands))
    except TourneyError as error:
        shown, fault = None, fault or error
    values = {
        "so_far": _so_far(at, at.hands, with_ways=True),
        "shown": shown,
        "sheet_id": at.sheet_id,
        "stopped": at.length == "short",
        "alone": _alone(at),
    }
    return page(at, "review", values, fault)


def sheet_view(at: Opened, result: Result) -> Shown:
    """Return a whole sheet with its totals."""
    return _grid(at, results_report.sheet(result))


def _as_result(at: Opened, outcome: Outcome) -> Result:
    return Result(at.at.event.settings.name, at.at.table, outcome)


def confirming(at: Opened, sheet: Submission, fault: TourneyError | None = None) -> View:
    """Return a sheet of another phone with the question whether it is right."""
    return page(at, "confirm", {"name": _name(sheet), **sheet_values(at, sheet)}, fault)


def sheet_values(at: Opened, sheet: Submission) -> dict[str, Any]:
    """Return a sheet that waits, hand by hand, with what identifies it, and who may confirm it with a PIN."""
    shown = None if sheet.outcome is None else sheet_view(at, _as_result(at, sheet.outcome))
    players = enumerate(at.at.table.players, 1)
    is_other = sheet.device != at.device and at.player != sheet.player
    why_not = why_no_confirmation(at.at.event, at.at.claims, at.device, sheet) if is_other else ""
    return {
        "sheet": sheet,
        "shown": shown,
        "confirmers": [(seat, player.id, at.names[seat - 1]) for seat, player in players if player != sheet.player],
        "may_confirm": is_other and not why_not,
        "why_not": why_not,
        "differences": _differences(at),
    }


def sent_values(at: Opened, sheet: Submission) -> dict[str, Any]:
    """Return this phone's sheet that waits, and how the sheets of other phones differ from it."""
    others = [other for other in at.others if other.state == "waiting"]
    same = [other for other in others if other.outcome == sheet.outcome and other.player != at.player]
    return {
        **sheet_values(at, sheet),
        "same": [(_name(other), f"{at.home}/sheets/{other.id}") for other in same],
    }


def _differences(at: Opened) -> list[dict[str, object]]:
    """Return each hand of which two sheets say different things, side by side."""
    two = disagreeing(at.at.sheets)
    return [] if two is None else side_by_side(at.at.sheets.differences, [_name(sheet) for sheet in two], at.names)


def result_values(at: Opened, result: Result) -> dict[str, Any]:
    """Return the table's result, and how the desk has changed it: what was before, who changed it, when and why."""
    names = [player.shown for player in at.at.table.players]
    typed = [_typed_and_confirmed(at, sheet) for sheet in at.of_these_players if sheet.state == "confirmed"]
    return {"shown": sheet_view(at, result), "typed": typed, "history": list(history(names, at.at.entries))}


def _typed_and_confirmed(at: Opened, sheet: Submission) -> str:
    """Return who has typed a sheet and who has confirmed it, with their seats."""
    if sheet.confirmed_by is None:
        return _("Typed by {player}, taken by the desk.").format(player=_with_seat(at, sheet.player))
    text = _("Typed by {player}, confirmed by {other}.")
    return text.format(player=_with_seat(at, sheet.player), other=_with_seat(at, sheet.confirmed_by))


def _with_seat(at: Opened, player: Player | None) -> str:
    if player is None or player not in at.at.table.players:
        return _("somebody") if player is None else player.shown
    seat = at.at.table.players.index(player)
    return _("{player} (seat {seat})").format(player=at.names[seat], seat=seat + 1)


def _name(sheet: Submission) -> str:
    return _("somebody") if sheet.player is None else sheet.player.shown


def _to_confirm(at: Opened) -> Submission | None:
    """Return the oldest sheet of another phone that waits."""
    return next((sheet for sheet in at.others if sheet.state == "waiting"), None)


def _typing(at: Opened) -> Submission | None:
    """Return the newest sheet that another phone is typing."""
    return next((sheet for sheet in reversed(at.others) if sheet.state == "typing"), None)


def _sheets_of_others(at: Opened) -> list[str]:
    typing = _("{player} is typing this sheet.")
    sent = _("{player} has sent this sheet.")
    found = [(sheet, {"typing": typing, "waiting": sent}.get(sheet.state, "")) for sheet in at.others]
    return [text.format(player=_name(sheet)) for sheet, text in found if text]


def _notices(at: Opened, step: SheetStep) -> Iterator[tuple[str, str, str]]:
    """Yield what else happens at the table: a sentence, and the text and path of a link ("" for none)."""
    if at.last is not at.mine and not at.carried:
        yield (
            _("The players of this table have changed. What was typed before is kept: the desk can continue from it."),
            "",
            "",
        )
    if step not in ("hand", "review", "sent"):
        return
    if step == "hand" and not at.hands and (alone := _alone(at)):
        yield alone, "", ""
    for sheet in at.others:
        if sheet.state == "typing":
            text = _("{player} is typing this sheet too, on another phone.")
            yield text.format(player=_name(sheet)), "", ""
        elif sheet.state == "waiting" and step != "sent":
            text = _("{player} has sent a sheet of this table from another phone.")
            yield text.format(player=_name(sheet)), _("See it and confirm it"), f"{at.home}/sheets/{sheet.id}"


def _alone(at: Opened) -> str:
    """Return a reminder that another phone needs a seat to confirm the sheet; "" if one has a seat."""
    if at.has_other_phone or pins_always(at.at.event):
        return ""
    return _("Only this phone has a seat here. Let another player scan the sign before you send the sheet.")


def _claimed(at: Opened) -> str:
    """Return in a sentence which seats phones have."""
    names = [_with_seat(at, claim.player) for claim in at.at.claims]
    return _("Phones of this table: {names}.").format(names=", ".join(names)) if names else ""


@lru_cache(maxsize=16)
def _rules(rules: RulesRef, _language: str) -> Shown:
    """Return the hands and the points of cards by these rules, in the language that is spoken."""
    report = rules_report.page(rules_page.page(rules))
    tables = tuple(_all_columns(section) for section in report.sections if section.columns)
    return report_view(Report(report.title, sections=tables))


def _all_columns(section: Section) -> Section:
    """Return a table all of whose columns are shown on a phone."""
    return replace(section, columns=tuple(replace(column, priority=0) for column in section.columns))
