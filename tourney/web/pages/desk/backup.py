"""A backup of the database, made beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from tourney.domain.errors import TourneyError
from tourney.reports import admin as report
from tourney.reports.status import backup_line
from tourney.service import database
from tourney.service.events.status import status
from tourney.text.i18n import _
from tourney.web.answers import Answer, Moved, View
from tourney.web.forms import Done, key_of
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME, page_of
from tourney.web.pages.desk.page import DONE, Refused, form, page, view
from tourney.web.render import Link, sentences

PATH = "/desk/backup"


def backup(asked: Asked, refused: Refused = None) -> View:
    """Show when the last backup was made, and the button that makes one."""
    values = {
        "last": backup_line(status(asked.db), datetime.now(UTC).astimezone()),
        "others": list(_others(asked)),
    }
    return view(asked, "backup.html", _("Backup"), values, refused)


def _others(asked: Asked) -> Iterator[Link]:
    """Yield the other ways to keep what is here: copies elsewhere, and an event as a file for another desk."""
    yield Link(page_of(("tourney", "db", "mirror")), _("Copy every change to a stick"))
    event = asked.server.event_if_any()
    if event is not None:
        yield Link("/desk/paper/files/event", _("Download {event} as a file").format(event=event.settings.name))
    yield Link("/desk/events/import", _("Import an event from its file"))


def make(asked: Asked) -> Answer:
    """Make a backup."""
    try:
        shown = report.backup(database.backup(asked.db))
    except TourneyError as error:
        return backup(asked, error)
    key = key_of(PATH.encode(), datetime.now(UTC).isoformat().encode())
    asked.server.forms.keep(key, Done(shown.title, sentences(shown), HOME, datetime.now(UTC)))
    return Moved(f"{HOME}?{DONE}={key}")


PAGES = (
    page(PATH, backup),
    form(PATH, make),
)
