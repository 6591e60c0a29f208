"""Show a report as aligned text, the same on a terminal and in a pipe: nothing is cut or left out, no lines are drawn.

In a table wider than the page the longest texts and headings are folded, and numbers stay whole. A table that is still
too wide extends beyond the page.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tourney.reports.render.report import Column, Grid, Report, Section, cell_text, for_people
from tourney.text.sanitize import sanitize

PAGE = 80
"""The width of a page in columns."""

_WORDS = re.compile(r"(?:`[^`]*`|[^\s`]|`)+")
"""A word; a command between backquotes is one word."""

MIN_WORD = 8
"""Longer words, in characters, are broken if a table has no room for them."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page; a terminal may show title and headings in bold."""

    text: str
    role: Literal["title", "heading", "text"] = "text"


def plain_text(report: Report, columns: int = PAGE) -> str:
    """Return the page as one text; each line ends with a line feed."""
    return "".join(f"{line.text}\n" for line in page(report, columns))


def page(report: Report, columns: int) -> Iterator[Line]:
    """Yield the title, the tables, then lines and notes, separated by empty lines and folded at `columns` columns.

    The title, which may be a command's whole output, is never folded.
    """
    for number, part in enumerate(_parts(report, columns)):
        if number:
            yield Line("")
        yield from part


def _parts(report: Report, columns: int) -> Iterator[list[Line]]:
    if report.title:
        yield [Line(sanitize(report.title), "title")]
    for section in report.sections:
        yield list(_section(_fitting_section(section, columns), columns))
    if report.rows and not report.sections:
        yield list(_table(report.for_people(), columns))
    under = [part for line in (*report.lines, *report.notes) for part in _sentence(sanitize(line), columns)]
    if under:
        yield [Line(part) for part in under]


def _sentence(line: str, columns: int) -> list[str]:
    """Return the line folded to the page; a command in it is not broken, so that it can be copied."""
    most = min(columns, PAGE)
    if "`" not in line:
        return fold(line, most)
    lines = [""]
    for word in _WORDS.findall(line):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width(longer) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _fitting_section(section: Section, columns: int) -> Section:
    """Return the section, or its narrow form if its table would be folded."""
    if section.narrow is None:
        return section
    lines = _table(for_people(section.columns, section.rows), sys.maxsize)
    return section if all(width(line.text) <= columns - 2 for line in lines) else section.narrow


def _section(section: Section, columns: int) -> Iterator[Line]:
    """Yield a heading with its figure, its table and its bullet points."""
    yield Line(sanitize(section.heading), "heading")
    yield from (Line(f"  {line}") for line in section.figure)
    if section.rows:
        for line in _table(for_people(section.columns, section.rows), columns - 2):
            yield Line(f"  {line.text}", line.role)
    for point in section.points:
        first, *more = fold(sanitize(point), min(columns, PAGE) - 4)
        yield Line(f"  - {first}")
        yield from (Line(f"    {line}") for line in more)


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def fold(text: str, columns: int) -> list[str]:
    """Return the text in lines of at most `columns` columns (2 or more), broken between words if possible.

    A longer word is broken after the last hyphen or slash that fits, or else anywhere.
    """
    lines, rest = [], text
    while width(rest) > columns:
        most = _fitting(rest, columns)
        blank = rest.rfind(" ", 1, most + 1)
        after_joint = 1 + max(rest.rfind(sign, 1, most) for sign in "-/")
        cut = blank if blank > 0 else after_joint or most
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*lines, rest]


def _fitting(text: str, columns: int) -> int:
    """Return how many characters from the start fit into `columns` columns."""
    taken = 0
    for index, char in enumerate(text):
        taken += _char_width(char)
        if taken > columns:
            return index
    return len(text)


def _table(shown: Grid, room: int) -> Iterator[Line]:
    """Yield the headings and a line for each row, or several where cells are folded."""
    columns, rows = shown
    headings = [sanitize(column.heading) for column in columns]
    table = [[sanitize(cell_text(*cell)) for cell in zip(columns, row, strict=True)] for row in rows]
    widths, gaps = _widths(columns, headings, table, room)
    for line in _row_lines(columns, headings, widths, gaps):
        yield Line(line, "heading")
    for cells in table:
        for line in _row_lines(columns, cells, widths, gaps):
            yield Line(line)


def _widths(
    columns: tuple[Column, ...], headings: list[str], table: list[list[str]], room: int
) -> tuple[list[int], list[int]]:
    """Return the width of each column and the gap before it; excess width is taken from the widest that can shrink."""
    by_column = list(zip(*table, strict=True))
    widths = [max(map(width, (heading, *cells))) for heading, cells in zip(headings, by_column, strict=True)]
    least = [_least(*column) for column in zip(columns, headings, by_column, strict=True)]
    gaps = _gaps(columns, sum(widths), sum(least), room)
    shrinkable = [index for index, column_width in enumerate(widths) if column_width > least[index]]
    while shrinkable and sum(widths) + sum(gaps) > room:
        widest = max(shrinkable, key=widths.__getitem__)
        widths[widest] -= 1
        if widths[widest] == least[widest]:
            shrinkable.remove(widest)
    return widths, gaps


def _gaps(columns: tuple[Column, ...], full_width: int, least_width: int, room: int) -> list[int]:
    """Return the gap before each column: two blanks, or one if space is short.

    The gap before a mark, a column without a heading, is narrowed before any text is folded.
    """
    gaps = len(columns) - 1
    gap = 2 if least_width + 2 * gaps <= room else 1
    before_mark = gap if full_width + gap * gaps <= room else 1
    return [0, *(gap if column.heading else before_mark for column in columns[1:])]


def _least(column: Column, heading: str, cells: tuple[str, ...]) -> int:
    """Return the least width of a column: its longest unbroken word or its longest number."""
    folded = (heading,) if column.align == "right" else (heading, *cells)
    whole = cells if column.align == "right" else ()
    words = max((width(word) for text in folded for word in text.split()), default=0)
    return max(min(words, MIN_WORD), *map(width, whole), 0)


def _row_lines(columns: tuple[Column, ...], cells: list[str], widths: list[int], gaps: list[int]) -> list[str]:
    folded = [fold(cell, column_width) for cell, column_width in zip(cells, widths, strict=True)]
    height = max(map(len, folded))
    padded = [[*lines, *[""] * (height - len(lines))] for lines in folded]
    return [_line(columns, list(line), widths, gaps) for line in zip(*padded, strict=True)]


def _line(columns: tuple[Column, ...], cells: list[str], widths: list[int], gaps: list[int]) -> str:
    padded: list[str] = []
    for column, cell, column_width, gap in zip(columns, cells, widths, gaps, strict=True):
        blanks = " " * (column_width - width(cell))
        padded.append(" " * gap + (blanks + cell if column.align == "right" else cell + blanks))
    return "".join(padded).rstrip()
