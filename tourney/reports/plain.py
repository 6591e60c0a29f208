"""A report as aligned plain text, for pipes and files: nothing cut, nothing coloured, no lines drawn."""

import unicodedata

from tourney.reports.report import Column, Report, cell_text
from tourney.text import harmless


def plain_text(report: Report) -> str:
    """Title, table, lines and notes, each set off by an empty line."""
    parts = [harmless(report.title)] if report.title else []
    if report.columns and report.rows:
        parts.append("\n".join(_lines(report)))
    under = (*report.lines, *report.notes)
    parts += ["\n".join(harmless(line) for line in under)] if under else []
    return "\n\n".join(parts) + "\n"


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _lines(report: Report) -> list[str]:
    columns, rows = report.told()
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
