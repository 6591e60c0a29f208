"""`tourney undo`: undo the newest command."""

from tourney.cli.framework.app import command
from tourney.cli.framework.options import Database, DryRun, Json, form, mode, seen, watch
from tourney.cli.framework.output import show
from tourney.reports.admin import journal as reports
from tourney.reports.impact import with_moves
from tourney.service.admin import journal as service
from tourney.text.i18n import _

app = command()


@app.command(help=_("Take the newest command back, whole, as deep as the journal. Erasing a person stays."))
def undo(db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    watched = watch(dry_run)
    turned = service.undo(db, mode(dry_run), watched)
    show(with_moves(reports.turned(turned), seen(watched)), form(None, json), mode(dry_run))
