"""Colours and styles of a terminal. Whatever a colour says, a word, a number or a sign says too."""

from collections.abc import Callable, Mapping
from typing import Final

from rich.box import Box
from rich.text import Text
from rich.theme import Theme

from tourney.reports.render.report import Cell, Look
from tourney.text.i18n import _, marked

THEME: Final = Theme(
    {
        # Colours of middle lightness can be read on dark and on light backgrounds.
        "title": "bold",
        "heading": "bold color(67)",
        "header": "color(67)",
        "rank.1": "bold color(136)",
        "rank.2": "bold color(245)",
        "rank.3": "bold color(130)",
        "up": "color(71)",
        "down": "color(167)",
        "bar": "color(67)",
        "warning": "color(136)",
        "bad": "bold color(167)",
        "dimmed": "dim",
        "command": "bold color(67)",
        "clause": "dim",
        "suit.red": "color(167)",
        "frame": "color(67)",
        "clock.running": "color(71)",
        "clock.warning": "bold color(136)",
        "clock.last": "bold color(167)",
        "clock.expired": "bold color(167)",
        "clock.none": "dim",
        "error": "bold color(167)",
        "hint": "bold color(67)",
    }
)

HEAD: Final = Box("    \n    \n ── \n    \n    \n    \n    \n    \n", ascii=True)
"""A box with no lines between columns and one under the headings (`-` where the encoding lacks `─`)."""

_COMMAND: Final = r"`[^`]+`"
_CLAUSE: Final = r"\[(?:00\d|[A-Z]-|5\.|ours)[^\]]*\]"
_RED: Final = r"(?:10|[2-9TJQKA])[♥♦]"


def _of_rank(cell: Cell) -> str:
    return f"rank.{cell}" if cell in (1, 2, 3) else ""


def _of_movement(cell: Cell) -> str:
    text = str(cell)
    return "up" if text.startswith(("↑", "+")) else "down" if text.startswith(("↓", "-")) else ""


def _of_state(cell: Cell) -> str:
    return next((style for word, style in _STATES.items() if _(word) == cell), "")


_STATES: Final = {marked("ok"): "up", marked("warning"): "warning", marked("bad"): "bad"}

_STYLES: Final[Mapping[Look, Callable[[Cell], str]]] = {
    "rank": _of_rank,
    "moved": _of_movement,
    "bar": lambda cell: "bar",
    "state": _of_state,
}


def cell_style(look: Look, cell: Cell) -> str:
    """Return the style of a cell by the look of its column."""
    return _STYLES[look](cell) if look in _STYLES else ""


def sentence(text: str, style: str = "") -> Text:
    """Return a sentence with its commands and clauses marked."""
    marked = Text(text, style)
    marked.highlight_regex(_COMMAND, "command")
    marked.highlight_regex(_CLAUSE, "clause")
    marked.highlight_regex(_RED, "suit.red")
    return marked
