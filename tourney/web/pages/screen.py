"""The projector: seating, tables, standings and the clock in large type, page by page, steered from the desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Report, cell_text
from tourney.reports.results import standings as standings_report
from tourney.reports.rounds import rounds as rounds_report
from tourney.service.stages import shown as standings_service
from tourney.text.i18n import _, pgettext
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.clock import clock_values
from tourney.web.pages.hall import by_table, posted
from tourney.web.server import Showing


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list on the projector: what stands before the name, the name, and what stands behind it."""

    lead: str
    name: str
    tail: str


def screen(asked: Asked) -> View:
    """Show all that hangs on the wall; a script shows it page by page, as high as the window."""
    drawn = posted(asked)
    table = asked.server.once(standings_service.standings, asked.db, drawn.event.settings.name)
    values = {
        "clock": clock_values(drawn),
        "seating": list(_seats(drawn)),
        "standings": list(_ranks(standings_report.standings(table))),
        **by_table(drawn),
        "headings": headings(),
        "paused": pgettext("of the projector", "paused"),
        "round_title": rounds_report.title(drawn),
    }
    return View("screen.html", _("Projector"), values, frame="bare")


def headings() -> dict[Showing, str]:
    """Return the name of each thing that the projector can show."""
    return {
        "all": _("Everything in turn"),
        "seating": _("Seating"),
        "tables": _("Tables"),
        "standings": _("Standings"),
        "clock": _("Clock"),
    }


def _seats(drawn: Schedule) -> Iterator[Item]:
    report = rounds_report.posted_list(drawn, "name")
    for row in _records(report):
        place = _("table {table}, seat {seat}").format(table=row["table"], seat=row["seat"])
        yield Item("", row["player"], place)


def _ranks(report: Report) -> Iterator[Item]:
    for row in _records(report):
        score = row["points"] if row.get("money", "") == "" else row["money"]
        yield Item(row["rank"], row["player"], score)


def _records(report: Report) -> Iterator[dict[str, str]]:
    for row in report.rows:
        pairs = zip(report.columns, row, strict=True)
        yield {column.key: cell_text(column, value) for column, value in pairs}


PAGES = (Page("/screen", screen),)
