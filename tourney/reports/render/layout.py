"""Fit tables and sentences into a page: the columns that are shown, their widths, and lines wrapped between words."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rich.cells import cell_len

from tourney.reports.render.bars import LEAST, is_interval
from tourney.reports.render.report import Field

MIN_TEXT = 16
"""The least width to which a text column is narrowed while other columns can still be hidden."""
LONG_WORD = 24
"""Words longer than this are broken before a column is hidden."""
MIN_WORD = 8
"""Words longer than this may be broken if the table has no room for them."""
GAP = 2
"""The blanks between two columns of a table."""
TIGHT = 1
"""The blanks between two columns where a column would otherwise be hidden."""

_HEADING_WORD: Final = re.compile(r"\S+(?: [^\w\s]+)*")
"""A word with the signs after it, as in “95 %”: they stand on one line."""
_WORDS = re.compile(r"(?:`[^`]*`|[^\s`]|`)+")
"""A word; a command between backquotes is one word."""


Floor = Literal["whole", "comfortable", "compact", "words", "least"]
"""Widths to which a column may be narrowed, from the widest."""
_STEPS: Final[tuple[tuple[int, tuple[Floor, ...]], ...]] = (
    (GAP, ("whole", "comfortable")),
    (TIGHT, ("whole", "comfortable")),
    (TIGHT, ("whole", "comfortable", "compact")),
)
"""The blanks between columns, and how far columns are narrowed, before one is hidden."""
_LAST: Final[tuple[int, tuple[Floor, ...]]] = (GAP, ("whole", "comfortable", "words", "least"))
"""The narrowing of columns that are never hidden, where these have no room."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table that are shown, their widths and headings, and the columns that are hidden, by index.

    Columns without room that say the same in every row are `alike`: a line says it once, and nothing is hidden. Between
    two columns are `gap` blanks, and as many more as `pads` has for the first of them. A `compact` layout has shorter
    intervals.
    """

    shown: tuple[int, ...]
    widths: tuple[int, ...]
    headings: tuple[str, ...]
    hidden: tuple[int, ...] = ()
    alike: tuple[int, ...] = ()
    gap: int = GAP
    pads: tuple[int, ...] = ()
    compact: bool = False


def fitted(columns: Sequence[Field[Any]], table: Sequence[Sequence[str]], room: int | None) -> Layout:
    """Return the layout of a table in `room` characters; without `room` every column is shown and nothing is wrapped.

    Where the comfortable widths of the columns have no room, there is one blank between columns instead of two, and
    then intervals become shorter. If that does not suffice, columns are hidden,
    the least important first, and the others get the most comfortable layout for which they have room. Texts and
    headings are wrapped, down to `MIN_TEXT` and to their longest words; then words longer than `LONG_WORD` are broken.
    Where only columns are left that are never hidden, text columns become as narrow as their words or `MIN_WORD`.
    Numbers are never broken: a table may still be too wide.
    """
    sizes = [_Size.of(column, [row[index] for row in table]) for index, column in enumerate(columns)]
    every = list(range(len(columns)))
    if room is None:
        return _layout(columns, every, [size.natural for size in sizes], GAP)
    uniform = _uniform(table)
    shown = _shown(columns, sizes, uniform, room)
    gap, floors = next((step for step in _steps(columns, shown) if _needed(columns, sizes, shown, step) <= room), _LAST)
    widths = [sizes[index].natural for index in shown]
    for floor in floors:
        least = [getattr(sizes[index], floor) for index in shown]
        widths = _narrowed(widths, least, room - _blanks(columns, shown, gap))
    return _layout(columns, shown, widths, gap, uniform, compact="compact" in floors)


@dataclass(frozen=True, slots=True)
class _Size:
    """Widths of a column: with nothing wrapped, wrapped without a broken word, comfortable, then narrower and narrower.

    A comfortable column has its heading wrapped. One of texts may have words longer than `LONG_WORD` broken.
    """

    natural: int
    whole: int
    comfortable: int
    compact: int
    words: int
    least: int

    @classmethod
    def of(cls, column: Field[Any], cells: Sequence[str]) -> "_Size":
        numbers = column.align == "right"
        widest = max(map(cell_len, cells), default=0)
        heading = max(map(cell_len, _HEADING_WORD.findall(column.heading)), default=0)
        words = widest if numbers else max((cell_len(word) for text in cells for word in text.split()), default=0)
        text = max(words if numbers else min(words, LONG_WORD), min(widest, MIN_TEXT))
        comfortable = max(heading if numbers else min(heading, LONG_WORD), text)
        if column.look == "bar" and any(map(is_interval, cells)):
            text = min(text, LEAST)
        compact = max(heading, text)
        longest = max(heading, words)
        least = max(min(longest, MIN_WORD), widest if numbers else 0)
        natural = max(cell_len(column.heading), widest)
        return cls(natural, max(longest, comfortable), comfortable, min(compact, comfortable), longest, least)


def _uniform(table: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the columns that say the same in every row."""
    if len(table) < 2:
        return frozenset()
    return frozenset(index for index, first in enumerate(table[0]) if all(row[index] == first for row in table))


