"""Options of the commands that serve pages, and how these start."""

import sys
from importlib.util import find_spec
from typing import Annotated, Final

import typer

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.encoding import is_utf8
from tourney.text.i18n import _

NEEDED: Final = ("starlette", "uvicorn", "segno")
"""The packages without which there are no web pages."""
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


def serve_pages(
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
    _refuse_without_packages()
    from tourney.web.serve.serving import Serving, open_browser, serve

    opens = (lambda _address: False) if quiet else open_browser
    with_code = sys.stdout.isatty() and is_utf8(sys.stdout)
    serve(Serving(db, event, host, port, per_address, entry, opens if desk else None), typer.echo, with_code=with_code)


def _refuse_without_packages() -> None:
    """Raise TourneyError REFUSED if the extra `web` is not installed."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        message = _("web pages need packages that are not installed: {names}").format(names=", ".join(lacking))
        raise TourneyError(ExitCode.REFUSED, message, _('pip install "tourney-continental[web]"'))
