"""`tourney standings`: who leads, and why."""

from typing import Annotated

import typer

from tourney.cli.framework.app import command
from tourney.cli.framework.options import Database, EventName, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.reports.results import standings as reports
from tourney.service.standings import standings as service
from tourney.text.i18n import _

app = command()


@app.command(help=_("Show the standings of an event, or explain a player's rank."))
def standings(
    event: EventName = None,
    after: Annotated[
        int | None, typer.Option("--round", metavar="R", min=1, help=_("After this round; otherwise after all."))
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="PLAYER", help=_("Explain the rank of this player."))] = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    table = service.standings(db, event, after)
    if why is None:
        show(reports.standings(table), form(format, json))
        return
    show(reports.why(table, service.row_of(table, why)), form(format, json))
