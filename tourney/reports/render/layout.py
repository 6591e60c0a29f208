"""Fit tables and sentences into a page: the columns that are shown, their widths, and lines wrapped between words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tourney.reports.render.report import Column

MIN_TEXT = 16
"""The least width to which a text column is narrowed while other columns can still be hidden."""
LONG_WORD = 24
"""Words longer than this are broken before a column is hidden."""
MIN_WORD = 8
"""Words longer than this may be broken if the table has no room for them."""
GAP = 2
"""The blanks between two columns of a table."""

_WORDS = re.compile(r"(?:`[^`]*`|[^\s`]|`)+")
"""A word; a command between backquotes is one word."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table that are shown and their widths, and the columns that are hidden, by index."""

    shown: tuple[int, ...]
    widths: tuple[int, ...]
    hidden: tuple[int, ...] = ()


def fitted(columns: Sequence[Column], table: Sequence[Sequence[str]], room: int | None) -> Layout:
    """Return the layout of a table in `room` characters; without `room` every column is shown and nothing is wrapped.

    Columns are hidden, the least important first, until the others have room at their comfortable widths. Then texts
    and headings are wrapped, down to `MIN_TEXT` and to their longest words; then words longer than `LONG_WORD` are
    broken; only then do text columns become as narrow as their words or `MIN_WORD`. Numbers are never broken: a table
    may still be too wide.
    """
    sizes = [_Size.of(column, [row[index] for row in table]) for index, column in enumerate(columns)]
    if room is None:
        return Layout(tuple(range(len(columns))), tuple(size.natural for size in sizes))
    shown = _shown(columns, [size.comfortable for size in sizes], room)
    widths = [sizes[index].natural for index in shown]
    for floor in ("whole", "comfortable", "words", "least"):
        widths = _narrowed(widths, [getattr(sizes[index], floor) for index in shown], room)
    hidden = tuple(index for index in range(len(columns)) if index not in shown)
    return Layout(tuple(shown), tuple(widths), hidden)


@dataclass(frozen=True, slots=True)
class _Size:
    """Widths of a column: with nothing wrapped, wrapped without a broken word, comfortable, then narrower and narrower.

    A comfortable column of numbers has its heading wrapped, one of texts may have words longer than `LONG_WORD` broken.
    """

    natural: int
    whole: int
    comfortable: int
    words: int
    least: int

    @classmethod
    def of(cls, column: Column, cells: Sequence[str]) -> "_Size":
        natural = max(map(cell_len, (column.heading, *cells)))
        whole = column.align == "right"
        broken = (column.heading,) if whole else (column.heading, *cells)
        words = max((cell_len(word) for text in broken for word in text.split()), default=0)
        numbers = max(map(cell_len, cells), default=0) if whole else 0
        longest = max(words, numbers)
        text = min(natural, MIN_TEXT)
        comfortable = longest if whole else max(min(longest, LONG_WORD), text)
        return cls(natural, max(longest, comfortable), comfortable, longest, max(min(words, MIN_WORD), numbers))


def _shown(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int]:
    """Return the columns that fit into the room; those with the greatest `priority` number are hidden first.

    Of columns with the same number the rightmost is hidden first. Columns with 0 are never hidden, nor is the last that
    is left.
    """
    shown = list(range(len(columns)))
    optional = sorted((index for index in shown if columns[index].priority), key=lambda i: (columns[i].priority, i))
    while len(shown) > 1 and optional and _total([widths[index] for index in shown]) > room:
        shown.remove(optional.pop())
    return shown


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the widths after narrowing the widest columns until the table fits, none below its least width."""
    narrowed = list(widths)
    wide = [index for index, width in enumerate(narrowed) if width > least[index]]
    while wide and _total(narrowed) > room:
        widest = max(wide, key=narrowed.__getitem__)
        narrowed[widest] -= 1
        if narrowed[widest] == least[widest]:
            wide.remove(widest)
    return narrowed


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def wrapped(sentence: str, width: int) -> list[str]:
    """Return the sentence in lines of at most `width` characters; no word or command between backquotes is broken."""
    if cell_len(sentence) <= width:
        return [sentence]
    lines = [""]
    for word in _WORDS.findall(sentence):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and cell_len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
