"""Print a report on standard output, as a table, JSON, CSV or Markdown."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from tourney.cli.framework.options import Form
from tourney.reports.render.report import Report
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize

_DETAILED: ContextVar[bool] = ContextVar("detailed", default=False)
_WIDE: ContextVar[bool] = ContextVar("wide", default=False)


@contextmanager
def detailed() -> Iterator[None]:
    """Show the details of reports, as `--verbose` asks for."""
    token = _DETAILED.set(True)
    try:
        yield
    finally:
        _DETAILED.reset(token)


@contextmanager
def wide() -> Iterator[None]:
    """Show all columns of tables, as `--wide` asks for."""
    token = _WIDE.set(True)
    try:
        yield
    finally:
        _WIDE.reset(token)


def is_wide() -> bool:
    """Return whether tables show all their columns, however narrow the terminal."""
    return _WIDE.get()


def show(report: Report, form: Form = "table", dry_run: bool = False) -> None:
    """Print the report; notes go below tables and Markdown, and to standard error with JSON and CSV."""
    if dry_run:
        report = _as_dry_run(report, form)
    if _DETAILED.get():
        report = replace(report, lines=(*report.lines, *report.details))
    if form == "table":
        _show_table(report)
        return
    from tourney.reports.render import export

    if form == "markdown":
        sys.stdout.write(export.markdown_text(report))
        return
    text = export.json_text(report.structure()) if form == "json" else export.csv_text(report)
    sys.stdout.write(text)
    for line in report.notes:
        note(line)


def note(line: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(sanitize(line) + "\n")


def _as_dry_run(report: Report, form: Form) -> Report:
    banner = _("dry run: nothing was saved")
    if form in ("json", "csv"):
        return replace(report, notes=(banner, *report.notes))
    return replace(report, title=f"{banner}. {report.title}" if report.title else banner)


def terminal_width() -> int:
    """Return how many columns the terminal has; `COLUMNS` overrides it."""
    return shutil.get_terminal_size().columns


def _show_table(report: Report) -> None:
    if sys.stdout.isatty():
        _show_on_terminal(report)
        return
    from tourney.reports.render.plain import plain_text

    sys.stdout.write(plain_text(report))


def _show_on_terminal(report: Report) -> None:
    """Print the report at the terminal's width, headings bold; Rich obeys NO_COLOR and TERM."""
    from rich.console import Console
    from rich.text import Text

    from tourney.reports.render.plain import page

    console = Console(width=terminal_width(), highlight=False, emoji=False, markup=False)
    for line in page(report, terminal_width()):
        style = "" if line.role == "text" else "bold"
        console.print(Text(line.text, style), soft_wrap=line.role != "title")
