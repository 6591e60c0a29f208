"""Changes to the coming rounds, added to a change's own report: who stays at each table, leaves, joins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges, TableChange
from tourney.reports.render.report import Field, Fields, Report, Section, table_section
from tourney.text.i18n import _, ngettext


def with_ahead(report: Report, changes: Sequence[TableChange] | None, heading: str = "") -> Report:
    """Return the report of a change with the tables of coming rounds that it changes; `heading` goes over its own
    table.

    Programs find them under `ahead`. Where nobody asked, or no rounds are planned (None), the report stays as it is.
    """
    if changes is None:
        return report
    data = {**report.structure(), "ahead": list(map(_data, changes))}
    if not changes:
        return replace(report, data=data, lines=(*report.lines, _("The coming rounds stay as planned.")))
    return replace(report, data=data, sections=(*report.as_sections(heading), _section(_many(changes), changes)))


def with_each_ahead(report: Report, events: Sequence[EventPlanChanges], heading: str = "") -> Report:
    """Return the report of a change that may concern several events; programs find each table's event by name."""
    data = [{"event": planned.event, **_data(change)} for planned in events for change in planned.changes]
    extended = replace(report, data={**report.structure(), "ahead": data})
    if not events:
        return extended
    sections = (
        _section(_("{event}: {tables}").format(event=planned.event, tables=_many(planned.changes)), planned.changes)
        for planned in events
    )
    return replace(extended, sections=(*report.as_sections(heading), *sections))


def _many(changes: Sequence[TableChange]) -> str:
    number = sum(change.number is not None for change in changes)
    return ngettext(
        "{number} table of the coming rounds changes", "{number} tables of the coming rounds change", number
    ).format(number=number)


def _section(heading: str, changes: Sequence[TableChange]) -> Section:
    fields: Fields[TableChange] = (
        Field("round", _("Round"), lambda change: change.round, "right"),
        Field("table", _("Table"), lambda change: _("bye") if change.number is None else change.number, "right"),
        Field("stay", _("Staying"), lambda change: _shared(change.before, change.after)),
        Field("leave", _("Leaving"), lambda change: _alone(change.before, change.after)),
        Field("come", _("Joining"), lambda change: _alone(change.after, change.before)),
    )
    points = (_("bye: no table in that round"),) if any(change.number is None for change in changes) else ()
    return table_section(heading, fields, changes, points)


def _shared(players: Sequence[Player], others: Sequence[Player]) -> str:
    """Return the names of those players who are among the others."""
    known = {player.id for player in others}
    return ", ".join(player.shown for player in players if player.id in known)


def _alone(players: Sequence[Player], others: Sequence[Player]) -> str:
    """Return the names of those players who are not among the others."""
    known = {player.id for player in others}
    return ", ".join(player.shown for player in players if player.id not in known)


def _data(change: TableChange) -> dict[str, Any]:
    """Return a table for programs; byes have the table null."""
    return {
        "round": change.round,
        "table": change.number,
        "before": [player.shown for player in change.before],
        "after": [player.shown for player in change.after],
    }
