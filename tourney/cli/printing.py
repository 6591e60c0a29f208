"""The one printer: a report on standard output, as a table, JSON, CSV or Markdown."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney.cli.options import Form
from tourney.domain import Mode
from tourney.reports import Column, Report, cell_text
from tourney.text import _, harmless

if TYPE_CHECKING:
    from rich.table import Table


NAME = 8
"""The least room for text on a terminal: without it a narrow one would show numbers and no names."""


def show(report: Report, form: Form = "table", mode: Mode = "save") -> None:
    """Prints the report; notes stand under tables and Markdown, and on standard error beside JSON and CSV."""
    if mode == "dry run":
        report = _as_dry_run(report, form)
    if form == "table":
        _show_table(report)
        return
    from tourney.reports import export

    if form == "markdown":
        sys.stdout.write(export.markdown_text(report))
        return
    text = export.json_text(report.structure()) if form == "json" else export.csv_text(report)
    sys.stdout.write(text)
    for line in report.notes:
        note(line)


def note(line: str) -> None:
    """Says something beside the output, on standard error."""
    sys.stderr.write(harmless(line) + "\n")


def _as_dry_run(report: Report, form: Form) -> Report:
    said = _("dry run: nothing was saved")
    if form in ("json", "csv"):
        return replace(report, notes=(said, *report.notes))
    return replace(report, title=f"{said}. {report.title}" if report.title else said)


def _show_table(report: Report) -> None:
    if sys.stdout.isatty():
        _show_rich(report)
        return
    from tourney.reports.plain import plain_text

    sys.stdout.write(plain_text(report))


def _show_rich(report: Report) -> None:
    """On a terminal: within its width, long names folded; rich itself obeys NO_COLOR and TERM."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tourney.reports.plain import PAGE, section_text

    console = Console(highlight=False, emoji=False, markup=False)
    if report.title:
        console.print(Text(harmless(report.title), style="bold"))
    columns, rows = report.told()
    for section in report.sections:
        console.print(Text("\n" + section_text(section, min(console.width, PAGE))))
    if rows and not report.sections:
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        for column in columns:
            _add_column(table, column)
        for row in rows:
            cells = zip(columns, row, strict=True)
            table.add_row(*(Text(harmless(cell_text(column, value))) for column, value in cells))
        console.print(table)
    under = (*report.lines, *report.notes)
    if report.sections and under:
        console.print()
    for line in under:
        console.print(Text(harmless(line)))


def _add_column(table: "Table", column: Column) -> None:
    """Numbers keep their width; text gives way, folded and never cut."""
    from rich.text import Text

    numbers = column.align == "right"
    least = None if numbers else NAME
    table.add_column(
        Text(harmless(column.heading)), justify=column.align, no_wrap=numbers, overflow="fold", min_width=least
    )
