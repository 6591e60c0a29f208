"""`tourney ratings`: the players of a pool by rating."""

from typing import Annotated

import typer

from tourney.cli.framework.app import command
from tourney.cli.framework.options import AsOf, ByRules, Database, FirstGames, FormOption, Json, Season, Since, form
from tourney.cli.framework.output import show
from tourney.domain.rankings import EVERYTHING
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import ratings as service
from tourney.service.ratings.rating_filter import view_of
from tourney.text.i18n import _

app = command()


@app.command(
    help=_(
        "Show the ratings of a pool: people unless another is named. With days, rules or a number of games, those that "
        "it would have if nothing else had been played; results count as they are now. Where sigma grows with the "
        "calendar, it has grown until --as-of, or else until the day of the last game, never until today."
    )
)
def ratings(
    pool: Annotated[
        str, typer.Option(metavar="POOL", help=_("As people, bots, joint or one that was imported."))
    ] = "people",
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
    table = service.ratings(db, pool) if view == EVERYTHING else service.ratings_of_view(db, pool, view)
    show(reports.ratings(table), form(format, json))
