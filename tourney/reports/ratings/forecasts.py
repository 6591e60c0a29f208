"""Reports on forecasts, table quality and reachable ranks."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tourney.domain.forecasts import (
    Forecast,
    OrderForecast,
    PlayerAtTable,
    PlayerForecast,
    RatingProspect,
    RatingProspects,
    TableQuality,
)
from tourney.reports.render.bars import bar
from tourney.reports.render.report import Field, Fields, Report, Section, listing, named, record, table_section
from tourney.text.i18n import _
from tourney.text.numbers import Number

MAX_PLACES: Final = 8
"""The most players for whom a page has room for every place."""
MAX_ORDERS: Final = 12
"""The most orders that a page lists; JSON has all of them."""


def forecast(prediction: Forecast) -> Report:
    """Report the probabilities: a page has per cent, the favourite first; JSON and CSV have numbers from 0 to 1.

    With more than MAX_PLACES players, a page has the first place, the first three and the last.
    """
    fields = _player_fields(len(prediction.players))
    title = _("Expected finish of a game of {number}, by the ratings of the pool {pool}").format(
        number=len(prediction.players), pool=prediction.pool.name
    )
    return listing(
        title, fields, prediction.players, data=_forecast_data(prediction), sections=_forecast_sections(prediction)
    )


def _player_fields(players: int) -> Fields[PlayerForecast]:
    return (
        Field("player", _("Player"), lambda row: row.player),
        Field("mu", "mu", lambda row: row.mu, "right", 2),
        Field("sigma", "sigma", lambda row: row.sigma, "right", 2),
        Field("games", _("Games"), lambda row: row.games, "right"),
        Field("mean_place", _("Mean place"), lambda row: row.mean_place, "right", 2),
        *(Field(f"place_{place}", str(place), _place(place), "right", 4) for place in range(1, players + 1)),
    )


def _place(place: int) -> Callable[[PlayerForecast], float]:
    return lambda row: row.places[place - 1]


def _forecast_data(prediction: Forecast) -> dict[str, Any]:
    names = [row.player for row in prediction.players]
    players = [
        {
            **named(row, "player", "mu", "sigma", "games"),
            "first": row.places[0],
            "mean_place": row.mean_place,
            "places": list(row.places),
            "ahead": {name: share for name, share in zip(names, row.ahead, strict=True) if name != row.player},
        }
        for row in prediction.players
    ]
    orders = [{"order": list(row.players), "probability": row.probability} for row in prediction.orders]
    return {"pool": prediction.pool.name, "players": players, **({"orders": orders} if orders else {})}


def _forecast_sections(prediction: Forecast) -> tuple[Section, ...]:
    best_first = sorted(prediction.players, key=lambda row: row.mean_place)
    places = _percent_fields(len(best_first))
    section = table_section(_("Places, in per cent"), places, best_first)
    return (section, _orders(prediction.orders)) if prediction.orders else (section,)


def _percent_fields(players: int) -> Fields[PlayerForecast]:
    every = [(str(place), str(place), _place(place)) for place in range(1, players + 1)]
    summary = [
        ("first", _("First"), _place(1)),
        ("three", _("First three"), lambda row: sum(row.places[:3])),
        ("last", _("Last"), _place(players)),
    ]
    shown: Sequence[tuple[str, str, Callable[[PlayerForecast], float]]] = summary if players > MAX_PLACES else every
    return (
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("mean", _("Mean"), lambda row: row.mean_place, "right", 2, priority=0),
        *(Field(key, heading, _percent(value), "right", 1) for key, heading, value in shown),
        Field("bar", _("First"), lambda row: bar(row.places[0]), priority=3, look="bar"),
    )


def _percent(value: Callable[[PlayerForecast], float]) -> Callable[[PlayerForecast], float]:
    return lambda row: 100.0 * value(row)


def _orders(orders: Sequence[OrderForecast]) -> Section:
    fields: Fields[OrderForecast] = (
        Field("order", _("Order"), lambda row: " > ".join(row.players), priority=0),
        Field("probability", "%", lambda row: 100.0 * row.probability, "right", 1, priority=0),
        Field("bar", " ", lambda row: bar(row.probability / orders[0].probability), priority=3, look="bar"),
    )
    heading = _("The most likely orders of the first {top}, of {number}").format(
        top=len(orders[0].players), number=len(orders)
    )
    return table_section(heading, fields, orders[:MAX_ORDERS])


def quality(rated_table: TableQuality) -> Report:
    """Report a table's quality, evenness and expected information, and the players' sigma before and after."""
    fields: Fields[PlayerAtTable] = (
        Field("player", _("Player"), lambda row: row.player),
        Field("mu", "mu", lambda row: row.mu, "right", 2),
        Field("sigma", "sigma", lambda row: row.sigma, "right", 2),
        Field("first", _("First"), lambda row: row.first, "right", 3),
        Field("sigma_after", _("Sigma after"), lambda row: row.sigma_after, "right", 2),
    )
    data = {
        "pool": rated_table.pool.name,
        **named(rated_table, "quality", "evenness", "bits"),
        "players": [record(fields, row) for row in rated_table.players],
    }
    title = _("Quality of a game of {number}, by the ratings of the pool {pool}").format(
        number=len(rated_table.players), pool=rated_table.pool.name
    )
    return listing(title, fields, rated_table.players, data=data, lines=_quality_lines(rated_table))


def _quality_lines(rated_table: TableQuality) -> tuple[str, ...]:
    return (
        _("Quality {quality:.3f}: TrueSkill's match quality, 1 where all are known to be equal.").format(
            quality=Number(rated_table.quality)
        ),
        _("Evenness {evenness:.3f}: how open the first place is, 1 where all are equally likely to be first.").format(
            evenness=Number(rated_table.evenness)
        ),
        _("Information {bits:.2f} bits: one bit halves the uncertainty about one player's skill.").format(
            bits=Number(rated_table.bits)
        ),
    )


def rating_prospects(answer: RatingProspects) -> Report:
    """Report for each player at an open table the places that make a rank certain, and those that allow it."""
    rank = answer.place
    fields: Fields[RatingProspect] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right"),
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("table", _("Table"), lambda row: row.table, "right", priority=3),
        Field("best", _("Best"), lambda row: min(row.best), "right", priority=0),
        Field("worst", _("Worst"), lambda row: max(row.worst), "right", priority=0),
        Field("sure", _("Sure with"), lambda row: _places(row.sure(rank), len(row.best))),
        Field("possible", _("Possible with"), lambda row: _places(row.possible(rank), len(row.best))),
    )
    title = _("What it takes in round {round} of {event} to reach rank {rank} of the pool {pool}").format(
        round=answer.round, event=answer.event.settings.name, rank=rank, pool=answer.pool.name
    )
    sure = _("Sure: whatever the others do. Possible: if the others do what suits best.")
    data = _prospects_data(answer, answer.prospects)
    return listing(title, fields, answer.prospects, data=data, lines=(sure, _orders_line()))


def rating_prospect(answer: RatingProspects, prospect: RatingProspect) -> Report:
    """Report one player's best and worst rank for each place at the table."""
    fields: Fields[tuple[int, int, int]] = (
        Field("place", _("Place at table {table}").format(table=prospect.table), lambda row: row[0], "right"),
        Field("best", _("Best rank"), lambda row: row[1], "right"),
        Field("worst", _("Worst rank"), lambda row: row[2], "right"),
    )
    places = range(1, len(prospect.best) + 1)
    rows = tuple(zip(places, prospect.best, prospect.worst, strict=True))
    now = _("not rated yet") if prospect.rank is None else _("rank {rank} now").format(rank=prospect.rank)
    title = _("{player}, {now}: the ratings of the pool {pool} after round {round} of {event}").format(
        player=prospect.player, now=now, pool=answer.pool.name, round=answer.round, event=answer.event.settings.name
    )
    data = _prospects_data(answer, (prospect,))
    return listing(title, fields, rows, data=data, lines=(_orders_line(),))


def _places(last: int, players: int) -> str:
    """Return the places of a table from the first to `last` as text."""
    if last == 0:
        return _("no place")
    if last == players:
        return _("any place")
    return _("place {last}").format(last=last) if last == 1 else _("place 1 to {last}").format(last=last)


def _orders_line() -> str:
    return _("Every finishing order of every open table is counted; ties and games played since are left out.")


def _prospects_data(answer: RatingProspects, prospects: Sequence[RatingProspect]) -> dict[str, Any]:
    return {
        "pool": answer.pool.name,
        "event": answer.event.settings.name,
        "round": answer.round,
        "place": answer.place,
        "players": [
            {
                **named(row, "player", "rank", "table"),
                "sure": row.sure(answer.place),
                "possible": row.possible(answer.place),
                **named(row, "best", "worst"),
            }
            for row in prospects
        ],
    }
