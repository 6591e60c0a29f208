"""`tourney doctor`: is everything well that an evening rests on."""

import typer

from tourney.cli.framework.app import command
from tourney.cli.framework.options import Database, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.domain.errors import ExitCode
from tourney.reports.admin import database as reports
from tourney.service.admin import doctor as service
from tourney.text.i18n import _

app = command()


@app.command(help=_("Look at program, computer and database. Exit code 1 if anything is bad, not for warnings."))
def doctor(db: Database = None, format: FormOption = None, json: Json = False) -> None:
    findings = service.examine(db)
    show(reports.doctor(findings), form(format, json))
    if any(one.state == "bad" for one in findings):
        raise typer.Exit(int(ExitCode.REFUSED))
