"""`tourney db`: the database file itself."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import Database, DryRun, FormOption, Json, form, mode
from tourney.cli.framework.output import show
from tourney.domain.errors import ExitCode
from tourney.reports.admin import database as reports
from tourney.service import backups
from tourney.service.admin import database as service
from tourney.text.i18n import _

app = noun("db")


@app.command(help=_("Say where the database is."))
def path(db: Database = None, json: Json = False) -> None:
    show(reports.place(service.path(db)), form(None, json))


@app.command(help=_("Fold the journal again and compare. Exit code 1 if a table differs from it."))
def check(db: Database = None, format: FormOption = None, json: Json = False) -> None:
    found = service.check(db)
    show(reports.check(found), form(format, json))
    if found.problems:
        raise typer.Exit(int(ExitCode.REFUSED))


@app.command(help=_("Bring an older database up to this version. A verified backup is made first."))
def upgrade(db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    show(reports.upgrade(service.upgrade(db, mode(dry_run))), form(None, json), mode(dry_run))


@app.command(
    help=_("Keep a copy, opened and folded before it counts. The last ten made at the end of a round stay as well."),
    epilog=_("Example: tourney db backup /media/stick"),
)
def backup(
    to: Annotated[
        str | None,
        typer.Argument(metavar="[TO]", help=_("A new file, or a folder; else `tourney-backups` beside the database.")),
    ] = None,
    db: Database = None,
    json: Json = False,
) -> None:
    show(reports.backup(backups.backup(db, to)), form(None, json))


@app.command(help=_("Go back to a backup. The file as it was is kept first."))
def restore(
    source: Annotated[str, typer.Argument(metavar="FROM", help=_("A path, or a name in `tourney-backups`."))],
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    show(reports.restored(backups.restore(db, source, mode(dry_run))), form(None, json), mode(dry_run))
