"""The surroundings of a page: the event's name, and the links to the other pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from tourney.domain.errors import TourneyError
from tourney.service.seasons.seasons import listing
from tourney.text.i18n import _
from tourney.web.access import ME
from tourney.web.answers import View
from tourney.web.page import Asked
from tourney.web.render import Frame, Link


def frame_of(asked: Asked, view: View) -> Frame:
    """Return the surroundings of this page."""
    if view.frame == "bare":
        return Frame(asked.url, "")
    of_desk = asked.visitor.audience == "desk" and asked.url.startswith("/desk")
    event = asked.server.event_if_any() if of_desk else asked.server.shown_if_any()
    links = (Link(ME, _("Me")), *hall_links(), *_seasons(asked))
    name = event.settings.name if event else _("Continental")
    return Frame(asked.url, name, links, club=asked.server.club())


def hall_links() -> Iterator[Link]:
    """Yield the links of the pages for everybody, those of the menu before those behind “More”."""
    yield Link("/tables", _("Tables"))
    yield Link("/", _("Standings"))
    yield Link("/clock", _("Clock"))
    yield Link("/seating", _("Seating"))
    yield Link("/players", _("Players"))
    yield Link("/next", _("Next round"))
    yield Link("/pools", _("Ratings"))


def _seasons(asked: Asked) -> Iterator[Link]:
    """Yield the link of the seasons, where there is one."""
    with suppress(TourneyError):
        if asked.server.once(listing, asked.db):
            yield Link("/seasons", _("Seasons"))
