"""Pictures of the first players of a ranking: their rank intervals as bars, and their scores over time as lines.

Nothing in them depends on colour: lines differ in their dashes and have the rank at their end, bars have a mark at the
rank. They are SVG for web pages, drawn for a width of 360 pixels, and grow with the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from html import escape
from math import inf
from typing import TYPE_CHECKING, Final

from tourney.domain.player_history import PlayerGame
from tourney.domain.rankings import RatingsTable
from tourney.reports.render.report import Pictures, Report
from tourney.text.dates import shown_dates
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.sanitize import sanitize

if TYPE_CHECKING:
    from tourney.service.ratings.player_history import Histories


Bar = tuple[int, str, int, int]
"""A player's rank and name, and the best and the worst rank of the interval."""
Curve = tuple[int, str, Sequence[tuple[float, float]]]
"""A player's rank and name, and the score after each game with its place in time, ascending; one or more."""

_WIDTH: Final = 360.0
_NAMES: Final = 130.0
"""The width of the names beside the bars."""
_ROW: Final = 18.0
_HEIGHT: Final = 260.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 34.0, 10.0, 26.0, 22.0
_LABEL: Final = 12.0
"""The least distance of two ranks beside the lines."""
_LONGEST_NAME: Final = 18
_DASHES: Final = ("", "7 3", "2 2", "9 3 2 3", "4 4", "12 3", "1 4", "9 2 2 2 2 2", "5 2", "3 6")
"""The dashes of the lines, in the order of the ranks."""


