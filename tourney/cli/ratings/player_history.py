"""`tourney rating show`, `history` and `explain`: one player's history in a pool."""

from typing import Annotated

import typer

from tourney.cli.framework.options import AsOf, ByRules, Database, FirstGames, FormOption, Json, Season, Since, form
from tourney.cli.framework.output import note
from tourney.cli.framework.output import show as show_report
from tourney.cli.framework.progress import bar
from tourney.cli.ratings.options import Player, Pool, Svg
from tourney.reports.ratings import player_history as reports
from tourney.service.ratings import player_history as service
from tourney.service.ratings.plot_files import write_plot
from tourney.service.ratings.rating_filter import parse_filter
from tourney.text.i18n import _

app = typer.Typer()

GameName = Annotated[
    str | None,
    typer.Argument(metavar="EVENT", help=_("The event, its last game unless --round is given; or a file's game name.")),
]
Round = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("The round of the event."))]
Game = Annotated[int | None, typer.Option(metavar="N", min=1, help=_("The game by its number in `rating history`."))]
Seed = Annotated[str, typer.Option(metavar="SEED", help=_("For the orders sampled with more than eleven players."))]


@app.command(help=_("Show a player's rating, plot, games, opponents and contracts."))
def show(
    player: Player,
    pool: Pool = "people",
    svg: Svg = None,
    as_of: AsOf = "",
    since: Since = "",
    season: Season = None,
    rules: ByRules = "",
    games: FirstGames = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    chosen, rating_filter = form(format, json), parse_filter(as_of, since, season, rules, games)
    with bar(_("rating")) as progress:
        found = service.player_history(db, player, pool, progress, rating_filter)
    if svg is not None:
        write_plot(svg, found, reports.plot)
    show_report(reports.player_history(found), chosen)
    if svg is not None:
        note(_("The plot is in {file}.").format(file=svg))


@app.command(help=_("List a player's games with the rating after each."))
def history(
    player: Player,
    pool: Pool = "people",
    as_of: AsOf = "",
    since: Since = "",
    season: Season = None,
    rules: ByRules = "",
    games: FirstGames = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    rating_filter = parse_filter(as_of, since, season, rules, games)
    with bar(_("rating")) as progress:
        found = service.player_games(db, player, pool, progress, rating_filter)
    show_report(reports.player_games(found), form(format, json))


@app.command(
    short_help=_("Explain what each opponent did to a player's rating in one game."),
    help=_(
        "Explain what each opponent's place did to a player's rating in one game: the last one unless EVENT, --round "
        "or --game names another. An opponent's share is the change by joining the table, averaged over every order "
        "in which the opponents could join (the Shapley value); the shares and tau sum to the change."
    ),
)
def explain(
    player: Player,
    event: GameName = None,
    round_number: Round = None,
    game: Game = None,
    pool: Pool = "people",
    seed: Seed = "1",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("rating")) as progress:
        found = service.explain(db, player, event, round_number, game, pool, seed, progress)
    show_report(reports.explanation(found), form(format, json))
