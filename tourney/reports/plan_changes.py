"""Add changes to the coming rounds to a change's own report: who stays at each table, leaves or joins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges, TableChange
from tourney.reports.render.report import Field, Fields, Report, Section, table_section
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import ranges


def with_ahead(report: Report, changes: Sequence[TableChange] | None, heading: str = "") -> Report:
    """Return the report with the tables of coming rounds that change; `heading` goes over the report's own table.

    JSON has them under `ahead`. Without `changes` (None: not asked for, or no rounds are planned) nothing is added.
    """
    if changes is None:
        return report
    data = {**report.structure(), "ahead": list(map(_data, changes))}
    if not changes:
        return replace(report, data=data, lines=(*report.lines, _("The coming rounds stay as planned.")))
    return replace(report, data=data, sections=(*report.as_sections(heading), _section(changes)))


def with_each_ahead(report: Report, events: Sequence[EventPlanChanges], heading: str = "") -> Report:
    """Return the report of a change that may concern several events; JSON names each table's event."""
    data = [{"event": planned.event, **_data(change)} for planned in events for change in planned.changes]
    extended = replace(report, data={**report.structure(), "ahead": data})
    if not events:
        return extended
    sections = (_section(planned.changes, planned.event) for planned in events)
    return replace(extended, sections=(*report.as_sections(heading), *sections))


def _count_text(changes: Sequence[TableChange]) -> str:
    number = sum(change.number is not None for change in changes)
    return ngettext(
        "{number} table of the coming rounds changes", "{number} tables of the coming rounds change", number
    ).format(number=number)


def _brief_text(changes: Sequence[TableChange]) -> str:
    """Return how many tables change, and in which rounds."""
    rounds = {change.round for change in changes}
    places = ngettext("round {rounds}", "rounds {rounds}", len(rounds)).format(rounds=ranges(rounds))
    if all(change.number is None for change in changes):
        return _("Only byes change, in {rounds}; `--verbose` lists them.").format(rounds=places)
    return _("{tables}, in {rounds}; `--verbose` lists them.").format(tables=_count_text(changes), rounds=places)


def _section(changes: Sequence[TableChange], event: str = "") -> Section:
    heading, brief = _count_text(changes), _brief_text(changes)
    if event:
        about = _("{event}: {tables}")
        heading, brief = (about.format(event=event, tables=text) for text in (heading, brief))
    fields: Fields[TableChange] = (
        Field("round", _("Round"), lambda change: change.round, "right", priority=0),
        Field(
            "table",
            _("Table"),
            lambda change: _("bye") if change.number is None else change.number,
            "right",
            priority=0,
        ),
        Field("stay", _("Staying"), lambda change: _shared(change.before, change.after), priority=2),
        Field("leave", _("Leaving"), lambda change: _unshared(change.before, change.after), priority=0),
        Field("come", _("Joining"), lambda change: _unshared(change.after, change.before), priority=0),
    )
    bullets = (_("bye: no table in that round"),) if any(change.number is None for change in changes) else ()
    return replace(table_section(heading, fields, changes, bullets), brief=brief)


def _shared(players: Sequence[Player], others: Sequence[Player]) -> str:
    """Return the names of those players who are among the others."""
    ids = {player.id for player in others}
    return ", ".join(player.shown for player in players if player.id in ids)


def _unshared(players: Sequence[Player], others: Sequence[Player]) -> str:
    """Return the names of those players who are not among the others."""
    ids = {player.id for player in others}
    return ", ".join(player.shown for player in players if player.id not in ids)


def _data(change: TableChange) -> dict[str, Any]:
    """Return a table as JSON data; the table of byes is None."""
    return {
        "round": change.round,
        "table": change.number,
        "before": [player.shown for player in change.before],
        "after": [player.shown for player in change.after],
    }
