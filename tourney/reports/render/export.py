"""Reports as text for other programs: JSON, CSV and Markdown. Numbers in JSON and CSV are unrounded."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tourney.files.csv import guarded
from tourney.reports.render.bars import is_interval
from tourney.reports.render.report import PAGE, Cell, Field, Grid, Report, Section, cell_text, for_people
from tourney.text.sanitize import CELL_ESCAPES, JSON_ESCAPES, sanitize

_NO_BREAK = "\u00a0"
_MARKUP = re.compile(r"([\\|`*_<\[\]])")


def json_text(structure: Any) -> str:
    """Return the structure as indented JSON, with letters such as ñ unescaped, and what steers a terminal escaped.

    Raises ValueError for infinities and NaN.
    """
    return json.dumps(structure, ensure_ascii=False, allow_nan=False, indent=2).translate(JSON_ESCAPES) + "\n"


def json_line(structure: Any) -> str:
    """Return the structure as one line of JSON."""
    return json.dumps(structure, ensure_ascii=False, allow_nan=False).translate(JSON_ESCAPES) + "\n"


def csv_text(report: Report) -> str:
    """Return the rows as CSV under the keys of their columns, without title and notes."""
    return "".join(_csv_lines(report, ",", _csv_cell))


def spanish_csv_text(report: Report) -> str:
    """Return the rows as `csv_text` does, as a Spanish Excel opens it: byte order mark, semicolons, decimal comma."""
    return "\ufeff" + "".join(_csv_lines(report, ";", _spanish_cell))


def _csv_lines(report: Report, separator: str, cell: Callable[[Cell], str | int | float]) -> Iterator[str]:
    columns, rows = report.for_programs()
    yield _csv_line([_csv_cell(column.key) for column in columns], separator)
    for row in rows:
        yield _csv_line(list(map(cell, row)), separator)


def _csv_line(cells: Sequence[str | int | float], separator: str) -> str:
    # With \r\n as its line end, the writer quotes a cell that contains either character.
    line = io.StringIO()
    csv.writer(line, delimiter=separator, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _spanish_cell(value: Cell) -> str | int | float:
    return repr(value).replace(".", ",") if isinstance(value, float) else _csv_cell(value)


def _csv_cell(value: Cell) -> str | int | float:
    """Return the cell as a spreadsheet may safely open it.

    Spreadsheets run text that begins with = + - or @ (in some languages with their full-width forms) as a formula, also
    after blanks, a tab or a line end, and where they take another character for the separator; see `guarded`.
    What steers a terminal is escaped, as in JSON.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return guarded(value.translate(CELL_ESCAPES)) if isinstance(value, str) else value


def markdown_text(report: Report) -> str:
    """Return the whole report as Markdown."""
    parts = [f"## {_markdown(report.title)}"] if report.title else []
    for section in report.sections:
        parts += _markdown_section(section)
    if report.rows and not report.sections:
        parts.append("\n".join(_markdown_table(report.for_people())))
        parts += [_markdown(column.note) for column in report.for_people()[0] if column.note]
    parts += [_markdown(note) for note in (*report.lines, *report.notes, *report.next_steps)]
    return "\n\n".join(parts) + "\n"


def _markdown_section(section: Section) -> list[str]:
    parts = [f"### {_markdown(section.heading)}"]
    if section.figure is not None:
        parts.append("\n".join(("```", *section.figure(PAGE), "```")))
    if section.rows:
        parts.append("\n".join(_markdown_table(for_people(section.columns, section.rows))))
    if section.bullets:
        parts.append("\n".join(f"- {_markdown(bullet)}" for bullet in section.bullets))
    return parts


def _markdown_table(shown: Grid) -> list[str]:
    columns, rows = shown
    heads = [_markdown(column.heading) for column in columns]
    rules = ["---:" if column.align == "right" else "---" for column in columns]
    lines = [heads, rules]
    for row in rows:
        cells = zip(columns, row, strict=True)
        lines.append([_markdown_cell(column, cell_text(column, value)) for column, value in cells])
    return ["| " + " | ".join(line) + " |" for line in lines]


def _markdown_cell(column: Field[Any], text: str) -> str:
    """Return the text of a cell; the blanks before an interval, which are its place on the scale, do not break."""
    if column.look == "bar" and is_interval(text):
        return f"`{text.replace(' ', _NO_BREAK)}`"
    return _markdown(text)


def _markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\1", sanitize(text))
