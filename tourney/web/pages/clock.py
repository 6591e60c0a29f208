"""The clock of the newest round: when it ends, what that means, and the tables without a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tourney.domain.schedule import Schedule
from tourney.reports.render.countdown import Countdown
from tourney.reports.rounds import clock as clock_report
from tourney.reports.rounds import rounds as rounds_report
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import posted

_STEP: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ClockPhase:
    """Words that hold from a moment on (in milliseconds since 1970), and how urgent they are."""

    begins: int
    urgency: str
    words: str


def clock(asked: Asked) -> View:
    """Show the clock of the newest round on the whole page."""
    drawn = posted(asked)
    return View("clock.html", _("Clock"), {"clock": clock_values(drawn)})


def clock_values(drawn: Schedule) -> dict[str, object]:
    """Return what a template needs to show the clock of the round, now and until it ends.

    The page itself does not say how much time is left, as it is read later than it is made: a script does.
    """
    now = datetime.now(UTC).astimezone()
    shown = clock_report.countdown(drawn, now)
    clock = drawn.rounds[0].clock if drawn.rounds else None
    ends = None if clock is None else rounds_report.clock_end(clock, now)
    return {
        "title": shown.title,
        "ends": None if ends is None else _milliseconds(ends),
        "phases": () if ends is None else tuple(_phases(drawn, ends)),
        "idle": _idle(drawn),
        "paused": bool(drawn.rounds and drawn.rounds[0].paused),
        "heading": shown.heading,
        "tables": [line.text for line in shown.tables],
    }


def _idle(drawn: Schedule) -> str:
    """Return the words in place of a clock that does not run."""
    if drawn.rounds and drawn.rounds[0].paused:
        return _("Pause: {minutes} min are left.").format(minutes=drawn.rounds[0].paused)
    return _("The clock does not run.") if drawn.rounds else _("No round is drawn yet.")


def _phases(drawn: Schedule, ends: datetime) -> Iterator[ClockPhase]:
    """Yield the words of the clock in the order in which they begin to hold."""
    for left in range(6, -1, -1):
        # At its very moment the words of the minute hold that now begins.
        moment = ends - left * _STEP
        shown: Countdown = clock_report.countdown(drawn, moment)
        yield ClockPhase(0 if left == 6 else _milliseconds(moment), shown.urgency, shown.words)


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


PAGES = (Page("/clock", clock),)
