"""`tourney rating predict`, `quality` and `whatif`: games that are not yet played."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import EventName
from tourney.cli.framework.request import Reading
from tourney.cli.ratings.options import Players, Pool
from tourney.reports.ratings import forecasts as reports
from tourney.reports.render.report import Report
from tourney.reports.results import clinching as clinching_reports
from tourney.service import standings
from tourney.service.ratings import forecasts
from tourney.service.ratings import forecasts as service
from tourney.text.i18n import _

app = Commands()

Top = Annotated[int, typer.Option(metavar="N", min=0, help=_("Also every order of the first N, most likely first."))]
Seed = Annotated[str, typer.Option(metavar="SEED", help=_("For the orders sampled with more than five players."))]
OnePlayer = Annotated[str | None, typer.Option(metavar="PLAYER", help=_("Only this player, in full."))]
Place = Annotated[int, typer.Option(metavar="N", min=1, help=_("The place to reach."))]
RankedPool = Annotated[
    str | None, typer.Option(metavar="POOL", help=_("A rank in the ratings of this pool, instead of the standings."))
]


@app.command(help=_("Show how likely each player is to finish on each place. Ties are left out."))
def predict(request: Reading, players: Players, pool: Pool = "people", top: Top = 0) -> None:
    request.show(reports.forecast(service.predict(request.db, players, pool, top)))


@app.command(help=_("Show how even a game would be, and how much it would tell."))
def quality(request: Reading, players: Players, pool: Pool = "people", seed: Seed = "1") -> None:
    request.show(reports.quality(service.quality(request.db, players, pool, seed)))


@app.command(help=_("Show what it takes to reach a place in an event."))
def whatif(
    request: Reading, event: EventName = None, player: OnePlayer = None, place: Place = 1, pool: RankedPool = None
) -> None:
    report = (
        _in_event(request.db, event, place, player)
        if pool is None
        else _in_ratings(request.db, event, place, player, pool)
    )
    request.show(report)


def _in_event(db: str | None, event: str | None, place: int, player: str | None) -> Report:
    prospects = standings.whatif(db, event, place)
    if player is None:
        return clinching_reports.prospects(prospects)
    return clinching_reports.prospect(prospects, standings.prospect_of(prospects, player))


def _in_ratings(db: str | None, event: str | None, place: int, player: str | None, pool: str) -> Report:
    prospects = forecasts.whatif(db, event, pool, place)
    if player is None:
        return reports.rating_prospects(prospects)
    return reports.rating_prospect(prospects, forecasts.prospect_of(prospects, player))
