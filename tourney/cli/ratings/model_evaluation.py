"""`tourney rating compare`, `noise` and `smooth`: what a whole history says of its ratings."""

from typing import Annotated

import typer

from tourney.cli.framework.options import Database, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.cli.ratings.forecasts import PoolName
from tourney.reports.ratings import curves
from tourney.reports.ratings import model_evaluation as reports
from tourney.service.ratings import model_evaluation as service
from tourney.service.ratings import smoothing
from tourney.text.i18n import _

app = typer.Typer()


@app.command(help=_("Who foretells a pool's games best: TrueSkill, Elo or a coin."))
def compare(
    pool: PoolName = "people",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("fitting")) as progress:
        found = service.compare(db, pool, progress)
    show(reports.trial(found), form(format, json))


@app.command(help=_("How much of each rank is the order in which results came."))
def noise(
    pool: PoolName = "people",
    shuffles: Annotated[int, typer.Option(metavar="N", min=2, help=_("How many other orders."))] = 20,
    seed: Annotated[str, typer.Option(metavar="SEED", help=_("What the orders are drawn from."))] = "1",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("shuffling")) as progress:
        found = service.noise(db, pool, shuffles, seed, progress)
    show(reports.noise(found), form(format, json))


@app.command(help=_("A player's rating after each game, and as all games see it."))
def smooth(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=_("A player of the pool."))],
    pool: PoolName = "people",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("smoothing")) as progress:
        found = smoothing.smooth(db, player, pool, progress)
    show(curves.smoothed(found), form(format, json))
