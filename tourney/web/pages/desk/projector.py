"""The projector as the desk steers it."""

from __future__ import annotations

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.web.answers import Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import form, page, view
from tourney.web.pages.screen import headings

PATH = "/desk/screen"


def controls(asked: Asked) -> View:
    """Show where the projector stands, with buttons that steer it."""
    projector, event = asked.server.projector, asked.server.event_if_any()
    without = () if event is not None and event.state == "finished" else ("podium",)
    values = {
        "headings": {name: text for name, text in headings().items() if name not in without},
        "projector": projector,
        "pause": ("resume", _("Continue")) if projector.paused else ("pause", _("Pause")),
    }
    return view(asked, "projector.html", _("Projector"), values)


def steer(asked: Asked) -> Moved:
    """Do what a button says, and tell all projectors."""
    projector, to = asked.server.projector, asked.field("do")
    match to:
        case "pause" | "resume":
            projector.paused = to == "pause"
        case "next" | "back":
            projector.turned += 1 if to == "next" else -1
        case "all" | "podium" | "seating" | "tables" | "standings" | "clock":
            projector.show = to
        case _other:
            raise TourneyError(ExitCode.USAGE, _("the projector cannot do this"), _("load the page again"))
    asked.server.announce()
    return Moved(PATH)


PAGES = (
    page(PATH, controls),
    form(PATH, steer),
)
