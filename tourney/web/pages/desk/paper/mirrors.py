"""Mirrors at the desk: copies of every change on a stick or another disk of the computer that serves the pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tourney.domain.errors import TourneyError
from tourney.reports import admin as report
from tourney.reports.render.report import Report
from tourney.service import database
from tourney.text.i18n import _
from tourney.web.access import is_local
from tourney.web.answers import Answer, ForbiddenError, Moved, View
from tourney.web.forms import Done, key_of
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, form, page, view
from tourney.web.pages.desk.paper.paper import PAPER
from tourney.web.render import Link, report_view, sentences

MIRRORS = f"{PAPER}/mirrors"


def overview(asked: Asked, refused: Refused = None) -> View:
    """Show the mirrors with their states; each that is there is completed."""
    states = database.list_mirrors(asked.db)
    shown = report.mirrors(states)
    values = {
        "shown": report_view(shown),
        "paths": [state.path for state in states],
        "here": is_local(asked.address),
        "folder": asked.field("folder"),
        "back": Link(PAPER, _("Paper and files")),
    }
    return view(asked, "mirrors.html", _("Mirrors"), values, refused)


def add(asked: Asked) -> Answer:
    """Mirror every change to a folder from now on."""

    def added() -> Report:
        mirror = database.add_mirror(asked.db, asked.field("folder").strip())
        return report.mirror(mirror, one_disk=database.on_one_disk(asked.db, mirror.path))

    return _done(asked, added)


def remove(asked: Asked) -> Answer:
    """Stop mirroring to a folder."""
    return _done(asked, lambda: report.mirror_removed(database.remove_mirror(asked.db, asked.field("path"))))


def _done(asked: Asked, act: Callable[[], Report]) -> Answer:
    """Do it, and show the mirrors with what was done; a stick is in this computer, so nobody else may say where."""
    if not is_local(asked.address):
        message = _("mirrors are added and removed at the computer that runs the desk")
        raise ForbiddenError(message, _("do it there"))
    try:
        shown = act()
    except TourneyError as error:
        return overview(asked, error)
    key = key_of(b"mirror", asked.body, datetime.now(UTC).isoformat().encode())
    asked.server.forms.keep(key, Done(shown.title, sentences(shown), MIRRORS, datetime.now(UTC)))
    return Moved(f"{MIRRORS}?done={key}")


PAGES = (
    page(MIRRORS, overview),
    form(MIRRORS, add),
    form(f"{MIRRORS}/remove", remove),
)
