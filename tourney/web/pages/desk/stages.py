"""The stages of the event: its plan, who goes through now, and the decisions that a cut needs, each with its button."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.status import StageStatus
from tourney.reports import stages as report
from tourney.reports.render.report import Report
from tourney.reports.results.standings import cut_text
from tourney.service.change import Change
from tourney.service.events.status import status
from tourney.service.stages.cut_changes import (
    AddSeats,
    CutDecision,
    DecidePlayOff,
    KeepCut,
    NamePlayers,
    ReplacePlayers,
)
from tourney.service.stages.shown import standings
from tourney.text.i18n import _, for_terminal
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, press, view, whole_number
from tourney.web.pages.hall import earlier_standings, ended_stages
from tourney.web.render import Shown, report_view

STAGES: Final = "/desk/stages"


def stages(asked: Asked, refused: Refused = None) -> View:
    """Show the stages of the event, who goes through, and the forms of the decisions that wait."""
    event = asked.server.event()
    found = status(asked.db, event.settings.name).stages
    lines = () if found is None else (*found.play_off, *found.lines)
    values = {
        "plan": _plan(event),
        "runners": [row for row in standings(asked.db, event.settings.name).rows if row.cut is not None],
        "cut_text": cut_text,
        "found": found,
        "lines": [line for line in lines if not for_terminal(line)],
        "named": _named(asked, event, found),
        "ended": list(earlier_standings(asked, ended_stages(event))),
    }
    return view(asked, "stages.html", _("Stages"), values, refused, about=("event",))


def _plan(event: Event) -> Shown | None:
    """Return the table of the plan; None for an event without stages."""
    sections = report.stages_section(event)
    return report_view(Report(_("Stages"), sections=sections)) if sections else None


def _named(asked: Asked, event: Event, found: StageStatus | None) -> list[tuple[str, bool]]:
    """Return the players who can be named for the next stage, with those chosen so far; none if nobody is named."""
    if found is None or not found.unnamed:
        return []
    chosen = set(asked.form.get("player", ()))
    names = sorted((player.shown for player in event.playing), key=name_order)
    return [(name, name in chosen) for name in names]


def act(asked: Asked) -> Answer:
    """Do what a button says."""
    changes: Mapping[str, Callable[[], Change[CutDecision]]] = {
        "keep": lambda: KeepCut(event_name(asked)),
        "add": lambda: AddSeats(event_name(asked)),
        "replace": lambda: ReplacePlayers(event_name(asked)),
        "playoff": lambda: _play_off(asked),
        "name": lambda: NamePlayers(event_name(asked), asked.form.get("player", ())),
    }
    return press(asked, stages, {do: (change, report.decided, STAGES) for do, change in changes.items()})


def _play_off(asked: Asked) -> DecidePlayOff:
    """Return the decision by the points typed, or by the places. Raises TourneyError USAGE for gaps, and for both."""
    found = status(asked.db, event_name(asked)).stages
    hands = () if found is None else found.play_offs
    players = next(
        (each.players for each in hands if any(f"points-{one.id}" in asked.form for one in each.players)), ()
    )
    names = [player.shown for player in players]
    points = [whole_number(asked, f"points-{player.id}", below_zero=True) for player in players]
    places = [whole_number(asked, f"place-{player.id}") for player in players]
    given = [each for each in points if each is not None]
    if not given:
        return DecidePlayOff(event_name(asked), _by_place(names, places))
    if any(places) or len(given) < len(points):
        message = _("each player of the play-off hand needs points, or each a place")
        raise TourneyError(ExitCode.USAGE, message, _("type all points and no place, or all places and no points"))
    return DecidePlayOff(event_name(asked), names, given)


def _by_place(names: Sequence[str], places: Sequence[int | None]) -> Sequence[str]:
    """Return the names in the order of their places. Raises TourneyError USAGE for gaps."""
    order = sorted(zip([place or 0 for place in places], names, strict=True))
    if [place for place, _name in order] != list(range(1, len(names) + 1)):
        message = _("each player of the play-off hand needs a place of their own")
        raise TourneyError(ExitCode.USAGE, message, _("write 1, 2 and so on, 1 for the best"))
    return [name for _place, name in order]


PAGES = (
    page(STAGES, for_event(stages)),
    form(STAGES, for_event(act)),
)
