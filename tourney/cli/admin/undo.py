"""`tourney undo`: undo the newest change."""

from tourney.cli.framework.app import command
from tourney.cli.framework.changes import submit
from tourney.cli.framework.options import Database, DryRun, Json
from tourney.reports.admin import journal as reports
from tourney.service.admin.journal import Undo
from tourney.text.i18n import _

app = command()


@app.command(help=_("Take the newest command back, whole, as deep as the journal. Erasing a person stays."))
def undo(db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    submit(Undo(), reports.turned, db, dry_run, json)
