"""The pages of the hall: the standings, who sits where, the clock, and the projector."""

from __future__ import annotations

from collections.abc import Iterable

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.reports.results import standings as standings_report
from tourney.service import standings as standings_service
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.render import report_view


def standings(asked: Asked) -> View:
    """Show the standings, with a link to each player's page."""
    name = asked.server.event().settings.name
    table = standings_service.standings(asked.db, name)
    report = standings_report.standings(table)
    shown = report_view(report, player_links(table.event, (row.player for row in table.rows)))
    return View("report.html", report.title, {"shown": shown})


def player_links(event: Event, players: Iterable[Player]) -> list[str]:
    """Return the path of each player's page."""
    numbers = {player.id: number for number, player in enumerate(event.entrants, 1)}
    return [f"/players/{numbers[player.id]}" for player in players]


PAGES = (Page("/", standings),)
