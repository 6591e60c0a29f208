"""`tourney player`: people and bots."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.people import PlayerKind
from tourney.reports import people as reports
from tourney.service.people import players as service
from tourney.text.i18n import _

app = noun("player")

Name = Annotated[str, typer.Argument(metavar="NAME", help=_("The player; accents do not matter."))]
Names = Annotated[list[str], typer.Argument(metavar="NAME...", help=_("One name or more."))]
Label = Annotated[str, typer.Option(metavar="TEXT", help=_("Tells two people of one name apart."))]
Club = Annotated[str, typer.Option(metavar="TEXT", help=_("The club they play for."))]
Search = Annotated[str, typer.Option(metavar="TEXT", help=_("A part of the name; accents do not matter."))]
Kind = Annotated[PlayerKind | None, typer.Option(help=_("Only people, or only bots."))]


@app.command(help=_("Register people."))
def add(request: Writing, names: Names, label: Label = "", club: Club = "") -> None:
    request.submit(service.RegisterPlayers(names, label, club), reports.added)


@app.command("list", help=_("List players, people and bots."))
def list_(request: Reading, search: Search = "", kind: Kind = None) -> None:
    request.show(reports.players(service.listing(request.db, search, kind)))


@app.command("show", help=_("Show a player: club, events, games."))
def show_(request: PlainReading, name: Name) -> None:
    request.show(reports.page(service.show(request.db, name)))


@app.command("import", help=_("Register the people of a CSV file. Its columns: name; optional label, club."))
def import_(request: Writing, file: Annotated[str, typer.Argument(metavar="FILE", help=_("The CSV file."))]) -> None:
    request.submit(service.ImportPlayers(file), reports.registered)


@app.command(
    help=_("Give a person another name, label or club. An empty label or club is removed."),
    epilog=_("Example: tourney player rename Ana --label Getxo"),
)
def rename(
    request: Writing,
    name: Name,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help=_("The new name."))] = None,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help=_("Tells two people of one name apart."))] = None,
    club: Annotated[str | None, typer.Option(metavar="TEXT", help=_("The club they play for."))] = None,
) -> None:
    request.submit(service.RenamePlayer(name, new, label, club), reports.renamed)


@app.command(help=_("Merge two registrations of one person. Games of the second become the first's."))
def merge(
    request: Writing,
    keep: Annotated[str, typer.Argument(metavar="KEEP", help=_("The registration that stays."))],
    gone: Annotated[str, typer.Argument(metavar="GONE", help=_("The registration that goes."))],
) -> None:
    request.submit(service.MergePlayers(keep, gone), reports.merged, _("Games that move"))


@app.command(help=_("Erase a person's name for good. Games and points remain, under a number."))
def erase(request: Writing, name: Name) -> None:
    request.submit(service.ErasePlayer(name), reports.erased)
