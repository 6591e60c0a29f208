"""Figures that fit a cell of a table: sparklines, bars and intervals."""

from collections.abc import Sequence
from typing import Final

_MIDDLE: Final = "●"
LEAST: Final = 6
"""The least width to which an interval is drawn again in a narrow table."""
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
    return " " * first + line[: middle - first] + _MIDDLE + line[middle - first + 1 :]


def is_interval(text: str) -> bool:
    """Return whether a cell is an interval."""
    return _MIDDLE in text


def narrowed(text: str, scale: int, width: int) -> str:
    """Return an interval, drawn on a scale of so many characters, on one of `width`; other texts as they are."""
    if not is_interval(text):
        return text
    ends = (len(text) - len(text.lstrip()), text.index(_MIDDLE), len(text) - 1)
    first, middle, last = (round(end * (width - 1) / max(1, scale - 1)) for end in ends)
    return " " * first + "─" * (middle - first) + _MIDDLE + "─" * (last - middle)
