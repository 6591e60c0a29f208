"""Pilots of leagues as reports."""

from dataclasses import asdict

from tourney.domain import DesignNeed, LeaguePilot
from tourney.reports.report import Cell, Column, Report
from tourney.text import _


def pilot(what: LeaguePilot) -> Report:
    """The designs beside each other: what they were tried with, and how many hands they need."""
    columns = (
        Column("design", _("Design")),
        Column("played", _("Hands played"), "right"),
        Column("better", _("Better"), readers="programs"),
        Column("worse", _("Worse"), readers="programs"),
        Column("gap", _("Gap"), "right", 2),
        Column("error", "±", "right", 2),
        Column("spread", _("Spread"), "right", 1),
        Column("hands", _("Hands needed"), "right"),
        Column("fewer", _("Times fewer"), "right", 2),
        Column("fewer_low", _("From"), "right", 2),
        Column("fewer_high", _("To"), "right", 2),
    )
    rows = tuple(_row(columns, need) for need in what.needs)
    return Report(_title(what), columns, rows, data=_data(what), lines=_lines(what))


def _row(columns: tuple[Column, ...], need: DesignNeed) -> tuple[Cell, ...]:
    fields = asdict(need)
    return tuple(fields[column.key] for column in columns)


def _title(what: LeaguePilot) -> str:
    return _("Hands to separate {gap:g} points a hand: {bots}, {rules}, {seats} at a table").format(
        gap=what.gap, bots=", ".join(what.league.entrants), rules=what.league.rules, seats=what.league.seats
    )


def _lines(what: LeaguePilot) -> tuple[str, ...]:
    needed = _("A gap of that size is separated with {certainty:g} % in {power:g} of 100 such leagues.").format(
        certainty=100 * what.certainty, power=100 * what.power
    )
    return (
        needed,
        _("Gap: what these games have found, each bot against the opponents that the design gives it."),
        _("Spread: how far the difference of a block strays. Times fewer: with what holds it in 95 of 100 cases."),
    )


def _data(what: LeaguePilot) -> dict[str, object]:
    league = what.league
    return {
        "bots": list(league.entrants),
        "rules": league.rules,
        "seats": league.seats,
        "seed": league.seed,
        "gap": what.gap,
        "certainty": what.certainty,
        "power": what.power,
        "designs": [asdict(need) for need in what.needs],
    }