def interval_bars(title: str, bars: Sequence[Bar]) -> str:
    """Return the rank intervals as bars, the first player at the top, with a mark at each rank."""
    last = max([2, *(high for _rank, _name, _low, high in bars)])
    height = _ROW * (len(bars) + 1) + 6
    parts = [_opening(title, height)]
    for place, (rank, name, low, high) in enumerate(bars):
        top = 4 + place * _ROW
        left, right = _across(low - 0.5, last), _across(high + 0.5, last)
        parts += [
            f'<text x="{_NAMES - 8:g}" y="{top + 12:g}" class="end">{escape(_short(name))}</text>',
            f'<rect x="{left:.0f}" y="{top + 3:g}" width="{max(2.0, right - left):.0f}" height="11" class="bar"/>',
            f'<path d="M{_across(rank, last):.0f} {top:g}v16" class="mark"/>',
        ]
    for rank in sorted({1, (1 + last) // 2, last}):
        anchor = "end" if rank == last else "middle"
        x = min(_across(rank, last) + 6 * (rank == last), _WIDTH - 2)
        parts.append(f'<text x="{x:.0f}" y="{height - 5:g}" class="{anchor}">{rank}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def first_curves(title: str, curves: Sequence[Curve], ends: tuple[str, str]) -> str:
    """Return the scores of the first players as lines, with the ranks beside them; `ends` name the time axis.

    A thin line leads from the end of a player's line to the rank where they are not side by side.
    """
    points = [point for _rank, _name, curve in curves for point in curve]
    start, end = min(x for x, _y in points), max(x for x, _y in points)
    low, high = min(y for _x, y in points), max(y for _x, y in points)
    across = (_WIDTH - _LEFT - _RIGHT) / max(1e-9, end - start)
    up = (_HEIGHT - _TOP - _BOTTOM) / max(1.0, high - low)

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + (x - start) * across, _TOP + (high - y) * up

    parts = [_opening(title, _HEIGHT)]
    for value in (low, (low + high) / 2, high):
        y = place(start, value)[1]
        parts.append(f'<path d="M{_LEFT:g} {y:.0f}H{_WIDTH - _RIGHT:g}"/>')
        parts.append(f'<text x="{_LEFT - 4:g}" y="{y + 4:.0f}" class="end">{Number(value):.0f}</text>')
    for (_rank, _name, curve), dashes in zip(curves, _DASHES, strict=False):
        line = "L".join(f"{x:.0f} {y:.0f}" for x, y in (place(*point) for point in _thinned(curve)))
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<path d="M{line}" class="line"{dashed}/>')
    last = [place(*curve[-1]) for _rank, _name, curve in curves]
    for (rank, _name, _curve), (x, y), label in zip(curves, last, _spread([y for _x, y in last]), strict=True):
        if _WIDTH - _RIGHT - x > _LABEL or abs(label - y) > 1:
            parts.append(f'<path d="M{x:.0f} {y:.0f}L{_WIDTH - _RIGHT + 8:g} {label:.0f}" class="lead"/>')
        parts.append(f'<text x="{_WIDTH - _RIGHT + 10:g}" y="{label + 4:.0f}" class="rank">{rank}</text>')
    parts.append(f'<text x="{_LEFT:g}" y="{_HEIGHT - 6:g}">{escape(ends[0])}</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT:g}" y="{_HEIGHT - 6:g}" class="end">{escape(ends[1])}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def legend(curves: Sequence[Curve]) -> str:
    """Return what the bars and lines mean, with the names of the lines."""
    names = "; ".join(f"{rank} {name}" for rank, name, _curve in curves)
    text = _(
        "Bars: the ranks that a player may have, with 95 %, marked at the rank. Lines: the score over time; {names}."
    )
    return text.format(names=names)


def _opening(title: str, height: float) -> str:
    heading = escape(sanitize(title))
    return f'<svg viewBox="0 0 {_WIDTH:g} {height:g}" role="img" class="plot ranking"><title>{heading}</title>'


def _across(rank: float, last: int) -> float:
    return _NAMES + (rank - 0.5) / last * (_WIDTH - _NAMES - 6)


def _short(name: str) -> str:
    clean = sanitize(name)
    return clean if len(clean) <= _LONGEST_NAME else f"{clean[: _LONGEST_NAME - 1]}…"


def _thinned(curve: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield at most a point for each unit of the width, always the last."""
    step = max(1, len(curve) // int(_WIDTH - _LEFT - _RIGHT) + 1)
    yield from (point for number, point in enumerate(curve) if (len(curve) - 1 - number) % step == 0)


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights for labels in one column, each as near to its own as leaves the others their room."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = dict[int, float]()
    floor = -inf
    for at in order:
        placed[at] = floor = max(heights[at], floor + _LABEL)
    ceiling = _HEIGHT - _BOTTOM
    for at in reversed(order):
        placed[at] = min(placed[at], ceiling)
        ceiling = placed[at] - _LABEL
    return [placed[at] for at in range(len(heights))]


MOST_BARS: Final = 20
"""The most players whose intervals are drawn."""
MOST_CURVES: Final = 10
"""The most players whose scores are drawn."""


def with_pictures(report: Report, table: RatingsTable, histories: Histories) -> Report:
    """Return the report of a ranking with pictures of its first players; without them if nobody has a rank."""
    if not table.rows:
        return report
    pairs = list(zip(table.rows, table.intervals, strict=True))[:MOST_BARS]
    bars = interval_bars(_("Rank intervals"), [(row.rank, row.player, *interval) for row, interval in pairs])
    curves, ends = _curves(table, histories)
    lines = (first_curves(_("Scores of the first players"), curves, ends),) if curves else ()
    return replace(report, pictures=Pictures((bars, *lines), legend(curves)))


def _curves(table: RatingsTable, histories: Histories) -> tuple[list[Curve], tuple[str, str]]:
    """Return the scores of the first players over time, and what the ends of the time are called."""
    keys = [(row.rank, histories.shown.get(row.player)) for row in table.rows[:MOST_CURVES]]
    ranked = [(rank, histories[key]) for rank, key in keys if key is not None]
    days = sorted({game.day for _rank, each in ranked for game in each.games})
    # Games of one evening have no place on a line of days.
    dated = len(days) > 1 and all(days)
    # Of several games of one day the last counts.
    curves: list[Curve] = [
        (rank, each.player, [*{_when(game, dated): game.score for game in each.games}.items()]) for rank, each in ranked
    ]
    return curves, (shown_dates(days[0]), shown_dates(days[-1])) if dated else (_("first game"), _("last game"))


def _when(game: PlayerGame, dated: bool) -> float:
    """Return the place of a game in time: its day, or its round, or its number where files have no days."""
    return float(date.fromisoformat(game.day).toordinal() if dated else game.round or game.table)
