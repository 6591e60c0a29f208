"""The desk's first page: where the evening stands, what comes next, the last changes; and the page that undoes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from tourney.domain.database import LogLine, Turned
from tourney.domain.errors import TourneyError
from tourney.domain.status import Status
from tourney.domain.submissions import WaitingSheets
from tourney.reports import admin as admin_report
from tourney.reports import status as status_report
from tourney.reports.impact import with_cuts, with_moves
from tourney.service.admin import journal
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change
from tourney.service.events import status as status_service
from tourney.service.impact import preview
from tourney.service.rounds.draw_round import waiting_for_results
from tourney.service.web.submissions import waiting_sheets
from tourney.text.authors import DESK
from tourney.text.i18n import _
from tourney.web.access import name_cookie, own_name
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME, page_of
from tourney.web.pages.desk.page import Refused, form, page, submit, view, whole_number
from tourney.web.pages.desk.results import table_path
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, Shown, report_view

LAST: Final = 8
"""The changes that the first page shows."""
MOST: Final = 200
"""The changes that the page of all changes shows."""


def home(asked: Asked, refused: Refused = None) -> View:
    """Show where the evening stands."""
    found = status_service.status(asked.db, asked.server.settings.event)
    report = status_report.status(found)
    shown = report_view(report)
    sheets = () if found.event is None else waiting_sheets(asked.db, found.event.settings.name)
    sent = {(sheet.table.round, sheet.table.number) for sheet in sheets}
    draft = found.newest.number if found.newest is not None and found.newest.draft else None
    untouched = (open_ for open_ in found.open_tables if (open_.table.round, open_.table.number) not in sent)
    played = tuple(open_ for open_ in untouched if open_.table.round != draft)
    values = {
        "shown": replace(shown, parts=shown.parts if found.first else (), sentences=()),
        "facts": list(_facts(asked, found, shown)),
        "newest": found.newest and found.newest.number,
        "sheets": sheets,
        "waiting": [(open_, status_report.waiting(open_)) for open_ in played],
        "waiting_heading": status_report.waiting_heading(replace(found, open_tables=played)),
        "steps": [*_urgent(found, sheets), *_steps(found, sheets)],
        "flagged": {status_report.flag_line(flag) for flag in found.flags},
        "draws": _draws(asked, found),
        "changes": last_changes(asked, LAST),
        "named": "" if asked.visitor.name == DESK else asked.visitor.name,
    }
    return view(asked, "home.html", report.title, values, refused, about=("rounds",) if found.event else ())


def _facts(asked: Asked, found: Status, shown: Shown) -> Iterator[Link]:
    """Yield what is known of the evening in sentences, with the page that does something about it."""
    hall = asked.server.shown_if_any()
    if found.event is not None and hall is not None and hall.id != found.event.id:
        text = _(
            "Projector and phones still show {event}, until somebody is checked in or the first round is published."
        )
        yield Link("/", text.format(event=hall.settings.name))
    pages = {status_report.flag_line(flag): page_of(("tourney", "result", "flags")) for flag in found.flags}
    pages[status_report.backup_line(found, datetime.now(UTC).astimezone())] = page_of(("tourney", "db", "backup"))
    for sentence in shown.sentences:
        yield Link(pages.get(sentence, ""), sentence)


def _urgent(found: Status, sheets: Sequence[WaitingSheets]) -> Iterator[Link]:
    """Yield what people at tables wait for: sheets between which the desk decides, calls, and sheets to look at."""
    for each in sheets:
        if each.differences:
            text = _("Decide between the sheets of table {table}").format(table=each.table.number)
            yield Link(table_path(each.table), text)
    for flag in found.flags:
        path = page_of(("tourney", "result", "flags"))
        yield Link(path, _("Answer the call of table {table}").format(table=flag.table))
    for each in sheets:
        if not each.differences:
            text = _("Look at the sheet of table {table}").format(table=each.table.number)
            yield Link(table_path(each.table), text)


def _steps(found: Status, sheets: Sequence[WaitingSheets]) -> Iterator[Link]:
    """Yield what comes next, as far as a page does it.

    A sheet that waits is looked at, not typed again; players who never came leave where the others are checked in.
    """
    typed = {f"{table_path(sheet.table)}/enter" for sheet in sheets}
    for command in found.next:
        path = page_of(command.words)
        if path and path not in typed and command.words[1:3] != ("event", "withdraw"):
            yield Link(path, command.button or command.why)


def _draws(asked: Asked, found: Status) -> str:
    """Return the text of the button that draws the next round at once; "" where the desk has to decide first."""
    draws = [command for command in found.next if command.words[1:3] == ("round", "draw")]
    if not draws or found.event is None or waiting_for_results(asked.db, found.event.settings.name).tables:
        return ""
    return draws[0].button or draws[0].why


def keep_name(asked: Asked) -> Answer:
    """Keep in the browser who is at the desk."""
    try:
        name = own_name(asked.field("name"))
    except TourneyError as error:
        return home(asked, error)
    return Moved(HOME, (name_cookie(name),))


def changes(asked: Asked) -> View:
    """Show the changes, the newest first."""
    return view(asked, "changes.html", _("Changes"), {"changes": last_changes(asked, MOST)})


def last_changes(asked: Asked, most: int) -> list[LogLine]:
    """Return the last changes, the newest first."""
    return list(reversed(journal.log(asked.db, None, most, folded=True).lines))


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
    form("/desk/name", keep_name),
    page("/desk/changes", changes),
    page("/desk/undo", undo, "number"),
    form("/desk/undo", do),
)
