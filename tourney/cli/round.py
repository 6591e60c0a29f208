"""`tourney round`: seat a round, play its bot tables."""

from typing import Annotated

import typer

from tourney.cli.frame import noun
from tourney.cli.options import Database, DryRun, EventName, FormOption, Json, form, mode
from tourney.cli.printing import show
from tourney.cli.progress import bar
from tourney.reports import rounds as reports
from tourney.service import rounds as service
from tourney.text import _

app = noun("round")

Round = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("This round alone; all unless set."))]


@app.command(help=_("Seat the next round."))
def draw(
    event: EventName = None,
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.schedule(service.draw(db, event, mode(dry_run))), form(format, json), mode(dry_run))


@app.command("show", help=_("Show the seating of rounds. Seat 1 deals first."))
def show_(
    event: EventName = None,
    only: Round = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.schedule(service.show(db, event, only)), form(format, json))


@app.command(help=_("Play the drawn tables of bots that have no result yet."))
def play(
    event: EventName = None,
    only: Round = None,
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("playing")) as progress:
        played = service.play(db, event, only, progress, mode(dry_run))
    show(reports.played(played), form(format, json), mode(dry_run))
