"""A round's clock on a whole screen: the time left, what that means, and the tables without a result."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from tourney.domain.rounds import Clock, Round, Table
from tourney.domain.schedule import Schedule
from tourney.reports.names import names_of
from tourney.reports.render.countdown import Countdown, TableLine, Urgency
from tourney.reports.render.report import Report
from tourney.reports.rounds import rounds
from tourney.service.lookup import event_word
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument

WARNING, LAST = timedelta(minutes=5), timedelta(minutes=1)
"""The time left from which there is a warning, and from which the hand being played is the last."""
HOURS_FROM = 100 * 60
"""The seconds from which a clock shows hours too."""


def countdown(drawn: Schedule, now: datetime, fault: str = "") -> Countdown:
    """Return what the screen shows of a single round, or of none, `now` and in its time zone.

    `fault` says why the round cannot be read at the moment; it replaces the note on how to leave.
    """
    note = fault or _("Ctrl-C leaves; the clock keeps running.")
    if not drawn.rounds:
        words = _("no round is drawn: `tourney round draw {event}` draws one").format(event=_event(drawn))
        return Countdown(rounds.title(drawn), "", "none", words, "", (), note)
    (round_,) = drawn.rounds
    waiting = rounds.unfinished(drawn, round_)
    time, urgency, words = _time(drawn, round_, now)
    tables = tuple(_table_line(drawn, table) for table in waiting)
    return Countdown(rounds.title(drawn), time, urgency, words, _heading(round_, waiting), tables, note)


def left(drawn: Schedule, now: datetime) -> Report:
    """Report how a clock stands whose display is left, and that it goes on."""
    goes_on = any(round_.clock and now < rounds.clock_end(round_.clock, now) for round_ in drawn.rounds)
    lines = (_("The clock keeps running; `tourney round clock --watch` shows it again."),) if goes_on else ()
    report = rounds.clock(drawn, now)
    return Report(report.title, lines=(*report.lines, *lines), next_steps=report.next_steps)


def expired(drawn: Schedule, now: datetime) -> bool:
    """Return whether a clock runs and its time has expired."""
    return any(round_.clock and now >= rounds.clock_end(round_.clock, now) for round_ in drawn.rounds)


def _time(drawn: Schedule, round_: Round, now: datetime) -> tuple[str, Urgency, str]:
    """Return the time left as on a digital clock, how urgent it is, and what it means in words."""
    if round_.clock is None:
        words = _("no clock runs: `tourney round clock {event} --start` starts it").format(event=_event(drawn))
        return "", "none", words
    ends = rounds.clock_end(round_.clock, now)
    urgency = _urgency(ends - now)
    return digital(ends - now), urgency, _words(round_.clock, urgency, now)


def _urgency(left: timedelta) -> Urgency:
    if left <= timedelta(0):
        return "expired"
    return "last" if left <= LAST else "warning" if left <= WARNING else "running"


def _words(clock: Clock, urgency: Urgency, now: datetime) -> str:
    ends = rounds.clock_end(clock, now)
    if urgency == "warning":
        # A minute that has begun is still to play.
        minutes = -((now - ends) // timedelta(minutes=1))
        return ngettext("{minutes} minute left", "{minutes} minutes left", minutes).format(minutes=minutes)
    sentences = {
        "running": _("ends at {time}"),
        "last": _("last hand: 1 minute left"),
        "expired": _("time expired at {time}"),
    }
    return sentences[urgency].format(time=rounds.time_of_day(ends, now))


def digital(left: timedelta) -> str:
    """Return the time left as on a digital clock, as `24:59` or `1:40:00`; a second that has begun is still to go."""
    seconds = max(0, -(-left // timedelta(seconds=1)))
    minutes, seconds = divmod(seconds, 60)
    if minutes * 60 < HOURS_FROM:
        return f"{minutes:02}:{seconds:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _heading(round_: Round, waiting: Sequence[Table]) -> str:
    if not waiting:
        return _("every table complete")
    sentence = ngettext(
        "{waiting} of {all} table without a result", "{waiting} of {all} tables without a result", len(round_.tables)
    )
    return sentence.format(waiting=len(waiting), all=len(round_.tables))


def _table_line(drawn: Schedule, table: Table) -> TableLine:
    names = names_of(table.players)
    sentence = _("table {number}: {names}")
    if (table.round, table.number) in drawn.partial:
        sentence = _("table {number} (partly entered): {names}")
    return TableLine(table.number, sentence.format(number=table.number, names=names))


def _event(drawn: Schedule) -> str:
    return quote_argument(event_word(drawn.event.settings.name))
