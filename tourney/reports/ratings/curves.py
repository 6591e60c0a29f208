"""A player's rating game by game as a report."""

from tourney.domain.curves import Curve, CurvePoint
from tourney.reports.render.report import Cell, Column, Report
from tourney.text.i18n import _


def smoothed(what: Curve) -> Report:
    """The rating as it stood behind each game, beside what all games of the pool say of him then."""
    # A game of an event is known by its round and table, one of a file by its number alone.
    of_file = what.pool.kind == "imported"
    columns = (
        Column("game", _("Game"), "right", readers="everybody" if of_file else "programs"),
        Column("event", _("Event")),
        Column("day", _("Day")),
        Column("round", _("Round"), "right"),
        Column("table", _("Table"), "right"),
        Column("place", _("Place"), "right"),
        Column("players", _("Of"), "right"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("smoothed_mu", _("Smoothed"), "right", 2),
        Column("smoothed_sigma", "±", "right", 2),
    )
    keys = [column.key for column in columns]
    rows = tuple(map(_row, what.points))
    games = [dict(zip(keys, row, strict=True)) for row in rows]
    data = {"pool": what.pool.name, "player": what.player, "games": games}
    title = _("{player} in the pool {pool}, game by game").format(player=what.player, pool=what.pool.name)
    said = (
        _("mu and sigma are from what was known behind that game; Smoothed and ± from all games, later ones too.")
        if rows
        else _("No game yet.")
    )
    absent = (_("The smoothed ones know of tau alone, and of no absence."),) if what.pool.ages else ()
    return Report(title, columns, rows, data=data, lines=(said, *absent))


def _row(point: CurvePoint) -> tuple[Cell, ...]:
    at: tuple[Cell, ...] = (point.game, point.event, point.day, point.round or "", point.table or "")
    skills = (point.mu, point.sigma, point.smoothed_mu, point.smoothed_sigma)
    return (*at, point.place, point.players, *skills)
