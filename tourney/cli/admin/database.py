"""`tourney db`: the database file. `tourney doctor`: everything that an evening depends on."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun, single
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.reports import admin as reports
from tourney.service import database as service
from tourney.service.admin.doctor import examine
from tourney.text.i18n import _

app, doctor_app = noun("db"), single()


@app.command(help=_("Say where the database is."))
def path(request: PlainReading) -> None:
    request.show(reports.place(service.path(request.db)))


@app.command(help=_("Replay the journal and compare every table with it. Exit code 1 if one differs."))
def check(request: Reading) -> None:
    checked = service.check(request.db)
    request.show(reports.check(checked), good=not checked.problems)


@app.command(help=_("Bring an older database up to this version. A verified backup is made first."))
def upgrade(request: Writing) -> None:
    request.show(reports.upgrade(service.upgrade(request.db, request.dry_run)))


@app.command(
    help=_("Keep a checked copy. The last ten copies made at the end of a round are kept as well."),
    epilog=_("Example: tourney db backup /media/stick"),
)
def backup(
    request: PlainReading,
    to: Annotated[
        str | None,
        typer.Argument(metavar="[TO]", help=_("A new file, or a folder; else `tourney-backups` beside the database.")),
    ] = None,
) -> None:
    request.show(reports.backup(service.backup(request.db, to)))


@app.command(help=_("Restore a backup. The present file is kept first."))
def restore(
    request: Writing,
    source: Annotated[str, typer.Argument(metavar="FROM", help=_("A path, or a name in `tourney-backups`."))],
) -> None:
    request.show(reports.restored(service.restore(request.db, source, request.dry_run)))


@doctor_app.command(help=_("Look at program, computer and database. Exit code 1 if anything is bad, not for warnings."))
def doctor(request: Reading) -> None:
    findings = examine(request.db)
    request.show(reports.doctor(findings), good=all(finding.state != "bad" for finding in findings))
