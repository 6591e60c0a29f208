"""The rounds of the desk: drawn as drafts, published, timed, changed; who sits where, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import Schedule
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
from tourney.service.rounds.draw_round import DrawRound, missing_text, waiting_for_results
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.rounds.publish_round import PublishRound
from tourney.service.rounds.redraw import RedrawRound
from tourney.text.i18n import _, pgettext
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.clock import clock_values
from tourney.web.pages.desk.chapters import page_of
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, submit, view, whole_number
from tourney.web.pages.desk.people.people import unknown_button
from tourney.web.pages.hall import Card, number_in
from tourney.web.render import Link, report_view, sentences

ROUNDS: Final = "/desk/rounds"
CLOCK: Final[dict[str, ClockCommand]] = {"start": "start", "stop": "stop", "set": "set"}
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
        "timed": _clock_values(asked, found, drawn) if drawn.rounds and is_open else None,
        "next": None if which is not None else _next(asked, found),
        "event": _name(found),
        "longer": MORE_MINUTES,
    }
    title = report.title(drawn) if drawn.rounds else _("Rounds")
    return view(asked, "rounds.html", title, values, refused, about=("rounds", "clock"))


def _name(found: Status) -> str:
    assert found.event is not None, "the status of an event was asked for"
    return found.event.settings.name


def _card(drawn: Schedule, table: Table) -> Card:
    numbers = {player.id: number for number, player in enumerate(drawn.event.entrants, 1)}
    players = tuple(Link(f"/desk/people/{numbers[player.id]}", player.shown) for player in table.players)
    done = (table.round, table.number) in drawn.done
    place = ("--round", str(table.round), "--table", str(table.number))
    drafts = [round_.number for round_ in drawn.rounds if round_.draft]
    path = "" if table.round in drafts else page_of(("tourney", "result", "show", *place))
    return Card(table.number, players, report.table_state(drawn, table), done, path)


def _round_values(asked: Asked, found: Status, newest: Round) -> dict[str, Any]:
    """Return what a template needs to change the newest round."""
    waiting = _waiting(found, newest)
    return {
        "number": newest.number,
        "draft": newest.draft,
        "unplayed": len(waiting) == len(newest.tables),
        "waiting": waiting,
        "reason": asked.field("reason"),
    }


def _waiting(found: Status, round_: Round) -> list[int]:
    """Return the tables of a round that have no result."""
    return [open_.table.number for open_ in found.open_tables if open_.table.round == round_.number]


def _clock_values(asked: Asked, found: Status, drawn: Schedule) -> dict[str, Any] | None:
    """Return what a template needs for the clock of the shown round; None if nobody plays it."""
    (shown,), event = drawn.rounds, found.event
    if shown.draft or not _waiting(found, shown):
        return None
    minutes = shown.clock.minutes if shown.clock else event and event.settings.minutes
    return {
        "number": shown.number,
        "running": shown.clock is not None,
        "minutes": asked.field("minutes") or str(minutes or ""),
        "longer": shown.clock.minutes + MORE_MINUTES if shown.clock else 0,
        "face": clock_values(drawn) if shown.clock else None,
    }


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round that can be drawn now: its number, who plays, and what should be looked at first.

    `missing` says which results are missing, "" if none is.
    """

    number: int
    button: str
    playing: str
    missing: str
    anyway: str
    flags: tuple[str, ...]
    ends: bool


def _next(asked: Asked, found: Status) -> NextRound | None:
    """Return the next round; None while a draft waits, and in a finished event."""
    event = found.event
    if event is None or event.state == "finished" or (found.newest is not None and found.newest.draft):
        return None
    number, missing = found.drawn + 1, waiting_for_results(asked.db, event.settings.name)
    text = _("Results are missing: {tables}.").format(tables=missing_text(missing)) if missing.tables else ""
    return NextRound(
        number,
        _button(found, number),
        playing_line(event),
        text,
        _("Draw it all the same"),
        tuple(map(flag_text, found.flags)),
        found.drawn >= event.settings.rounds,
    )


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
        return submit(asked, lambda: _clock_change(asked, CLOCK[do]), report.clock, asked.url, rounds)
    event, anyway = event_name(asked), bool(asked.field("anyway"))
    changes: dict[str, Callable[[], Change[Schedule]]] = {
        "draw": lambda: DrawRound(event, anyway=anyway, draft=True),
        "publish": lambda: PublishRound(event, whole_number(asked, "round")),
        "again": lambda: RedrawRound(event, anyway=True),
        "cancel": lambda: CancelRound(event, asked.field("reason"), whole_number(asked, "round")),
    }
    if do not in changes:
        raise unknown_button()
    reports: dict[str, Callable[[Schedule], Report]] = {"publish": _published, "cancel": report.cancelled}
    return submit(asked, changes[do], reports.get(do, _drawn), ROUNDS, rounds)


def _clock_change(asked: Asked, command: ClockCommand) -> Change[Schedule]:
    minutes = None if command == "stop" else whole_number(asked, "minutes")
    return ChangeClock(event_name(asked), command, whole_number(asked, "round"), minutes)


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
        "back": Link(ROUNDS, _("Rounds")),
    }
    return view(asked, "why.html", _("How good this seating is"), values)


PAGES = (
    page(ROUNDS, for_event(rounds)),
    form(ROUNDS, for_event(act)),
    page(f"{ROUNDS}/why", for_event(why)),
    page(f"{ROUNDS}/{{round}}", for_event(rounds)),
    form(f"{ROUNDS}/{{round}}", for_event(act)),
)
