"""The size of the type in which the sentences of a page of rules fill one sheet of paper, or two."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

ONE_SHEET: Final = (8.75, 11.0)
"""The least and the greatest type of rules on one sheet, in points."""
TWO_SHEETS: Final = (8.25, 12.5)
"""The least and the greatest type of rules on two sheets, in points."""
_STEP: Final = 0.25
_WIDTH: Final = 538.0
"""The width of an A4 sheet between its margins, in points."""
_POINTS: Final = 72 / 25.4
"""The points of a millimetre."""
_LETTER: Final = 0.475
"""The mean width of a letter, as a share of the type."""
_LINE, _BETWEEN, _HEADING, _AROUND = 1.25, 0.1, 1.8, 9.0
"""Heights in lines of type: a line, the space after a sentence, a heading; and the space after a section in points."""
_TOP, _ROW, _NOTE = 90.0, 18.5, 36.0
"""Heights in points: title, captions and headings of the tables; a row of a table; the note at the end."""
_FILLED: Final = 0.93
"""The share of a column that can be filled, since no sentence or heading is cut just anywhere."""


def rules_type(sections: Sequence[Sequence[str]], rows: Iterable[int], height: float) -> float:
    """Return the type in points for these sections of sentences, below tables with so many rows.

    `height` is that of a sheet between its margins, in millimetres. One sheet is filled if its type can be read, else
    two, so that no sheet is nearly empty.
    """
    sheet = height * _POINTS
    top = _TOP + _ROW * max(rows, default=0) + _NOTE
    for number, (least, greatest) in ((1, ONE_SHEET), (2, TWO_SHEETS)):
        size = greatest
        while size >= least:
            if _height(sections, size) <= 2 * (number * sheet - top) * _FILLED:
                return size
            size -= _STEP
    return TWO_SHEETS[0]


def _height(sections: Sequence[Sequence[str]], size: float) -> float:
    """Return the height of all sentences in one column, in points."""
    letters = ((_WIDTH - 2 * size) / 2 - 1.2 * size) / (_LETTER * size)
    lines = sum(ceil(len(sentence) / letters) * _LINE + _BETWEEN for section in sections for sentence in section)
    return (lines + _HEADING * len(sections)) * size + _AROUND * len(sections)
