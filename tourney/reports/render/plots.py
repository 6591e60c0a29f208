"""Plots of a rating game by game: in plain characters, and as SVG for web pages."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Final
from xml.sax.saxutils import escape

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
    width, height = _SIZE
    scale = _Scale(skills)
    escaped_title = escape(_valid(title))
    band = [(number, mu + 2 * sigma) for number, (mu, sigma) in enumerate(skills)]
    band += [(number, mu - 2 * sigma) for number, (mu, sigma) in reversed(list(enumerate(skills)))]
    mus = scale.points((number, mu) for number, (mu, _sigma) in enumerate(skills))
    scores = scale.points((number, mu - 3 * sigma) for number, (mu, sigma) in enumerate(skills))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escaped_title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        f'<text x="{_LEFT:g}" y="20" font-size="15">{escaped_title}</text>',
        *scale.grid(len(skills)),
        f'<polygon points="{" ".join(scale.points(band))}" fill="#888" fill-opacity="0.25"/>',
        f'<polyline points="{" ".join(mus)}" fill="none" stroke="#1f4e79" stroke-width="2"/>',
        f'<polyline points="{" ".join(scores)}" fill="none" stroke="#b03a2e" stroke-width="2" stroke-dasharray="6 4"/>',
        *(_dots(mus, "#1f4e79") + _dots(scores, "#b03a2e") if len(skills) <= _MAX_DOTS else ()),
        _legend(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Scale:
    """Converts games (from 0) and ratings to points of the page."""

    def __init__(self, skills: Skills) -> None:
        ends = (value for mu, sigma in skills for value in (mu + 2 * sigma, mu - 3 * sigma))
        self._low, self._high = _range(ends)
        self._across = (_SIZE[0] - _LEFT - _RIGHT) / max(1, len(skills) - 1)

    def points(self, values: "Iterator[tuple[int, float]] | Sequence[tuple[int, float]]") -> list[str]:
        """Return the points as texts `x,y`."""
        return [f"{self._x(number):.1f},{self._y(value):.1f}" for number, value in values]

    def grid(self, games: int) -> Iterator[str]:
        """Yield lines at round ratings with their values, and the labels of the first and the last game."""
        step = _round_step((self._high - self._low) / 6)
        for number in range(ceil(self._low / step), floor(self._high / step) + 1):
            y = self._y(number * step)
            yield f'<path d="M{_LEFT:g} {y:.1f}H{_SIZE[0] - _RIGHT:g}" stroke="#ccc"/>'
            yield f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{Number(number * step):g}</text>'
        for number, anchor in ((1, "start"), (games, "end"))[: 1 + (games > 1)]:
            x, y = self._x(number - 1), _SIZE[1] - _BOTTOM + 16
            label = escape(_("game {number}").format(number=number))
            yield f'<text x="{x:.1f}" y="{y:g}" text-anchor="{anchor}">{label}</text>'

    def _x(self, number: int) -> float:
        return _LEFT + number * self._across

    def _y(self, value: float) -> float:
        return _TOP + (self._high - value) / (self._high - self._low) * (_SIZE[1] - _TOP - _BOTTOM)


def _round_step(least: float) -> float:
    """Return the least of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least)


def _dots(points: Sequence[str], colour: str) -> tuple[str, ...]:
    pairs = (point.split(",") for point in points)
    return tuple(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in pairs)


def _legend() -> str:
    label = escape(_("line: mu, with two sigmas around it; dashed: score, mu − 3 sigma"))
    return f'<text x="{_LEFT:g}" y="{_SIZE[1] - 4:g}" font-size="11" fill="#444">{label}</text>'


def _valid(text: str) -> str:
    """Return the text for XML: control characters spelled out, surrogates and non-characters left out."""
    return "".join(char for char in sanitize(text) if not ("\ud800" <= char <= "\udfff" or char in "\ufffe\uffff"))
