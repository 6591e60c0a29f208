"""Taking a change back and putting it back: first what that would do, then the button that does it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from tourney.domain.database import Turned
from tourney.domain.errors import TourneyError
from tourney.reports import admin as report
from tourney.reports.impact import with_cuts, with_moves
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change
from tourney.service.impact import preview
from tourney.text.i18n import _
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME
from tourney.web.pages.desk.page import Refused, form, page, submit, view, whole_number
from tourney.web.pages.hall import number_in
from tourney.web.render import Shown, report_view


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
    shown = report_view(with_cuts(with_moves(report.turned(found.outcome), found.moves), found.cuts))
    return replace(shown, title=line.said), str(line.number)


def do(asked: Asked) -> Answer:
    """Undo the change of that number, or put back the one of that number, which was undone last."""
    if asked.field("do") == "redo":
        return submit(asked, lambda: Redo(whole_number(asked, "number")), report.turned, HOME, undo)
    return submit(asked, lambda: Undo(whole_number(asked, "number")), report.turned, HOME, undo)


PAGES = (
    page("/desk/undo", undo, "number"),
    form("/desk/undo", do),
)
