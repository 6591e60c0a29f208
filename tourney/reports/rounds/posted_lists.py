"""Seatings to post on a wall: by table, and by name."""

from typing import Literal

from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Cell, Column, Report
from tourney.reports.rounds.rounds import empty, rounds_data, sitting_out, title
from tourney.text.i18n import _
from tourney.text.names import fold

PostedOrder = Literal["table", "name"]


def posted_list(drawn: Schedule, by: PostedOrder) -> Report:
    """Report a line for each player of these rounds with their seat: by name, accents and case aside, or by table."""
    columns = {
        "round": Column("round", _("Round"), "right"),
        "player": Column("player", _("Name")),
        "table": Column("table", _("Table"), "right"),
        "seat": Column("seat", _("Seat"), "right"),
    }
    order = ("round", "table", "seat", "player") if by == "table" else ("round", "player", "table", "seat")
    places = _places(drawn)
    if by == "name":
        places.sort(key=lambda place: (place["round"], fold(str(place["player"])), place["player"]))
    return Report(
        title(drawn),
        tuple(columns[key] for key in order),
        tuple(tuple(place[key] for key in order) for place in places),
        data=rounds_data(drawn.rounds),
        lines=(*sitting_out(drawn.rounds), *empty(drawn)),
    )


def _places(drawn: Schedule) -> list[dict[str, Cell]]:
    return [
        {"round": round_.number, "player": player.shown, "table": table.number, "seat": seat}
        for round_ in drawn.rounds
        for table in round_.tables
        for seat, player in enumerate(table.players, 1)
    ]
