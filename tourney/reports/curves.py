"""A player's rating game by game as a report."""

from operator import attrgetter

from tourney.domain import Curve
from tourney.reports.report import Column, Report
from tourney.text import _


def smoothed(what: Curve) -> Report:
    """The rating as it stood behind each game, beside what all games of the pool say of him then."""
    columns = (
        Column("game", _("Game"), "right"),
        Column("place", _("Place"), "right"),
        Column("players", _("Of"), "right"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("smoothed_mu", _("Smoothed mu"), "right", 2),
        Column("smoothed_sigma", _("Smoothed sigma"), "right", 2),
    )
    keys = [column.key for column in columns]
    rows = tuple(map(attrgetter(*keys), what.points))
    games = [dict(zip(keys, row, strict=True)) for row in rows]
    data = {"pool": what.pool.name, "player": what.player, "games": games}
    title = _("{player} in the pool {pool}, game by game").format(player=what.player, pool=what.pool.name)
    said = (
        _("mu and sigma are from what was known behind that game; the smoothed ones from all games, later ones too.")
        if rows
        else _("No game yet.")
    )
    absent = (_("The smoothed ones know of tau alone, and of no absence."),) if what.pool.ages else ()
    return Report(title, columns, rows, data=data, lines=(said, *absent))
