"""Pages as HTML: the templates, and what every page has around its own part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tourney.domain.club import NO_CLUB, Club
from tourney.reports.html.document import TEMPLATES as REPORT_TEMPLATES
from tourney.reports.html.document import Figure, Part, figure_of, parts_of, shown
from tourney.reports.ratings.plain_words import plain
from tourney.reports.render.report import Report, for_people
from tourney.reports.status import duration
from tourney.text.authors import shown_author
from tourney.text.dates import local
from tourney.text.i18n import LANGUAGES, _, for_terminal, language, ngettext, pgettext
from tourney.web.answers import View

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
FONT: Final = re.compile(rb"url\(([a-z-]+\.woff2)\)")
"""The address of letters in a style of ours, with the name of their file."""
_OF_THIS_RUN: Final = token_bytes()
"""Part of each mark: a program that takes our port after us fills no browser's cache for the next run."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the site's head."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The surroundings of a page: the event's name, the links of the head, and where the page is.

    The `club` is shown in the head. On the static site `files` has the file of each page, and links lead from file to
    file; a page that is not on it has no link.
    """

    path: str
    name: str
    links: Sequence[Link] = ()
    files: Mapping[str, str] | None = None
    club: Club = NO_CLUB

    @property
    def is_static(self) -> bool:
        """Return whether the page is a file of the static site, without a server."""
        return self.files is not None

    def link(self, path: str) -> str:
        """Return the address of a page of ours; "" if there is none."""
        if self.files is None or not path:
            return path
        return self._up + self.files[path] if path in self.files else ""

    @property
    def home(self) -> str:
        """Return the address of the front page."""
        return self.link("/") or self.link(self.links[0].path)

    def asset(self, name: str) -> str:
        """Return the address of a file of ours, with a mark of its content, so that browsers may keep it."""
        return f"/static/{name}?{mark_of(name)}" if self.files is None else self._up + name

    @property
    def _up(self) -> str:
        """Return the way from this page's file to the folder of the site."""
        return "../" * self.files[self.path].count("/") if self.files else ""


@cache
def mark_of(name: str) -> str:
    """Return the mark of the content of one of our files, which nobody knows before this run of the program."""
    return sha256(_OF_THIS_RUN + (STATIC / name).read_bytes()).hexdigest()[:12]


def html(view: View, frame: Frame) -> str:
    """Return the page in the language that is spoken."""
    template = _environment().get_template(view.template)
    values: Mapping[str, object] = {
        "view": view,
        "frame": frame,
        "language": language(),
        "languages": LANGUAGES,
    }
    return template.render({**values, **view.values}) + "\n"


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as a template shows it.

    It has a title, sentences, parts, the link of each row of its own table ("" for none), a picture as SVG with its
    legend, notes on what the columns mean, and a figure below all of them.
    """

    title: str
    sentences: tuple[str, ...]
    parts: tuple[Part, ...]
    links: tuple[str, ...] = ()
    picture: Markup | None = None
    legend: str = ""
    notes: tuple[tuple[str, int], ...] = ()
    figure: Figure | None = None


def report_view(report: Report, links: Sequence[str] = ()) -> Shown:
    """Return a report as a template shows it; `links` has the page of each row of its own table."""
    words = plain(report)
    parts, notes = tuple(parts_of(words)), tuple(_notes(words))
    return Shown(report.title, sentences(report), parts, tuple(links), notes=notes, figure=figure_of(report))


def with_column(report: Report, key: str, **changes: Any) -> Report:
    """Return the report with something else about the column of that key."""
    columns = (replace(each, **changes) if each.key == key else each for each in report.columns)
    return replace(report, columns=tuple(columns))


def _notes(report: Report) -> Iterator[tuple[str, int]]:
    """Yield what the columns of the tables mean, each once, with the priority at which it leaves with its column.

    It is 0 for a column that stays on every page, as in the classes of a table (`grid.html`).
    """
    priorities = dict[str, int]()
    for section in report.as_sections(""):
        columns = for_people(section.columns, section.rows)[0]
        least = 1 if sum(column.priority == 0 for column in columns) > 1 else 2
        for column in columns:
            priority = column.priority if column.priority >= least else 0
            if column.note:
                priorities[column.note] = min(priority, priorities.get(column.note, priority))
    return iter(priorities.items())


def with_plot(report: Report, svg: str, legend: str) -> Shown:
    """Return a report as a template shows it, with a plot in place of its figures in plain characters."""
    sections = tuple(section for section in report.sections if section.figure is None)
    # The picture is ours; the names in it are escaped where it is drawn.
    return replace(report_view(replace(report, sections=sections)), picture=Markup(svg), legend=legend)


def sentences(report: Report) -> tuple[str, ...]:
    """Return what the report says in words, without the sentences that are for a terminal."""
    return tuple(sentence for sentence in (*report.lines, *report.notes) if not for_terminal(sentence))


def time_of_day(moment: str | datetime) -> str:
    """Return the time of the day of a moment (UTC), in the computer's time zone."""
    return f"{local(moment):%H:%M}"


def age(since: str) -> str:
    """Return in words how long ago a moment (UTC) is."""
    return duration(datetime.now(UTC) - datetime.fromisoformat(since))


def _opening(sentence: str) -> str:
    """Return the class of a sentence that begins with a capital letter: not of one that begins with a quotation."""
    return "sentence" if sentence[:1].isalnum() else ""


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        loader=FileSystemLoader([HERE / "templates", REPORT_TEMPLATES]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    # The new style would take `%` for a placeholder, and escape no sentence.
    install = environment.install_gettext_callables  # type: ignore[attr-defined] # the extension adds it
    install(_, ngettext, newstyle=False, pgettext=pgettext)
    environment.filters |= {"age": age, "author": shown_author, "opening": _opening, "time_of_day": time_of_day}
    return environment
