"""Reports on a rehearsed event and on simulated plans."""

from collections.abc import Iterator
from typing import Any

from tourney.reports.render.report import Field, Fields, Report, Section, listing, record, table_section
from tourney.service.admin.rehearsal import Happening, Incident, Rehearsal, RehearsedRound
from tourney.service.stages.simulation import SimulatedMean, SimulatedPlan, Simulation
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number


def rehearsal(found: Rehearsal) -> Report:
    """Report a rehearsal: its rounds, what happened between them, and what the evening takes."""
    fields: Fields[RehearsedRound] = (
        Field("round", _("Round"), lambda row: row.number, "right", priority=0),
        Field("stage", _("Stage"), lambda row: row.stage, optional=True, priority=0),
        Field("players", _("Players"), lambda row: row.players, "right", priority=0),
        Field("tables", _("Tables"), lambda row: row.tables, "right"),
        Field("byes", _("Byes"), lambda row: row.byes, "right", optional=True),
        Field("minutes", _("Minutes"), lambda row: row.minutes, "right", 0),
    )
    title = _("{event}, rehearsed with {players} invented players").format(
        event=found.event.settings.name, players=found.players
    )
    table = table_section(_("Rounds"), fields, found.rounds)
    happened = tuple(map(_happened, found.incidents))
    sections = (table, Section(_("What happened"), bullets=happened)) if happened else (table,)
    data: dict[str, Any] = {
        "event": found.event.settings.name,
        "players": found.players,
        "rounds": [record(fields, row) for row in found.rounds],
        "incidents": [{"round": each.round, "kind": each.kind, "players": each.text} for each in found.incidents],
        "commands": found.commands,
        "sheets": found.sheets,
        "minutes": found.minutes,
        "first": list(found.first),
    }
    return Report(title, data=data, lines=tuple(_lines(found)), sections=sections)


def _lines(found: Rehearsal) -> Iterator[str]:
    yield _("Played to its end without a question that has no answer.")
    commands = ngettext("{number} command", "{number} commands", found.commands).format(number=found.commands)
    sheets = ngettext("{number} sheet", "{number} sheets", found.sheets).format(number=found.sheets)
    yield _("To type: {commands} and {sheets}.").format(commands=commands, sheets=sheets)
    if found.minutes is not None:
        yield _("All rounds together take {hours} hours, without breaks.").format(
            hours=f"{Number(found.minutes / 60):.1f}"
        )


def _happened(incident: Incident) -> str:
    words: dict[Happening, str] = {
        "late": _("before round {round} came late: {names}"),
        "left": _("before round {round} left: {names}"),
        "play-off": _("before round {round} a play-off hand was asked for, and played by {names}"),
        "named": _("before round {round} the players of the stage were named: {names}"),
        "replaced": _("before round {round} the next in line went through: {names}"),
    }
    return words[incident.kind].format(round=incident.round, names=incident.text)


def simulation(found: Simulation) -> Report:
    """Report simulated plans side by side; intervals are those of 95 %."""
    fields: Fields[SimulatedPlan] = (
        Field("preset", _("Preset"), lambda row: row.id, priority=0),
        Field("best_wins", _("Best wins"), lambda row: _data(row.best_wins), "right", 0, cell=_wins, priority=0),
        Field("top_four", _("Mean rank of the best four"), lambda row: _data(row.top_four), "right", cell=_top_four),
        Field(
            "repeats",
            _("Repeats"),
            lambda row: _data(row.repeats),
            "right",
            cell=lambda row: row.repeats.mean,
            decimals=1,
        ),
        Field("hours", _("Hours"), lambda row: row.hours, "right", 1),
    )
    title = ngettext(
        "{runs} tournament of {players} players under each plan",
        "{runs} tournaments of {players} players under each plan",
        found.runs,
    ).format(runs=found.runs, players=found.players)
    data = {
        "players": found.players,
        "runs": found.runs,
        "spread": found.spread,
        "pool": found.source,
        "rated": found.rated,
        "plans": [record(fields, row) for row in found.plans],
    }
    return listing(title, fields, found.plans, data=data, notes=tuple(_notes(found)))


def _data(found: SimulatedMean) -> dict[str, float]:
    return {"mean": found.mean, "low": found.low, "high": found.high}


def _wins(row: SimulatedPlan) -> str:
    best = row.best_wins
    return _("{share} % ({low} to {high})").format(
        share=round(100 * best.mean), low=round(100 * best.low), high=round(100 * best.high)
    )


def _top_four(row: SimulatedPlan) -> str:
    return f"{Number(row.top_four.mean):.1f} ± {Number(row.top_four.high - row.top_four.mean):.1f}"


def _notes(found: Simulation) -> Iterator[str]:
    yield _("In brackets and behind ± the limits of 95 % intervals. The best four would have a mean rank of 2.5.")
    spread = f"{Number(found.spread):.2f}"
    if found.source:
        text = _("Skills spread by {spread} of a game's chance, as among the {rated} rated players of the pool {pool}.")
        yield text.format(spread=spread, rated=found.rated, pool=found.source)
    else:
        yield _("Skills spread by {spread} of a game's chance; --spread changes that.").format(spread=spread)
    if found.left_out:
        text = _("Not meant for so many players: {presets}.")
        yield text.format(presets=", ".join(found.left_out))
