"""`tourney serve`: show an event's pages in browsers, on phones and on a projector."""

import sys
from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import Database, EventName
from tourney.text.encoding import is_utf8
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "The standings, who sits where, the clock, a page for a projector and the rankings, which are fresh within a "
        "second of every change. Without EVENT the pages follow the current event. Nobody can change anything from "
        "another computer. Ctrl-C ends it."
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
    port: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=65535, help=_("The port of the address; 0 takes any free one.")),
    ] = 8000,
    db: Database = None,
) -> None:
    from tourney.web.serve.packages import refuse_without_packages

    refuse_without_packages()
    from tourney.web.serve import serving

    with_code = sys.stdout.isatty() and is_utf8(sys.stdout)
    serving.serve(db, event, host, port, typer.echo, with_code=with_code)
