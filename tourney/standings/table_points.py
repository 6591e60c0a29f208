"""Table points: what each place at a table gives, in a list for each number of players.

Lists are typed `7-5-3-1/7-4-1`: places from the first to the last, one list for each table size. Lists with negative
points have blanks between them: `15 5 -5 -15`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from tourney.text.i18n import _

SIZES: Final = range(2, 9)
"""The table sizes that may have a list."""
MOST_POINTS: Final = 10_000
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,5}(?:[.,][0-9]{1,4})?", re.ASCII)

PRESETS: Final[Mapping[str, str]] = {
    "ifpa": "7-5-3-1/7-4-1",
    "papa": "4-2-1-0/4-2-1",
    "pinburgh": "3-2-1-0/3-1.5-0",
    "bonus": "5-3-2-1/5-3-1",
    "winner only": "1-0-0-0/1-0-0",
    "first two": "1-1-0-0/1-0-0",
    "marburg": "7-4-2-0/7-3-0",
    "bapa": "8-6-4-2/8-5-2",
    "nepl": "10-6-4-2/10-5-2",
    "dc": "4-3-2-1/4-2.5-1",
}
"""Lists for tables of four and of three by the names that Match Play gives them (docs.matchplay.events, scoring)."""


@dataclass(frozen=True, slots=True)
class TablePoints:
    """The points of the places at tables of each size."""

    lists: Mapping[int, tuple[Fraction, ...]]

    def at(self, size: int) -> tuple[Fraction, ...]:
        """Return the points of the places at a table of `size` players.

        A size without a list has one derived from the longest list: the first and the last place give what they give
        there, and the places between them lie on the straight lines between its places. From 7-5-3-1 follows 7-4-1.
        """
        if size in self.lists:
            return self.lists[size]
        longest = self.lists[max(self.lists)]
        return tuple(_between(longest, Fraction(place * (len(longest) - 1), max(1, size - 1))) for place in range(size))

    def text(self) -> str:
        """Return the lists as they are typed, the longest first."""
        return "/".join(list_text(self.lists[size]) for size in sorted(self.lists, reverse=True))


def read_table_points(typed: str) -> TablePoints:
    """Return the lists of a text, or of the preset that it names.

    Raises ValueError with a sentence that says what is wrong.
    """
    text = PRESETS.get(" ".join(typed.split()).lower(), typed)
    lists: dict[int, tuple[Fraction, ...]] = {}
    for part in text.split("/"):
        points = read_list(part)
        if len(points) not in SIZES:
            raise ValueError(_("“{part}” is not a list for a table of 2 to 8 players").format(part=part.strip()[:40]))
        if len(points) in lists:
            raise ValueError(_("there are two lists for a table of {size}").format(size=len(points)))
        lists[len(points)] = points
    return TablePoints(lists)


def read_list(part: str) -> tuple[Fraction, ...]:
    """Return the points of the places in a list. Raises ValueError with a sentence that says what is wrong."""
    points = tuple(_number(word) for word in _words(part))
    if any(better < worse for better, worse in pairwise(points)):
        raise ValueError(_("in “{part}” a worse place gives more").format(part=part.strip()[:40]))
    if points[0] == points[-1] and len(points) > 1:
        raise ValueError(_("in “{part}” all places give the same").format(part=part.strip()[:40]))
    return points


def _words(part: str) -> Iterable[str]:
    """Return the numbers of a list as text: between blanks if it has any, otherwise between hyphens."""
    words = part.split()
    return words if len(words) > 1 else part.strip().split("-")


def _number(word: str) -> Fraction:
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(_("“{word}” is not a number of points").format(word=word[:20]))
    points = Fraction(word.replace(",", "."))
    if abs(points) > MOST_POINTS:
        raise ValueError(_("{points} points are too many for a place").format(points=word))
    return points


def _between(points: tuple[Fraction, ...], place: Fraction) -> Fraction:
    """Return the points at a place between two places of a list, which count from 0."""
    before = int(place)
    after = min(before + 1, len(points) - 1)
    return points[before] + (place - before) * (points[after] - points[before])


def list_text(points: tuple[Fraction, ...]) -> str:
    """Return a list as it is typed."""
    return (" " if points[-1] < 0 else "-").join(_shown(each) for each in points)


def _shown(points: Fraction) -> str:
    """Return points without zeros at the end: `7`, `1.5`."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.4f}".rstrip("0")
