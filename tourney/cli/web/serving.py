"""`tourney desk` and `tourney serve`: an event in browsers, on phones and on a projector."""

import sys
from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import Database, EventName
from tourney.text.encoding import is_utf8
from tourney.text.i18n import _

desk_app = single()
serve_app = single()
Port = Annotated[
    int,
    typer.Option(metavar="N", min=0, max=65535, help=_("The port of the address; 0 takes any free one.")),
]
PerAddress = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=4,
        max=1000,
        help=_("The most connections from one address; a phone takes two. More, if many phones share an address."),
    ),
]


@desk_app.command(
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
    _serve_pages(db, event, host, port, per_address, entry=True, desk=True, quiet=no_open)


@serve_app.command(
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
    _serve_pages(db, event, host, port, per_address, entry=entry)


def _serve_pages(
    db: str | None,
    event: str | None,
    host: str,
    port: int,
    per_address: int,
    *,
    entry: bool = False,
    desk: bool = False,
    quiet: bool = False,
) -> None:
    """Serve the pages until Ctrl-C; a `desk` is opened in the browser, unless that stays `quiet`."""
    from tourney.web.serve.serving import Serving, open_browser, serve

    opens = (lambda _address: False) if quiet else open_browser
    with_code = sys.stdout.isatty() and is_utf8(sys.stdout)
    serve(Serving(db, event, host, port, per_address, entry, opens if desk else None), typer.echo, with_code=with_code)
