"""`tourney rating compare`, `noise`, `smooth` and `verify`: how good the ratings of a whole history are."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import PlainReading, Reading
from tourney.cli.ratings.options import Player, Pool
from tourney.reports.ratings import model_evaluation as reports
from tourney.reports.ratings import player_history
from tourney.service.ratings import model_evaluation as service
from tourney.service.ratings.player_history import smooth as smooth_curve
from tourney.text.i18n import _

app = Commands()

Shuffles = Annotated[int, typer.Option(metavar="N", min=2, help=_("The number of other orders."))]
Seed = Annotated[str, typer.Option(metavar="SEED", help=_("The seed that the orders are drawn from."))]


@app.command(help=_("Compare how well TrueSkill and Elo predict a pool's games."))
def compare(request: Reading, pool: Pool = "people") -> None:
    with bar(_("fitting")) as progress:
        comparison = service.compare_models(request.db, pool, progress)
    request.show(reports.compared_models(comparison))


@app.command(help=_("Show how much of each rank is due to the order of results."))
def noise(request: Reading, pool: Pool = "people", shuffles: Shuffles = 20, seed: Seed = "1") -> None:
    with bar(_("shuffling")) as progress:
        order_noise = service.order_noise(request.db, pool, shuffles, seed, progress)
    request.show(reports.order_noise(order_noise))


@app.command(help=_("Show a player's rating, and smoothed over all games."))
def smooth(request: Reading, player: Player, pool: Pool = "people") -> None:
    with bar(_("smoothing")) as progress:
        curve = smooth_curve(request.db, player, pool, progress)
    request.show(player_history.smoothed(curve))


@app.command(help=_("Rate a pool again with the package trueskill, and compare. Exit code 1 if they differ."))
def verify(request: PlainReading, pool: Pool = "people") -> None:
    with bar(_("rating")) as progress:
        comparison = service.verify(request.db, pool, progress)
    request.show(reports.verified(comparison), good=comparison.agree)
