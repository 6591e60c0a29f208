"""Players of a round who change their seats, and tables that are dissolved: first what that means, then the button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.schedule import EditedRound, Schedule
from tourney.reports.render.report import Report
from tourney.reports.rounds import rounds as report
from tourney.service.change import Change
from tourney.service.rounds import rounds as service
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.edit_round import Destination, MovePlayer, Out, Swap, ToTable
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, previewed, submit, view
from tourney.web.pages.desk.people.people import OUT
from tourney.web.pages.desk.rounds import ROUNDS
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, Shown

MOVE: Final = f"{ROUNDS}/move"
DISSOLVE: Final = f"{ROUNDS}/dissolve"
TABLE, WITH = "table:", "with:"
"""The beginnings of the values by which the form says where a player goes, besides OUT."""


def move(asked: Asked, refused: Refused = None) -> View:
    """Ask who goes where in the newest round, and show what that would change."""
    event = asked.server.event().settings.name
    drawn = service.show(asked.db, event, "newest")
    player = asked.query.get("player") or asked.field("player")
    to = asked.query.get("to") or asked.field("to")
    outlook = None
    if player and to:
        outlook, refused = _outlook(asked, partial(_moving, event, player, to), report.edited, refused)
    values = {
        "players": _players(drawn, player),
        "player": player,
        "destinations": list(_destinations(drawn)),
        "to": to,
        "outlook": outlook,
        "back": Link(ROUNDS, _("Rounds")),
    }
    return view(asked, "move.html", _("Move or swap players"), values, refused, about=("rounds",))


def _players(drawn: Schedule, chosen: str) -> list[str]:
    """Return who can be moved, in the order of names, the one chosen already among them."""
    names = {entrant.shown for entrant in drawn.event.playing}
    return sorted(names | {chosen} if chosen else names, key=name_order)


def _outlook(
    asked: Asked, change: Callable[[], Change[EditedRound]], shown: Callable[[EditedRound], Report], refused: Refused
) -> tuple[Shown | None, Refused]:
    """Return what the change would do, or why it cannot be made."""
    if refused is not None:
        return None, refused
    try:
        return previewed(asked, change(), shown), None
    except TourneyError as error:
        return None, error


def _destinations(drawn: Schedule) -> Iterator[tuple[str, str]]:
    """Yield where a player may go in the newest round: tables without a result, places of others, or out."""
    for round_ in drawn.rounds:
        free = [table for table in round_.tables if (table.round, table.number) not in drawn.done]
        for table in free:
            names = ", ".join(player.shown for player in table.players)
            yield f"{TABLE}{table.number}", _("table {table}: {names}").format(table=table.number, names=names)
        places = [(player, table.number) for table in free for player in table.players]
        for player, number in sorted(places, key=lambda place: name_order(place[0].shown)):
            text = _("the place of {player}, table {table}").format(player=player.shown, table=number)
            yield f"{WITH}{player.shown}", text
        for player in round_.sitting_out:
            yield f"{WITH}{player.shown}", _("the bye of {player}").format(player=player.shown)
        yield OUT, _("a bye: out of this round")


def _moving(event: str, player: str, to: str) -> Change[EditedRound]:
    return MovePlayer(event, player, _destination(to))


def _destination(to: str) -> Destination:
    if to.startswith(TABLE) and to.removeprefix(TABLE).isdecimal():
        return ToTable(number_in(to.removeprefix(TABLE)))
    if to.startswith(WITH):
        return Swap(to.removeprefix(WITH))
    if to == OUT:
        return Out()
    raise TourneyError(ExitCode.USAGE, _("nothing says where the player goes"), _("choose a place from the list"))


def do_move(asked: Asked) -> Answer:
    """Move the player."""
    change = partial(_moving, event_name(asked), asked.field("player"), asked.field("to"))
    return submit(asked, change, report.edited, ROUNDS, move)


def dissolve(asked: Asked, refused: Refused = None) -> Answer:
    """Show where the players of a table would sit if it were dissolved; without a table, where one is chosen."""
    event, chosen = asked.server.event().settings.name, asked.query.get("table") or asked.field("table")
    if not chosen:
        return Moved(ROUNDS)
    table = number_in(chosen)
    # The change needs a reason, which the desk gives after it has seen what the change does.
    change = partial(DissolveTable, event, table, _("too few players"))
    outlook, refused = _outlook(asked, change, report.dissolved, refused)
    values = {
        "table": table,
        "outlook": outlook,
        "reason": asked.field("reason"),
        "again": bool(asked.form),
        "move": Link(MOVE, _("Move or swap players")),
        "back": Link(ROUNDS, _("Rounds")),
    }
    title = _("Dissolve table {table}").format(table=table)
    return view(asked, "dissolve.html", title, values, refused, about=("rounds",))


def do_dissolve(asked: Asked) -> Answer:
    """Dissolve the table."""
    event, table = event_name(asked), number_in(asked.field("table"))
    change = partial(DissolveTable, event, table, asked.field("reason"))
    return submit(asked, change, report.dissolved, ROUNDS, dissolve)


PAGES = (
    page(MOVE, for_event(move), "player", "to"),
    form(MOVE, for_event(do_move)),
    page(DISSOLVE, for_event(dissolve), "table"),
    form(DISSOLVE, for_event(do_dissolve)),
)
