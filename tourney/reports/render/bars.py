"""Figures that fit a cell of a table: sparklines, bars and intervals."""

from collections.abc import Sequence
from typing import Final

_BARS: Final = "▁▂▃▄▅▆▇"
_EIGHTHS: Final = "▏▎▍▌▋▊▉█"


def sparkline(values: Sequence[float | None], low: float, high: float) -> str:
    """Return one block character for each value, taller for greater values; a blank for None."""
    steps = (len(_BARS) - 1) / (high - low or 1.0)
    return "".join(" " if value is None else _BARS[round((value - low) * steps)] for value in values).rstrip()


def bar(share: float, width: int = 10) -> str:
    """Return a bar for a share from 0 to 1, in eighths of a character."""
    whole, eighths = divmod(round(8 * width * share), 8)
    return "█" * whole + (_EIGHTHS[eighths - 1] if eighths else "")


def interval(ends: tuple[float, float], scale: tuple[float, float], width: int = 15) -> str:
    """Return an interval with its middle, on a scale from its first to its last character: `   ──●──`."""
    low, high = scale
    step = (width - 1) / (high - low or 1.0)
    first, last = (round((min(max(end, low), high) - low) * step) for end in ends)
    middle = (first + last) // 2
    line = "─" * (last - first + 1)
    return " " * first + line[: middle - first] + "●" + line[middle - first + 1 :]
