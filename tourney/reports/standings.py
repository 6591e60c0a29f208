"""Standings as a report."""

from typing import Any

from tourney.domain import Standing, StandingsTable
from tourney.reports.report import Column, Report
from tourney.text import _


def standings(table: StandingsTable) -> Report:
    """Ranks, points, hands won and games; the journal's head stands in a note."""
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("player", _("Player")),
        Column("points", _("Points"), "right"),
        Column("hands_won", _("Hands won"), "right"),
        Column("games", _("Games"), "right"),
        Column("average", _("Per game"), "right", 2),
    )
    rows = tuple((row.rank, row.player.shown, row.points, row.hands_won, row.games, row.average) for row in table.rows)
    data = [standing_data(row) for row in table.rows]
    return Report(_title(table), columns, rows, table.notes, data, (head_line(table.head),))


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
        "why": row.why,
    }


def why(table: StandingsTable, row: Standing) -> Report:
    """Why the player stands where he stands."""
    rank = _("no rank") if row.rank is None else _("rank {rank}").format(rank=row.rank)
    title = _("{player}: {rank} in {event}").format(player=row.player.shown, rank=rank, event=table.event.settings.name)
    return Report(title, notes=table.notes, data=standing_data(row), lines=(row.why,))
