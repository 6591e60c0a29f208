"""Plots of a rating game by game: in plain characters, and as SVG for web pages."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.sanitize import sanitize

PLOT_LINES: Final = 13
"""The height of a text plot, in lines."""
MAX_COLUMNS: Final = 66
"""The greatest width of a text plot without its scale, in characters."""
_SCALE_COLUMNS: Final = 10
"""The width of the scale beside a text plot."""
_LINES_PER_LABEL: Final = 3
"""Every third line is labelled."""
_MAX_GAP: Final = 6
"""The most columns between two games."""

_SIZE: Final = (640.0, 320.0)
_LEFT, _TOP, _RIGHT, _BOTTOM = 48.0, 44.0, 16.0, 36.0
_CLASSES: Final = {"start": "", "end": ' class="end"'}
_HEADING, _LEGEND = 30.0, 14.0
"""The heights of the heading and of the legend in a file."""
_MAX_DOTS: Final = 60

Skills = Sequence[tuple[float, float]]
"""mu and sigma after each game, one or more."""


def figure(skills: Skills, width: int) -> tuple[str, ...]:
    """Return a plot of mu as `o` and mu − 3 sigma as `*`, game by game, in at most `width` columns (at least 20).

    Of several games in one column the last is shown.
    """
    low, high = _range(value for mu, sigma in skills for value in (mu, mu - 3 * sigma))
    columns = max(_SCALE_COLUMNS, min(MAX_COLUMNS, width - _SCALE_COLUMNS))
    gap = min(_MAX_GAP, (columns - 1) / max(1, len(skills) - 1))
    lines = [[" "] * (1 + round(gap * (len(skills) - 1))) for _line in range(PLOT_LINES)]
    for number, (mu, sigma) in enumerate(skills):
        column = round(gap * number)
        for line in lines:
            line[column] = " "
        for mark, value in (("o", mu), ("*", mu - 3 * sigma)):
            lines[round((high - value) / (high - low) * (PLOT_LINES - 1))][column] = mark
    return (*_scaled(lines, low, high), *_foot(len(skills), len(lines[0])))


def _scaled(lines: Sequence[Sequence[str]], low: float, high: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        value = high - number * (high - low) / (PLOT_LINES - 1)
        label = f"{Number(value):8.1f}" if number % _LINES_PER_LABEL == 0 else " " * 8
        yield f"{label} |{''.join(line)}".rstrip()


def _foot(games: int, width: int) -> Iterator[str]:
    """Yield the axis, and under it the first and the last game."""
    yield " " * 9 + "+" + "-" * width
    yield " " * 10 + "1" + (str(games).rjust(max(width - 1, 1 + len(str(games)))) if games > 1 else "")


def _range(values: Iterator[float]) -> tuple[float, float]:
    """Return the least and the greatest value, widened to one rating point if they are closer."""
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    return (low, high) if high - low >= 1.0 else (low - 0.5, high + 0.5)


def svg(title: str, skills: Skills) -> str:
    """Return the plot as an SVG file: mu as a line with two sigmas around it, and mu − 3 sigma as a dashed line."""
    (width, height), drawn = _SIZE, _Drawn(skills)
    escaped_title = escape(_valid(title))
    dots = [
        f'<path d="{_dots(points)}" stroke="{colour}" stroke-width="6" stroke-linecap="round"/>'
        for points, colour in ((drawn.mus, "#1f4e79"), (drawn.scores, "#b03a2e"))
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escaped_title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        f'<text x="{_LEFT:g}" y="20" font-size="15">{escaped_title}</text>',
        f'<path d="{drawn.grid}" stroke="#ccc"/>',
        *(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>' for x, y, anchor, text in drawn.labels),
        f'<polygon points="{" ".join(drawn.band)}" fill="#888" fill-opacity="0.25"/>',
        f'<polyline points="{" ".join(drawn.mus)}" fill="none" stroke="#1f4e79" stroke-width="2"/>',
        f'<polyline points="{" ".join(drawn.scores)}" fill="none" stroke="#b03a2e" stroke-width="2"'
        ' stroke-dasharray="6 4"/>',
        *(dots if drawn.has_dots else ()),
        f'<text x="{_LEFT:g}" y="{height - 4:g}" font-size="11" fill="#444">{escape(legend())}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def inline_svg(title: str, skills: Skills, *, scores: bool = True) -> str:
    """Return the plot of `svg` in whole units for a web page, which has the heading, the legend and the colours."""
    (width, height), drawn = _SIZE, _Drawn(skills, decimals=0)
    curves = (("mu", drawn.mus), *([("score", drawn.scores)] if scores else []))
    parts = [
        f'<svg viewBox="0 {_HEADING:g} {width:g} {height - _HEADING - _LEGEND:g}" role="img" class="plot">',
        f"<title>{escape(_valid(title))}</title>",
        f'<path d="{drawn.grid}"/>',
        *(f'<text x="{x}" y="{y}"{_CLASSES[anchor]}>{text}</text>' for x, y, anchor, text in drawn.labels),
        f'<path class="band" d="{_relative(drawn.band)}z"/>',
        *(f'<path class="{name}" d="{_relative(points)}"/>' for name, points in curves),
        *([f'<path class="mu dots" d="M{drawn.mus[0]}h0"/>'] if len(skills) == 1 else []),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Drawn:
    """A plot as texts of SVG: its curves with points `x,y`, the lines of its grid, and its labels.

    A label has its place, whether this is its start or its end, and its text.
    """

    def __init__(self, skills: Skills, decimals: int = 1) -> None:
        self._decimals = decimals
        self._low, self._high = _range(value for mu, sigma in skills for value in (mu + 2 * sigma, mu - 3 * sigma))
        self._across = (_SIZE[0] - _LEFT - _RIGHT) / max(1, len(skills) - 1)
        games = list(enumerate(skills))
        self.mus = self._points((number, mu) for number, (mu, _sigma) in games)
        self.scores = self._points((number, mu - 3 * sigma) for number, (mu, sigma) in games)
        self.band = self._points((number, mu + 2 * sigma) for number, (mu, sigma) in games)
        self.band += self._points((number, mu - 2 * sigma) for number, (mu, sigma) in reversed(games))
        step = _round_step((self._high - self._low) / 6)
        lines = [number * step for number in range(ceil(self._low / step), floor(self._high / step) + 1)]
        self.grid = "".join(f"M{_LEFT:g} {self._text(self._y(value))}H{_SIZE[0] - _RIGHT:g}" for value in lines)
        self.labels = [
            (f"{_LEFT - 6:g}", self._text(self._y(value) + 4), "end", f"{Number(value):g}") for value in lines
        ]
        for number, anchor in ((1, "start"), (len(skills), "end"))[: 1 + (len(skills) > 1)]:
            label = escape(_("game {number}").format(number=number))
            self.labels.append((self._text(self._x(number - 1)), f"{_SIZE[1] - _BOTTOM + 16:g}", anchor, label))
        self.has_dots = len(skills) <= _MAX_DOTS

    def _points(self, values: Iterable[tuple[int, float]]) -> list[str]:
        return [f"{self._text(self._x(number))},{self._text(self._y(value))}" for number, value in values]

    def _text(self, length: float) -> str:
        """Return a length without a zero behind the point."""
        return f"{length:.{self._decimals}f}".removesuffix(".0")

    def _x(self, number: int) -> float:
        return _LEFT + number * self._across

    def _y(self, value: float) -> float:
        return _TOP + (self._high - value) / (self._high - self._low) * (_SIZE[1] - _TOP - _BOTTOM)


def _round_step(least: float) -> float:
    """Return the least of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least)


def _dots(points: Sequence[str]) -> str:
    """Return a path with a dot at each point: lines without a length, whose ends are round."""
    return "".join(f"M{point}h0" for point in points)


def _relative(points: Sequence[str]) -> str:
    """Return a path from point to point by whole steps."""
    places = [tuple(map(int, point.split(","))) for point in points]
    steps = " ".join(f"{x - left} {y - top}" for (left, top), (x, y) in pairwise(places)).replace(" -", "-")
    return f"M{points[0]}{'l' if steps else ''}{steps}"


def legend(*, scores: bool = True) -> str:
    """Return what the lines of a plot mean."""
    return _("Line: rating, with twice its ±; dashed: score.") if scores else _("Line: rating, with twice its ±.")


def _valid(text: str) -> str:
    """Return the text for XML: characters that are not seen are spelled out, non-characters left out."""
    return "".join(char for char in sanitize(text) if char not in "\ufffe\uffff")
