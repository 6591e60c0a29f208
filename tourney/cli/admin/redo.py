"""`tourney redo`: redo the change undone last."""

from tourney.cli.framework.app import command
from tourney.cli.framework.changes import submit
from tourney.cli.framework.options import Database, DryRun, Json
from tourney.reports.admin import journal as reports
from tourney.service.admin.journal import Redo
from tourney.text.i18n import _

app = command()


@app.command(help=_("Put back what `undo` took back last, while nothing new has been done."))
def redo(db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    submit(Redo(), reports.turned, db, dry_run, json)
