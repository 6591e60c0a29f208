"""`tourney event`: tournaments, their settings and entrants."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import Apart, EventName, NeededTable, Together
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.events import CheckIn, EventSettings, Short, Unfinished
from tourney.reports import events as reports
from tourney.seating.formats import FORMATS
from tourney.service.events import attendance, settings
from tourney.service.events import events as service
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.import_sheets import ImportSheets
from tourney.text.i18n import _

app = noun("event")

Name = Annotated[str, typer.Argument(metavar="NAME", help=_("The event's name."))]
Players = Annotated[list[str], typer.Argument(metavar="PLAYER...", help=_("Entrants, by name or short number."))]
# Typer takes the choices from a Literal, and the names of the formats are known at run time only.
if TYPE_CHECKING:
    FormatName = str
else:
    FormatName = Literal[tuple(FORMATS)]

Clearable = Literal["date", "minimum", "minutes", "tables"]

# The settings of an event, the same for `new` and `set`.
FORMAT = typer.Option(
    "--format",
    help=_("How players are seated. {formats}.").format(
        formats="; ".join(f"{entry.name}: {_(entry.summary)}" for entry in FORMATS.values())
    ),
)
ROUNDS = typer.Option(metavar="N", min=1, help=_("How many rounds."))
SIZE = typer.Option(metavar="N", min=2, help=_("Players at a table."))
SEED = typer.Option(metavar="TEXT", help=_("What the seating and the deals follow from."))
SHORT = typer.Option(help=_("How to seat players when numbers do not divide."))
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
    request: Writing,
    name: Name,
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    tournament: Annotated[FormatName, FORMAT] = "rotation",
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
    request.submit(service.CreateEvent(wanted), reports.created)


@app.command(
    "set",
    help=_("Change settings of an event. What is drawn and played stays as it is."),
    epilog=_("Example: tourney event set Friday --rounds 6 --clear minutes"),
)
def set_(
    request: Writing,
    event: EventName = None,
    name: Annotated[str | None, typer.Option(metavar="NEW", help=_("Another name."))] = None,
    tournament: Annotated[FormatName | None, FORMAT] = None,
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
    request.submit(settings.ChangeSettings(event, changes), reports.changed, _("Settings"))


@app.command("list", help=_("List the events."))
def list_(request: Reading) -> None:
    request.show(reports.events(service.listing(request.db)))


@app.command("show", help=_("Show an event: settings and entrants."))
def show_(request: PlainReading, event: EventName = None) -> None:
    request.show(reports.page(service.show(request.db, event)))


@app.command(help=_("Set the event that commands use when none is named."))
def use(request: Writing, name: Name) -> None:
    request.submit(service.UseEvent(name), reports.used)


@app.command(help=_("Enter players into an event: by name, from a file, or bots."))
def enter(
    request: Writing,
    name: Name,
    players: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER]...", help=_("The players to enter."))] = None,
    file: Annotated[str | None, typer.Option(metavar="FILE", help=_("A CSV file with a column 'name'."))] = None,
    bots: Annotated[str | None, typer.Option(metavar="BOT:N,...", help=_("As 'greedy:6,random:6'."))] = None,
    add: Annotated[bool, typer.Option("--add", help=_("Register unknown people first."))] = False,
) -> None:
    request.submit(service.EnterPlayers(name, players or (), file, bots, add), reports.entered)


@app.command("wish", hidden=True, help=_("The former name of `event constrain`."))
@app.command(
    "constrain",
    help=_("Keep people apart, or seat them together, or at a table."),
    epilog=_("Example: tourney event constrain Friday --apart club --table Ana=1"),
)
def constrain(
    request: Writing,
    name: Name,
    apart: Apart = None,
    together: Together = None,
    table: NeededTable = None,
    clear: Annotated[bool, typer.Option("--clear", help=_("Remove the constraints there are."))] = False,
) -> None:
    constraints = ConstrainSeating(name, apart or (), together or (), table or (), clear)
    request.submit(constraints, reports.constrained)


@app.command(help=_("Check entrants in. Where check-in is required, only they are seated."))
def checkin(
    request: Writing,
    name: Name,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help=_("Entrants, by name or short number."))
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help=_("Everybody who has not left."))] = False,
) -> None:
    request.submit(attendance.CheckInPlayers(name, players or (), everybody), reports.checked_in)


@app.command(help=_("Take entrants out of the coming rounds. Their games stay."))
def withdraw(
    request: Writing,
    name: Name,
    players: Players,
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("The reason; it is kept."))] = "",
    no_show: Annotated[bool, typer.Option("--no-show", help=_("They never came."))] = False,
) -> None:
    absence: attendance.Absence = "no-show" if no_show else "withdrawn"
    withdrawal = attendance.WithdrawPlayers(name, players, reason, absence)
    request.submit(withdrawal, reports.withdrawn)


@app.command("return", help=_("Let entrants who had left play again."))
def return_(request: Writing, name: Name, players: Players) -> None:
    request.submit(attendance.ReturnPlayers(name, players), reports.returned)


@app.command(help=_("Finish an event. Nothing in it can be drawn, entered or ruled until it is reopened."))
def finish(
    request: Writing,
    event: EventName = None,
    anyway: Annotated[bool, typer.Option("--anyway", help=_("Even if rounds or results are missing."))] = False,
) -> None:
    request.submit(service.FinishEvent(event, anyway), reports.finished)


@app.command(help=_("Reopen a finished event."))
def reopen(
    request: Writing,
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("The reason; it is kept."))],
    event: EventName = None,
) -> None:
    request.submit(service.ReopenEvent(event, reason), reports.reopened)


@app.command("import", help=_("Import a whole evening kept elsewhere, from its score sheets."))
def import_(
    request: Writing,
    name: Name,
    sheets: Annotated[
        str, typer.Option(metavar="FILE", help=_("CSV: round, table, seat, player and a column per hand."))
    ],
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    date: Annotated[str, DATE] = "",
) -> None:
    request.submit(ImportSheets(name, sheets, rules, date), reports.imported)
