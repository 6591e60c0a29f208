"""The rounds of the desk: drawn as drafts, published, timed, changed; who sits where, and why; who is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import EditedRound, Schedule
from tourney.domain.status import Status
from tourney.reports.render.report import Report
from tourney.reports.results.flags import flag_text
from tourney.reports.rounds import rounds as report
from tourney.reports.rounds import seatings as seatings_report
from tourney.reports.status import playing_line
from tourney.service.change import Change
from tourney.service.events import status as status_service
from tourney.service.rounds import rounds as service
from tourney.service.rounds import seating_report
from tourney.service.rounds.clock import ChangeClock, ClockCommand
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound, PublishRound, RedrawRound, missing_text, waiting_for_results
from tourney.service.rounds.edit_round import CancelRound, Destination, Meetings, MovePlayer, Out, Swap, ToTable
from tourney.service.web.as_seen import changed_meanwhile
from tourney.text.i18n import _, pgettext
from tourney.text.names import name_order
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.clock import clock_values
from tourney.web.pages.desk.chapters import page_of
from tourney.web.pages.desk.page import (
    Button,
    Refused,
    event_name,
    for_event,
    form,
    page,
    press,
    previewed,
    submit,
    unknown_button,
    view,
    whole_number,
)
from tourney.web.pages.desk.people.people import OUT, in_round
from tourney.web.pages.hall import Card, number_in
from tourney.web.render import Link, Shown, report_view, sentences

ROUNDS: Final = "/desk/rounds"
MOVE: Final = f"{ROUNDS}/move"
DISSOLVE: Final = f"{ROUNDS}/dissolve"
TABLE, WITH = "table:", "with:"
"""The beginnings of the values by which the form says where a player goes, besides OUT."""
CLOCK: Final[dict[str, ClockCommand]] = {"start": "start", "stop": "stop", "set": "set", "pause": "pause"}
"""The changes of the clock, by their buttons."""
MORE_MINUTES: Final = 5
"""The minutes that one tap adds to the clock."""


def rounds(asked: Asked, refused: Refused = None) -> View:
    """Show one round, the newest unless another is asked for, and what can be done with the rounds now."""
    found = status_service.status(asked.db, asked.server.event().settings.name)
    which = asked.path.get("round")
    drawn = service.show(asked.db, _name(found), "newest" if which is None else number_in(which))
    is_newest = found.newest is not None and drawn.rounds[:1] == (found.newest,)
    is_open = found.event is not None and found.event.state == "open"
    values = {
        "cards": [_card(drawn, table) for round_ in drawn.rounds for table in round_.tables],
        "sentences": sentences(report.schedule(drawn)),
        "rounds": [Link(f"{ROUNDS}/{number}", str(number)) for number in range(1, found.drawn + 1)],
        "here": f"{ROUNDS}/{drawn.rounds[0].number}" if drawn.rounds else "",
        "round": _round_values(asked, found, drawn.rounds[0]) if is_newest and is_open else None,
        "timed": clock_here(asked, found, drawn) if is_open else None,
        "draft": _draft(asked, found.newest) if is_newest and is_open and found.newest else None,
        "next": None if which is not None else _next(asked, found),
        "event": _name(found),
    }
    title = report.title(drawn) if drawn.rounds else _("Rounds")
    return view(asked, "rounds.html", title, values, refused, about=("rounds", "clock"))


def _name(found: Status) -> str:
    assert found.event is not None, "the status of an event was asked for"
    return found.event.settings.name


def _card(drawn: Schedule, table: Table) -> Card:
    numbers = {player.id: number for number, player in enumerate(drawn.event.entrants, 1)}
    players = tuple(Link(f"/desk/people/{numbers[player.id]}", player.shown) for player in table.players)
    spot = table.round, table.number
    begun = {*drawn.done, *drawn.void, *drawn.short, *drawn.partial}
    place = ("--round", str(table.round), "--table", str(table.number))
    drafts = [round_.number for round_ in drawn.rounds if round_.draft]
    path = "" if table.round in drafts else page_of(("tourney", "result", "show", *place))
    if path and spot not in begun and table not in drawn.too_few:
        return Card(table.number, players, _("Enter the sheet"), done=False, link=f"{path}/enter")
    return Card(table.number, players, report.table_state(drawn, table), spot in drawn.done, path)


def _round_values(asked: Asked, found: Status, newest: Round) -> dict[str, Any]:
    """Return what a template needs to change the newest round."""
    waiting = _waiting(found, newest)
    return {
        "number": newest.number,
        "draft": newest.draft,
        "unplayed": len(waiting) == len(newest.tables),
        "waiting": waiting,
    }


@dataclass(frozen=True, slots=True)
class Place:
    """A player in a draft, with the players at their table that they have met before ("": nobody).

    `change` says how many pairs more meet again if the player who is chosen takes this place; "" for none.
    """

    number: int
    player: Player
    again: str = ""
    change: str = ""


def _draft(asked: Asked, newest: Round) -> dict[str, Any] | None:
    """Return what a template needs for a draft in which two tapped names change places; None for a published round."""
    if not newest.draft:
        return None
    drawn = service.show(asked.db, asked.server.event().settings.name)
    met = Meetings(each for each in drawn.rounds if each.number < newest.number)
    numbers = {player.id: number for number, player in enumerate(drawn.event.entrants, 1)}
    typed = {asked.query.get("chosen"), asked.field("chosen")}
    chosen = next(
        (each for each in in_round(newest) if not typed.isdisjoint({str(numbers[each.id]), each.shown})), None
    )

    def place(player: Player, table: Sequence[Player]) -> Place:
        again = ", ".join(other.shown for other in met.again(player, table))
        change = met.after_swap(newest, chosen, player) if chosen else 0
        return Place(numbers[player.id], player, again, f"{change:+d}" if change else "")

    return {
        "tables": [(table.number, [place(each, table.players) for each in table.players]) for table in newest.tables],
        "byes": [place(each, ()) for each in newest.sitting_out],
        "chosen": chosen and Place(numbers[chosen.id], chosen),
    }


def _swap(asked: Asked, event: str) -> Change[EditedRound]:
    """Return the change by which the player who was chosen and the one who was tapped change places."""
    one, other = _tapped(asked)
    return MovePlayer(event, one, Swap(other), whole_number(asked, "round"))


def _tapped(asked: Asked) -> tuple[str, str]:
    """Return the names of the two players. Raises TourneyError USAGE if the form does not say who they are."""
    one, other = asked.field("chosen"), asked.field("other")
    if not (one and other):
        raise unknown_button()
    return one, other


def _waiting(found: Status, round_: Round) -> list[int]:
    """Return the tables of a round that have no result."""
    return [open_.table.number for open_ in found.open_tables if open_.table.round == round_.number]


def clock_here(asked: Asked, found: Status, drawn: Schedule) -> dict[str, Any] | None:
    """Return what a template needs for the clock of the one round shown; None if nobody plays it, or there is none."""
    if not drawn.rounds or drawn.rounds[0].draft or not _waiting(found, drawn.rounds[0]):
        return None
    (shown,), event = drawn.rounds, found.event
    minutes = shown.clock.minutes if shown.clock else shown.paused or (event and event.settings.minutes)
    return {
        "number": shown.number,
        "running": shown.clock is not None,
        "paused": shown.paused,
        "minutes": asked.field("minutes") or str(minutes or ""),
        "more": MORE_MINUTES,
        "longer": shown.clock.minutes + MORE_MINUTES if shown.clock else 0,
        "face": clock_values(drawn) if shown.clock else None,
    }


def _next(asked: Asked, found: Status) -> dict[str, Any] | None:
    """Return what a template needs to draw the next round; None while a draft waits, and in a finished event."""
    event = found.event
    if event is None or event.state == "finished" or (found.newest is not None and found.newest.draft):
        return None
    missing = waiting_for_results(asked.db, event.settings.name)
    return {
        "button": _button(found, found.drawn + 1),
        "playing": playing_line(event),
        "missing": missing_text(missing) if missing.tables else "",
        "flags": [flag_text(flag) for flag in found.flags],
        "ends": found.drawn >= event.settings.rounds,
    }


def _button(found: Status, number: int) -> str:
    """Return the text of the button that draws the next round, which may begin the next stage."""
    if found.stages is not None and found.stages.begins:
        text = pgettext("a button", "Begin {stage}: draw round {round}")
        return text.format(stage=found.stages.following, round=number)
    return pgettext("a button", "Draw round {round}").format(round=number)


def act(asked: Asked) -> Answer:
    """Do what a button says."""
    do = asked.field("do")
    if do in CLOCK:
        return change_clock(asked, asked.url, rounds)
    event = event_name(asked)
    changes: dict[str, Callable[[], Change[Schedule]]] = {
        "draw": lambda: DrawRound(event, anyway=_is_anyway(asked, event), draft=True),
        "publish": lambda: PublishRound(event, whole_number(asked, "round")),
        "again": lambda: RedrawRound(event, anyway=True),
        "cancel": lambda: CancelRound(event, asked.field("reason"), whole_number(asked, "round")),
    }
    reports: dict[str, Callable[[Schedule], Report]] = {"publish": _published, "cancel": report.cancelled}
    buttons: dict[str, Button] = {
        button: (change, reports.get(button, _drawn), ROUNDS) for button, change in changes.items()
    }
    buttons["swap"] = partial(_swap, asked, event), lambda edit: report.swapped(edit, *_tapped(asked)), ROUNDS
    return press(asked, rounds, buttons)


def _is_anyway(asked: Asked, event: str) -> bool:
    """Return whether a round is drawn without these results. Raises TourneyError CONFLICT if others are missing now."""
    seen = asked.field("anyway")
    if seen and seen != missing_text(waiting_for_results(asked.db, event)):
        raise changed_meanwhile()
    return bool(seen)


def change_clock(asked: Asked, to: str, again: Callable[[Asked, Refused], Answer]) -> Answer:
    """Start, stop, pause or set the clock as a button says, and go to the page `to`; `again` says why not.

    Raises TourneyError USAGE for another button.
    """

    def change() -> Change[Schedule]:
        command = CLOCK[asked.field("do")]
        minutes = None if command in ("stop", "pause") else whole_number(asked, "minutes")
        return ChangeClock(event_name(asked), command, whole_number(asked, "round"), minutes)

    return press(asked, again, dict.fromkeys(CLOCK, (change, report.clock, to)))


def _drawn(drawn: Schedule) -> Report:
    """Report a round that is drawn as a draft now."""
    title = _("round {round} is drawn, as a draft").format(round=drawn.rounds[0].number)
    return replace(report.schedule(drawn), title=title)


def _published(drawn: Schedule) -> Report:
    """Report a round that is published now."""
    title = _("round {round} is published: everybody sees it now").format(round=drawn.rounds[0].number)
    return replace(report.schedule(drawn), title=title)


def why(asked: Asked) -> View:
    """Show how good the seating of all rounds is."""
    seating = seating_report.of_event(asked.db, asked.server.event().settings.name)
    values = {
        "brief": list(seatings_report.in_brief(seating)),
        "shown": report_view(seatings_report.judged(seating)),
    }
    return view(asked, "why.html", _("How good this seating is"), values)


# --- players who are moved, and tables that are dissolved -----------------------------------------------------------


def move(asked: Asked, refused: Refused = None) -> View:
    """Ask who goes where in the newest round, and show what that would change."""
    event = asked.server.event().settings.name
    drawn = service.show(asked.db, event, "newest")
    player = asked.query.get("player") or asked.field("player")
    to = asked.query.get("to") or asked.field("to")
    outlook = None
    if player and to:
        outlook, refused = _outlook(asked, partial(_moving, event, player, to), report.edited, refused)
    values = {
        "players": _players(drawn, player),
        "player": player,
        "destinations": list(_destinations(drawn)),
        "to": to,
        "outlook": outlook,
    }
    return view(asked, "move.html", _("Move or swap players"), values, refused, about=("rounds",))


def _players(drawn: Schedule, chosen: str) -> list[str]:
    """Return who can be moved, in the order of names, the one chosen already among them."""
    names = {entrant.shown for entrant in drawn.event.playing}
    return sorted(names | {chosen} if chosen else names, key=name_order)


def _outlook(
    asked: Asked, change: Callable[[], Change[EditedRound]], shown: Callable[[EditedRound], Report], refused: Refused
) -> tuple[Shown | None, Refused]:
    """Return what the change would do, or why it cannot be made."""
    if refused is not None:
        return None, refused
    try:
        return previewed(asked, change(), shown), None
    except TourneyError as error:
        return None, error


def _destinations(drawn: Schedule) -> Iterator[tuple[str, str]]:
    """Yield where a player may go in the newest round: tables without a result, places of others, or out."""
    for round_ in drawn.rounds:
        free = [table for table in round_.tables if (table.round, table.number) not in drawn.done]
        for table in free:
            names = ", ".join(player.shown for player in table.players)
            yield f"{TABLE}{table.number}", _("table {table}: {names}").format(table=table.number, names=names)
        places = [(player, table.number) for table in free for player in table.players]
        for player, number in sorted(places, key=lambda place: name_order(place[0].shown)):
            text = _("the place of {player}, table {table}").format(player=player.shown, table=number)
            yield f"{WITH}{player.shown}", text
        for player in round_.sitting_out:
            yield f"{WITH}{player.shown}", _("the bye of {player}").format(player=player.shown)
        yield OUT, _("a bye: out of this round")


def _moving(event: str, player: str, to: str) -> Change[EditedRound]:
    return MovePlayer(event, player, _destination(to))


def _destination(to: str) -> Destination:
    if to.startswith(TABLE) and to.removeprefix(TABLE).isdecimal():
        return ToTable(number_in(to.removeprefix(TABLE)))
    if to.startswith(WITH):
        return Swap(to.removeprefix(WITH))
    if to == OUT:
        return Out()
    raise TourneyError(ExitCode.USAGE, _("nothing says where the player goes"), _("choose a place from the list"))


def do_move(asked: Asked) -> Answer:
    """Move the player."""
    change = partial(_moving, event_name(asked), asked.field("player"), asked.field("to"))
    return submit(asked, change, report.edited, ROUNDS, move)


def dissolve(asked: Asked, refused: Refused = None) -> Answer:
    """Show where the players of a table would sit if it were dissolved; without a table, where one is chosen."""
    event, chosen = asked.server.event().settings.name, asked.query.get("table") or asked.field("table")
    if not chosen:
        return Moved(ROUNDS)
    table = number_in(chosen)
    # The change needs a reason, which the desk gives after it has seen what the change does.
    change = partial(DissolveTable, event, table, _("too few players"))
    outlook, refused = _outlook(asked, change, report.dissolved, refused)
    values = {
        "table": table,
        "outlook": outlook,
        "again": bool(asked.form),
    }
    title = _("Dissolve table {table}").format(table=table)
    return view(asked, "dissolve.html", title, values, refused, about=("rounds",))


def do_dissolve(asked: Asked) -> Answer:
    """Dissolve the table."""
    event, table = event_name(asked), number_in(asked.field("table"))
    change = partial(DissolveTable, event, table, asked.field("reason"))
    return submit(asked, change, report.dissolved, ROUNDS, dissolve)


PAGES = (
    page(ROUNDS, for_event(rounds), "chosen"),
    form(ROUNDS, for_event(act)),
    page(f"{ROUNDS}/why", for_event(why)),
    page(MOVE, for_event(move), "player", "to"),
    form(MOVE, for_event(do_move)),
    page(DISSOLVE, for_event(dissolve), "table"),
    form(DISSOLVE, for_event(do_dissolve)),
    page(f"{ROUNDS}/{{round}}", for_event(rounds), "chosen"),
    form(f"{ROUNDS}/{{round}}", for_event(act)),
)
