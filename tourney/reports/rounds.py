"""Drawn rounds and played tables as reports."""

from collections.abc import Sequence
from typing import Any

from tourney.domain import Play, Round, Schedule, Table
from tourney.reports.report import Cell, Column, Report
from tourney.text import _, ngettext


def _columns(size: int) -> tuple[Column, ...]:
    seats = (Column(f"seat_{seat}", _("Seat {number}").format(number=seat)) for seat in range(1, size + 1))
    return (
        Column("round", _("Round"), "right"),
        Column("table", _("Table"), "right"),
        *seats,
        Column("state", _("State")),
    )


def _seats(table: Table, size: int) -> tuple[Cell, ...]:
    names = [player.shown for player in table.players]
    return (*names, *[""] * (size - len(names)))


def rounds_data(rounds: Sequence[Round]) -> dict[str, Any]:
    """Rounds, tables, players in seat order, the first dealer first; and who sits out in each round."""
    return {
        "rounds": [[[player.shown for player in table.players] for table in one.tables] for one in rounds],
        "sitting_out": [[player.shown for player in one.sitting_out] for one in rounds],
    }


def schedule(drawn: Schedule) -> Report:
    """The seating of these rounds; seat 1 deals first."""
    tables = [table for one in drawn.rounds for table in one.tables]
    size = max((len(table.players) for table in tables), default=0)
    rows = tuple((table.round, table.number, *_seats(table, size), _state(drawn, table)) for table in tables)
    sitting = tuple(
        _("round {number}: {names} sit out").format(
            number=one.number, names=", ".join(player.shown for player in one.sitting_out)
        )
        for one in drawn.rounds
        if one.sitting_out
    )
    empty = () if rows else (_("No round is drawn: `tourney round draw` draws one."),)
    lines = (*sitting, *empty)
    return Report(_title(drawn), _columns(size), rows, drawn.notes, rounds_data(drawn.rounds), lines)


def _title(drawn: Schedule) -> str:
    name = drawn.event.settings.name
    if len(drawn.rounds) != 1:
        return name
    return _("{event}, round {round}").format(event=name, round=drawn.rounds[0].number)


def _state(drawn: Schedule, table: Table) -> str:
    spot = (table.round, table.number)
    if spot in drawn.void:
        return _("void")
    return _("done") if spot in drawn.done else _("open")


def played(what: Play) -> Report:
    """The tables just played, each with the points of its players."""
    columns = (
        Column("round", _("Round"), "right"),
        Column("table", _("Table"), "right"),
        Column("points", _("Points")),
    )
    rows = tuple(
        (result.table.round, result.table.number, _points_text(result.table, result.outcome.points))
        for result in what.results
    )
    number = len(what.results)
    title = ngettext("{event}: {number} table played", "{event}: {number} tables played", number).format(
        event=what.event.settings.name, number=number
    )
    data = {
        "event": what.event.settings.name,
        "played": [{"round": one.table.round, "table": one.table.number} for one in what.results],
        "waiting": [{"round": table.round, "table": table.number} for table in what.waiting],
    }
    return Report(title, columns, rows, data=data, lines=_waiting(what.waiting))


def _points_text(table: Table, points: Sequence[int]) -> str:
    pairs = zip(table.players, points, strict=True)
    return ", ".join(f"{player.shown} {one}" for player, one in pairs)


def _waiting(tables: Sequence[Table]) -> tuple[str, ...]:
    if not tables:
        return ()
    listed = ", ".join(_("round {round} table {table}").format(round=one.round, table=one.number) for one in tables)
    return (_("waiting for a sheet: {tables}; enter it with `tourney result enter`").format(tables=listed),)
