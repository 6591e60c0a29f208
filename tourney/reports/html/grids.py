"""Tables as HTML shows them: texts of cells, alignment, and how much room they take on paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, Literal

from tourney.reports.render.report import Cell, Field, cell_text

NARROW: Final = 50
"""The characters of a table that need not be as wide as the page: its columns stay side by side."""
USUAL: Final = 88
"""The characters of a line on an upright page, in the usual type."""
PORTRAIT: Final = 100
"""The characters of a line on an upright page, in smaller type; wider tables get a page on its side."""
LANDSCAPE: Final = 146
"""The characters of a line on a page on its side; wider tables get the smallest type."""
_WRAPPED: Final = 34
"""The most characters that a cell counts for, since longer texts are wrapped between words."""
_GAP: Final = 3
"""The characters that the space between two columns takes."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a table: texts of its cells, and whether it matters less."""

    cells: tuple[str, ...]
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class GridView:
    """A table: its columns, the index of the column that names each row, its rows, and its width in characters."""

    columns: tuple[Field[Any], ...]
    names: int
    rows: tuple[GridRow, ...]
    room: int

    @property
    def type(self) -> Literal["narrow", "", "tight", "dense"]:
        """Return how the table is set: as narrow as its texts, as wide as the page, or also in smaller type."""
        if self.room <= NARROW:
            return "narrow"
        return "" if self.room <= USUAL else "tight" if self.room <= LANDSCAPE else "dense"


def grid_view(columns: Sequence[Field[Any]], rows: Sequence[tuple[Cell, ...]], dimmed: Sequence[bool] = ()) -> GridView:
    """Return a table as a template shows it."""
    marks = dimmed or [False] * len(rows)
    shown = tuple(
        GridRow(tuple(map(cell_text, columns, row)), is_dimmed) for row, is_dimmed in zip(rows, marks, strict=True)
    )
    return GridView(tuple(columns), _names(columns), shown, _room(columns, shown))


def _names(columns: Sequence[Field[Any]]) -> int:
    """Return the index of the column that names a row: that of the player, or else the first."""
    keys = [column.key for column in columns]
    return next((keys.index(key) for key in ("player", "name") if key in keys), 0)


def _room(columns: Sequence[Field[Any]], rows: Sequence[GridRow]) -> int:
    widths = (_width(column, [row.cells[at] for row in rows]) for at, column in enumerate(columns))
    return sum(width + _GAP for width in widths)


def _width(column: Field[Any], texts: Sequence[str]) -> int:
    """Return the characters of a column; one text in ten may be longer, and is wrapped between words."""
    longest_word = max(map(len, column.heading.split()), default=0)
    lengths = sorted(map(len, texts))
    if column.align == "right" or not lengths:
        return max(longest_word, min(_WRAPPED, max(lengths, default=0)))
    longest_word = max([longest_word, *(len(word) for text in texts for word in text.split())])
    usual = lengths[ceil(0.9 * (len(lengths) - 1))]
    return max(min(longest_word, _WRAPPED), min(_WRAPPED, usual))
