"""`tourney db mirror`: copies of every change on a stick or another disk, as plain text."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import PlainReading, Reading
from tourney.reports import admin as reports
from tourney.service import database as service
from tourney.text.i18n import _

app = noun(_("Mirror every change to a stick or another disk, from which the database can be completed."))


@app.command(
    help=_(
        "Mirror every change to a folder from now on. All changes so far are written there first. A change is saved "
        "there before it is reported; while the stick is away, changes are kept in the database, and written when it "
        "is back."
    ),
    epilog=_("tourney db mirror add /media/stick"),
)
def add(
    request: PlainReading,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=_("A folder on a stick or on another disk."))],
) -> None:
    added = service.add_mirror(request.db, folder)
    request.show(reports.mirror(added, one_disk=service.on_one_disk(request.db, added.path)))


@app.command(
    help=_("Stop mirroring to a folder, which need not be there. Its files stay as they are."),
    epilog=_("tourney db mirror remove\ntourney db mirror remove /media/stick"),
)
def remove(
    request: PlainReading,
    folder: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help=_("The mirror's folder; if left out, the only mirror's."))
    ] = None,
) -> None:
    request.show(reports.mirror_removed(service.remove_mirror(request.db, folder)))


@app.command(
    "list",
    help=_(
        "List the mirrors. Each that is there is completed, and every line of it checked. Exit code 1 if one is "
        "damaged or has changes that the database lacks."
    ),
    epilog=_("tourney db mirror list"),
)
def list_(request: Reading) -> None:
    states = service.list_mirrors(request.db)
    is_well = all(state.state in ("complete", "away") for state in states)
    request.show(lambda: reports.mirrors(service.list_mirrors(request.db)), good=is_well)
