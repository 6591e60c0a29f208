"""`tourney serve`: show an event's pages in browsers, on phones and on a projector."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import Database, EventName
from tourney.cli.web.serving import PerAddress, Port, serve_pages
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "The standings, who sits where, the clock, a page for a projector and the rankings, which are fresh within a "
        "second of every change. Without EVENT the pages follow the current event. Nobody can change anything from "
        "another computer, unless --entry allows it. Ctrl-C ends it."
    ),
    epilog=_("tourney serve\ntourney serve Friday --host 0.0.0.0"),
)
def serve(
    event: EventName = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help=_("Where to listen: 0.0.0.0 lets phones in the same network read the pages."),
        ),
    ] = "127.0.0.1",
    port: Port = 8000,
    per_address: PerAddress = 32,
    entry: Annotated[
        bool, typer.Option("--entry", help=_("Let tables enter their sheets on phones, and other desks take part."))
    ] = False,
    db: Database = None,
) -> None:
    serve_pages(db, event, host, port, per_address, entry=entry)
