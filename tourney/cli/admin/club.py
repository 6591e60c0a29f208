"""`tourney club`: the name, colour and logo of the club, which pages and paper show."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import PlainReading, Writing
from tourney.domain.club import COLOURS, MOST_BYTES
from tourney.files.named import read_bytes
from tourney.reports import admin as reports
from tourney.service.admin import club as service
from tourney.text.i18n import _, either

app = noun()


@app.command(
    "set",
    help=_(
        "Set the club's name, colour or logo. Pages, the projector, a site and paper show them. An empty text takes "
        "one away."
    ),
    epilog=_('tourney club set --name "Club Ribadesella" --colour blue --logo logo.png\ntourney club set --logo ""'),
)
def set_(
    request: Writing,
    name: Annotated[str | None, typer.Option(metavar="NAME", help=_("The club's name, at most 80 characters."))] = None,
    colour: Annotated[
        str | None,
        typer.Option(
            metavar="COLOUR",
            help=_("Its colour: {colours}, or #rrggbb. Pages make it dark or light enough to be read.").format(
                colours=either(COLOURS)
            ),
        ),
    ] = None,
    logo: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=_("A PNG file of at most 64 kB and 1024 pixels a side.")),
    ] = None,
) -> None:
    hint = _("save it as PNG, with at most 64 kB and 1024 pixels a side")
    content = read_bytes(logo, MOST_BYTES, hint) if logo else None if logo is None else b""
    request.submit(service.SetClub(name, colour, content), reports.club)


@app.command(help=_("Show the club's name, colour and logo."), epilog=_("tourney club show"))
def show(request: PlainReading) -> None:
    request.show(reports.club(service.show(request.db)))
