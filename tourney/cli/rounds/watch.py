"""Show a round's clock on the whole terminal until Ctrl-C; the terminal's bell rings at the end."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from time import sleep
from typing import Self, TextIO

from rich.live import Live

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.schedule import Schedule
from tourney.reports.render.countdown import Countdown, Screen, drawn, screen_console
from tourney.reports.rounds.clock import countdown, expired
from tourney.service.rounds.clock import WatchedRound
from tourney.text.encoding import is_utf8
from tourney.text.i18n import _
from tourney.text.signals import deferred, interruptible

LOOK_SECONDS = 0.25
"""The seconds between two looks at the time, the database and the size of the terminal."""


@dataclass(frozen=True, slots=True)
class Time:
    """The time as the display takes it: what time it is, and how it waits."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
    wait: Callable[[float], None] = sleep


def require_terminal() -> None:
    """Raise TourneyError USAGE unless standard output is a terminal that can show a whole screen."""
    if sys.stdout is None or not sys.stdout.isatty() or screen_console(sys.stdout).is_dumb_terminal:
        message = _("--watch needs a terminal, whose screen it fills")
        hint = _("without --watch, `tourney round clock` shows the time left in one line")
        raise TourneyError(ExitCode.USAGE, message, hint)


def watch(watched: WatchedRound, stream: TextIO | None = None, time: Time | None = None) -> Schedule:
    """Show the clock of the round until an interrupt, and return the round as it was last."""
    time = time or Time()
    with deferred(), _Display(watched, stream or sys.stdout) as display, suppress(KeyboardInterrupt):
        while True:
            display.look(time.now())
            with interruptible():
                time.wait(LOOK_SECONDS)
    return watched.look(time.now())


class _Display:
    """A screen that is drawn again only when something on it changes."""

    def __init__(self, watched: WatchedRound, stream: TextIO) -> None:
        self._watched = watched
        self._block = "█" if is_utf8(stream) else "#"
        self._console = screen_console(stream)
        self._live = Live(
            console=self._console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._shown: tuple[Countdown, Screen] | None = None
        self._running = False

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._live.stop()

    def look(self, now: datetime) -> None:
        """Show the state at this time, and ring if the time has just expired."""
        round_ = self._watched.look(now)
        width, height = self._console.size
        showing = countdown(round_, now, self._watched.fault), Screen(width, height, self._block)
        if showing != self._shown:
            self._live.update(drawn(*showing), refresh=True)
            self._shown = showing
        self._ring(expired(round_, now))

    def _ring(self, is_over: bool) -> None:
        if is_over and self._running:
            self._console.bell()
        self._running = not is_over
