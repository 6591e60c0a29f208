"""`tourney rating predict`, `quality` and `whatif`: games that are not yet played."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import EventName, seed_text
from tourney.cli.framework.request import Reading
from tourney.cli.ratings.options import Players, Pool
from tourney.reports.ratings import forecasts as reports
from tourney.reports.render.report import Report
from tourney.reports.results import clinching as clinching_reports
from tourney.service.ratings import forecasts as service
from tourney.service.results import standings
from tourney.text.i18n import _

app = Commands()

FORECASTS = _("Games to be played")

Top = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        show_default=False,
        help=_("Also list who may take the first N places, the most likely order first."),
    ),
]
Seed = Annotated[
    str,
    typer.Option(
        parser=seed_text,
        metavar="TEXT",
        help=_("Any text, from which the sample of orders follows; for 6 players or more."),
    ),
]
Newcomers = Annotated[
    list[str] | None,
    typer.Option(
        "--newcomer",
        metavar="NAME",
        help=_("A player who has never played, with a newcomer's rating. May be repeated."),
    ),
]
OnePlayer = Annotated[
    str | None, typer.Option(metavar="PLAYER", help=_("Only this player, with every way to reach the place."))
]
Place = Annotated[int, typer.Option(metavar="N", min=1, help=_("The place to reach; 1 is to win."))]
RankedPool = Annotated[
    str | None,
    typer.Option(metavar="POOL", help=_("A pool, such as people: reach this rank in its ratings, not in the event.")),
]


@app.command(
    heading=FORECASTS,
    help=_("Show how likely each player is to finish in each place of a game. Ties are left out."),
    epilog=_("tourney rating predict Ana Beñat Carmen Diego\ntourney rating predict Ana Beñat --newcomer Xabi --top 3"),
)
def predict(
    request: Reading, players: Players = None, pool: Pool = "people", newcomer: Newcomers = None, top: Top = 0
) -> None:
    forecast = service.predict(request.db, players or (), pool, top, newcomer or ())
    request.show(lambda: reports.forecast(forecast))


@app.command(
    heading=FORECASTS,
    help=_("Show how even a game of these players would be, and how much its result would say about their ratings."),
    epilog=_("tourney rating quality Ana Beñat Carmen Diego"),
)
def quality(
    request: Reading, players: Players = None, pool: Pool = "people", newcomer: Newcomers = None, seed: Seed = "1"
) -> None:
    measured = service.quality(request.db, players or (), pool, seed, newcomer or ())
    request.show(lambda: reports.quality(measured))


@app.command(
    heading=FORECASTS,
    help=_("Show what each player must score in the rest of an event to win it, or to reach another place."),
    epilog=_("tourney rating whatif Friday\ntourney rating whatif Friday --player Ana --place 3"),
)
def whatif(
    request: Reading, event: EventName = None, player: OnePlayer = None, place: Place = 1, pool: RankedPool = None
) -> None:
    if pool is None:
        request.show(lambda: _in_event(request.db, event, place, player))
    else:
        request.show(lambda: _in_ratings(request.db, event, place, player, pool))


def _in_event(db: str | None, event: str | None, place: int, player: str | None) -> Report:
    prospects = standings.whatif(db, event, place)
    if player is None:
        return clinching_reports.prospects(prospects)
    return clinching_reports.prospect(prospects, standings.prospect_of(prospects, player))


def _in_ratings(db: str | None, event: str | None, place: int, player: str | None, pool: str) -> Report:
    prospects = service.whatif(db, event, pool, place)
    if player is None:
        return reports.rating_prospects(prospects)
    return reports.rating_prospect(prospects, service.prospect_of(prospects, player))
