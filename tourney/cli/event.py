"""`tourney event`: tournaments, their settings and entrants."""

from typing import Annotated

import typer

from tourney.cli.frame import noun
from tourney.cli.options import Database, DryRun, EventName, FormOption, Json, form, mode
from tourney.cli.printing import show
from tourney.domain import EventSettings, Format, Short
from tourney.reports import events as reports
from tourney.service import events as service
from tourney.text import _

app = noun("event")

Date = Annotated[str, typer.Option(metavar="YYYY-MM-DD", help=_("The day; ratings go by it."))]
Name = Annotated[str, typer.Argument(metavar="NAME", help=_("The event's name."))]


@app.command(help=_("Begin an event."), epilog=_("Example: tourney event new Friday --rounds 5 --seed 7"))
def new(
    name: Name,
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    tournament: Annotated[Format, typer.Option("--format", help=_("How players come to tables."))] = "rotation",
    rounds: Annotated[int, typer.Option(metavar="N", min=1, help=_("How many rounds."))] = 5,
    size: Annotated[int, typer.Option(metavar="N", min=2, help=_("Players at a table."))] = 4,
    seed: Annotated[str, typer.Option(metavar="TEXT", help=_("What the seating and the deals follow from."))] = "1",
    short: Annotated[Short, typer.Option(help=_("When tables do not come out even."))] = "short tables",
    minimum: Annotated[
        int | None, typer.Option(metavar="N", min=0, help=_("Games for a rank; half the rounds unless set."))
    ] = None,
    date: Date = "",
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    settings = EventSettings(name, rules, tournament, rounds, size, seed, short, minimum, date)
    event = service.new(db, settings, mode(dry_run))
    show(reports.made(event), form(None, json), mode(dry_run))


@app.command("list", help=_("List the events."))
def list_(db: Database = None, format: FormOption = None, json: Json = False) -> None:
    show(reports.listing(service.listing(db)), form(format, json))


@app.command("show", help=_("Show an event: settings and entrants."))
def show_(event: EventName = None, db: Database = None, json: Json = False) -> None:
    show(reports.page(service.show(db, event)), form(None, json))


@app.command(help=_("Set the event that commands take where none is named."))
def use(name: Name, db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    show(reports.used(service.use(db, name, mode(dry_run))), form(None, json), mode(dry_run))


@app.command(help=_("Enter players into an event: by name, from a file, or bots."))
def enter(
    name: Name,
    players: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER]...", help=_("Who enters."))] = None,
    file: Annotated[str | None, typer.Option(metavar="FILE", help=_("A CSV file with a column 'name'."))] = None,
    bots: Annotated[str | None, typer.Option(metavar="BOT:N,...", help=_("As 'greedy:6,random:6'."))] = None,
    add: Annotated[bool, typer.Option("--add", help=_("Register those whom nobody has registered."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    entered = service.enter(db, name, players or (), file, bots or "", "yes" if add else "no", mode(dry_run))
    show(reports.entered(entered), form(None, json), mode(dry_run))


@app.command("import", help=_("Bring in a whole evening kept elsewhere, from its score sheets."))
def import_(
    name: Name,
    sheets: Annotated[
        str, typer.Option(metavar="FILE", help=_("CSV: round, table, seat, player and a column per hand."))
    ],
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    date: Date = "",
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    imported = service.import_sheets(db, name, sheets, rules, mode(dry_run), date)
    show(reports.imported(imported), form(None, json), mode(dry_run))
