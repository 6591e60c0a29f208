"""The desk's first page: where the evening stands, what comes next, and the last changes with who made them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from tourney.domain.database import LogLine
from tourney.domain.errors import TourneyError
from tourney.domain.rounds import Table
from tourney.domain.status import OpenTable, Status
from tourney.domain.submissions import WaitingSheets
from tourney.reports import status as status_report
from tourney.service.admin import journal
from tourney.service.events import status as status_service
from tourney.service.web.submissions import waiting_sheets
from tourney.text.authors import DESK, shown_author
from tourney.text.dates import local
from tourney.text.i18n import _
from tourney.web.access import name_cookie, own_name
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME, page_of
from tourney.web.pages.desk.page import Refused, form, page, view
from tourney.web.render import Link, Shown, report_view

LAST: Final = 8
"""The changes that the first page shows."""
MOST: Final = 200
"""The changes that the page of all changes shows."""


@dataclass(frozen=True, slots=True)
class Made:
    """A change as the desk reads it: when and by whom it was made, and whether it was undone.

    `undo` leads to the page that takes it back; "" where that is not possible.
    """

    time: str
    by: str
    what: str
    event: str
    undone: bool
    undo: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table that waits for its result: since how long, who sits there, and what there is of its sheet in words.

    `path` leads to its sheet; `urgent` says that the desk has to decide.
    """

    place: str
    age: str
    names: str
    state: str
    path: str
    urgent: bool = False


def home(asked: Asked, refused: Refused = None) -> View:
    """Show where the evening stands."""
    found = status_service.status(asked.db, asked.server.settings.event)
    report = status_report.status(found)
    shown = report_view(report)
    sheets = () if found.event is None else waiting_sheets(asked.db, found.event.settings.name)
    sent = {sheet.table for sheet in sheets}
    draft = found.newest.number if found.newest is not None and found.newest.draft else None
    played = tuple(open_ for open_ in found.open_tables if open_.table.round != draft)
    values = {
        "shown": replace(shown, parts=shown.parts if found.first else (), sentences=()),
        "facts": list(_facts(asked, found, shown)),
        "sheets": [_sheet(found, sheet) for sheet in sheets],
        "waiting": [_waiting(found, open_) for open_ in played if open_.table not in sent],
        "waiting_heading": status_report.waiting_heading(replace(found, open_tables=played)),
        "steps": [*_urgent(found, sheets), *_steps(found)],
        "flagged": {status_report.flag_line(flag) for flag in found.flags},
        "changes": last_changes(asked, LAST),
        "more": Link("/desk/changes", _("All changes")),
        "undo": Link("/desk/undo", _("Undo the last change")),
        "named": "" if asked.visitor.name == DESK else asked.visitor.name,
        "name": asked.field("name"),
        "hall": [
            Link("/", _("Standings")),
            Link("/desk/screen", _("Projector")),
            Link("/desk/desks", _("Another desk")),
            Link("/seating", _("What the players see")),
            Link("/desk/sign-out", _("Sign out")),
        ],
    }
    return view(asked, "home.html", report.title, values, refused)


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


def _waiting(found: Status, open_: OpenTable) -> Waiting:
    """Return a table that waits for its result."""
    partial = _("partly entered") if open_.hands else ""
    return _place(found, open_.table, "enter", status_report.waiting(open_), partial)


def _sheet(found: Status, sheets: WaitingSheets) -> Waiting:
    """Return a table of which a sheet from a phone waits."""
    age = status_report.duration(datetime.now(UTC) - datetime.fromisoformat(sheets.since))
    state = _("sheets disagree") if sheets.differences else _("a sheet from a phone waits")
    return replace(_place(found, sheets.table, "show", age, state), urgent=bool(sheets.differences))


def _place(found: Status, table: Table, command: str, age: str, state: str) -> Waiting:
    """Return a line about a table, with the round it belongs to if that is not the newest."""
    is_newest = found.newest is not None and found.newest.number == table.round
    text = _("Table {number}") if is_newest else _("Round {round}, table {table}")
    place = text.format(round=table.round, table=table.number, number=table.number)
    words = ("tourney", "result", command, "--round", str(table.round), "--table", str(table.number))
    names = ", ".join(player.shown for player in table.players)
    return Waiting(place, age, names, state, page_of(words))


def _urgent(found: Status, sheets: Sequence[WaitingSheets]) -> Iterator[Link]:
    """Yield what people at tables wait for: sheets between which the desk decides, and flags."""
    for each in sheets:
        if each.differences:
            place = _place(found, each.table, "show", "", "")
            yield Link(place.path, _("Decide between the sheets of table {table}").format(table=each.table.number))
    for flag in found.flags:
        path = page_of(("tourney", "result", "flags"))
        yield Link(path, _("Answer the flag of table {table}").format(table=flag.table))


def _steps(found: Status) -> Iterator[Link]:
    """Yield what comes next, as far as a page does it."""
    for command in found.next:
        path = page_of(command.words)
        if path:
            yield Link(path, command.button or command.why)


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


def last_changes(asked: Asked, most: int) -> list[Made]:
    """Return the last changes, the newest first."""
    lines = journal.log(asked.db, None, most, folded=True).lines
    return [_made(line) for line in reversed(lines)]


def _made(line: LogLine) -> Made:
    moment = local(line.time)
    stands = line.state == "stands"
    undo = f"/desk/undo?number={line.number}" if stands else ""
    return Made(f"{moment:%H:%M}", shown_author(line.by), line.said, line.event, line.state == "undone", undo)


PAGES = (
    page(HOME, home),
    form("/desk/name", keep_name),
    page("/desk/changes", changes),
)
