"""The pages of the pools of ratings: their players, each player's history, and the editions that were published."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from tourney import storage
from tourney.domain.rankings import Pool
from tourney.reports.ratings import editions as editions_report
from tourney.reports.ratings import player_history as history_report
from tourney.reports.ratings import ratings as ratings_report
from tourney.reports.render.report import Report
from tourney.service.ratings import editions as editions_service
from tourney.service.ratings import player_history as history_service
from tourney.service.ratings import pools as pools_service
from tourney.service.ratings import ratings as ratings_service
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, report_view, with_plot


def pools(asked: Asked) -> View:
    """Show every pool, with a link to its players."""
    listed = pools_service.list_pools(asked.db)
    whole = ratings_report.pools(listed)
    # The parameters are for whoever runs the pools.
    report = replace(whole, columns=whole.columns[:2], rows=tuple(row[:2] for row in whole.rows))
    shown = report_view(report, [path_of(pool) for pool in listed])
    with storage.reading(asked.db) as reader:
        leagues = [Link("/leagues", _("Leagues of bots"))] if reader.leagues() else []
    return View("report.html", _("Ratings"), {"shown": shown, "others": leagues})


def path_of(pool: Pool) -> str:
    """Return the path of a pool's page."""
    return f"/pools/{quote(pool.name, safe='')}"


def ratings(asked: Asked) -> View:
    """Show a pool's players, the best first, with a link to each, and to the editions."""
    table = asked.server.once(ratings_service.ratings, asked.db, asked.path["pool"])
    report = ratings_report.ratings(table)
    links = [player_path(path_of(table.pool), row.player) for row in table.rows]
    others = [Link(f"{path_of(table.pool)}/editions", _("Published editions")), Link("/pools", _("All pools"))]
    return View("report.html", report.title, {"shown": report_view(report, links), "others": others})


def player_path(pool: str, name: str) -> str:
    """Return the path of a player's page under that of the pool."""
    return f"{pool}/players/{quote(name, safe='')}"


def player(asked: Asked) -> View:
    """Show a player's history in a pool, with the curve of the rating."""
    history = history_service.published_history(asked.db, asked.path["player"], asked.path["pool"])
    report = history_report.player_history(history)
    shown = with_plot(report, history_report.inline_plot(history)) if history.games else report_view(report)
    others = [Link(path_of(history.pool), _("Ratings of the pool {pool}").format(pool=history.pool.name))]
    return View("report.html", report.title, {"shown": shown, "others": others})


def short_player(asked: Asked) -> View:
    """Show a player's rating, curve and last games; the player is named by the key that the pool knows them by."""
    histories = asked.server.once(history_service.player_histories, asked.db, asked.path["pool"])
    history = histories[asked.path["player"]]
    report = history_report.player_history(history)
    shown = with_plot(replace(report, sections=report.sections[:3]), history_report.inline_plot(history))
    return View("report.html", report.title, {"shown": shown})


def editions(asked: Asked) -> View:
    """Show the editions of a pool, with a link to each."""
    shown = editions_service.list_editions(asked.db, asked.path["pool"])
    report = editions_report.editions(shown)
    links = [f"/pools/{quote(asked.path['pool'], safe='')}/editions/{each.edition.number}" for each in shown]
    return View("report.html", report.title, {"shown": report_view(report, links), "others": [_back(asked)]})


def edition(asked: Asked) -> View:
    """Show an edition as it was published."""
    shown = editions_service.edition(asked.db, number_in(asked.path["number"]), asked.path["pool"])
    report: Report = editions_report.edition(shown)
    return View("report.html", report.title, {"shown": report_view(report), "others": [_back(asked)]})


def _back(asked: Asked) -> Link:
    name = asked.path["pool"]
    return Link(f"/pools/{quote(name, safe='')}", _("Ratings of the pool {pool}").format(pool=name))


PAGES = (
    Page("/pools", pools),
    Page("/pools/{pool}", ratings),
    Page("/pools/{pool}/editions", editions),
    Page("/pools/{pool}/editions/{number}", edition),
    Page("/pools/{pool}/players/{player:path}", player),
)
