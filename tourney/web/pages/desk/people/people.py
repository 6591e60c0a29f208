"""People of an event: the list in which players are checked in, and what one of them needs besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast
from urllib.parse import urlencode

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import GONE, EntrantState, Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round
from tourney.domain.schedule import Attendance, Schedule
from tourney.reports import entrants as report
from tourney.reports import people as people_report
from tourney.reports.render.report import Report
from tourney.reports.results.standings import state_word
from tourney.service.change import Change
from tourney.service.events import status as status_service
from tourney.service.events.attendance import (
    Absence,
    CheckInPlayers,
    ReturnPlayers,
    TakeBackCheckIn,
    WithdrawPlayers,
)
from tourney.service.events.regulars import regulars
from tourney.service.players import Renamed, RenamePlayer
from tourney.service.results import results as results_service
from tourney.service.rounds import rounds as rounds_service
from tourney.service.rounds.take_out import TakeOut
from tourney.service.web.as_seen import changed_meanwhile
from tourney.text.i18n import _, pgettext
from tourney.text.names import fold, name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import (
    Button,
    Refused,
    changed_fields,
    draw_text,
    event_name,
    for_event,
    form,
    page,
    press,
    typed_field,
    unknown_button,
    view,
)
from tourney.web.pages.hall import number_in
from tourney.web.render import Link

PEOPLE: Final = "/desk/people"
ENROL: Final = f"{PEOPLE}/enrol"
REMOVED: Final[frozenset[EntrantState]] = frozenset({"removed"})
SUBSTITUTES: Final[frozenset[EntrantState]] = frozenset({"substitute"})
LEFT: Final[frozenset[EntrantState]] = GONE - REMOVED - SUBSTITUTES
OUT: Final = "out"
"""The place outside of all tables, in the query of the page that moves players."""
ALL: Final[frozenset[EntrantState]] = frozenset({"entered", "checked in", "withdrawn", "no-show"})
"""The states of the entrants in the list; substitutes and people entered by mistake are apart."""
APART: Final = {"substitutes": SUBSTITUTES, "removed": REMOVED}
"""The parts of the list that are there only if somebody is in them."""
CHECKED: Final[dict[str, frozenset[EntrantState]]] = {
    "": ALL,
    "missing": frozenset({"entered"}),
    "here": frozenset({"checked in"}),
    "left": LEFT,
}
"""The parts of the list that can be shown alone where players check in, by the word in the query."""
NOT_CHECKED: Final[dict[str, frozenset[EntrantState]]] = {"": ALL, "here": ALL - LEFT, "left": LEFT}
"""The parts of the list where nobody checks in: who has not left is here."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the list: an entrant with their number, and the button of the line, which a tap may take back."""

    number: int
    player: Player
    state: EntrantState
    do: str = ""
    absence: str = ""


def people(asked: Asked, refused: Refused = None) -> View:
    """Show who plays, in the order of names, with a button that checks each in, or takes that back."""
    event = asked.server.event()
    show, find = _filter(asked, event)
    states = ALL | SUBSTITUTES | REMOVED if find else _parts(event)[show]
    everybody = sorted(_of_event(asked, event), key=lambda each: name_order(each.player.shown))
    stays = _numbers(asked)
    shown = [each for each in everybody if each.state in states or each.number in stays]
    shown = [each for each in shown if fold(find) in fold(each.player.shown)]
    missing = [each.player.shown for each in everybody if each.state == "entered" and checks_in(event)]
    complete = show == "missing" and not missing
    is_here = complete or (not show and not missing and checks_in(event))
    values = {
        "people": shown,
        "word": state_word,
        "summary": _seated(event),
        "checks_in": checks_in(event),
        "filters": list(_filters(event, show)),
        "show": show,
        "find": find,
        "stays": " ".join(map(str, stays)),
        "at": asked.query.get("at", ""),
        "known": [each.player.shown for each in regulars(asked.db, event.settings.name).people],
        "absent": missing,
        "complete": complete,
        "draws": draw_text(asked, status_service.status(asked.db, event.settings.name)) if is_here else "",
    }
    about = ["people", *(["rounds"] if is_here else ()), *(f"people {each.number}" for each in shown if each.do)]
    return view(asked, "people.html", _("People"), values, refused, about=about)


def _of_event(asked: Asked, event: Event) -> Iterator[Line]:
    """Yield the lines of all entrants, in the order in which they were entered."""
    rounds = rounds_service.show(asked.db, event.settings.name).rounds
    drawn = {player.id for each in rounds for player in in_round(each)}
    before = asked.query.get("was", "")
    for number, (player, state) in enumerate(zip(event.entrants, event.states, strict=True), 1):
        line = Line(number, player, state)
        if state in GONE:
            line = replace(line, do="return", absence="withdrawn" if state in SUBSTITUTES else state)
        elif asked.query.get("at") == str(number) and before in GONE:
            line = replace(line, do="gone", absence=before)
        elif state == "entered" and checks_in(event):
            line = replace(line, do="checkin")
        elif state == "checked in" and player.id not in drawn:
            line = replace(line, do="uncheck")
        yield line


