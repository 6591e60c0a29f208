"""`tourney log`, `undo` and `redo`: the changes of the journal, newest last, taken back and put back."""

from typing import Annotated

import typer

from tourney.cli.framework import questions
from tourney.cli.framework.commands import single
from tourney.cli.framework.options import AlsoOption
from tourney.cli.framework.output import note
from tourney.cli.framework.request import Reading, Writing
from tourney.reports import admin as reports
from tourney.service.admin import journal as service
from tourney.text.i18n import _

log_app, undo_app, redo_app = single(), single(), single()


@log_app.command(
    help=_(
        "Changes that were taken back stay in the list, and are marked. The hands of a sheet that has a result are "
        "left out, and their numbers stand in its line; `--verbose` lists them."
    ),
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
    request.show(lambda: reports.log(service.log(request.db, event, last, folded=not request.in_full)))


@undo_app.command(
    help=_(
        "Without a number the newest change is taken back; give it again for the change before, as far as the first. "
        "With the number that `tourney log` shows, that change alone is taken back if nothing later rests on it. A "
        "person's name that was erased stays erased."
    ),
    epilog=_("tourney undo --dry-run\ntourney undo\ntourney undo 12"),
)
def undo(
    request: Writing,
    number: Annotated[
        int | None, typer.Argument(metavar="NUMBER", min=1, help=_("The change's number in the log."))
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", help=_("Do not ask before a draw, more than one result, or the choice of an event is taken back.")
        ),
    ] = False,
) -> None:
    if questions.possible() and not (yes or request.dry_run):
        number = _agreed(request.db, number)
    request.submit(service.Undo(number), reports.turned)


def _agreed(db: str | None, number: int | None) -> int | None:
    """Ask whether a draw, a choice of event, or several results are to be taken back.

    Return the number of the agreed change. Raises typer.Exit if the answer is no.
    """
    planned = service.outlook(db, number)
    if planned is None:
        return number
    for line in reports.before_undo(planned):
        note(line)
    if not questions.confirm(_("Take it back?")):
        note(_("nothing was taken back"))
        raise typer.Exit
    return planned.line.number


@redo_app.command(help=_("It works until something else is changed."), epilog=_("tourney redo"))
def redo(request: Writing) -> None:
    request.submit(service.Redo(), reports.turned)
