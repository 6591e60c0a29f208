"""`tourney rating predict`, `quality` and `whatif`: games that are not yet played."""

from typing import Annotated

import typer

from tourney.cli.framework.options import Database, EventName, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.reports.ratings import forecasts as reports
from tourney.reports.ratings import rank_reach as reach_reports
from tourney.reports.render.report import Report
from tourney.reports.results import clinching as prospect_reports
from tourney.service.ratings import forecasts as service
from tourney.service.ratings import rank_reach
from tourney.service.standings import clinching
from tourney.text.i18n import _

app = typer.Typer()

Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER...", help=_("2 to 64 players of the pool, rated or not."))
]
PoolName = Annotated[str, typer.Option("--pool", metavar="POOL", help=_("As people, bots, joint or one imported."))]


@app.command(help=_("How likely each player is to finish on each place. That players may tie is left out."))
def predict(
    players: Players,
    pool: PoolName = "people",
    top: Annotated[
        int, typer.Option(metavar="N", min=0, help=_("Also every order of the first N, the likeliest first."))
    ] = 0,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.forecast(service.predict(db, players, pool, top)), form(format, json))


@app.command(help=_("How even a game of these players would be, and how telling."))
def quality(
    players: Players,
    pool: PoolName = "people",
    seed: Annotated[
        str, typer.Option(metavar="SEED", help=_("For the orders that are drawn where more than five play."))
    ] = "1",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.quality(service.quality(db, players, pool, seed)), form(format, json))


@app.command(help=_("What each must do in an event's last games to reach a place."))
def whatif(
    event: EventName = None,
    player: Annotated[str | None, typer.Option(metavar="PLAYER", help=_("This player alone, in full."))] = None,
    place: Annotated[int, typer.Option(metavar="N", min=1, help=_("The place to reach."))] = 1,
    pool: Annotated[
        str | None, typer.Option(metavar="POOL", help=_("A place in the ratings of this pool, not in the event."))
    ] = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    report = _in_event(db, event, place, player) if pool is None else _in_ratings(db, event, place, player, pool)
    show(report, form(format, json))


def _in_event(db: str | None, event: str | None, place: int, player: str | None) -> Report:
    told = clinching.whatif(db, event, place)
    if player is None:
        return prospect_reports.prospects(told)
    return prospect_reports.prospect(told, clinching.prospect_of(told, player))


def _in_ratings(db: str | None, event: str | None, place: int, player: str | None, pool: str) -> Report:
    told = rank_reach.whatif(db, event, pool, place)
    if player is None:
        return reach_reports.prospects(told)
    return reach_reports.prospect(told, rank_reach.prospect_of(told, player))
