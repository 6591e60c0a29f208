"""Files to take along from the desk: spreadsheets, the event's file, and messages to post in a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext
from io import BytesIO
from typing import Final
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from markupsafe import Markup, escape

from tourney.domain.errors import TourneyError
from tourney.files.named import refuse_without_openpyxl
from tourney.files.site_folder import marked
from tourney.reports.documents import MESSAGES, SPREADSHEETS
from tourney.reports.render.export import csv_text, spanish_csv_text
from tourney.reports.render.message import message_text
from tourney.reports.render.report import Report
from tourney.service.events.event_file import exported
from tourney.service.rounds import rounds as rounds_service
from tourney.text.i18n import SOURCE, _, language, speaking
from tourney.web.answers import Content, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import for_event, page, view
from tourney.web.pages.desk.paper.paper import PAPER
from tourney.web.pages.hall import no_page
from tourney.web.pages.site import event_site
from tourney.web.render import Link

_NOT_IN_NAMES: Final = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
"""The characters that the name of a file does not have on some system."""


# --- spreadsheets and the event's file ------------------------------------------------------------------------------


def overview(asked: Asked) -> View:
    """Show the files that can be taken along."""
    event = asked.server.event()
    tables = [
        (_(each.heading), [Link(f"{PAPER}/files/{name}.{end}", f"{each.called()}.{end}") for end in _endings()])
        for name, (_document, each) in SPREADSHEETS.items()
    ]
    return view(asked, "files.html", _("Files"), {"tables": tables, "event": event.settings.name})


def _endings() -> Iterator[str]:
    try:
        refuse_without_openpyxl()
    except TourneyError:
        pass
    else:
        yield "xlsx"
    yield "csv"


def file(asked: Asked) -> Content:
    """Return a spreadsheet: as a workbook, or as CSV with English words, which programs read everywhere."""
    event = asked.server.event()
    name, _dot, ending = asked.path["file"].partition(".")
    if name not in SPREADSHEETS or ending not in ("xlsx", "csv"):
        raise no_page()
    document, found = SPREADSHEETS[name]
    as_file = _workbook if ending == "xlsx" else _csv
    # A Spanish spreadsheet reads semicolons and decimal commas, as `--format csv-es` writes them.
    spoken = speaking(SOURCE) if ending == "csv" and language() == SOURCE else nullcontext()
    with spoken:
        source = document.of(asked.db, "spreadsheet", event=event.settings.name)
        body, media = as_file(source.handed_out())
    return _download(body, media, f"{event.settings.name} {found.called()}.{ending}")


def _csv(report: Report) -> tuple[bytes, str]:
    text = csv_text(report) if language() == SOURCE else spanish_csv_text(report)
    return text.encode(), "text/csv; charset=utf-8"


def _workbook(report: Report) -> tuple[bytes, str]:
    refuse_without_openpyxl()
    from tourney.reports.render.workbook import write_workbook

    book = BytesIO()
    write_workbook(report, book)
    return book.getvalue(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def event_file(asked: Asked) -> Content:
    """Return the event's file, which another database imports."""
    found = exported(asked.db, asked.server.event().settings.name)
    return _download(found.text.encode(), "text/plain; charset=utf-8", f"{found.event.settings.name}.event")


def site_file(asked: Asked) -> Content:
    """Return the pages of the event as the static site, in one archive: the same state makes the same bytes."""
    name = asked.server.event().settings.name
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for file, content in marked(event_site(asked.db, name)).items():
            packed.writestr(_member(file), content)
    return _download(archive.getvalue(), "application/zip", f"{name}.zip")


def _member(file: str) -> ZipInfo:
    """Return a file of an archive without the time at which it was made."""
    member = ZipInfo(file)
    member.compress_type = ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def _download(body: bytes, media: str, name: str) -> Content:
    """Return an answer that the browser keeps as a file of this name."""
    plain = _NOT_IN_NAMES.sub("_", name)
    named = f"attachment; filename*=UTF-8''{quote(plain, safe='')}"
    return Content(body, media, headers=(("Content-Disposition", named),))


# --- messages -------------------------------------------------------------------------------------------------------


def messages(asked: Asked) -> View:
    """Show the messages that people post: who sits where, the standings, how the evening went."""
    found = list(_messages(asked, asked.server.event().settings.name))
    return view(asked, "messages.html", _("Messages"), {"messages": found})


def _messages(asked: Asked, name: str) -> Iterator[tuple[str, str, Markup]]:
    """Yield the name, heading and text of each message, with its code, in the language of what the event posts."""
    is_drawn = bool(rounds_service.show(asked.db, name, "played").rounds)
    for key, (document, each) in MESSAGES.items():
        if is_drawn or not each.needs_round:
            shown, kept = document.of(asked.db, "message", event=name).coded(asked.db)
            with speaking(kept or language()):
                text = message_text(shown)
            # Its names are harmless already, and its line ends stay.
            yield key, _(each.heading), escape(text)


PAGES = (
    page(f"{PAPER}/files", for_event(overview)),
    page(f"{PAPER}/files/event", for_event(event_file)),
    page(f"{PAPER}/files/site.zip", for_event(site_file)),
    page(f"{PAPER}/files/{{file}}", for_event(file)),
    page(f"{PAPER}/messages", for_event(messages)),
)
