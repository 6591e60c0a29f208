"""A report as aligned plain text, for pipes and files: nothing cut, nothing coloured, no lines drawn.

A table wider than a page has its longest texts folded, as on a terminal.
"""

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
    under = [part for line in (*report.lines, *report.notes) for part in _sentence(harmless(line))]
    parts += ["\n".join(under)] if under else []
    return "\n\n".join(parts) + "\n"


def _sentence(line: str) -> list[str]:
    """The line folded to a page; one with a command in it stays whole, so that it can be copied."""
    return [line] if "`" in line else fold(line, PAGE)


PAGE = 80
"""The width of a page in columns."""

NARROWEST = 8
"""The least room that folding leaves to a column of text."""


def section_text(section: Section, columns: int = PAGE) -> str:
    """A heading with its table and its points, these folded at that many columns."""
    lines = [harmless(section.heading)]
    if section.rows:
        lines += [f"  {line}" for line in _lines(told(section.columns, section.rows), PAGE - 2)]
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


def fold(text: str, columns: int) -> list[str]:
    """The text in lines of at most that many columns (at least 2), broken between words where it can be."""
    lines, left = [], text
    while width(left) > columns:
        most = _fitting(left, columns)
        blank = left.rfind(" ", 1, most + 1)
        cut = blank if blank > 0 else most
        lines.append(left[:cut].rstrip())
        left = left[cut:].lstrip()
    return [*lines, left]


def _fitting(text: str, columns: int) -> int:
    """How many characters from the start take no more than these columns."""
    taken = 0
    for place, char in enumerate(text):
        taken += _char_width(char)
        if taken > columns:
            return place
    return len(text)


def _lines(shown: Shown, page: int = PAGE) -> list[str]:
    columns, rows = shown
    table = [[harmless(column.heading) for column in columns]]
    for row in rows:
        cells = zip(columns, row, strict=True)
        table.append([harmless(cell_text(column, value)) for column, value in cells])
    widths = [max(width(line[place]) for line in table) for place in range(len(columns))]
    _narrow(columns, widths, page)
    return [line for cells in table for line in _row_lines(columns, cells, widths)]


def _narrow(columns: tuple[Column, ...], widths: list[int], page: int) -> None:
    """Takes from the widest texts what is wider than the page; numbers keep their width."""
    texts = [place for place, column in enumerate(columns) if column.align == "left" and widths[place] > NARROWEST]
    while texts and sum(widths) + 2 * (len(widths) - 1) > page:
        widest = max(texts, key=widths.__getitem__)
        widths[widest] -= 1
        if widths[widest] == NARROWEST:
            texts.remove(widest)


def _row_lines(columns: tuple[Column, ...], cells: list[str], widths: list[int]) -> list[str]:
    folded = [fold(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
    high = max(map(len, folded))
    padded = [[*lines, *[""] * (high - len(lines))] for lines in folded]
    return [_line(columns, list(line), widths) for line in zip(*padded, strict=True)]


def _line(columns: tuple[Column, ...], cells: list[str], widths: list[int]) -> str:
    padded: list[str] = []
    for column, cell, wide in zip(columns, cells, widths, strict=True):
        gap = " " * (wide - width(cell))
        padded.append(gap + cell if column.align == "right" else cell + gap)
    return "  ".join(padded).rstrip()
