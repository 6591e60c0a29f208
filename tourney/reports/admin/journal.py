"""The journal as a report, and what undo and redo did."""

from dataclasses import asdict
from datetime import datetime

from tourney.domain.database import Log, LogLine, Turned
from tourney.reports.admin.database import as_machine
from tourney.reports.plan_changes import with_each_ahead
from tourney.reports.render.report import Column, Report
from tourney.reports.results.standings import head_line
from tourney.text.i18n import _, ngettext


def log(found: Log) -> Report:
    """Report the journal, a line for each entry, in local time; the event has a column where there are many."""
    many = not found.event
    columns = (
        Column("number", _("No."), "right"),
        Column("time", _("Time")),
        *((Column("event", _("Event")),) if many else ()),
        Column("said", _("What")),
        Column("state", _("State")),
    )
    rows = tuple(
        (line.number, _moment(line), *((line.event,) if many else ()), line.said, _state(line)) for line in found.lines
    )
    number = len(found.lines)
    title = ngettext("{number} change", "{number} changes", number).format(number=number)
    if found.event:
        title = _("{event}: {changes}").format(event=found.event, changes=title)
    data = [asdict(line) for line in found.lines]
    return Report(title, columns, rows, data=data, details=(head_line(found.head),))


def turned(done: Turned) -> Report:
    """Report what was undone or put back, in one sentence."""
    when = f"{datetime.fromisoformat(done.line.time).astimezone():%H:%M}"
    where = f"{done.line.event}, {when}" if done.line.event else when
    words = {"undo": _("undone: {change} ({where})"), "redo": _("put back: {change} ({where})")}
    stays = tuple(_("that stays: {change}").format(change=what) for what in done.stays)
    title = words[done.turn].format(change=done.line.said, where=where)
    data = {name: value for name, value in as_machine(done).items() if name != "ahead"}
    return with_each_ahead(Report(title, notes=stays + done.halves, data=data), done.ahead)


def _moment(line: LogLine) -> str:
    return f"{datetime.fromisoformat(line.time).astimezone():%Y-%m-%d %H:%M}"


def _state(line: LogLine) -> str:
    return _("undone") if line.state == "undone" else ""
