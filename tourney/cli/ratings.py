"""`tourney ratings`: the players of a pool by rating."""

from typing import Annotated

import typer

from tourney.cli.frame import command
from tourney.cli.options import Database, FormOption, Json, form
from tourney.cli.printing import show
from tourney.reports import ratings as reports
from tourney.service import ratings as service
from tourney.text import _

app = command()


@app.command(help=_("Show the ratings of a pool: people unless another is named."))
def ratings(
    pool: Annotated[
        str, typer.Option(metavar="POOL", help=_("As people, bots, joint or one that was imported."))
    ] = "people",
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.ratings(service.ratings(db, pool)), form(format, json))
