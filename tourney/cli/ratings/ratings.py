"""`tourney ratings`: the players of a pool by rating."""

from tourney.cli.framework.commands import single
from tourney.cli.framework.request import Reading
from tourney.cli.ratings.options import GameFilter, Pool
from tourney.domain.rankings import ALL_GAMES
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import ratings as service
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "Show the ratings of a pool: people unless another is named. With dates, rules or a number of games, show the "
        "ratings it would have if nothing else had been played; corrected results count as corrected. Where sigma "
        "grows with the calendar, it has grown until --as-of, or else until the last game, never until today."
    )
)
def ratings(games: GameFilter, request: Reading, pool: Pool = "people") -> None:
    rating_filter = games.parsed()
    unfiltered = rating_filter == ALL_GAMES
    table = (
        service.ratings(request.db, pool) if unfiltered else service.filtered_ratings(request.db, pool, rating_filter)
    )
    request.show(reports.ratings(table))