def in_round(drawn: Round) -> Iterator[Player]:
    """Yield everybody who has a seat or a bye in a round."""
    yield from drawn.sitting_out
    for table in drawn.tables:
        yield from table.players


def _numbers(asked: Asked) -> list[int]:
    """Return the numbers of the lines that stay in the shown part of the list, whatever a tap has made of them."""
    text = asked.query.get("stays") or asked.field("stays")
    return [int(word) for word in text.split() if word.isdecimal() and len(word) <= 6]


def checks_in(event: Event) -> bool:
    """Return whether players check in: it is required, or somebody has."""
    return event.settings.checkin == "required" or "checked in" in event.states


def _parts(event: Event) -> dict[str, frozenset[EntrantState]]:
    """Return the parts of the list that can be shown alone, by the word in the query."""
    parts = CHECKED if checks_in(event) else NOT_CHECKED
    return parts | {word: states for word, states in APART.items() if not states.isdisjoint(event.states)}


def _seated(event: Event) -> str:
    """Return in words who is seated when a round is drawn."""
    if event.settings.checkin == "required":
        return _("Only players who are checked in get a seat.")
    if checks_in(event):
        return _("Everybody who has not left is seated, checked in or not.")
    return _("Check-in is not asked for: everybody who has not left is seated.")


def _filter(asked: Asked, event: Event) -> tuple[str, str]:
    show = asked.query.get("show") or asked.field("show")
    return show if show in _parts(event) else "", asked.query.get("find") or asked.field("find")


def _filters(event: Event, shown: str) -> Iterator[tuple[Link, bool]]:
    texts = {
        "": _("All: {number}"),
        "missing": _("Not here yet: {number}"),
        "here": _("Here: {number}"),
        "left": _("Left: {number}"),
        "substitutes": _("Substitutes: {number}"),
        "removed": _("Entered by mistake: {number}"),
    }
    for key, states in _parts(event).items():
        number = sum(state in states for state in event.states)
        yield Link(f"{PEOPLE}?show={key}" if key else PEOPLE, texts[key].format(number=number)), key == shown


def attend(asked: Asked) -> Answer:
    """Do what a button of the list says, with one player or with all."""
    name, event = asked.field("player"), event_name(asked)
    to = _back_to(asked)
    buttons: dict[str, Button] = {
        "checkin": (partial(CheckInPlayers, event, [name]), _in_the_line(report.checked_in), to),
        "uncheck": (partial(TakeBackCheckIn, event, [name]), _in_the_line(report.not_checked_in), to),
        "return": (partial(ReturnPlayers, event, [name]), _in_the_line(report.returned), to),
        "gone": (partial(_gone_again, asked, event, name), _in_the_line(report.withdrawn), to),
        "all": (partial(CheckInPlayers, event, everybody=True), report.checked_in, PEOPLE),
        "none": (partial(_nobody_else, asked, event), report.withdrawn, PEOPLE),
    }
    return press(asked, people, buttons, [take_back()] if asked.field("do") in ("all", "none") else ())


def take_back() -> Link:
    """Return the link that takes back what was done last."""
    return Link("/desk/undo", pgettext("a link", "Take it back"))


def _back_to(asked: Asked) -> str:
    """Return the list as it was when a button of a line was tapped, with this line in it."""
    (show, find), number = _filter(asked, asked.server.event()), asked.field("number")
    if not number.isdecimal():
        return PEOPLE
    stays = list(dict.fromkeys([*_numbers(asked), int(number)])) if show else []
    was = asked.field("absence") if asked.field("do") == "return" else ""
    query = {"show": show, "find": find, "stays": " ".join(map(str, stays)), "at": number, "was": was}
    return f"{PEOPLE}?{urlencode({key: value for key, value in query.items() if value})}#n{number}"


def _in_the_line(reported: Callable[[Attendance], Report]) -> Callable[[Attendance], Report]:
    """Return the report of a tap in one line: the line of the list says it, too, and stays where it is."""

    def brief(outcome: Attendance) -> Report:
        shown = reported(outcome)
        return replace(shown, title=next(iter(shown.lines), shown.title), lines=())

    return brief


def _gone_again(asked: Asked, event: str, name: str) -> Change[Attendance]:
    absence = asked.field("absence")
    if absence not in ("withdrawn", "no-show", "removed"):
        raise unknown_button()
    return WithdrawPlayers(event, [name], absence=cast("Absence", absence))


def _nobody_else(asked: Asked, event: str) -> Change[Attendance]:
    """Return the change that strikes off everybody whom the form's page showed as missing."""
    names = asked.form.get("missing", ())
    return WithdrawPlayers(event, list(names), absence="no-show")


