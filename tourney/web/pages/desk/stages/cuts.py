"""The stages of the event: its plan, who goes through now, and the decisions that a cut needs, each with its button."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
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
from tourney.text.i18n import _, pgettext
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, submit, view, whole_number
from tourney.web.pages.desk.people.people import unknown_button
from tourney.web.pages.hall import earlier_standings, ended_stages
from tourney.web.render import Link, Shown, report_view

STAGES: Final = "/desk/stages"


@dataclass(frozen=True, slots=True)
class RunnerLine:
    """A player of the stage that is played: rank, name, and whether they go through to the next one."""

    rank: str
    name: str
    state: str


def stages(asked: Asked, refused: Refused = None) -> View:
    """Show the stages of the event, who goes through, and the forms of the decisions that wait."""
    event = asked.server.event()
    found = status(asked.db, event.settings.name).stages
    values = {
        "plan": _plan(event),
        "runners": list(_runners(asked, event)),
        "lines": [line for line in (() if found is None else (*found.play_off, *found.lines)) if "`" not in line],
        "buttons": list(_buttons(found)),
        "order": _order(asked, found),
        "named": _named(asked, event, found),
        "again": _again(found),
        "draw": _draw(found),
        "new": Link("/desk/events", _("Create an event with stages")),
        "ended": list(earlier_standings(asked, ended_stages(event))),
    }
    return view(asked, "stages.html", _("Stages"), values, refused, about=("event",))


def _plan(event: Event) -> Shown | None:
    """Return the table of the plan; None for an event without stages."""
    sections = report.stages_section(event)
    return report_view(Report(_("Stages"), sections=sections)) if sections else None


def _runners(asked: Asked, event: Event) -> Iterator[RunnerLine]:
    """Yield the players of the stage that is played with who goes through; none if no cut is ahead."""
    table = standings(asked.db, event.settings.name)
    for row in table.rows:
        if row.cut is not None:
            yield RunnerLine("" if row.rank is None else str(row.rank), row.player.shown, cut_text(row))


def _buttons(found: StageStatus | None) -> Iterator[tuple[str, str]]:
    """Yield the decisions that a correction or a departure offers, with the texts of their buttons."""
    if found is None or not found.lines:
        return
    if found.can_replace:
        yield "replace", pgettext("a button", "Let the next in line play")
    elif found.can_add:
        yield "add", pgettext("a button", "Add a seat for each")
    yield "keep", pgettext("a button", "Leave it as it is")


def _again(found: StageStatus | None) -> Link | None:
    """Return the link to where the newest round is cancelled, if the stage can be seated again."""
    if found is None or not found.can_seat_again:
        return None
    return Link("/desk/rounds", _("Seat {stage} again: cancel the round and draw again").format(stage=found.name))


def _order(asked: Asked, found: StageStatus | None) -> list[tuple[int, str, str, str]]:
    """Return the players of a play-off hand with the points and places typed so far; none if no hand is asked for."""
    players = () if found is None else found.undecided
    return [
        (player.id, player.shown, asked.field(f"points-{player.id}"), asked.field(f"place-{player.id}"))
        for player in players
    ]


def _named(asked: Asked, event: Event, found: StageStatus | None) -> list[tuple[str, bool]]:
    """Return the players who can be named for the next stage, with those chosen so far; none if nobody is named."""
    if found is None or not found.unnamed:
        return []
    chosen = set(asked.form.get("player", ()))
    names = sorted((player.shown for player in event.playing), key=name_order)
    return [(name, name in chosen) for name in names]


def _draw(found: StageStatus | None) -> Link | None:
    """Return the link to the draw of the next stage, once it can begin."""
    if found is None or not found.begins or found.undecided or found.unnamed:
        return None
    return Link("/desk/rounds", _("Draw {stage}").format(stage=found.following))


def act(asked: Asked) -> Answer:
    """Do what a button says."""
    do = asked.field("do")
    changes: Mapping[str, Callable[[], Change[CutDecision]]] = {
        "keep": lambda: KeepCut(event_name(asked)),
        "add": lambda: AddSeats(event_name(asked)),
        "replace": lambda: ReplacePlayers(event_name(asked)),
        "playoff": lambda: _play_off(asked),
        "name": lambda: NamePlayers(event_name(asked), asked.form.get("player", ())),
    }
    if do not in changes:
        raise unknown_button()
    return submit(asked, changes[do], report.decided, STAGES, stages)


def _play_off(asked: Asked) -> DecidePlayOff:
    """Return the decision by the points typed, or by the places. Raises TourneyError USAGE for gaps, and for both."""
    found = status(asked.db, event_name(asked)).stages
    players: Sequence[Player] = () if found is None else found.undecided
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
