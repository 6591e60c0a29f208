"""The workers of a scheduler on which a league was played."""

from dataclasses import asdict
from operator import attrgetter
from typing import Any

from tourney.domain.leagues import LeagueMachine, LeagueTable
from tourney.reports.leagues.fields import figure
from tourney.reports.render.report import Field, Fields, Section, table_section
from tourney.text.i18n import _, ngettext, pgettext


def machines_section(table: LeagueTable) -> Section:
    """Return the machines with their states and rates; those that were left out say why below."""
    fields: Fields[LeagueMachine] = (
        Field("name", _("Worker"), attrgetter("name"), priority=0),
        Field("state", pgettext("of a worker", "State"), attrgetter("state"), cell=_state),
        Field("build", _("Build"), attrgetter("build"), cell=_build, priority=3),
        figure("slots", _("Slots"), priority=4),
        figure("blocks", _("Blocks")),
        figure("hands", _("Hands"), priority=3),
        figure("speed", _("Hands/s"), 1),
    )
    why = _("{worker} is left out: {why}")
    notes = tuple([why.format(worker=machine.name, why=machine.why) for machine in table.machines if machine.why])
    return table_section(_("Workers of the scheduler"), fields, table.machines, notes)


def machines_line(machines: tuple[LeagueMachine, ...]) -> str:
    """Return how many workers play, for the progress of a league."""
    playing = [machine for machine in machines if machine.state == "playing" and machine.build]
    return ngettext("{n} worker plays", "{n} workers play", len(playing)).format(n=len(playing))


def machines_data(table: LeagueTable) -> dict[str, Any]:
    """Return the machines for programs; nothing for a league that was played here."""
    return {"machines": [asdict(machine) for machine in table.machines]} if table.machines else {}


def _state(machine: LeagueMachine) -> str:
    return {
        "playing": pgettext("of a worker", "playing"),
        "late": pgettext("of a worker", "late"),
        "done": pgettext("of a worker", "done"),
        "left out": pgettext("of a worker", "left out"),
        "gone": pgettext("of a worker", "gone"),
    }[machine.state]


def _build(machine: LeagueMachine) -> str:
    return {"compiled": pgettext("of a build", "compiled"), "plain": pgettext("of a build", "plain")}.get(
        machine.build, ""
    )
