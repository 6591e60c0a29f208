"""`tourney rating show`, `history` and `explain`: one player's history in a pool."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.output import note
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import Reading
from tourney.cli.ratings.options import GameFilter, Player, Pool, Svg
from tourney.reports.ratings import player_history as reports
from tourney.service.ratings import player_history as service
from tourney.service.ratings.plot_files import write_plot
from tourney.text.i18n import _

app = Commands()

GameName = Annotated[
    str | None,
    typer.Argument(metavar="EVENT", help=_("The event, its last game unless --round is given; or a file's game name.")),
]
Round = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("The round of the event."))]
Game = Annotated[int | None, typer.Option(metavar="N", min=1, help=_("The game by its number in `rating history`."))]
Seed = Annotated[str, typer.Option(metavar="SEED", help=_("For the orders sampled with more than eleven players."))]


@app.command(help=_("Show a player's rating, plot, games, opponents and contracts."))
def show(games: GameFilter, request: Reading, player: Player, pool: Pool = "people", svg: Svg = None) -> None:
    rating_filter = games.parsed()
    with bar(_("rating")) as progress:
        player_history = service.player_history(request.db, player, pool, progress, rating_filter)
    if svg is not None:
        write_plot(svg, player_history, reports.plot)
    request.show(reports.player_history(player_history))
    if svg is not None:
        note(_("The plot is in {file}.").format(file=svg))


@app.command(help=_("List a player's games with the rating after each."))
def history(games: GameFilter, request: Reading, player: Player, pool: Pool = "people") -> None:
    rating_filter = games.parsed()
    with bar(_("rating")) as progress:
        player_games = service.player_games(request.db, player, pool, progress, rating_filter)
    request.show(reports.player_games(player_games))


@app.command(
    short_help=_("Explain what each opponent did to a player's rating in one game."),
    help=_(
        "Explain what each opponent's place did to a player's rating in one game: the last one unless EVENT, --round "
        "or --game names another. An opponent's share is the change by joining the table, averaged over every order "
        "in which the opponents could join (the Shapley value); the shares and tau sum to the change."
    ),
)
def explain(
    request: Reading,
    player: Player,
    event: GameName = None,
    round_number: Round = None,
    game: Game = None,
    pool: Pool = "people",
    seed: Seed = "1",
) -> None:
    with bar(_("rating")) as progress:
        explanation = service.explain(request.db, player, event, round_number, game, pool, seed, progress)
    request.show(reports.explanation(explanation))
