"""The page in place of a table's whose link opens nothing any more: why, and where the player sits now."""

from __future__ import annotations

from tourney.domain.errors import TourneyError
from tourney.service.rounds import rounds as rounds_service
from tourney.text.i18n import _
from tourney.web.access import known_player
from tourney.web.answers import ClosedLinkError, View, status_of
from tourney.web.page import Asked
from tourney.web.pages.player import seat_sentence
from tourney.web.render import Link


def closed(asked: Asked, why: ClosedLinkError) -> View:
    """Say in one sentence why the link opens nothing, and where this phone's player sits in the newest round."""
    values = {"message": why.message, "hint": why.hint, "seats": _seats(asked), "link": Link("/", _("Standings"))}
    return View("table/closed.html", why.message, values, status_of(why))


def _seats(asked: Asked) -> list[str]:
    try:
        event = asked.server.event()
        drawn = rounds_service.published(rounds_service.show(asked.db, event.settings.name, "played"))
    except TourneyError:
        return []
    player = known_player(asked.cookies, event.entrants)
    if player is None:
        return []
    tables = [table for round_ in drawn.rounds for table in round_.tables]
    return [seat_sentence(table, player) for table in tables if player in table.players]
