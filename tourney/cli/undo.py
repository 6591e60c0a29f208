"""`tourney undo`: take the newest act back."""

from tourney.cli.frame import command
from tourney.cli.options import Database, DryRun, Json, form, mode, watch
from tourney.cli.printing import show
from tourney.reports import history as reports
from tourney.reports.moves import with_moves
from tourney.service import history as service
from tourney.text import _

app = command()


@app.command(help=_("Take the newest command back, whole, as deep as the journal. Erasing a person stays."))
def undo(db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    watched = watch(dry_run)
    turned = service.undo(db, mode(dry_run), watched)
    show(with_moves(reports.turned(turned), watched), form(None, json), mode(dry_run))
