"""Reports on the stages of an event: its plan drawn as a table, the presets, and who goes through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import OF_PEOPLE, Stage, Take, stage_fields
from tourney.reports.names import names_of
from tourney.reports.render.report import Field, Fields, Report, Section, listing, table_section
from tourney.service.lookup import event_argument
from tourney.service.stages import cut_changes, plan_check, shown
from tourney.service.stages.presets import Preset
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.sanitize import quote_argument


def stages_data(event: Event) -> list[dict[str, Any]]:
    """Return the stages of an event as JSON data, players by their names."""
    names = {player.id: player.shown for player in event.entrants}
    return [
        {
            name: [names.get(number, "") for number in value] if name in OF_PEOPLE else value
            for name, value in stage_fields(stage).items()
        }
        for stage in event.settings.stages
    ]


def stages_section(event: Event) -> tuple[Section, ...]:
    """Return the table of an event's stages, with the numbers of players to which its entrants lead; none without."""
    if not event.settings.stages:
        return ()
    rows = list(plan_check.expected(event, len(event.playing)))
    number = len(rows)
    heading = ngettext("{number} stage", "{number} stages", number).format(number=number)
    return (table_section(heading, _fields(), rows),)


def _fields() -> Fields[plan_check.Expected]:
    return (
        Field("name", _("Stage"), lambda row: row.stage.name, priority=0),
        Field("take", _("Who plays"), lambda row: _who(row.stage), priority=0),
        Field("players", _("Players"), lambda row: _players(row), "right", priority=0),
        Field("rounds", _("Rounds"), lambda row: _rounds(row.stage), "right", priority=0),
        Field("format", _("Format"), _format, priority=1),
        Field("hands", _("Hands"), lambda row: " ".join(row.stage.hands), optional=True, priority=2),
        Field("carry", _("Carried over"), lambda row: carry_text(row.stage), optional=True, priority=2),
        Field("state", _("State"), lambda row: _state(row.stage), optional=True, priority=2),
    )


def _players(row: plan_check.Expected) -> str:
    """Return the players and tables of a stage, such as `8: 4+4`."""
    if not row.players:
        return ""
    sizes = "+".join(map(str, row.sizes)) if len(row.sizes) <= 4 else ""
    tables = ngettext("{number} table", "{number} tables", len(row.sizes)).format(number=len(row.sizes))
    return f"{row.players} ({sizes or tables})" if row.sizes else str(row.players)


def _rounds(stage: Stage) -> str:
    return _("up to {number}").format(number=stage.rounds) if stage.lives else str(stage.rounds)


def _all(_stage: Stage) -> str:
    return _("all")


def _named(_stage: Stage) -> str:
    return _("players that you name")


def _of_number(text: Callable[[int], str]) -> Callable[[Stage], str]:
    return lambda stage: text(stage.number).format(number=stage.number)


_WHO: Final[Mapping[Take, Callable[[Stage], str]]] = {
    "all": _all,
    "best": _of_number(lambda _number: _("the {number} best")),
    "of each table": _of_number(
        lambda number: ngettext("the best of each table", "the {number} best of each table", number)
    ),
    "percent": _of_number(lambda _number: _("the best {number} %")),
    "better than": _of_number(lambda _number: _("fewer than {number} points per game")),
    "named": _named,
}


def who_plays(stage: Stage) -> str:
    """Return in words who plays in a stage."""
    return _WHO[stage.take](stage)


def _who(stage: Stage) -> str:
    """Return in words who plays in a stage, and what decides where players tie at the border."""
    ties = {"": "", "list": _("ties by tie-breaks"), "together": _("all who tie"), "play-off": _("ties by one hand")}
    return ", ".join(filter(None, (who_plays(stage), ties[stage.ties])))


def carry_text(stage: Stage) -> str:
    """Return in words what the players of a stage bring along."""
    if stage.carry == "place points":
        return _("by rank: {points}").format(points=", ".join(map(str, stage.carry_points)))
    return {"nothing": "", "all": _("all points"), "half": _("half the points")}[stage.carry]


def _format(row: plan_check.Expected) -> str:
    """Return the format in the reader's language, and how players get their seats where the stage says so."""
    seats = {"": "", "rank": _("seats by rank"), "lot": _("seats by lot")}[row.stage.seats]
    return ", ".join(filter(None, (pgettext("format", row.stage.format), seats)))


def _state(stage: Stage) -> str:
    return _("from round {round}").format(round=stage.first) if stage.first > 1 else ""


def presets(found: Sequence[Preset]) -> Report:
    """Report the presets: what they are, and for how many players they were rehearsed."""
    fields: Fields[Preset] = (
        Field("id", _("Preset"), lambda preset: preset.id, priority=0),
        Field("least", _("From"), lambda preset: preset.least, "right"),
        Field("most", _("To players"), lambda preset: preset.most, "right"),
        Field("summary", _("What it is"), lambda preset: preset.summary, cell=lambda each: _(each.summary), priority=0),
        Field("stages", "", lambda preset: [stage_fields(stage) for stage in preset.stages]),
    )
    steps = (_("Create an event with `tourney event new NAME --preset ID`."),)
    return listing(_("Presets"), fields, found, next_steps=steps)


def decided(outcome: cut_changes.CutDecision) -> Report:
    """Report a decision about who plays in a stage."""
    stage = outcome.stage
    title = _("{event}: who plays in {stage}").format(event=outcome.event.settings.name, stage=stage.name)
    fields: Fields[Player] = (
        Field("player", _("Player"), lambda player: player.shown, priority=0),
        Field("new", _("New"), lambda player: player in outcome.added, cell=_new(outcome), optional=True),
    )
    removed = (_("No longer in it: {names}").format(names=names_of(outcome.removed)),) if outcome.removed else ()
    lines = (*removed, *shown.play_off_lines(outcome.event, stage, outcome.play_offs))
    steps = (_seat_them(outcome),) if outcome.added and stage.begun else ()
    data = {
        "stage": stage.name,
        "players": [player.shown for player in outcome.players],
        "added": [player.shown for player in outcome.added],
        "removed": [player.shown for player in outcome.removed],
    }
    return listing(title, fields, outcome.players, data=data, lines=lines, next_steps=steps)


def _new(outcome: cut_changes.CutDecision) -> Callable[[Player], str]:
    return lambda player: _("new") if player in outcome.added else ""


def _seat_them(outcome: cut_changes.CutDecision) -> str:
    """Return how players who are new in a stage get a seat in a round that is drawn already."""
    text = _("They play from the next round on, or at once with `tourney round move{event} {player} --table T`.")
    event, player = event_argument(outcome.event), quote_argument(outcome.added[0].shown)
    return text.format(event=event, player=player)