def _shown(columns: Sequence[Field[Any]], sizes: Sequence[_Size], uniform: Collection[int], room: int) -> list[int]:
    """Return the columns that fit into the room; those that say the same in every row are left out first.

    Then follow those with the greatest `priority` number. Of columns with the same number the rightmost goes first.
    Columns with 0 are never hidden, nor is the last that is left.
    """
    shown = list(range(len(columns)))
    optional = sorted(
        (index for index in shown if columns[index].priority),
        key=lambda i: (i in uniform, columns[i].priority, i),
    )
    while len(shown) > 1 and optional and _needed(columns, sizes, shown, _STEPS[-1]) > room:
        shown.remove(optional.pop())
    return shown


def _steps(columns: Sequence[Field[Any]], shown: Sequence[int]) -> Sequence[tuple[int, tuple[Floor, ...]]]:
    """Return the layouts to try: columns are only brought closer together so that none is hidden."""
    return _STEPS if any(columns[index].priority for index in shown) else _STEPS[:1]


def _needed(
    columns: Sequence[Field[Any]], sizes: Sequence[_Size], shown: Sequence[int], step: tuple[int, tuple[Floor, ...]]
) -> int:
    gap, floors = step
    widths: list[int] = [getattr(sizes[index], floors[-1]) for index in shown]
    return sum(widths) + _blanks(columns, shown, gap)


def _blanks(columns: Sequence[Field[Any]], shown: Sequence[int], gap: int) -> int:
    return gap * (len(shown) - 1) + sum(_pads(columns, shown, gap))


def _pads(columns: Sequence[Field[Any]], shown: Sequence[int], gap: int) -> list[int]:
    """Return the further blanks after each column: texts side by side are never only one blank apart."""
    followed = [*(columns[index].align == "left" for index in shown[1:]), False]
    return [
        GAP - gap if columns[index].align == "left" and text else 0 for index, text in zip(shown, followed, strict=True)
    ]


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the widths after narrowing the widest columns until they fit, none below its least width."""
    narrowed = list(widths)
    wide = [index for index, width in enumerate(narrowed) if width > least[index]]
    while wide and sum(narrowed) > room:
        widest = max(wide, key=narrowed.__getitem__)
        narrowed[widest] -= 1
        if narrowed[widest] == least[widest]:
            wide.remove(widest)
    return narrowed


def _layout(
    columns: Sequence[Field[Any]],
    shown: Sequence[int],
    widths: Sequence[int],
    gap: int,
    uniform: Collection[int] = (),
    *,
    compact: bool = False,
) -> Layout:
    headings = tuple(columns[index].heading for index in shown)
    left = [index for index in range(len(columns)) if index not in shown]
    hidden = tuple(index for index in left if index not in uniform)
    alike = tuple(index for index in left if index in uniform)
    pads = tuple(_pads(columns, shown, gap))
    return Layout(tuple(shown), tuple(widths), headings, hidden, alike, gap, pads, compact)


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
