"""The journal as a report, and what undo and redo did."""

from dataclasses import asdict
from datetime import datetime

from tourney.domain.database import Log, LogLine, Turned
from tourney.reports.plan_changes import with_each_ahead
from tourney.reports.render.report import Column, Report
from tourney.reports.results.standings import head_line
from tourney.text.i18n import _, ngettext


def log(told: Log) -> Report:
    """One line for each act, in local time; the event has a column where several are told of."""
    several = not told.event
    columns = (
        Column("number", _("No."), "right"),
        Column("time", _("Time")),
        *((Column("event", _("Event")),) if several else ()),
        Column("said", _("What")),
        Column("state", _("State")),
    )
    rows = tuple(
        (line.number, _moment(line), *((line.event,) if several else ()), line.said, _state(line))
        for line in told.lines
    )
    number = len(told.lines)
    title = ngettext("{number} act", "{number} acts", number).format(number=number)
    if told.event:
        title = _("{event}: {acts}").format(event=told.event, acts=title)
    data = [asdict(line) for line in told.lines]
    return Report(title, columns, rows, data=data, details=(head_line(told.head),))


def turned(done: Turned) -> Report:
    """What was taken back or put back, in one sentence."""
    when = f"{datetime.fromisoformat(done.line.time).astimezone():%H:%M}"
    where = f"{done.line.event}, {when}" if done.line.event else when
    words = {"undo": _("undone: {what} ({where})"), "redo": _("put back: {what} ({where})")}
    stays = tuple(_("that stays: {what}").format(what=what) for what in done.stays)
    title = words[done.turn].format(what=done.line.said, where=where)
    data = {name: value for name, value in asdict(done).items() if name != "ahead"}
    return with_each_ahead(Report(title, notes=stays + done.halves, data=data), done.ahead)


def _moment(line: LogLine) -> str:
    return f"{datetime.fromisoformat(line.time).astimezone():%Y-%m-%d %H:%M}"


def _state(line: LogLine) -> str:
    return _("undone") if line.state == "undone" else ""
