"""The page of all entrants, by name, with a search that needs no script."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tourney.domain.events import GONE, EntrantState
from tourney.domain.people import Player
from tourney.domain.rounds import Table
from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Field, Fields, listing
from tourney.reports.results.standings import state_word
from tourney.service.events.attendance import taking_part
from tourney.text.i18n import _
from tourney.text.names import fold, name_order
from tourney.text.similar import similar
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import all_posted, player_links, posted
from tourney.web.render import report_view


@dataclass(frozen=True, slots=True)
class _Entrant:
    """An entrant, their state, and their table and seat in the newest round, if they have one."""

    player: Player
    state: EntrantState
    place: tuple[Table, int] | None


def players(asked: Asked) -> View:
    """Show the entrants whose names have what is searched for, or all of them, with a link to each."""
    drawn = posted(asked)
    everybody = _entrants(drawn, taking_part(drawn.event, all_posted(asked).rounds))
    wanted = asked.query.get("q", "").strip()
    found = [each for each in everybody if fold(wanted) in fold(each.player.shown)]
    report = listing(_("Players"), _fields(), found, lines=_nobody(wanted, everybody) if not found else ())
    shown = report_view(report, player_links(drawn.event, (each.player for each in found)))
    return View("players.html", report.title, {"shown": shown, "wanted": wanted})


def _entrants(drawn: Schedule, shown: Collection[Player]) -> list[_Entrant]:
    event, places = drawn.event, _places(drawn)
    found = (
        _Entrant(player, event.states[at] if event.states else "entered", places.get(player.id))
        for at, player in enumerate(event.entrants)
        if player in shown
    )
    return sorted(found, key=lambda each: name_order(each.player.shown))


def _places(drawn: Schedule) -> Mapping[int, tuple[Table, int]]:
    return {
        player.id: (table, seat)
        for round_ in drawn.rounds
        for table in round_.tables
        for seat, player in enumerate(table.players, 1)
    }


def _fields() -> Fields[_Entrant]:
    return (
        Field("player", _("Player"), lambda each: each.player.shown, priority=0),
        Field("table", _("Table"), lambda each: each.place[0].number if each.place else "", "right", priority=0),
        Field("seat", _("Seat"), lambda each: each.place[1] if each.place else "", "right", priority=0),
        Field("state", _("State"), _state, optional=True, priority=1),
    )


def _state(each: _Entrant) -> str:
    """Return the state of somebody who does not play."""
    return state_word(each.state) if each.state in GONE else ""


def _nobody(wanted: str, everybody: list[_Entrant]) -> tuple[str, ...]:
    """Return that nobody is found, and who may be meant."""
    if not wanted:
        return (_("Nobody has entered yet."),)
    nobody = _("Nobody is called “{name}”.").format(name=wanted[:80])
    near = similar(wanted, [each.player.shown for each in everybody])
    return (nobody, _("Perhaps: {names}.").format(names=", ".join(near))) if near else (nobody,)


PAGES = (Page("/players", players, query=("q",)),)
