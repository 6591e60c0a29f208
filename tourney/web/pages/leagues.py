"""The pages of the leagues of bots: which there are, and how one stands, also while it is played."""

from __future__ import annotations

from tourney.domain.leagues import League
from tourney.reports.leagues import table as leagues_report
from tourney.reports.render.report import Field, Fields, listing
from tourney.service.leagues import leagues as leagues_service
from tourney.service.leagues.league_file import without_paths
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, report_view


def leagues(asked: Asked) -> View:
    """Show every league, with a link to its table."""
    fields: Fields[tuple[int, League]] = (
        Field("league", _("League"), lambda each: each[0], priority=0),
        Field("bots", _("Bots"), lambda each: ", ".join(without_paths(each[1].bots, each[1])), priority=0),
        Field("rules", _("Rules"), lambda each: each[1].rules, priority=2),
    )
    rows = sorted(leagues_service.known(asked.db).items(), reverse=True)
    shown = report_view(listing(_("Leagues"), fields, rows), [f"/leagues/{number}" for number, _league in rows])
    return View("report.html", _("Leagues"), {"shown": shown})


def league(asked: Asked) -> View:
    """Show a league's table as it is now."""
    table = leagues_service.status(asked.db, number_in(asked.path["number"]))
    report = leagues_report.table(without_paths(table, table.league))
    others = [Link("/leagues", _("All leagues"))]
    return View("report.html", report.title, {"shown": report_view(report), "others": others})


PAGES = (Page("/leagues", leagues, slow=True), Page("/leagues/{number}", league, slow=True))
