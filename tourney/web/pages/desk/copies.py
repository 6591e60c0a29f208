"""Copies of the database: a backup beside it, and mirrors of every change on a stick or another disk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tourney.domain.errors import TourneyError
from tourney.reports import admin as report
from tourney.reports.render.report import Report
from tourney.reports.status import backup_line
from tourney.service import database
from tourney.service.events.status import status
from tourney.text.i18n import _
from tourney.web.access import is_local
from tourney.web.answers import Answer, ForbiddenError, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME
from tourney.web.pages.desk.page import Answering, Refused, did, form, page, view
from tourney.web.render import report_view, sentences

BACKUP = "/desk/backup"
MIRRORS = "/desk/paper/mirrors"


def backup(asked: Asked, refused: Refused = None) -> View:
    """Show when the last backup was made, and the button that makes one."""
    event = asked.server.event_if_any()
    values = {
        "last": backup_line(status(asked.db), datetime.now(UTC).astimezone()),
        "event": event and event.settings.name,
    }
    return view(asked, "backup.html", _("Backup"), values, refused)


def mirrors(asked: Asked, refused: Refused = None) -> View:
    """Show the mirrors with their states; each that is there is completed."""
    states = database.list_mirrors(asked.db)
    values = {
        "shown": report_view(report.mirrors(states)),
        "paths": [state.path for state in states],
        "here": is_local(asked.address),
    }
    return view(asked, "mirrors.html", _("Mirrors"), values, refused)


def _add(asked: Asked) -> Report:
    mirror = database.add_mirror(asked.db, asked.field("folder").strip())
    return report.mirror(mirror, one_disk=database.on_one_disk(asked.db, mirror.path))


def _doing(act: Callable[[Asked], Report], to: str, again: Callable[[Asked, Refused], View]) -> Answering:
    """Return the function of a form that does this, and says at `to` what was done."""

    def done(asked: Asked) -> Answer:
        try:
            shown = act(asked)
        except TourneyError as error:
            return again(asked, error)
        return did(asked, shown.title, sentences(shown), to)

    return done


def _here(answer: Answering) -> Answering:
    """Return the function of a form about mirrors: a stick is in this computer, so nobody else may say where."""

    def here(asked: Asked) -> Answer:
        if is_local(asked.address):
            return answer(asked)
        message = _("mirrors are added and removed at the computer that runs the desk")
        raise ForbiddenError(message, _("do it there"))

    return here


PAGES = (
    page(BACKUP, backup),
    form(BACKUP, _doing(lambda asked: report.backup(database.backup(asked.db)), HOME, backup)),
    page(MIRRORS, mirrors),
    form(MIRRORS, _here(_doing(_add, MIRRORS, mirrors))),
    form(
        f"{MIRRORS}/remove",
        _here(
            _doing(
                lambda asked: report.mirror_removed(database.remove_mirror(asked.db, asked.field("path"))),
                MIRRORS,
                mirrors,
            )
        ),
    ),
)
