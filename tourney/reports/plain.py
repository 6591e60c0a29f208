"""A report as aligned plain text, for pipes and files: nothing cut, nothing coloured, no lines drawn."""

import textwrap
import unicodedata

from tourney.reports.report import Column, Report, Section, Shown, cell_text, told
from tourney.text import harmless


def plain_text(report: Report) -> str:
    """Title, table, lines and notes, each set off by an empty line."""
    parts = [harmless(report.title)] if report.title else []
    if report.sections:
        parts += [section_text(section) for section in report.sections]
    elif report.columns and report.rows:
        parts.append("\n".join(_lines(report.told())))
    under = (*report.lines, *report.notes)
    parts += ["\n".join(harmless(line) for line in under)] if under else []
    return "\n\n".join(parts) + "\n"


PAGE = 80
"""The width of a page in columns."""


def section_text(section: Section, columns: int = PAGE) -> str:
    """A heading with its table and its points, these folded at that many columns."""
    lines = [harmless(section.heading)]
    if section.rows:
        lines += [f"  {line}" for line in _lines(told(section.columns, section.rows))]
    for point in section.points:
        lines += textwrap.wrap(
            harmless(point), columns, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "\n".join(lines)


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _lines(shown: Shown) -> list[str]:
    columns, rows = shown
    table = [[harmless(column.heading) for column in columns]]
    for row in rows:
        cells = zip(columns, row, strict=True)
        table.append([harmless(cell_text(column, value)) for column, value in cells])
    widths = [max(width(line[place]) for line in table) for place in range(len(columns))]
    return [_line(columns, line, widths) for line in table]


def _line(columns: tuple[Column, ...], cells: list[str], widths: list[int]) -> str:
    padded: list[str] = []
    for column, cell, wide in zip(columns, cells, widths, strict=True):
        gap = " " * (wide - width(cell))
        padded.append(gap + cell if column.align == "right" else cell + gap)
    return "  ".join(padded).rstrip()
