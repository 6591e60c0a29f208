"""Forecasts of games as reports."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Final

from tourney.domain.forecasts import Expected, Forecast, TableQuality
from tourney.reports.render.report import Cell, Column, Report, Section
from tourney.text.i18n import _

MOST_PLACES: Final = 8
"""Players of whom a page has room for every place."""
MOST_ORDERS: Final = 12
"""Orders that a page lists; programs get all of them."""


def forecast(what: Forecast) -> Report:
    """Probabilities: people read them in per cent, the favourite first; programs get numbers from 0 to 1.

    Where more than MOST_PLACES play, people see the first place, the first three and the last; programs every place.
    """
    number = len(what.players)
    columns = (
        Column("player", _("Player")),
        *(Column(name, name, "right", 2) for name in ("mu", "sigma")),
        Column("games", _("Games"), "right"),
        Column("mean_place", _("Mean place"), "right", 2),
        *(Column(f"place_{place}", str(place), "right", 4) for place in range(1, number + 1)),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.player, one.mu, one.sigma, one.games, one.mean_place, *one.places) for one in what.players
    )
    title = _("How a game of these {number} is expected to end, by the ratings of the pool {pool}").format(
        number=number, pool=what.pool.name
    )
    return Report(title, columns, rows, data=_forecast_data(what), sections=_sections(what))


def _forecast_data(what: Forecast) -> dict[str, Any]:
    names = [one.player for one in what.players]
    players = [
        {
            "player": one.player,
            "mu": one.mu,
            "sigma": one.sigma,
            "games": one.games,
            "first": one.places[0],
            "mean_place": one.mean_place,
            "places": list(one.places),
            "ahead": {name: chance for name, chance in zip(names, one.ahead, strict=True) if name != one.player},
        }
        for one in what.players
    ]
    orders = [{"order": list(one.players), "probability": one.probability} for one in what.orders]
    return {"pool": what.pool.name, "players": players, **({"orders": orders} if orders else {})}


def _sections(what: Forecast) -> tuple[Section, ...]:
    best = sorted(what.players, key=lambda one: one.mean_place)
    places = _summary(best) if len(best) > MOST_PLACES else _every_place(best)
    return (places, _orders(what)) if what.orders else (places,)


def _every_place(players: Sequence[Expected]) -> Section:
    columns = (
        Column("player", _("Player")),
        Column("mean", _("Mean"), "right", 2),
        *(Column(str(place), str(place), "right", 1) for place in range(1, len(players) + 1)),
    )
    rows = _percent_rows((one, one.places) for one in players)
    return Section(_("Places, in per cent"), columns, rows)


def _summary(players: Sequence[Expected]) -> Section:
    columns = (
        Column("player", _("Player")),
        Column("mean", _("Mean"), "right", 2),
        Column("first", _("First"), "right", 1),
        Column("three", _("First three"), "right", 1),
        Column("last", _("Last"), "right", 1),
    )
    rows = _percent_rows((one, (one.places[0], sum(one.places[:3]), one.places[-1])) for one in players)
    return Section(_("Places, in per cent"), columns, rows)


def _percent_rows(players: Iterable[tuple[Expected, Sequence[float]]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((one.player, one.mean_place, *(100.0 * chance for chance in chances)) for one, chances in players)


def _orders(what: Forecast) -> Section:
    columns = (Column("order", _("Order")), Column("probability", "%", "right", 1))
    rows = tuple((" > ".join(one.players), 100.0 * one.probability) for one in what.orders[:MOST_ORDERS])
    heading = _("The likeliest orders of the first {top}, of {number}").format(
        top=len(what.orders[0].players), number=len(what.orders)
    )
    return Section(heading, columns, rows)


def quality(what: TableQuality) -> Report:
    """A table's quality, evenness and bits, and what each player brings and takes away."""
    columns = (
        Column("player", _("Player")),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("first", _("First"), "right", 3),
        Column("sigma_after", _("Sigma after"), "right", 2),
    )
    keys = [column.key for column in columns]
    rows = tuple(map(attrgetter(*keys), what.players))
    data = {
        "pool": what.pool.name,
        "quality": what.quality,
        "evenness": what.evenness,
        "bits": what.bits,
        "players": [dict(zip(keys, row, strict=True)) for row in rows],
    }
    title = _("How good a game of these {number} would be, by the ratings of the pool {pool}").format(
        number=len(rows), pool=what.pool.name
    )
    return Report(title, columns, rows, data=data, lines=_explained(what))


def _explained(what: TableQuality) -> tuple[str, ...]:
    return (
        _("Quality {quality:.3f}: TrueSkill's match quality, 1 where all are known to be equal.").format(
            quality=what.quality
        ),
        _("Evenness {evenness:.3f}: how open the first place is, 1 where all are as likely to be first.").format(
            evenness=what.evenness
        ),
        _("Information {bits:.2f} bits: how often, over all players, the doubt about a skill is halved.").format(
            bits=what.bits
        ),
    )
