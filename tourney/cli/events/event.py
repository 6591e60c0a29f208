"""`tourney event`: tournaments, their settings and entrants."""

from typing import Annotated, Any, Literal

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import (
    Apart,
    Database,
    DryRun,
    EventName,
    FormOption,
    Json,
    NeededTable,
    Together,
    form,
    mode,
    seen,
    watch,
)
from tourney.cli.framework.output import show
from tourney.domain.events import CheckIn, EventSettings, Format, Short, Unfinished
from tourney.reports import events as reports
from tourney.reports.impact import with_moves
from tourney.service.events import attendance, constraints, settings
from tourney.service.events import events as service
from tourney.service.events.import_sheets import import_sheets
from tourney.text.i18n import _

app = noun("event")

Name = Annotated[str, typer.Argument(metavar="NAME", help=_("The event's name."))]
Who = Annotated[list[str], typer.Argument(metavar="PLAYER...", help=_("Entrants, by name or short number."))]
Reason = Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))]
Clearable = Literal["date", "minimum", "minutes", "tables"]

# The settings of an event, the same for `new` and `set`.
FORMAT = typer.Option("--format", help=_("How players come to tables; informative: so as to tell most of ratings."))
ROUNDS = typer.Option(metavar="N", min=1, help=_("How many rounds."))
SIZE = typer.Option(metavar="N", min=2, help=_("Players at a table."))
SEED = typer.Option(metavar="TEXT", help=_("What the seating and the deals follow from."))
SHORT = typer.Option(help=_("When tables do not come out even."))
MINIMUM = typer.Option(metavar="N", min=0, help=_("Games for a rank; half the rounds unless set."))
DATE = typer.Option(metavar="YYYY-MM-DD", help=_("The day; ratings go by it."))
CHECKIN = typer.Option(help=_("Whether only who has checked in is seated."))
MINUTES = typer.Option(metavar="M", min=1, help=_("How long a round lasts; no end unless set."))
UNFINISHED = typer.Option(help=_("What becomes of a game that the end of its round cuts short."))
STAKE = typer.Option(
    metavar="N", min=0, help=_("What each pays into the pot of a knock game, in the smallest unit of money.")
)
TABLES = typer.Option(metavar="N", min=1, help=_("How many tables there are; as many as are needed unless set."))
UNFINISHED_POINTS = typer.Option(metavar="N", min=0, help=_("Points for each hand not played, with 'penalty'."))


