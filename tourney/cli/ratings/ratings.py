"""`tourney ratings`: the players of a pool by rating."""

from functools import partial
from typing import Annotated, Literal

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.request import Posted
from tourney.cli.ratings.options import GameFilter, Pool
from tourney.domain.rankings import ALL_GAMES, RANKING_QUANTITIES
from tourney.reports.ratings import ratings as reports
from tourney.service.codes import journal_code
from tourney.service.ratings import ratings as service
from tourney.text.i18n import _

app = single()

By = Annotated[
    Literal["score", "mu"],
    typer.Option(
        metavar="WHAT", help=_("Rank by score (mu - 3 sigma) or by mu alone; the ranks' intervals are of the same.")
    ),
]


@app.command(
    help=_(
        "A rating is an estimate of skill (TrueSkill): mu is the estimate, sigma its uncertainty. Players are ranked "
        "by their score, mu - 3 sigma, which rises as they win and as they become better known. Options that choose "
        "games show the ratings as if nothing else had been played. If a year without a game adds to sigma (`tourney "
        "rating pool set --absence`), the ratings are those of the day --as-of, or of the last game."
    ),
    epilog=_("tourney ratings\ntourney ratings --season 2026\ntourney ratings --pool bots"),
)
def ratings(games: GameFilter, request: Posted, pool: Pool = "people", by: By = "score") -> None:
    rating_filter = games.parsed()
    quantity = RANKING_QUANTITIES[by]
    read = partial(service.ratings, request.db, pool, quantity)
    if rating_filter != ALL_GAMES:
        read = partial(service.filtered_ratings, request.db, pool, rating_filter, quantity)
    request.show_state(read, reports.ratings, journal_code)
