"""Changes to the coming rounds in a change's own report: who stays, leaves or joins, and which constraints break."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges, TableChange
from tourney.domain.schedule import BrokenConstraint
from tourney.reports.render.report import Field, Fields, Report, Section, table_section
from tourney.text.i18n import _, fill, ngettext
from tourney.text.ranges import ranges

MOST: Final = 6
"""The most broken constraints that are named."""


def broken_lines(broken: Sequence[BrokenConstraint]) -> Iterator[str]:
    """Yield a sentence for each of the first broken constraints, and the number of the others.

    Pairs who cannot all be kept apart, such as those of a large club, have one sentence together.
    """
    counted = _counted(broken)
    if counted:
        yield _counted_line(counted)
    others = [each for each in broken if each not in counted]
    for each in others[:MOST]:
        yield _LINES[each.kind](each)
    if len(others) > MOST:
        more = len(others) - MOST
        yield ngettext("{number} more constraint is broken.", "{number} more constraints are broken.", more).format(
            number=more
        )


def broken_details(broken: Sequence[BrokenConstraint]) -> Iterator[str]:
    """Yield a sentence for each pair of those that have one together."""
    for each in _counted(broken):
        yield _LINES[each.kind](each)


def _counted(broken: Sequence[BrokenConstraint]) -> Sequence[BrokenConstraint]:
    """Return the pairs whom counting does not allow to be kept apart, if there are several."""
    counted = [each for each in broken if each.kind == "apart" and each.why == "counting"]
    return counted if len(counted) > 1 else []


def _counted_line(counted: Sequence[BrokenConstraint]) -> str:
    rounds = {each.round for each in counted}
    text = ngettext(
        "By counting, {number} pairs to keep apart share a table in round {rounds}; `--verbose` names them.",
        "By counting, {number} pairs to keep apart share a table in rounds {rounds}; `--verbose` names them.",
        len(rounds),
    )
    return text.format(number=len(counted), rounds=ranges(rounds))


def broken_data(broken: Sequence[BrokenConstraint]) -> dict[str, Any]:
    """Return broken constraints as JSON data, under a key of their own where there are any."""
    rows = [
        {
            "kind": each.kind,
            "round": each.round,
            "table": each.table,
            "players": [player.shown for player in each.players],
            "why": each.why,
            "price": each.price,
        }
        for each in broken
    ]
    return {"broken": rows} if rows else {}


def _apart(broken: BrokenConstraint) -> str:
    text = _("Round {round}, table {table}: {one} and {other} are not kept apart: {reason}.")
    one, other = (player.shown for player in broken.players)
    return fill(text, round=broken.round, table=broken.table, one=one, other=other, reason=_reason(broken))


def _together(broken: BrokenConstraint) -> str:
    one, other = (player.shown for player in broken.players)
    text = _("{one} and {other} are to share a table, and do so in no round: {reason}.")
    return fill(text, one=one, other=other, reason=_reason(broken))


def _table(broken: BrokenConstraint) -> str:
    (player,) = broken.players
    text = _("Round {round}: {name} sits at table {table}, and needs table {needed}: {reason}.")
    others = ", ".join(other.shown for other in broken.others)
    if broken.why == "no such table":
        reason = ngettext("the round has {number} table", "the round has {number} tables", broken.tables).format(
            number=broken.tables
        )
    elif others:
        reason = ngettext(
            "{names} needs one of the two tables, too", "{names} need one of the two tables, too", len(broken.others)
        ).format(names=others)
    else:
        reason = _("the tables were changed by hand")
    return text.format(round=broken.round, name=player.shown, table=broken.table, needed=broken.needed, reason=reason)


def _never(broken: BrokenConstraint) -> str:
    text = _(
        "Round {round}, table {table}: {one} and {other} are never to share a table, and would have to at so few "
        "tables, so that the round is not drawn: have more tables, or give the constraint up with `tourney event "
        "constrain --remove`."
    )
    one, other = (player.shown for player in broken.players)
    return text.format(round=broken.round, table=broken.table, one=one, other=other)


_LINES: Final[Mapping[str, Callable[[BrokenConstraint], str]]] = {
    "apart": _apart,
    "together": _together,
    "table": _table,
    "never": _never,
}


def _reason(broken: BrokenConstraint) -> str:
    """Return why two players are not kept apart, or not seated together."""
    if broken.why == "price":
        return _price(broken)
    if broken.number:
        players = ngettext("{number} player", "{number} players", broken.number).format(number=broken.number)
        text = ngettext(
            "by counting, {players} to be kept apart at {number} table",
            "by counting, {players} to be kept apart at {number} tables",
            broken.tables,
        )
        return text.format(players=players, number=broken.tables)
    return _("by counting, no seating of these players keeps this constraint and the others")


def _price(broken: BrokenConstraint) -> str:
    if broken.price is None:
        return _("keeping this constraint would cost repeats")
    if broken.price <= 0:
        return _("this constraint can be kept without one more repeat, with `tourney round move`")
    if broken.exact:
        text = ngettext(
            "keeping this constraint would cost {number} repeat",
            "keeping this constraint would cost {number} repeats",
            broken.price,
        )
    else:
        text = ngettext(
            "keeping this constraint would cost at most {number} repeat",
            "keeping this constraint would cost at most {number} repeats",
            broken.price,
        )
    return text.format(number=broken.price)


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
