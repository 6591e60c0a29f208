"""A report as aligned text, the same on a terminal and in a pipe: nothing cut, nothing dropped, no lines drawn.

In a table wider than its page the longest texts and headings are folded, and numbers stay whole. A table that is still
too wide runs over the page rather than lose anything.
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
"""Words, of which a command between back-quotes is one."""

NARROWEST = 8
"""Words longer than this are broken where a table has no room for them."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page; a terminal may show title and headings in bold."""

    text: str
    role: Literal["title", "heading", "text"] = "text"


def plain_text(report: Report, columns: int = PAGE) -> str:
    """Return the page as one text, each line ended."""
    return "".join(f"{line.text}\n" for line in page(report, columns))


def page(report: Report, columns: int) -> Iterator[Line]:
    """Yield the title, the tables, then lines and notes, separated by empty lines and folded at that many columns.

    The title, which may be a command's whole output, is one line however long.
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
    """Return the line folded to a page; a command in it stays whole, so that it can be copied."""
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
    """Return the section, or its narrow form where its table would be folded."""
    if section.narrow is None:
        return section
    lines = _table(for_people(section.columns, section.rows), sys.maxsize)
    return section if all(width(line.text) <= columns - 2 for line in lines) else section.narrow


def _section(section: Section, columns: int) -> Iterator[Line]:
    """Yield a heading with its figure, its table and its points."""
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
    """Return the text in lines of at most that many columns (at least 2), broken between words where possible.

    A longer word is broken after the last hyphen or slash that fits, or else anywhere.
    """
    lines, left = [], text
    while width(left) > columns:
        most = _fitting(left, columns)
        blank = left.rfind(" ", 1, most + 1)
        joint = 1 + max(left.rfind(sign, 1, most) for sign in "-/")
        cut = blank if blank > 0 else joint or most
        lines.append(left[:cut].rstrip())
        left = left[cut:].lstrip()
    return [*lines, left]


def _fitting(text: str, columns: int) -> int:
    """Return how many characters from the start take no more than these columns."""
    taken = 0
    for place, char in enumerate(text):
        taken += _char_width(char)
        if taken > columns:
            return place
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
    """Return how wide each column is, and the gap before it; excess width is taken from the widest that can shrink."""
    down = list(zip(*table, strict=True))
    widths = [max(map(width, (heading, *cells))) for heading, cells in zip(headings, down, strict=True)]
    least = [_least(*column) for column in zip(columns, headings, down, strict=True)]
    gaps = _gaps(columns, sum(widths), sum(least), room)
    giving = [place for place, wide in enumerate(widths) if wide > least[place]]
    while giving and sum(widths) + sum(gaps) > room:
        widest = max(giving, key=widths.__getitem__)
        widths[widest] -= 1
        if widths[widest] == least[widest]:
            giving.remove(widest)
    return widths, gaps


def _gaps(columns: tuple[Column, ...], wide: int, least: int, room: int) -> list[int]:
    """Return the gap before each column: two blanks, or one where space is short.

    Marks, which have no heading, move one closer before any text is folded.
    """
    between = len(columns) - 1
    gap = 2 if least + 2 * between <= room else 1
    before_mark = gap if wide + gap * between <= room else 1
    return [0, *(gap if column.heading else before_mark for column in columns[1:])]


def _least(column: Column, heading: str, cells: tuple[str, ...]) -> int:
    """Return the least width of a column: its longest unbroken word or its longest number."""
    folded = (heading,) if column.align == "right" else (heading, *cells)
    whole = cells if column.align == "right" else ()
    words = max((width(word) for text in folded for word in text.split()), default=0)
    return max(min(words, NARROWEST), *map(width, whole), 0)


def _row_lines(columns: tuple[Column, ...], cells: list[str], widths: list[int], gaps: list[int]) -> list[str]:
    folded = [fold(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
    high = max(map(len, folded))
    padded = [[*lines, *[""] * (high - len(lines))] for lines in folded]
    return [_line(columns, list(line), widths, gaps) for line in zip(*padded, strict=True)]


def _line(columns: tuple[Column, ...], cells: list[str], widths: list[int], gaps: list[int]) -> str:
    padded: list[str] = []
    for column, cell, wide, gap in zip(columns, cells, widths, gaps, strict=True):
        rest = " " * (wide - width(cell))
        padded.append(" " * gap + (rest + cell if column.align == "right" else cell + rest))
    return "".join(padded).rstrip()
