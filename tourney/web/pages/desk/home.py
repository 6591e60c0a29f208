"""The desk's first page: where the evening is and what comes next; and the pages of changes, and of undo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from tourney.domain.database import LogLine, Turned
from tourney.domain.errors import TourneyError
from tourney.domain.schedule import Schedule
from tourney.domain.status import Status
from tourney.domain.submissions import RoundNow, TableNow
from tourney.reports import admin as admin_report
from tourney.reports import events as events_report
from tourney.reports import status as status_report
from tourney.reports.impact import with_cuts, with_moves
from tourney.reports.results.standings import winner_lines
from tourney.reports.rounds import rounds as rounds_report
from tourney.service.admin import journal
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change
from tourney.service.events import status as status_service
from tourney.service.events.copy_event import NextEvening
from tourney.service.impact import preview
from tourney.service.rounds import rounds as rounds_service
from tourney.service.web.as_seen import tables_now
from tourney.text.authors import DESK
from tourney.text.i18n import _, for_terminal
from tourney.web.access import name_cookie, own_name
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME, page_of
from tourney.web.pages.desk.events import after_copy, followed, papers
from tourney.web.pages.desk.page import Refused, draw_text, form, page, submit, view, whole_number
from tourney.web.pages.desk.results import RESULTS, table_path
from tourney.web.pages.desk.rounds import change_clock, clock_here
from tourney.web.pages.hall import number_in, podium, standings_of
from tourney.web.render import Link, Shown, report_view

MOST: Final = 200
"""The changes that the page of the last changes shows."""


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: its words, and the page that does it, or what a button says (`do`) that does it at once.

    `why` says more about it. `source` is the evening after which the next one is created.
    """

    text: str
    path: str = ""
    do: str = ""
    source: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A table in the picture of the round, the page of its sheet, and since when it is late, "" if it is not."""

    now: TableNow
    path: str
    late: str = ""


def home(asked: Asked, refused: Refused = None) -> View:
    """Show where the evening is in three zones: its state, the one next action, and its tables."""
    found = status_service.status(asked.db, asked.server.settings.event)
    event = "" if found.event is None else found.event.settings.name
    seen = tables_now(asked.db, event) if event else None
    steps = [*_urgent(found, seen), *_papers(found), *_steps(found, seen, draw_text(asked, found))]
    values = {
        "step": steps[0] if steps else None,
        "others": [step for step in steps[1:] if not step.path.startswith(f"{RESULTS}/")],
        "timed": clock_here(asked, found, _played(asked, event)) if event else None,
        "tiles": list(_tiles(seen)) if seen and seen.event.state == "open" else [],
        "newest": seen.round.number if seen and seen.round else 0,
        **_leaders(asked, found),
        "facts": list(_facts(asked, found)),
        "named": "" if asked.visitor.name == DESK else asked.visitor.name,
    }
    about = ("rounds", "clock") if event else ()
    return view(asked, "home.html", status_report.status(found).title, values, refused, about=about)


def _played(asked: Asked, event: str) -> Schedule:
    return rounds_service.published(rounds_service.show(asked.db, event, "played"))


def _tiles(seen: RoundNow) -> Iterator[Tile]:
    """Yield the tables in the order of their numbers, those of earlier rounds first, so that none ever moves."""
    if seen.round is None:
        return
    moment = datetime.now(UTC).astimezone()
    ends = None if seen.round.clock is None else rounds_report.clock_end(seen.round.clock, moment)
    late = "" if ends is None or moment < ends else rounds_report.time_of_day(ends, moment)
    for now in seen.tables:
        is_untouched = now.state == "void" or (now.state == "open" and not now.hands)
        path = table_path(now.table)
        is_late = now.state in ("open", "typing") and now.table.round == seen.round.number
        yield Tile(now, f"{path}/enter" if is_untouched else path, late if is_late else "")


def _all_here(found: Status) -> bool:
    """Return whether an evening whose players check in waits for nobody and for no table."""
    is_open = found.event is not None and found.event.state == "open"
    return is_open and bool(found.in_state("checked in")) and not (found.not_checked_in or found.open_tables)


def _leaders(asked: Asked, found: Status) -> dict[str, object]:
    """Return the first three ranks with what they are: those who lead, or who has won."""
    event = found.last if found.event is None else found.event.settings.name
    if not event or (found.event is not None and not found.drawn):
        return {"podium": [], "ranks": "", "is_over": False}
    is_over = found.event is None or found.event.state == "finished"
    ranks = " ".join(winner_lines(found.first)) if is_over else _("In the lead")
    return {"podium": podium(standings_of(asked, event)), "ranks": ranks, "is_over": is_over}


def _facts(asked: Asked, found: Status) -> Iterator[Link]:
    """Yield what is known of the evening in sentences, with the page that does something about it."""
    hall = asked.server.shown_if_any()
    if found.event is not None and hall is not None and hall.id != found.event.id:
        text = _(
            "Projector and phones still show {event}, until somebody is checked in or the first round is published."
        )
        yield Link("/", text.format(event=hall.settings.name))
    for sentence in status_report.facts(found):
        if not for_terminal(sentence):
            yield Link("", sentence)
    if found.event is not None or found.backup:
        yield Link("/desk/backup", status_report.backup_line(found, datetime.now(UTC).astimezone()))


def _urgent(found: Status, seen: RoundNow | None) -> Iterator[Step]:
    """Yield what people at tables wait for: sheets between which the desk decides, calls, and sheets to look at."""
    tables = () if seen is None else sorted(seen.tables, key=lambda now: now.since)
    for now in tables:
        if now.state == "disagreement":
            text = _("Decide between the sheets of table {table}").format(table=now.table.number)
            yield Step(text, table_path(now.table))
    for flag in found.flags:
        path = page_of(("tourney", "result", "flags"))
        text = _("Answer the call of table {table}").format(table=flag.table)
        yield Step(text, path, why=status_report.flag_line(flag))
    for now in tables:
        if now.state == "waiting":
            text = _("Look at the sheet of table {table}").format(table=now.table.number)
            yield Step(text, table_path(now.table))


def _papers(found: Status) -> Iterator[Step]:
    """Yield what is printed for the winners of an evening that is finished."""
    if found.event is not None and found.first:
        for paper in reversed(papers(found.event.settings.name)):
            yield Step(paper.text, paper.path)


def _steps(found: Status, seen: RoundNow | None, draw: str) -> Iterator[Step]:
    """Yield what comes next, as far as a page does it.

    A sheet that waits is looked at, not typed again; players who never came leave where the others are checked in.
    """
    waiting = () if seen is None else [now for now in seen.tables if now.state in ("waiting", "disagreement")]
    typed = {f"{table_path(now.table)}/enter" for now in waiting}
    for command in found.next:
        path, text = page_of(command.words), command.button or command.why
        match command.words[1:3]:
            case ("event", "withdraw") | ("print", "certificates"):
                continue
            case ("round", "clock") if found.newest is not None and found.newest.paused:
                continue  # the clock has its button
            case ("round", "draw") if text == draw:
                yield Step(text, path, do="draw", why=_("Everybody is here.") if _all_here(found) else "")
            case ("round", "clock"):
                yield Step(text, path, do="start")
            case ("event", "new") if command.source:
                yield Step(text, path, do="next", source=command.source, why=command.why)
            case _other if path and path not in typed:
                yield Step(text, path)


def act(asked: Asked) -> Answer:
    """Change the clock, or create the next evening, as a button says."""
    if asked.field("do") != "next":
        done = change_clock(asked, HOME, home)
        # The clock itself shows what was done.
        return Moved(HOME) if isinstance(done, Moved) else done
    change = NextEvening(asked.field("source"), datetime.now().astimezone().date())
    return followed(asked, submit(asked, lambda: change, events_report.copied, after_copy, home))


def keep_name(asked: Asked) -> Answer:
    """Keep in the browser who is at the desk."""
    try:
        name = own_name(asked.field("name"))
    except TourneyError as error:
        return home(asked, error)
    return Moved(HOME, (name_cookie(name),))


def changes(asked: Asked) -> View:
    """Show the changes, the newest first."""
    last: list[LogLine] = list(reversed(journal.log(asked.db, None, MOST, folded=True).lines))
    return view(asked, "changes.html", _("Last changes"), {"changes": last})


# --- undo -----------------------------------------------------------------------------------------------------------


def undo(asked: Asked, refused: Refused = None) -> View:
    """Show what the undo of a change would do: of the one whose number is asked for, or else of the newest."""
    number = asked.query.get("number") or asked.field("number")
    taking = putting = None
    back = ""
    try:
        taking, number = _outlook(asked, Undo(number_in(number) if number else None))
    except TourneyError as error:
        refused = refused or error
    if not asked.query.get("number"):
        with suppress(TourneyError):  # where nothing was taken back
            putting, back = _outlook(asked, Redo())
    values = {
        "taking": taking,
        "putting": putting,
        "number": number,
        "back": back,
    }
    return view(asked, "undo.html", _("Undo"), values, refused)


def _outlook(asked: Asked, change: Change[Turned]) -> tuple[Shown, str]:
    """Return what would be undone or put back, with the number of that change."""
    found = preview(asked.db, change, by=asked.visitor.name)
    line = found.outcome.line
    shown = report_view(with_cuts(with_moves(admin_report.turned(found.outcome), found.moves), found.cuts))
    return replace(shown, title=line.said), str(line.number)


def do(asked: Asked) -> Answer:
    """Undo the change of that number, or put back the one of that number, which was undone last."""
    change = Redo if asked.field("do") == "redo" else Undo
    return submit(asked, lambda: change(whole_number(asked, "number")), admin_report.turned, HOME, undo)


PAGES = (
    page(HOME, home),
    form(HOME, act),
    form("/desk/name", keep_name),
    page("/desk/changes", changes),
    page("/desk/undo", undo, "number"),
    form("/desk/undo", do),
)
