"""A flag that somebody at a table raises on a phone."""

from __future__ import annotations

from tourney.domain.errors import TourneyError
from tourney.service.results.flags import RaiseFlag
from tourney.text.i18n import _
from tourney.web.answers import Answer, Moved
from tourney.web.page import Asked
from tourney.web.pages.table.opened import make, opened
from tourney.web.pages.table.shown import current


def raise_flag(asked: Asked) -> Answer:
    """Call the desk, with what the phone says or without; sent twice it counts once."""
    at = opened(asked)
    table = at.at.table
    text = asked.field("text").strip() or _("somebody at the table calls the desk")
    try:
        entry_id = at.client_id("flag", asked.field("flag")[:20])
        change = RaiseFlag(at.at.event.settings.name, table.round, table.number, text, at.seat, entry_id)
        make(asked, change)
    except TourneyError as error:
        return current(at, error)
    return Moved(f"{at.home}#flags")