@app.command(help=_("Begin an event."), epilog=_("Example: tourney event new Friday --rounds 5 --seed 7"))
def new(
    name: Name,
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    tournament: Annotated[Format, FORMAT] = "rotation",
    rounds: Annotated[int, ROUNDS] = 5,
    size: Annotated[int, SIZE] = 4,
    tables: Annotated[int | None, TABLES] = None,
    seed: Annotated[str, SEED] = "1",
    short: Annotated[Short, SHORT] = "short tables",
    minimum: Annotated[int | None, MINIMUM] = None,
    date: Annotated[str, DATE] = "",
    checkin: Annotated[CheckIn, CHECKIN] = "not asked",
    minutes: Annotated[int | None, MINUTES] = None,
    unfinished: Annotated[Unfinished, UNFINISHED] = "count hands",
    unfinished_points: Annotated[int, UNFINISHED_POINTS] = 0,
    stake: Annotated[int, STAKE] = 0,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    wanted = EventSettings(
        name,
        rules,
        tournament,
        rounds,
        size,
        seed,
        short,
        minimum,
        date,
        checkin=checkin,
        minutes=minutes,
        unfinished=unfinished,
        unfinished_points=unfinished_points,
        stake=stake,
        tables=tables,
    )
    event = service.new(db, wanted, mode(dry_run))
    show(reports.made(event), form(None, json), mode(dry_run))


@app.command(
    "set",
    help=_("Change settings of an event. What is drawn and played stays as it is."),
    epilog=_("Example: tourney event set Friday --rounds 6 --clear minutes"),
)
def set_(
    event: EventName = None,
    name: Annotated[str | None, typer.Option(metavar="NEW", help=_("Another name."))] = None,
    tournament: Annotated[Format | None, FORMAT] = None,
    rounds: Annotated[int | None, ROUNDS] = None,
    size: Annotated[int | None, SIZE] = None,
    tables: Annotated[int | None, TABLES] = None,
    seed: Annotated[str | None, SEED] = None,
    short: Annotated[Short | None, SHORT] = None,
    minimum: Annotated[int | None, MINIMUM] = None,
    date: Annotated[str | None, DATE] = None,
    checkin: Annotated[CheckIn | None, CHECKIN] = None,
    minutes: Annotated[int | None, MINUTES] = None,
    unfinished: Annotated[Unfinished | None, UNFINISHED] = None,
    unfinished_points: Annotated[int | None, UNFINISHED_POINTS] = None,
    stake: Annotated[int | None, STAKE] = None,
    clear: Annotated[Clearable | None, typer.Option(help=_("A setting that is to be unset again."))] = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    given: dict[str, Any] = {
        "name": name,
        "format": tournament,
        "rounds": rounds,
        "size": size,
        "tables": tables,
        "seed": seed,
        "short": short,
        "minimum": minimum,
        "date": date,
        "checkin": checkin,
        "minutes": minutes,
        "unfinished": unfinished,
        "unfinished_points": unfinished_points,
        "stake": stake,
    }
    changes = settings.changes(given, clear)
    watched = watch(dry_run)
    changed = settings.change(db, event, changes, mode(dry_run), watched)
    show(with_moves(reports.changed(changed), seen(watched), _("Settings")), form(None, json), mode(dry_run))


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


@app.command(
    help=_("Keep people apart, or bring them together, or at a table."),
    epilog=_("Example: tourney event wish Friday --apart club --table Ana=1"),
)
def wish(
    name: Name,
    apart: Apart = None,
    together: Together = None,
    table: NeededTable = None,
    clear: Annotated[bool, typer.Option("--clear", help=_("Forget the wishes that there are."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    how: constraints.How = "instead" if clear else "besides"
    wished = constraints.wish(db, name, apart or (), together or (), table or (), how, mode(dry_run))
    show(reports.wished(wished), form(None, json), mode(dry_run))


@app.command(help=_("Check entrants in. Where that is required, only they are seated."))
def checkin(
    name: Name,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help=_("Entrants, by name or short number."))
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help=_("Everybody who has not gone away."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    who: attendance.Who = "everybody" if everybody else "the named"
    came = attendance.check_in(db, name, players or (), who, mode(dry_run))
    show(reports.checked_in(came), form(None, json), mode(dry_run))


@app.command(help=_("Take entrants out of the rounds to come. Their games stay."))
def withdraw(
    name: Name,
    players: Who,
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))] = "",
    no_show: Annotated[bool, typer.Option("--no-show", help=_("They never came."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    how: attendance.Gone = "no-show" if no_show else "withdrawn"
    went = attendance.withdraw(db, name, players, reason, how, mode(dry_run))
    show(reports.withdrawn(went), form(None, json), mode(dry_run))


@app.command("return", help=_("Let entrants who had gone away play again, from the next round."))
def return_(name: Name, players: Who, db: Database = None, dry_run: DryRun = False, json: Json = False) -> None:
    came = attendance.bring_back(db, name, players, mode(dry_run))
    show(reports.returned(came), form(None, json), mode(dry_run))


@app.command(help=_("Finish an event. Nothing in it can be drawn, entered or ruled until it is reopened."))
def finish(
    event: EventName = None,
    anyway: Annotated[bool, typer.Option("--anyway", help=_("Also where rounds or results are missing."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    watched = watch(dry_run)
    wanted: service.Wanted = "as it is" if anyway else "complete"
    finished = service.finish(db, event, wanted, mode(dry_run), watched)
    show(with_moves(reports.finished(finished), seen(watched)), form(None, json), mode(dry_run))


@app.command(help=_("Open a finished event again."))
def reopen(
    reason: Reason,
    event: EventName = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    watched = watch(dry_run)
    reopened = service.reopen(db, event, reason, mode(dry_run), watched)
    show(with_moves(reports.reopened(reopened), seen(watched)), form(None, json), mode(dry_run))


@app.command("import", help=_("Bring in a whole evening kept elsewhere, from its score sheets."))
def import_(
    name: Name,
    sheets: Annotated[
        str, typer.Option(metavar="FILE", help=_("CSV: round, table, seat, player and a column per hand."))
    ],
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    date: Annotated[str, DATE] = "",
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    imported = import_sheets(db, name, sheets, rules, mode(dry_run), date)
    show(reports.imported(imported), form(None, json), mode(dry_run))
