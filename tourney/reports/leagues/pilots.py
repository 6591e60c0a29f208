"""Pilots of leagues as reports."""

from dataclasses import asdict

from tourney.domain.leagues import DesignNeed, LeaguePilot
from tourney.reports.render.report import Cell, Column, Readers, Report
from tourney.text.i18n import _


def pilot(what: LeaguePilot) -> Report:
    """The designs beside each other: what they were tried with, and how many hands they need."""
    couple: Readers = "everybody" if len(what.league.bots) > 2 else "programs"
    columns = (
        Column("design", _("Design")),
        Column("played", _("Hands played"), "right"),
        Column("better", _("Better"), readers=couple),
        Column("worse", _("Worse"), readers=couple),
        Column("gap", _("Gap"), "right", 2),
        Column("error", _("Error"), "right", 2),
        Column("spread", _("Spread"), "right", 1),
        Column("hands", _("Hands needed"), "right"),
        Column("fewer", _("Worth"), "right", 2),
        Column("fewer_low", _("From"), "right", 2),
        Column("fewer_high", _("To"), "right", 2),
    )
    rows = tuple(_row(columns, need) for need in what.needs)
    return Report(_title(what), columns, rows, data=_data(what), lines=_lines(what))


def _row(columns: tuple[Column, ...], need: DesignNeed) -> tuple[Cell, ...]:
    fields = asdict(need)
    return tuple(fields[column.key] for column in columns)


def _title(what: LeaguePilot) -> str:
    league = what.league
    unit = _("money") if league.stake else _("points")
    return _("Hands to separate {gap:g} {unit} a hand: {bots}, {rules}, {seats} at a table").format(
        gap=what.gap, unit=unit, bots=", ".join(league.entrants), rules=league.rules, seats=league.seats
    )


def _lines(what: LeaguePilot) -> tuple[str, ...]:
    needed = _("Needed: so that {power:g} of 100 leagues show a true gap of that size with {certainty:g} % certainty.")
    worth = _("Worth: of a hand, in hands of the design {first}; the true number is from … to … in 95 of 100 cases.")
    several = _("Better, worse: the two of these bots that take most hands to tell apart.")
    return (
        needed.format(certainty=100 * what.certainty, power=100 * what.power),
        *((several,) if len(what.league.bots) > 2 else ()),
        _("Gap: found here, and its standard error, against the opponents that each design gives the bots."),
        _("Spread: the standard deviation of a block's differences."),
        worth.format(first=what.needs[0].design),
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
