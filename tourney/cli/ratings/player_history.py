"""`tourney rating show`, `history`, `explain`, `smooth` and `peaks`: players' histories in a pool."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import AlsoOption, seed_text
from tourney.cli.framework.output import note
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import Reading
from tourney.cli.ratings.options import ONE_PLAYER, GameFilter, Player, Pool, Svg
from tourney.reports.ratings import player_history as reports
from tourney.service.ratings import player_history as service
from tourney.service.ratings import whole_history
from tourney.service.ratings.player_history import Plotted, write_plot
from tourney.text.i18n import _

app = Commands()

GameName = Annotated[
    str | None,
    typer.Argument(
        metavar="EVENT",
        help=_("The event of the game; in an imported pool, the name of the game. If left out, the last game."),
    ),
    AlsoOption("--event"),
]
Round = Annotated[
    int | None,
    typer.Option("--round", metavar="R", min=1, help=_("The round of the event; if left out, the last one.")),
]
Game = Annotated[int | None, typer.Option(metavar="N", min=1, help=_("The game's number in `tourney rating history`."))]
Seed = Annotated[
    str,
    typer.Option(
        parser=seed_text,
        metavar="TEXT",
        help=_("Any text, from which the sample of orders follows; for 12 players or more."),
    ),
]
MinGames = Annotated[int, typer.Option(metavar="N", min=1, help=_("Only players with so many games."))]
Top = Annotated[int | None, typer.Option(metavar="N", min=1, help=_("Only the first N."))]


@contextmanager
def _plotted(svg: str | None, history: Plotted, draw: Callable[[Plotted], str]) -> Iterator[None]:
    """Write a plot, if a file is named for it, and say so after the report."""
    if svg is not None:
        write_plot(svg, history, draw)
    yield
    if svg is not None:
        note(_("The plot is in {file}.").format(file=svg))


@app.command(
    heading=ONE_PLAYER,
    help=_("Show a player's rating, with a plot, their games, opponents, and points by contract and seat."),
    epilog=_("tourney rating show Ana\ntourney rating show Ana --season 2026 --svg ana.svg"),
)
def show(games: GameFilter, request: Reading, player: Player, pool: Pool = "people", svg: Svg = None) -> None:
    rating_filter = games.parsed()
    with bar(_("rating")) as progress:
        player_history = service.player_history(request.db, player, pool, progress, rating_filter)
    with _plotted(svg, player_history, reports.plot):
        request.show(lambda: reports.player_history(player_history))


@app.command(
    heading=ONE_PLAYER,
    help=_("List a player's games, with the rating after each."),
    epilog=_("tourney rating history Ana"),
)
def history(games: GameFilter, request: Reading, player: Player, pool: Pool = "people") -> None:
    rating_filter = games.parsed()
    with bar(_("rating")) as progress:
        player_games = service.player_games(request.db, player, pool, progress, rating_filter)
    request.show(lambda: reports.player_games(player_games))


@app.command(
    heading=ONE_PLAYER,
    help=_(
        "Explain how each opponent changed a player's rating in one game. An opponent's share is what the rating "
        "changes when that opponent joins the table, on average over all orders in which they could join (the Shapley "
        "value). The shares, and tau, which widens sigma before every game, add up to the change."
    ),
    epilog=_("tourney rating explain Ana\ntourney rating explain Ana Friday --round 2"),
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
        choice = service.GameChoice(event, round_number, game)
        explanation = service.explain(request.db, player, choice, pool, seed, progress)
    request.show(lambda: reports.explanation(explanation))


@app.command(
    heading=ONE_PLAYER,
    help=_("Show a player's rating after each game, next to an estimate from all games, later ones included."),
    epilog=_("tourney rating smooth Ana\ntourney rating smooth Ana --svg ana.svg"),
)
def smooth(request: Reading, player: Player, pool: Pool = "people", svg: Svg = None) -> None:
    with bar(_("smoothing")) as progress:
        curve = whole_history.smooth(request.db, player, pool, progress)
    with _plotted(svg, curve, reports.smoothed_plot):
        request.show(lambda: reports.smoothed(curve))


@app.command(
    heading=ONE_PLAYER,
    help=_(
        "List the best that each player has ever been, by the estimate from all games of a pool, later ones included."
    ),
    epilog=_("tourney rating peaks --pool f1 --top 10"),
)
def peaks(
    request: Reading, pool: Pool = "people", min_games: MinGames = whole_history.MIN_GAMES, top: Top = None
) -> None:
    with bar(_("smoothing")) as progress:
        found = whole_history.peaks(request.db, pool, min_games, progress)
    request.show(lambda: reports.peaks(found, top))
