"""The pages of the seasons: who leads, how each rank is worked out, and what counts."""

from __future__ import annotations

from tourney.reports import seasons as reports
from tourney.service.seasons import seasons as service
from tourney.standings.seasons.table import SeasonRow, SeasonTable
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import name_code, no_page, number_in
from tourney.web.render import Link, report_view


def seasons(asked: Asked) -> View:
    """Show every season, with a link to its standings."""
    listed = asked.server.once(service.listing, asked.db)
    shown = report_view(reports.seasons(listed), [path_of(each.season.id) for each in listed])
    return View("report.html", _("Seasons"), {"shown": shown})


def path_of(number: int) -> str:
    """Return the path of a season's page: by its number, since its name may have a slash, as in 2026/27."""
    return f"/seasons/{number}"


def standings(asked: Asked) -> View:
    """Show who leads in a season, with a link to the arithmetic of each player."""
    table = table_of(asked)
    start = path_of(table.season.id)
    report = reports.standings(table)
    shown = report_view(report, [player_path(start, row) for row in table.rows])
    others = [Link(f"{start}/events", _("What counts")), Link("/seasons", _("All seasons"))]
    return View("report.html", report.title, {"shown": shown, "others": others})


def table_of(asked: Asked) -> SeasonTable:
    """Return the standings of the season that is asked for, read once for each version of the state."""
    return asked.server.once(service.numbered, asked.db, number_in(asked.path["season"]))


def player_path(start: str, row: SeasonRow) -> str:
    """Return the path of a player's page under that of the season: by the name shown, as their number gives it away."""
    return f"{start}/players/{name_code(row.player.shown)}"


def player(asked: Asked) -> View:
    """Show step by step why a player has their rank in a season."""
    table = table_of(asked)
    for row in table.rows:
        if name_code(row.player.shown) == asked.path["player"]:
            report = reports.why(table, row)
            return View("report.html", report.title, {"shown": report_view(report), "others": [_back(table)]})
    raise no_page()


def events(asked: Asked) -> View:
    """Show by what a season ranks, and which events count."""
    table = table_of(asked)
    listed = asked.server.once(service.listing, asked.db)
    report = reports.page(next(each for each in listed if each.season.id == table.season.id))
    return View("report.html", report.title, {"shown": report_view(report), "others": [_back(table)]})


def _back(table: SeasonTable) -> Link:
    text = _("Standings of the season {season}").format(season=table.season.settings.name)
    return Link(path_of(table.season.id), text)


PAGES = (
    Page("/seasons", seasons, slow=True),
    Page("/seasons/{season}", standings, slow=True),
    Page("/seasons/{season}/events", events, slow=True),
    Page("/seasons/{season}/players/{player}", player, slow=True),
)
