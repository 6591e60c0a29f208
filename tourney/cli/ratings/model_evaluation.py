"""`tourney rating compare`, `noise`, `smooth` and `verify`: how good the ratings of a whole history are."""

from typing import Annotated

import typer

from tourney.cli.framework.options import Database, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.cli.ratings.options import Player, Pool
from tourney.domain.errors import ExitCode
from tourney.reports.ratings import model_evaluation as reports
from tourney.reports.ratings import player_history
from tourney.service.ratings import model_evaluation as service
from tourney.service.ratings import smoothing
from tourney.text.i18n import _

app = typer.Typer()

Shuffles = Annotated[int, typer.Option(metavar="N", min=2, help=_("The number of other orders."))]
Seed = Annotated[str, typer.Option(metavar="SEED", help=_("The seed that the orders are drawn from."))]


@app.command(help=_("Compare how well TrueSkill and Elo predict a pool's games."))
def compare(pool: Pool = "people", db: Database = None, format: FormOption = None, json: Json = False) -> None:
    with bar(_("fitting")) as progress:
        found = service.compare_models(db, pool, progress)
    show(reports.compared_models(found), form(format, json))


@app.command(help=_("Show how much of each rank is due to the order of results."))
def noise(
    pool: Pool = "people",
    shuffles: Shuffles = 20,
    seed: Seed = "1",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("shuffling")) as progress:
        found = service.order_noise(db, pool, shuffles, seed, progress)
    show(reports.order_noise(found), form(format, json))


@app.command(help=_("Show a player's rating, and smoothed over all games."))
def smooth(
    player: Player, pool: Pool = "people", db: Database = None, format: FormOption = None, json: Json = False
) -> None:
    with bar(_("smoothing")) as progress:
        found = smoothing.smooth(db, player, pool, progress)
    show(player_history.smoothed(found), form(format, json))


@app.command(help=_("Rate a pool again with the package trueskill, and compare. Exit code 1 if they differ."))
def verify(pool: Pool = "people", db: Database = None, json: Json = False) -> None:
    with bar(_("rating")) as progress:
        found = service.verify(db, pool, progress)
    show(reports.verified(found), form(None, json))
    if not found.agree:
        raise typer.Exit(int(ExitCode.REFUSED))
