"""`tourney player`: people and bots."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.changes import submit
from tourney.cli.framework.options import Database, DryRun, FormOption, Json, form
from tourney.cli.framework.output import show
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
def add(
    names: Names, label: Label = "", club: Club = "", db: Database = None, dry_run: DryRun = False, json: Json = False
) -> None:
    submit(service.RegisterPlayers(names, label, club), reports.added, db, dry_run, json)


@app.command("list", help=_("List players, people and bots."))
def list_(
    search: Search = "", kind: Kind = None, db: Database = None, format: FormOption = None, json: Json = False
) -> None:
    show(reports.players(service.listing(db, search, kind)), form(format, json))


@app.command("show", help=_("Show a player: club, events, games."))
def show_(name: Name, db: Database = None, json: Json = False) -> None:
    show(reports.page(service.show(db, name)), form(None, json))


@app.command("import", help=_("Register the people of a CSV file. Its columns: name; optional label, club."))
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_("The CSV file."))],
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    submit(service.ImportPlayers(file), reports.registered, db, dry_run, json)


@app.command(
    help=_("Give a person another name, label or club. An empty label or club is removed."),
    epilog=_("Example: tourney player rename Ana --label Getxo"),
)
def rename(
    name: Name,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help=_("The new name."))] = None,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help=_("Tells two people of one name apart."))] = None,
    club: Annotated[str | None, typer.Option(metavar="TEXT", help=_("The club they play for."))] = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    submit(service.RenamePlayer(name, new, label, club), reports.renamed, db, dry_run, json)


@app.command(help=_("Merge two registrations of one person. Games of the second become the first's."))
def merge(
    keep: Annotated[str, typer.Argument(metavar="KEEP", help=_("The registration that stays."))],
    gone: Annotated[str, typer.Argument(metavar="GONE", help=_("The registration that goes."))],
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    submit(service.MergePlayers(keep, gone), reports.merged, db, dry_run, json, _("Games that move"))


@app.command(help=_("Erase a person's name for good. Games and points remain, under a number."))
def erase(name: Name, db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    submit(service.ErasePlayer(name), reports.erased, db, dry_run, json)
