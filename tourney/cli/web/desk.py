"""`tourney desk`: run an event in the browser, with no command typed."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import Database, EventName
from tourney.cli.web.serving import PerAddress, Port, serve_pages
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "Everything that an evening needs: players enrol and check in, rounds are drawn, published and timed, sheets "
        "are entered, and each change can be undone. Without EVENT it is the current event, and the first can be "
        "created there. The browser opens signed in. Ctrl-C ends it."
    ),
    epilog=_("tourney desk\ntourney desk Friday --host 0.0.0.0"),
)
def desk(
    event: EventName = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help=_("Where to listen: 0.0.0.0 lets phones and other desks in the same network take part."),
        ),
    ] = "127.0.0.1",
    port: Port = 8000,
    per_address: PerAddress = 32,
    no_open: Annotated[
        bool, typer.Option("--no-open", help=_("Do not open the browser: the address is printed instead."))
    ] = False,
    db: Database = None,
) -> None:
    serve_pages(db, event, host, port, per_address, entry=True, desk=True, quiet=no_open)
