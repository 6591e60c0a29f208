"""`tourney rating show`, `history` and `explain`: one player's way through a pool."""

from typing import Annotated

import typer

from tourney.cli.framework.options import AsOf, ByRules, Database, FirstGames, FormOption, Json, Season, Since, form
from tourney.cli.framework.output import note
from tourney.cli.framework.output import show as printed
from tourney.cli.framework.progress import bar
from tourney.cli.ratings.forecasts import PoolName
from tourney.reports.ratings import player_history as reports
from tourney.service.ratings import player_history as service
from tourney.service.ratings.plot_files import keep_plot
from tourney.service.ratings.rating_filter import view_of
from tourney.text.i18n import _

app = typer.Typer()

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help=_("A player of the pool."))]


@app.command(help=_("A player: rating, plot, games, opponents, contracts and seats."))
def show(
    player: PlayerName,
    pool: PoolName = "people",
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help=_("Also write the plot to this file, as SVG."))
    ] = None,
    as_of: AsOf = "",
    since: Since = "",
    season: Season = None,
    rules: ByRules = "",
    games: FirstGames = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    chosen, view = form(format, json), view_of(as_of, since, season, rules, games)
    with bar(_("rating")) as progress:
        found = service.career(db, player, pool, progress, view)
    if svg is not None:
        keep_plot(svg, found, reports.plot)
    printed(reports.career(found), chosen)
    if svg is not None:
        note(_("The plot is in {file}.").format(file=svg))


@app.command(help=_("A player's games, each with the rating behind it."))
def history(
    player: PlayerName,
    pool: PoolName = "people",
    as_of: AsOf = "",
    since: Since = "",
    season: Season = None,
    rules: ByRules = "",
    games: FirstGames = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    view = view_of(as_of, since, season, rules, games)
    with bar(_("rating")) as progress:
        found = service.history(db, player, pool, progress, view)
    printed(reports.history(found), form(format, json))


@app.command(
    short_help=_("What each opponent did to a player's rating in one game."),
    help=_(
        "What each opponent's place did to a player's rating in a game: the last one unless EVENT, --round or --game "
        "names another. An opponent's share is what his joining the table changes, averaged over every order in which "
        "the opponents could join (the Shapley value); shares and what tau adds sum to the change."
    ),
)
def explain(
    player: PlayerName,
    event: Annotated[
        str | None,
        typer.Argument(
            metavar="EVENT", help=_("The event, its last game unless --round is given; or as a file calls a game.")
        ),
    ] = None,
    round_number: Annotated[
        int | None, typer.Option("--round", metavar="R", min=1, help=_("The round of the event."))
    ] = None,
    game: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("The game by its number in `rating history`."))
    ] = None,
    pool: PoolName = "people",
    seed: Annotated[
        str, typer.Option(metavar="SEED", help=_("For the orders that are drawn where more than eleven play."))
    ] = "1",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("rating")) as progress:
        found = service.explain(db, player, event, round_number, game, pool, seed, progress)
    printed(reports.explanation(found), form(format, json))
