"""`tourney log`, `undo` and `redo`: the changes of the journal, newest last, taken back and put back."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.request import Reading, Writing
from tourney.reports import admin as reports
from tourney.service.admin import journal as service
from tourney.text.i18n import _

log_app, undo_app, redo_app = single(), single(), single()


@log_app.command(help=_("Show what changed, newest last; what was undone is marked."))
def log(
    request: Reading,
    event: Annotated[
        str | None, typer.Argument(metavar="[EVENT]", help=_("Only this event; else all changes."))
    ] = None,
    last: Annotated[int | None, typer.Option(metavar="N", min=1, help=_("Only the last N changes."))] = None,
) -> None:
    request.show(reports.log(service.log(request.db, event, last)))


@undo_app.command(help=_("Take the newest command back, whole, as deep as the journal. Erasing a person stays."))
def undo(request: Writing) -> None:
    request.submit(service.Undo(), reports.turned)


@redo_app.command(help=_("Put back what `undo` took back last, while nothing new has been done."))
def redo(request: Writing) -> None:
    request.submit(service.Redo(), reports.turned)
