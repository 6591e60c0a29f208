"""Standings as a report."""

from collections.abc import Callable, Sequence
from typing import Any

from tourney.domain.events import EntrantState
from tourney.domain.rankings import Standing, StandingsTable
from tourney.reports.render.report import Cell, Column, Report
from tourney.text.i18n import _


def standings(table: StandingsTable) -> Report:
    """Ranks, points, hands won and games; the journal's head stands in a note.

    Money, penalties, short games and who has gone away have columns where there are any.
    """
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("player", _("Player")),
        Column("points", _("Points"), "right"),
        Column("hands_won", _("Hands won"), "right"),
        Column("games", _("Games"), "right"),
        Column("average", _("Per game"), "right", 2),
        Column("money", _("Money"), "right"),
        Column("penalty", _("Penalty"), "right"),
        Column("short", _("Short"), "right"),
        Column("state", _("State")),
    )
    money = ["" if row.money is None else row.money for row in table.rows]
    penalties = _where_any(table.rows, lambda row: row.penalty)
    short = _where_any(table.rows, lambda row: row.short)
    rows = tuple(
        (*_cells(row), *extra)
        for row, *extra in zip(table.rows, money, penalties, short, map(_gone, table.rows), strict=True)
    )
    data = [standing_data(row) for row in table.rows]
    return Report(_title(table), columns, rows, table.notes, data, details=(head_line(table.head),))


def _cells(row: Standing) -> tuple[Cell, ...]:
    average = row.average if row.money is None else ""  # where money ranks, points per game say nothing
    return row.rank, row.player.shown, row.points, row.hands_won, row.games, average


def _where_any(rows: Sequence[Standing], number: Callable[[Standing], int]) -> list[Cell]:
    """The numbers of a column, or nothing in any row where all are 0: such a column is not shown."""
    numbers = [number(row) for row in rows]
    return [one if any(numbers) else "" for one in numbers]


def _gone(row: Standing) -> str:
    return state_word(row.state) if row.state in ("withdrawn", "no-show") else ""


def state_word(state: EntrantState) -> str:
    """An entrant's state in the reader's language."""
    words: dict[EntrantState, str] = {
        "entered": _("entered"),
        "checked in": _("checked in"),
        "withdrawn": _("withdrawn"),
        "no-show": _("no-show"),
    }
    return words[state]


def _title(table: StandingsTable) -> str:
    name = table.event.settings.name
    if table.round is None:
        return _("Standings of {event}").format(event=name)
    return _("Standings of {event} after round {round}").format(event=name, round=table.round)


def head_line(head: str) -> str:
    """The journal's head, by which a cut tail is found."""
    return _("journal head {head}").format(head=head[:16])


def standing_data(row: Standing) -> dict[str, Any]:
    """A row for programs; `points` is the total, `rank` null below the event's minimum of games."""
    return {
        "rank": row.rank,
        "player": row.player.shown,
        "points": row.points,
        "hands_won": row.hands_won,
        "games": row.games,
        "average": row.average,
        "money": row.money,
        "penalty": row.penalty,
        "short": row.short,
        "state": row.state,
        "why": row.why,
    }


def why(table: StandingsTable, row: Standing) -> Report:
    """Why the player stands where he stands; of the notes only those that concern him or the whole order."""
    rank = _("no rank") if row.rank is None else _("rank {rank}").format(rank=row.rank)
    title = _("{player}: {rank} in {event}").format(player=row.player.shown, rank=rank, event=table.event.settings.name)
    return Report(title, notes=row.notes, data=standing_data(row), lines=(row.why,))