def person(asked: Asked, refused: Refused = None) -> View:
    """Show one entrant, with all that can be done for them."""
    event, found = entrant(asked)
    number = event.entrants.index(found) + 1
    state = event.states[number - 1]
    newest = rounds_service.show(asked.db, event.settings.name, "newest")
    tables = [table for drawn in newest.rounds for table in drawn.tables if found in table.players]
    sits = any((table.round, table.number) not in newest.done for table in tables)
    has_played = any(found in result.table.players for result in results_service.show(asked.db, event.settings.name))
    values = {
        "number": number,
        "player": found,
        "state": state_word(state),
        "kind": state.replace(" ", "-"),
        "is_gone": state in GONE,
        "unchecks": state == "checked in" and not _is_in_a_round(asked, event, found),
        "place": _place(newest, found),
        "sits": sits,
        "has_played": has_played,
        "known": _known(found),
        "typed": {name: typed_field(asked, name, value) for name, value in _known(found).items()},
        "seat": _seat_link(found, leaves=state in GONE)
        if sits or (not tables and state not in GONE and newest.rounds)
        else None,
    }
    about = f"people {number}", f"name {number}"
    return view(asked, "person.html", found.shown, values, refused, about=about)


def _is_in_a_round(asked: Asked, event: Event, player: Player) -> bool:
    """Return whether the player has a seat or a bye in a round that is drawn."""
    return any(player in in_round(each) for each in rounds_service.show(asked.db, event.settings.name).rounds)


def entrant(asked: Asked) -> tuple[Event, Player]:
    """Return the event and its entrant with the number in the path, or with the name that a form's page has written.

    Raises TourneyError NOT_FOUND, and CONFLICT for a form about somebody who has another name since.
    """
    event = asked.server.event()
    if name := asked.field("player"):
        found = next((player for player in event.entrants if player.shown == name), None)
        if found is None:
            raise changed_meanwhile()
        return event, found
    number = number_in(asked.path["number"])
    if not 1 <= number <= len(event.entrants):
        message = _("{event} has no entrant {number}").format(event=event.settings.name, number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("find the name in the list of people"))
    return event, event.entrants[number - 1]


def _seat_link(player: Player, *, leaves: bool) -> Link:
    """Return the way to another seat in the newest round; for somebody who has left, out of it."""
    if leaves:
        query = urlencode({"player": player.shown, "to": OUT})
        return Link(f"/desk/rounds/move?{query}", _("Take them out of this round"))
    return Link(f"/desk/rounds/move?{urlencode({'player': player.shown})}", _("Change their seat in this round"))


def _place(newest: Schedule, player: Player) -> str:
    """Return where the player sits in the newest round, "" without a round."""
    for drawn in newest.rounds:
        for table in drawn.tables:
            if player in table.players:
                text = _("Round {round}: table {table}, seat {seat}.")
                seat = table.players.index(player) + 1
                return text.format(round=drawn.number, table=table.number, seat=seat)
        text = _("Round {round}: has a bye.") if player in drawn.sitting_out else _("Round {round}: has no seat.")
        return text.format(round=drawn.number)
    return ""


def change_person(asked: Asked) -> Answer:
    """Do what a button of a person's page says."""
    name, event = asked.field("player"), event_name(asked)
    here = f"{PEOPLE}/{number_in(asked.path['number'])}"
    buttons: dict[str, Button] = {
        "checkin": (partial(CheckInPlayers, event, [name]), report.checked_in, here),
        "uncheck": (partial(TakeBackCheckIn, event, [name]), report.not_checked_in, here),
        "return": (partial(ReturnPlayers, event, [name]), report.returned, here),
        "withdraw": (partial(_withdrawal, asked, event, name), report.withdrawn, here),
        "no-show": (partial(_withdrawal, asked, event, name), report.withdrawn, here),
        "rename": (partial(_renaming, asked, name), people_report.renamed, here),
    }
    return press(asked, person, buttons)


def _withdrawal(asked: Asked, event: str, name: str) -> Change[Attendance]:
    absence: Absence = "no-show" if asked.field("do") == "no-show" else "withdrawn"
    withdrawal = WithdrawPlayers(event, [name], asked.field("reason"), absence)
    return TakeOut(withdrawal) if asked.field("out") else withdrawal


def _renaming(asked: Asked, name: str) -> Change[Renamed]:
    known = _known(entrant(asked)[1])
    changed = changed_fields(asked, known, _labels())
    return RenamePlayer(name, *(asked.field(key) if key in changed else None for key in known))


def _labels() -> dict[str, str]:
    """Return what the fields of a person's page are called."""
    return {"name": _("Name"), "label": _("Label, for two people of one name"), "club": _("Club")}


def _known(player: Player) -> dict[str, str]:
    """Return what a person's page lets a desk change."""
    return {"name": player.name, "label": player.label, "club": player.club}


PAGES = (
    page(PEOPLE, for_event(people), "show", "find", "stays", "at", "was"),
    form(PEOPLE, for_event(attend)),
    page(f"{PEOPLE}/{{number}}", for_event(person)),
    form(f"{PEOPLE}/{{number}}", for_event(change_person)),
)
