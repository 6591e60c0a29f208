"""A sheet from a phone at the desk: taken as the table's result, or refused with a reason."""

from __future__ import annotations

from tourney.domain.submissions import Submission
from tourney.reports.render.report import Report
from tourney.reports.results import results as results_report
from tourney.service.web import submissions
from tourney.service.web.submissions import RefuseSheet, TakeOver
from tourney.text.i18n import _
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, submit
from tourney.web.pages.desk.results import RESULTS, shown_table, table_path


def take(asked: Asked) -> Answer:
    """Take a sheet as the table's result."""
    sheet = _sheet(asked)
    change = TakeOver(sheet.event, sheet.id, asked.field("digest"))
    return submit(asked, lambda: change, results_report.entered, f"{RESULTS}/{sheet.table.round}", _again)


def refuse(asked: Asked) -> Answer:
    """Refuse a sheet with a reason, which the phone shows."""
    sheet = _sheet(asked)
    change = RefuseSheet(sheet.event, sheet.id, asked.field("reason"))
    return submit(asked, lambda: change, _refused_sheet, table_path(sheet.table), _again)


def _sheet(asked: Asked) -> Submission:
    return submissions.submission(asked.db, event_name(asked), asked.path["id"])


def _again(asked: Asked, refused: Refused) -> View:
    """Show the table of the sheet, and why the form was refused."""
    sheet = _sheet(asked)
    return shown_table(asked, sheet.event, sheet.table, refused)


def _refused_sheet(sheet: Submission) -> Report:
    title = _("the sheet of table {table} is refused: {reason}")
    return Report(title.format(table=sheet.table.number, reason=sheet.reason))


PAGES = (
    form("/desk/sheets/{id}/take", for_event(take)),
    form("/desk/sheets/{id}/refuse", for_event(refuse)),
)
