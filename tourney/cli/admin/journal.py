"""`tourney log`, `undo` and `redo`: the changes of the journal, newest last, taken back and put back."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import AlsoOption
from tourney.cli.framework.request import Reading, Writing
from tourney.reports import admin as reports
from tourney.service.admin import journal as service
from tourney.text.i18n import _

log_app, undo_app, redo_app = single(), single(), single()


@log_app.command(
    help=_("Changes that were taken back stay in the list, and are marked."),
    epilog=_("tourney log\ntourney log Friday --last 10"),
)
def log(
    request: Reading,
    event: Annotated[
        str | None,
        typer.Argument(metavar="EVENT", help=_("Only this event; if left out, everything.")),
        AlsoOption("--event"),
    ] = None,
    last: Annotated[int | None, typer.Option(metavar="N", min=1, help=_("Only the newest N changes."))] = None,
) -> None:
    request.show(reports.log(service.log(request.db, event, last)))


@undo_app.command(
    help=_(
        "Give it again to take back the change before, as far as the first. Only a person's name that was erased stays "
        "erased."
    ),
    epilog=_("tourney undo --dry-run\ntourney undo"),
)
def undo(request: Writing) -> None:
    request.submit(service.Undo(), reports.turned)


@redo_app.command(help=_("It works until something else is changed."), epilog=_("tourney redo"))
def redo(request: Writing) -> None:
    request.submit(service.Redo(), reports.turned)
