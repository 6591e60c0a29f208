"""An event is taken in from its file: the desk chooses the file, sees what is in it, and imports it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import BroughtIn
from tourney.reports import event_files as report
from tourney.reports.render.report import Report
from tourney.service.events.event_file import HereAlreadyError
from tourney.service.events.events import show
from tourney.service.events.import_event import ImportEvent, outlook
from tourney.text.i18n import _
from tourney.web.answers import Answer, View
from tourney.web.forms import MOST_UPLOADED, Upload, parts_of
from tourney.web.page import Asked
from tourney.web.pages.desk.events import EVENTS, ListedEvent, listed
from tourney.web.pages.desk.page import Refused, form, page, submit, view
from tourney.web.render import Link, Shown, report_view

PATH: Final = f"{EVENTS}/import"
_UNUSUAL: Final = re.compile(r"[^\w. -]")


@dataclass(frozen=True, slots=True)
class _SentFile:
    """The content of the form: the file with its key (None, "": there is none), the event's name here, the button."""

    key: str
    upload: Upload | None
    name: str
    do: str


def _sent(asked: Asked) -> _SentFile:
    fields, upload = parts_of(asked.content_type, asked.body)
    key = asked.field("key") if upload is None else asked.server.uploads.keep(upload)
    return _SentFile(key, asked.server.uploads.get(key), asked.field("name"), fields.get("do") or asked.field("do"))


def choose(asked: Asked, refused: Refused = None) -> View:
    """Ask for the file of an event."""
    return _page(asked, None, None, refused)


def _page(asked: Asked, sent: _SentFile | None, shown: Shown | None, refused: Refused) -> View:
    is_here = isinstance(refused, HereAlreadyError)
    values = {
        "path": PATH,
        # Another name helps where the name is taken, and nowhere else.
        "key": sent.key if sent and not is_here and (refused is None or refused.code == ExitCode.CONFLICT) else "",
        "here": _here(asked, refused),
        "name": "" if sent is None else sent.name,
        "outlook": shown,
        "back": Link(EVENTS, _("Events")),
    }
    return view(asked, "import.html", _("Import an event"), values, refused)


def _here(asked: Asked, refused: Refused) -> ListedEvent | None:
    """Return the event of a file that is here already."""
    if not isinstance(refused, HereAlreadyError):
        return None
    return listed(show(asked.db, refused.event), asked.server.event_if_any())


def take_in(asked: Asked) -> Answer:
    """Show what is in the file that was sent, or import it."""
    sent = _sent(asked)
    if sent.upload is None:
        message = _("no file is chosen") if not sent.key else _("the file is not here any more")
        return choose(asked, TourneyError(ExitCode.USAGE, message, _("choose the file of an event")))
    with _written(sent.upload) as file:
        change = ImportEvent(file, sent.name.strip() or None)

        def refused(asked: Asked, why: Refused) -> View:
            return _page(asked, sent, None, None if why is None else _without_folder(why, file))

        if sent.do == "import":
            return submit(asked, lambda: change, report.brought_in, EVENTS, refused)
        try:
            return _page(asked, sent, report_view(_before(outlook(asked.db, change))), None)
        except TourneyError as error:
            return refused(asked, error)


def _before(outcome: BroughtIn) -> Report:
    """Report what the import will do."""
    title = _("This event will be imported: {event}")
    if outcome.more:
        title = _("These changes will be added to {event}")
    title = title.format(event=outcome.event.settings.name)
    return replace(report.before_import(outcome), title=title)


@contextmanager
def _written(upload: Upload) -> Iterator[Path]:
    """Write the file where the import reads it, under its own name as far as that is harmless."""
    name = _UNUSUAL.sub("_", upload.name.replace("\\", "/").rpartition("/")[2])[-60:].lstrip(". ") or "event"
    with TemporaryDirectory(prefix="tourney-") as folder:
        file = Path(folder) / name
        file.write_bytes(upload.content)
        yield file


def _without_folder(error: TourneyError, file: Path) -> TourneyError:
    """Return an error about the file that does not say where it was written for a moment."""
    message = error.message.replace(str(file), file.name)
    if isinstance(error, HereAlreadyError):
        # The page shows the event itself, in place of a command that does.
        return HereAlreadyError(message, "", error.event)
    return TourneyError(error.code, message, error.hint)


PAGES = (
    page(PATH, choose),
    replace(form(PATH, take_in), most_bytes=MOST_UPLOADED),
)
