"""Write a report to standard output or a file, as a table, JSON, CSV or Markdown."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from io import TextIOWrapper
from textwrap import wrap
from typing import TextIO

from tourney.cli.framework.options import FOR_PROGRAMS, Form, Paper
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.whole_file import WholeFile
from tourney.reports.html import document
from tourney.reports.render.report import Report
from tourney.text.cards import usual_letters, with_symbols
from tourney.text.dates import shown_dates
from tourney.text.encoding import is_utf8
from tourney.text.i18n import _, printing
from tourney.text.sanitize import TERMINAL_ESCAPES, sanitize

_DETAILED: ContextVar[bool] = ContextVar("detailed", default=False)
_WIDE: ContextVar[bool] = ContextVar("wide", default=False)
_SINGLE_BLANK, _COMMAND = re.compile(r"(?<! ) (?! )"), re.compile(r"`[^`]+`")
_KEPT_BLANK = re.compile(r" (?=-?\d|[♣♦♥♠])")
"""A blank at which no line is broken: before a number, or the symbol of a suit."""


@contextmanager
def _switched_on(asked: ContextVar[bool]) -> Iterator[None]:
    token = asked.set(True)
    try:
        yield
    finally:
        asked.reset(token)


def detailed() -> AbstractContextManager[None]:
    """Show the details of reports, and sections in full, as `--verbose` asks for, within a block."""
    return _switched_on(_DETAILED)


def wide() -> AbstractContextManager[None]:
    """Show all columns of tables, as `--wide` asks for, within a block."""
    return _switched_on(_WIDE)


def is_detailed() -> bool:
    """Return whether reports show their details."""
    return _DETAILED.get()


def is_wide() -> bool:
    """Return whether tables show all their columns, however narrow the terminal."""
    return _WIDE.get()


def show(
    report: Report,
    form: Form = "table",
    dry_run: bool = False,
    file: WholeFile | None = None,
    paper: Paper | None = None,
    language: str | None = None,
) -> None:
    """Write the report; notes go below tables, Markdown and HTML, and to standard error with JSON and CSV.

    `language` is the one that an event keeps for what is printed.
    """
    if dry_run:
        report = _as_dry_run(report, form)
    if _DETAILED.get():
        report = replace(report, lines=(*report.lines, *report.details))
    elif not dry_run:
        # Whoever tries a change out wants to see what it would do.
        report = report.in_brief()
    if form == "xlsx":
        _write_workbook(report, file)
    else:
        with _stream_of(file) as stream, printing(language):
            _write(report, form, stream, paper)
    for line in report.notes if form in FOR_PROGRAMS else ():
        note(line)


def _write(report: Report, form: Form, stream: TextIO, paper: Paper | None) -> None:
    from tourney.reports.render import export

    if form not in FOR_PROGRAMS and not usual_letters():
        report = report.with_cards(with_symbols)
    write = _text_writer(stream)
    match form:
        case "table":
            show_page(report, stream)
        case "json":
            write(export.json_text(report.structure()))
        case "csv":
            write(export.csv_text(report))
        case "csv-es":
            write(export.spanish_csv_text(report))
        case "markdown":
            write(export.markdown_text(report))
        case "html":
            write(_html(report, paper))
        case _:
            write(_message(report))


def _html(report: Report, paper: Paper | None) -> str:
    return document.html_text(report, shown_dates(f"{datetime.now(UTC).astimezone():%Y-%m-%d}"), paper)


def _message(report: Report) -> str:
    from tourney.reports.render.message import message_text

    if report.message is None:
        raise no_message()
    return message_text(report)


def _write_workbook(report: Report, file: WholeFile | None) -> None:
    from tourney.reports.render.workbook import write_workbook

    if file is None:
        raise no_place_for_a_workbook()
    with file.open() as binary:
        write_workbook(report, binary)
    _note_written(file)


def no_place_for_a_workbook() -> TourneyError:
    """Return the refusal of a workbook on standard output."""
    hint = _("add --output and a name, such as --output standings.xlsx")
    return TourneyError(ExitCode.USAGE, _("a workbook is written to a file"), hint)


def no_message() -> TourneyError:
    """Return the refusal of a message where there is none."""
    hint = _(
        "messages: `standings`, `round show`, `ratings`, `rating edition`, and `event show` for an evening's summary"
    )
    return TourneyError(ExitCode.USAGE, _("this has no form for a messenger"), hint)


@contextmanager
def written_to(file: WholeFile | None) -> Iterator[Callable[[str], object]]:
    """Yield what writes a text: as it is to a file or a pipe, with what steers a terminal escaped at one."""
    with _stream_of(file) as stream:
        yield _text_writer(stream)


def _text_writer(stream: TextIO) -> Callable[[str], object]:
    return (lambda text: stream.write(text.translate(TERMINAL_ESCAPES))) if stream.isatty() else stream.write


@contextmanager
def _stream_of(file: WholeFile | None) -> Iterator[TextIO]:
    """Yield standard output, or the file as UTF-8; a file gets its name after the block, and a note says so."""
    if file is None:
        yield sys.stdout
        return
    with file.open() as binary:
        # A path may have bytes that are no text; standard output shows them in the same way.
        text = TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield text
        text.flush()
        text.detach()
    _note_written(file)


def _note_written(file: WholeFile) -> None:
    note(_("The output is in {file}.").format(file=file.path))


def write_text(text: str) -> None:
    """Write lines, such as a conversation, to standard output: to a file too, since somebody may show it later."""
    sys.stdout.write(cleaned(text))


def cleaned(text: str) -> str:
    """Return the text with its lines, control characters escaped in each."""
    return "\n".join(map(sanitize, text.split("\n")))


def note(line: str) -> None:
    """Write a line to standard error, wrapped between words where that is a terminal that is narrower."""
    parts = wrapped(sanitize(line)) if sys.stderr.isatty() else [sanitize(line)]
    sys.stderr.write("\n".join(parts) + "\n")


def wrapped(line: str, room: int = 0) -> list[str]:
    """Return the line in parts that fit the terminal, with `room` beside each; it is never broken inside a word.

    It is not broken before a number or the symbol of a suit, either, nor inside a command to paste, however long; a
    list with three blanks between its parts is broken only there, if its parts fit.
    """
    width = max(terminal_width() - room, 20)
    if len(line) <= width:
        return [line]
    is_list = "   " in line and max(map(len, line.split("   "))) <= width
    joined = (_SINGLE_BLANK if is_list else _KEPT_BLANK).sub("\0", line)
    joined = _COMMAND.sub(lambda found: found[0].replace(" ", "\0"), joined)
    indent = line[: len(line) - len(line.lstrip(" "))]
    parts = wrap(joined, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in parts]


def _as_dry_run(report: Report, form: Form) -> Report:
    banner = _("dry run: nothing was saved")
    if form in FOR_PROGRAMS:
        return replace(report, notes=(banner, *report.notes))
    return replace(report, title=f"{banner}. {report.title}" if report.title else banner)


def terminal_width() -> int:
    """Return the terminal's width in characters; `COLUMNS` overrides it."""
    return shutil.get_terminal_size().columns


def pipe_width() -> int | None:
    """Return the width that `COLUMNS` gives a pipe, in characters; None without it."""
    columns = os.environ.get("COLUMNS", "")
    return int(columns) or None if columns.isdecimal() else None


def show_page(report: Report, stream: TextIO) -> None:
    """Show the report on this stream: as on a terminal if it is one, otherwise as in a pipe."""
    from tourney.reports.render import page

    if not stream.isatty():
        page.write(report, stream, page.medium_of(pipe_width(), wide=is_wide()))
        return
    console = page.console_of(stream)
    medium = page.medium_of(terminal_width(), terminal=True, symbols=is_utf8(stream), wide=is_wide())
    for part in page.parts(report, medium):
        console.print(part)
