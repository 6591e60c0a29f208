"""`tourney event`: tournaments, their settings and entrants."""

from collections.abc import Mapping
from dataclasses import make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import Apart, EventName, NeededTable, RulesName, Together
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.events import SETTINGS, EventSettings
from tourney.reports import events as reports
from tourney.seating.formats import FORMATS
from tourney.service.events import attendance
from tourney.service.events import events as service
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.events.settings import ChangeSettings, choices
from tourney.text.i18n import _

app = noun("event")

Name = Annotated[str, typer.Argument(metavar="NAME", help=_("The event's name."))]
Players = Annotated[list[str], typer.Argument(metavar="PLAYER...", help=_("Entrants, by name or short number."))]


def _option(name: str) -> Any:
    """Return the option of a setting of events."""
    setting = SETTINGS[name]
    formats = "; ".join(f"{entry.name}: {_(entry.summary)}" for entry in FORMATS.values())
    return typer.Option(metavar=setting.metavar, min=setting.least, help=_(setting.help).format(formats=formats))


def _kind(name: str) -> Any:
    """Return the type of a setting's values."""
    allowed = choices(name)
    return (Literal[allowed] if allowed else str if SETTINGS[name].least is None else int) | None


def _settings(unset: Mapping[str, Any]) -> type:
    """Return a group of options, one for every setting of events; their defaults are in `unset`, or None."""
    options = [(name, Annotated[_kind(name), _option(name)], unset.get(name)) for name in SETTINGS]
    return make_dataclass("Settings", options)


# Settings and their choices are known only at run time.
if TYPE_CHECKING:
    Clearable = str
    AllSettings = Any
    SomeSettings = Any
else:
    Clearable = Literal[tuple(name for name, setting in SETTINGS.items() if setting.clearable)]
    AllSettings = _settings({name: setting.default for name, setting in SETTINGS.items()})
    SomeSettings = _settings({})


@app.command(help=_("Begin an event."), epilog=_("Example: tourney event new Friday --rounds 5 --seed 7"))
def new(
    settings: AllSettings,
    request: Writing,
    name: Name,
    rules: RulesName = "oficial",
) -> None:
    request.submit(service.CreateEvent(EventSettings(name, rules, **vars(settings))), reports.created)


@app.command(
    "set",
    help=_("Change settings of an event. What is drawn and played stays as it is."),
    epilog=_("Example: tourney event set Friday --rounds 6 --clear minutes"),
)
def set_(
    settings: SomeSettings,
    request: Writing,
    event: EventName = None,
    name: Annotated[str | None, typer.Option(metavar="NEW", help=_("Another name."))] = None,
    clear: Annotated[Clearable | None, typer.Option(help=_("A setting that is to be unset again."))] = None,
) -> None:
    change = ChangeSettings(event, {"name": name, **vars(settings)}, clear)
    request.submit(change, reports.changed, _("Settings"))


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
    clear: Annotated[bool, typer.Option("--clear", help=_("Remove the present constraints first."))] = False,
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
    rules: RulesName = "oficial",
    date: Annotated[str, _option("date")] = "",
) -> None:
    request.submit(ImportSheets(name, sheets, rules, date), reports.imported)
