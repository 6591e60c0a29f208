"""`tourney ratings`: the players of a pool by rating."""

from tourney.cli.framework.app import command
from tourney.cli.framework.options import AsOf, ByRules, Database, FirstGames, FormOption, Json, Season, Since, form
from tourney.cli.framework.output import show
from tourney.cli.ratings.options import Pool
from tourney.domain.rankings import ALL_GAMES
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import ratings as service
from tourney.service.ratings.rating_filter import parse_filter
from tourney.text.i18n import _

app = command()


@app.command(
    help=_(
        "Show the ratings of a pool: people unless another is named. With dates, rules or a number of games, show the "
        "ratings it would have if nothing else had been played; corrected results count as corrected. Where sigma "
        "grows with the calendar, it has grown until --as-of, or else until the last game, never until today."
    )
)
def ratings(
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
    unfiltered = rating_filter == ALL_GAMES
    table = service.ratings(db, pool) if unfiltered else service.filtered_ratings(db, pool, rating_filter)
    show(reports.ratings(table), form(format, json))
