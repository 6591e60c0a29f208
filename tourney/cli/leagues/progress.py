"""Show a league's progress on standard error: a bar and the order so far on a terminal, elsewhere a line a minute."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from tourney.cli.framework.output import note, terminal_width
from tourney.domain.league_tables import LeagueProgress
from tourney.reports.leagues.files import machines_line
from tourney.reports.leagues.table import test_line
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.sanitize import sanitize

if TYPE_CHECKING:
    from rich.console import RenderableType

Progress = Callable[[LeagueProgress], None]

LINE_SECONDS = 60.0
"""The seconds between two lines if there is no terminal, as in a log."""
BAR_COLUMNS = 24
"""The length of the bar, if there is room for it."""


@contextmanager
def league_progress() -> Iterator[Progress]:
    """Yield a function to call with the league's progress."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.live import Live

    live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)

    def report(now: LeagueProgress) -> None:
        # A terminal may have been closed; a signal may fall into the middle of another update.
        with suppress(OSError, RuntimeError):
            live.update(_display(now), refresh=True)

    with suppress(OSError):
        live.start()
    try:
        yield report
    finally:
        with suppress(OSError):
            live.stop()


def _lines() -> Progress:
    """Return a function that writes a line each LINE_SECONDS."""
    written = monotonic()

    def report(now: LeagueProgress) -> None:
        nonlocal written
        if now.phase == "playing" and monotonic() - written > LINE_SECONDS:
            written = monotonic()
            with suppress(OSError):
                note("; ".join(_lines_of(now)))

    return report


def _display(now: LeagueProgress) -> "RenderableType":
    """Return the bar with the numbers beside it and the order below, cut to the width of the terminal."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    first, *others = (Text(sanitize(text), no_wrap=True, overflow="ellipsis") for text in _lines_of(now))
    if terminal_width() < BAR_COLUMNS + len(first) + 2:
        return Group(first, *others)
    bar_and_text = Table.grid(padding=(0, 1))
    bar_and_text.add_row(ProgressBar(total=now.blocks, completed=now.done, width=BAR_COLUMNS), first)
    return Group(bar_and_text, *others)


def _lines_of(now: LeagueProgress) -> list[str]:
    ending = _("finishing; Ctrl-C stops at once") if now.phase == "ending" else ""
    workers = machines_line(now.machines) if now.machines else ""
    return [line for line in (_speed(now), _order(now), workers, ending) if line]


def _speed(now: LeagueProgress) -> str:
    """Return blocks done, time left, and games per second as text."""
    blocks = _("{done} of {blocks} blocks").format(done=now.done, blocks=now.blocks)
    if now.left is None:
        return blocks
    left = _("{time} left") if now.until == "played" else _("at most {time} left")
    left = left.format(time=_duration(round(now.left)))
    return _("{blocks}, {left}, {speed:.0f} games/s").format(blocks=blocks, left=left, speed=Number(now.speed))


def _duration(seconds: int) -> str:
    """Return a time as hours, minutes and seconds, `26:05:00`, which needs no words."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _order(now: LeagueProgress) -> str:
    """Return the order so far, best first, and its certainty as text; of a test, how far it is."""
    if now.test is not None:
        return test_line(now.test)
    if len(now.order) < 2:
        return ""
    # One or two blocks say nothing about the certainty.
    sure = _("so far") if now.certainty < 0.001 else _("{percent:.1f} % sure")
    sure = _(">99.9 % sure") if now.certainty > 0.999 else sure
    return _("{sure}: {order}").format(
        sure=sure.format(percent=Number(100 * now.certainty)), order=" > ".join(now.order)
    )
