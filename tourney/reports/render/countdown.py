"""Draw a countdown on a whole screen, from a small terminal to a projector, by Rich."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TextIO

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tourney.reports.render.layout import wrapped
from tourney.reports.render.theme import THEME
from tourney.text.sanitize import sanitize

Urgency = Literal["none", "running", "warning", "last", "expired"]

BESIDE: Final = 100
"""The columns from which the tables stand beside the time; on a narrower screen they stand below it."""
_PIXELS: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": ("  #", "  #", "  #", "  #", "  #"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
}
_ROWS: Final = 5
_GAP: Final = 1
"""The lines between the parts of a screen."""


class TableLine(NamedTuple):
    """A table's number, and a line that says who sits there."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Countdown:
    """A clock and the tables beside it, in words; `time` is as on a digital clock, "" if none runs."""

    title: str
    time: str
    urgency: Urgency
    words: str
    heading: str
    tables: tuple[TableLine, ...]
    note: str


class Screen(NamedTuple):
    """The size of a screen in characters, and the character of which large digits are made."""

    width: int
    height: int
    block: str = "█"


def screen_console(stream: TextIO | None) -> Console:
    """Return a console for whole screens, which shows texts as they are."""
    return Console(file=stream, theme=THEME, highlight=False, emoji=False, markup=False)


def drawn(countdown: Countdown, screen: Screen) -> RenderableType:
    """Return the countdown as it fills the screen; its note is the last line."""
    body = screen._replace(height=screen.height - 1)
    content = _beside(countdown, body) if screen.width >= BESIDE else _columns((screen.width, _below(countdown, body)))
    return Group(Align(content, height=body.height, vertical="middle"), _line(countdown.note, "dimmed"))


def _beside(countdown: Countdown, screen: Screen) -> RenderableType:
    """Return the time and the tables beside each other, in three and two fifths of the width."""
    left = screen._replace(width=screen.width * 3 // 5)
    right = screen._replace(width=screen.width - left.width)
    tables = _tables(countdown, right)
    if not tables:
        return _columns((screen.width, _clock(countdown, screen)))
    return _columns((left.width, _clock(countdown, left)), (right.width, Group(*tables)))


def _columns(*columns: tuple[int, RenderableType]) -> RenderableType:
    """Return columns of these widths."""
    grid = Table.grid()
    for width, _content in columns:
        grid.add_column(width=width, vertical="middle")
    grid.add_row(*(content for _width, content in columns))
    return grid


def _below(countdown: Countdown, screen: Screen) -> RenderableType:
    """Return the tables below the time, which leaves them up to a third of the height; none on a very low screen."""
    room = screen.height // 3
    tables = _tables(countdown, screen._replace(height=room)) if room > 1 else []
    clock = _clock(countdown, screen._replace(height=screen.height - len(tables) - _GAP))
    return Group(clock, Text(""), Align.center(Group(*tables))) if tables else clock


def _clock(countdown: Countdown, screen: Screen) -> RenderableType:
    """Return the title, the time in digits as large as fit, and the words about it."""
    style = f"clock.{countdown.urgency}"
    loud = f"{style} reverse" if countdown.urgency in ("last", "expired") else style
    title, words = wrapped(countdown.title, screen.width), wrapped(countdown.words, screen.width)
    room = screen.height - len(title) - len(words) - 2 * _GAP
    digits = large(countdown.time, screen._replace(height=room)) if countdown.time else ("",)
    return Group(_centred(title, "title"), Text(""), _block(digits, style), Text(""), _centred(words, loud))


def _centred(lines: Sequence[str], style: str) -> RenderableType:
    return Align.center(Text("\n".join(map(sanitize, lines)), style, justify="center"))


def _block(lines: Sequence[str], style: str) -> RenderableType:
    """Return lines that belong together, which are centred as one."""
    return Align.center(Text("\n".join(lines), style, no_wrap=True))


def large(time: str, screen: Screen) -> tuple[str, ...]:
    """Return the lines of a time in the largest digits that fit; in plain ones where not even the smallest do."""
    pixels = [" ".join(_PIXELS[sign][row] for sign in time) for row in range(_ROWS)]
    columns = len(pixels[0])
    # A character is about twice as high as it is wide.
    tall = min(screen.height // _ROWS, screen.width // (2 * columns))
    wide = 2 * tall
    if tall < 1:
        tall = wide = 1
        if screen.height < _ROWS or screen.width < columns:
            return (time,)
    rows = ["".join((screen.block if pixel == "#" else " ") * wide for pixel in line) for line in pixels]
    return tuple(row for row in rows for _repeat in range(tall))


def _tables(countdown: Countdown, screen: Screen) -> list[Text]:
    """Return the heading and a line for each table, or only the numbers of the tables if these are too many."""
    if not countdown.heading:
        return []
    room = screen.height - 1
    lines = [table.text for table in countdown.tables]
    if len(lines) > room:
        lines = _numbers([table.number for table in countdown.tables], screen.width, room)
    return [_line(countdown.heading, "heading"), *map(_line, lines)]


def _numbers(tables: Sequence[int], width: int, room: int) -> list[str]:
    """Return the numbers of tables in at most `room` lines; the last one ends in … if there are more."""
    lines = wrapped(", ".join(map(str, tables)), width - 2)
    return lines if len(lines) <= room else [*lines[: room - 1], f"{lines[room - 1].rstrip(', ')} …"]


def _line(text: str, style: str = "") -> Text:
    return Text(sanitize(text), style, no_wrap=True, overflow="ellipsis")
