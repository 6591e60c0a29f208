"""`tourney log`: the evening's story."""

from typing import Annotated

import typer

from tourney.cli.framework.app import command
from tourney.cli.framework.options import Database, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.reports.admin import journal as reports
from tourney.service.admin import journal as service
from tourney.text.i18n import _

app = command()


@app.command(help=_("Show what changed, newest last; what was undone is marked."))
def log(
    event: Annotated[
        str | None, typer.Argument(metavar="[EVENT]", help=_("Only this event; else all changes."))
    ] = None,
    last: Annotated[int | None, typer.Option(metavar="N", min=1, help=_("Only the last N changes."))] = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.log(service.log(db, event, last)), form(format, json))
