"""`tourney event`: tournaments, their settings and entrants."""

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tourney.cli.events import stages
from tourney.cli.events.stages import PlanOption, PresetOption, refuse_together
from tourney.cli.framework import questions
from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import (
    AlsoOption,
    Apart,
    EventName,
    EventOption,
    FileOptions,
    Isolation,
    NeededTable,
    Never,
    Reason,
    RulesName,
    Together,
)
from tourney.cli.framework.output import note, show, show_page
from tourney.cli.framework.request import Posted, Reading, ToFile, Writing
from tourney.cli.framework.settings import setting_option, settings_group
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS, Copied, EnteredPlayers, EventSettings
from tourney.domain.rules import USUAL_RULES
from tourney.files.description import Description
from tourney.reports import entrants, event_files
from tourney.reports import events as reports
from tourney.reports.render.report import Report
from tourney.reports.results import standings as ties
from tourney.seating.formats import FORMATS
from tourney.service import players as people
from tourney.service.events import attendance, constraints, copy_event, event_file, import_event, import_sheets
from tourney.service.events import events as service
from tourney.service.events.codes import event_code
from tourney.service.events.settings import ChangeSettings, choices
from tourney.service.lookup import AfterEvent
from tourney.service.rounds import take_out as leaving
from tourney.service.stages import shown
from tourney.text.i18n import _, either

app = noun()
app.add_typer(stages.app)

BEFORE = _("Before the evening")
PLAYERS = _("Players come and go")
SEE = _("See what there is")
AFTERWARDS = _("Afterwards")

Event = Annotated[str, typer.Argument(metavar="EVENT", help=_("The event's name.")), AlsoOption("--event")]
_PLAYERS_HELP = _(
    "The players' names, or their numbers from `tourney event show`. Before them an event's exact name, unless the "
    "current event is meant."
)
SomePlayers = Annotated[list[str], typer.Argument(metavar=_("[EVENT] PLAYER..."), help=_PLAYERS_HELP)]
Players = Annotated[list[str] | None, typer.Argument(metavar=_("[EVENT] [PLAYER...]"), help=_PLAYERS_HELP)]


CLEARABLE = tuple(name for name, setting in SETTINGS.items() if setting.clearable)


def _formats() -> str:
    """Return the formats with what each does, for the help of the setting."""
    return "; ".join(f"{entry.name}: {_(entry.summary)}" for entry in FORMATS.values())


# Settings and their choices are known only at run time.
if TYPE_CHECKING:
    Clearable = str
    AllSettings = Any
    SomeSettings = Any
else:
    Clearable = Literal[CLEARABLE]
    formats = _formats()
    usual = {name: setting.default for name, setting in SETTINGS.items()}
    AllSettings = settings_group(SETTINGS, choices, usual, formats=formats)
    SomeSettings = settings_group(SETTINGS, choices, formats=formats)


@app.command(
    heading=BEFORE,
    help=_("Create an event, such as a club evening. Without options it has three rounds at tables of four."),
    epilog=_(
        "tourney event new Friday\n"
        'tourney event new "Friday 20" --rounds 4 --minutes 60\n'
        "tourney event new League --format swiss --rounds 8 --rules oficial+scaled\n"
        'tourney event new "Friday 27" --from "Friday 20"\n'
        "tourney event new Weekend --preset swiss-final\n"
        "tourney event new Weekend --plan weekend.toml"
    ),
)
def new(
    context: typer.Context,
    settings: AllSettings,
    request: Writing,
    name: Annotated[str, typer.Argument(metavar="NAME", help=_("The event's name; several words need quotes."))],
    rules: RulesName = USUAL_RULES,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="EVENT",
            help=_(
                "An event to copy, such as last week's; the new one becomes the current event, unless that is in play."
            ),
        ),
    ] = None,
    copy: Annotated[
        Copied | None,
        typer.Option(
            metavar="WHAT",
            help=_(
                "What is copied by --from: settings, with the constraints on the seating; players, without those who "
                "never came; or both, which is the default. Other options go before copied settings."
            ),
        ),
    ] = None,
    preset: PresetOption = None,
    plan: PlanOption = None,
) -> None:
    given = {option: value for option, value in vars(settings).items() if _is_given(context, option)}
    own_rules = rules if _is_given(context, "rules") else None
    if preset is not None or plan is not None:
        refuse_together(source is not None, "--preset" if plan is None else "--plan", "--from")
        request.submit(copy_event.CreatePlannedEvent(name, preset, plan, given, own_rules), _created(request))
        return
    if source is None:
        if copy is not None:
            message = _("--copy says what to take from another event, and none is named")
            raise TourneyError(ExitCode.USAGE, message, _("name the event with --from"))
        deals = given.get("seed", "")
        event = EventSettings(name, rules, **vars(settings), deals=deals)
        request.submit(service.CreateEvent(event, given), _created(request))
        return
    request.submit(copy_event.CopyEvent(name, source, copy or "both", given, own_rules), reports.copied)


def _created(request: Writing) -> Callable[[Any], Report]:
    """Return the report of a new event, which counts who is registered."""
    return lambda event: reports.created(event, len(people.listing(request.db, kind="person")))


def _is_given(context: typer.Context, option: str) -> bool:
    """Return whether the command line gives the option, be it the usual value."""
    source = context.get_parameter_source(option)
    return source is None or source.name != "DEFAULT"


@app.command(
    "set",
    heading=BEFORE,
    help=_("Change settings of an event. Rounds already drawn stay as they are."),
    epilog=_("tourney event set Friday --rounds 6\ntourney event set Friday --tables 5 --clear minutes"),
)
def set_(
    settings: SomeSettings,
    request: Writing,
    event: EventName = None,
    name: Annotated[str | None, typer.Option(metavar="NEW", help=_("The event's new name."))] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help=_("The file of a plan whose stages replace the event's stages that have not begun.")
        ),
    ] = None,
    clear: Annotated[
        Clearable | None,
        typer.Option(
            metavar="SETTING",
            help=_("A setting that gets its default value back: {settings}.").format(settings=either(CLEARABLE)),
        ),
    ] = None,
) -> None:
    if plan is not None:
        refuse_together(clear is not None, "--plan", "--clear")
        given = {option: value for option, value in {"name": name, **vars(settings)}.items() if value is not None}
        request.submit(copy_event.ChangePlan(event, plan, given), reports.changed, _("Settings"))
        return
    change = ChangeSettings(event, {"name": name, **vars(settings)}, clear)
    request.submit(change, reports.changed, _("Settings"))


@app.command(
    help=_("Choose the current event, which commands mean when no event is named."),
    heading=BEFORE,
    epilog=_("tourney event use Friday"),
)
def use(request: Writing, event: Event) -> None:
    request.submit(service.UseEvent(event), reports.used)


@app.command("wish", hidden=True, help=_("The former name of `event constrain`."))
@app.command(
    "constrain",
    heading=BEFORE,
    help=_("Keep players apart, seat them together, or give one the same table in every round."),
    epilog=_(
        "tourney event constrain Friday --apart Ana,Beñat --table Diego=1\n"
        "tourney event constrain Friday --apart club --together Ana,Carmen\n"
        "tourney event constrain Friday --never Elena,Félix\n"
        "tourney event constrain Friday --remove Ana,Beñat"
    ),
)
def constrain(
    request: Writing,
    event: EventName = None,
    apart: Apart = None,
    never: Never = None,
    together: Together = None,
    table: NeededTable = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help=_(
                "Remove only the constraint on these players, such as Ana,Beñat; or club. May be repeated. --clear "
                "removes all."
            ),
        ),
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help=_("Remove all constraints made before; --remove removes one."))
    ] = False,
) -> None:
    change = constraints.ConstrainSeating(
        event, apart or (), together or (), table or (), clear, never=never or (), remove=remove or ()
    )
    request.submit(change, reports.constrained)


@app.command(
    heading=PLAYERS,
    help=_("Enter players into an event, on time or late: those who come late play from the next round that is drawn."),
    epilog=_(
        "tourney event enter Friday Ana Beñat Carmen Diego\n"
        "tourney event enter Friday --file players.csv --add\n"
        "tourney event enter Friday --bots greedy:3,random:1"
    ),
)
def enter(
    request: Writing,
    described: FileOptions,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=_("[EVENT] [PLAYER...]"),
            help=_(
                "The names of people who are registered; of anybody with --add. Before them an event's exact name, "
                "unless the current event is meant."
            ),
        ),
    ] = None,
    event: EventOption = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=_("A CSV file or a workbook (.xlsx) with the column name or player: enter all who are in it."),
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOT:N,...",
            help=_(
                "Bots, and how many of each, such as greedy:6,random:6; `tourney bot list` shows them. Your own are "
                "mine.py:Mine:2 or cmd:./bot:2, or @field.toml for one of each in a file."
            ),
        ),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help=_("Register people who are not registered yet."))] = False,
    everybody: Annotated[bool, typer.Option("--all", help=_("Enter everybody who is registered."))] = False,
    isolation: Isolation = "",
) -> None:
    seats = service.bot_seats(bots or "", isolation, request.db)

    def enter_players(file_as: Description) -> AfterEvent[EnteredPlayers]:
        enter = partial(
            service.EnterPlayers,
            file=file,
            bots=seats,
            add=add,
            everybody=everybody,
            described=file_as,
            isolation=isolation,
        )
        return AfterEvent(event, words or (), enter)

    request.submit_file(described, enter_players, entrants.entered)


@app.command(
    heading=PLAYERS,
    help=_("Check in players who are present. If an event has `--checkin required`, only they are seated."),
    epilog=_(
        "tourney event checkin Friday Ana Beñat\ntourney event checkin Friday --all\n"
        "tourney event checkin Friday Ana --undo"
    ),
)
def checkin(
    request: Writing,
    words: Players = None,
    event: EventOption = None,
    everybody: Annotated[bool, typer.Option("--all", help=_("Check in everybody who has not left."))] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help=_("Take back the check-in of these players: they are not here yet."))
    ] = False,
) -> None:
    if undo:
        refuse_together(everybody, "--undo", "--all")
        request.submit(AfterEvent(event, words or (), attendance.TakeBackCheckIn), entrants.not_checked_in)
        return
    check_in = partial(attendance.CheckInPlayers, everybody=everybody)
    request.submit(AfterEvent(event, words or (), check_in), entrants.checked_in)


@app.command(
    heading=PLAYERS,
    help=_("Take players who leave, or who never came, out of the coming rounds. Games that they have played count."),
    epilog=_(
        'tourney event withdraw Friday Elena --reason "has to catch a train"\n'
        "tourney event withdraw Friday Félix --no-show"
    ),
)
def withdraw(
    request: Writing,
    words: SomePlayers,
    event: EventOption = None,
    reason: Reason = "",
    no_show: Annotated[bool, typer.Option("--no-show", help=_("They never came."))] = False,
    out: Annotated[
        bool,
        typer.Option("--out", help=_("Take them out of the newest round, too, where their table has no result.")),
    ] = False,
) -> None:
    absence: attendance.Absence = "no-show" if no_show else "withdrawn"
    withdraw_players = partial(attendance.WithdrawPlayers, reason=reason, absence=absence)
    if not out:
        request.submit(AfterEvent(event, words, withdraw_players), entrants.withdrawn)
        return

    take_out = AfterEvent(event, words, lambda event, names: leaving.TakeOut(withdraw_players(event, names)))
    request.submit(take_out, entrants.withdrawn)


@app.command(
    "return",
    heading=PLAYERS,
    help=_("Let players who had left play again, from the next round that is drawn."),
    epilog=_("tourney event return Elena\ntourney event return Friday Elena"),
)
def return_(request: Writing, words: SomePlayers, event: EventOption = None) -> None:
    request.submit(AfterEvent(event, words, attendance.ReturnPlayers), entrants.returned)


@app.command("list", heading=SEE, help=_("List all events."), epilog=_("tourney event list"))
def list_(request: Reading) -> None:
    request.show(lambda: reports.events(service.listing(request.db)))


@app.command(
    "show",
    heading=SEE,
    help=_(
        "Show an event: its settings, and its players with their numbers. With --format message, how it went, to post."
    ),
    epilog=_("tourney event show Friday\ntourney event show Friday --format message"),
)
def show_(request: Posted, event: EventName = None) -> None:
    if request.form == "message":
        request.show_state(partial(shown.standings, request.db, event), reports.summary, event_code(event))
    else:
        request.show(lambda: reports.page(service.show(request.db, event)))


@app.command(
    "tie-breaks",
    heading=SEE,
    help=_("List the tie-breaks that an event can choose, each with an explanation."),
    epilog=_("tourney event tie-breaks"),
)
def tie_breaks(request: Reading) -> None:
    request.show(ties.tie_breaks)


@app.command(
    "table-points",
    heading=SEE,
    help=_("List the table points that have a name: what each place gives at tables of four and of three."),
    epilog=_("tourney event table-points"),
)
def table_points(request: Reading) -> None:
    request.show(ties.table_points)


@app.command(
    heading=AFTERWARDS,
    help=_("Finish an event: no round, result or ruling can be added or changed until it is reopened."),
    epilog=_("tourney event finish Friday"),
)
def finish(
    request: Writing,
    event: EventName = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help=_("Finish it even if rounds or results are missing."))
    ] = False,
) -> None:
    request.submit(service.FinishEvent(event, anyway), reports.finished)


@app.command(
    heading=AFTERWARDS,
    help=_("Reopen a finished event, so that it can be changed."),
    epilog=_('tourney event reopen Friday --reason "a sheet was wrong"'),
)
def reopen(request: Writing, reason: Reason, event: EventName = None) -> None:
    request.submit(service.ReopenEvent(event, reason), reports.reopened)


@app.command(
    heading=AFTERWARDS,
    help=_("Delete an event with its rounds and results. Undo brings it back; its players stay registered."),
    epilog=_("tourney event delete Friday"),
)
def delete(request: Writing, event: Event) -> None:
    request.submit(service.DeleteEvent(event), reports.deleted)


@app.command(
    heading=AFTERWARDS,
    help=_("Write a whole event to a file, which another computer imports and anybody can check."),
    epilog=_("tourney event export Friday --output friday.event"),
)
def export(request: ToFile, event: EventName = None) -> None:
    found = event_file.exported(request.db, event)
    report = event_files.exported(found, request.output)
    if request.file is not None:
        request.file.write(found.text.encode())
        show(report, request.form)
    elif request.json:
        show(report, "json")
    else:
        request.write(found.text)
        note(report.title)


@app.command(
    "import",
    heading=AFTERWARDS,
    help=_(
        "Import a whole event from the file that `event export` writes, or from score sheets in a spreadsheet. If the "
        "event is here already, it gets what is new in the file."
    ),
    epilog=_(
        "tourney event import friday.event\n"
        'tourney event import "Friday 20" --sheets score-sheets.csv --date 2026-11-20'
    ),
)
def import_(
    context: typer.Context,
    request: Writing,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help=_("The event's file; with --sheets the name of the new event."))
    ],
    described: FileOptions,
    sheets: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=_(
                "A CSV file or a workbook (.xlsx) with a row for each player and table. Its columns: round, table, "
                "seat, player, and one for each hand, named TT to EEE. The players must be registered."
            ),
        ),
    ] = None,
    rules: RulesName = USUAL_RULES,
    date: Annotated[str, setting_option(SETTINGS["date"])] = "",
    name: Annotated[
        str | None, typer.Option(metavar="NEW", help=_("Another name for the event of the file, if its own is taken."))
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help=_("Do not ask whether the people of the file are who they seem to be."))
    ] = False,
) -> None:
    if sheets is not None:
        refuse_together(name is not None, "--sheets", "--name")
        request.submit_file(
            described, partial(import_sheets.ImportSheets, file, sheets, rules, date), event_files.imported
        )
        return
    for option in ("rules", "date", "column", "encoding", "lines", "sheet"):
        refuse_together(_is_given(context, option), _("the file of an event"), f"--{option}")
    change = import_event.ImportEvent(file, name)
    report = event_files.brought_in
    if questions.possible() and not (yes or request.dry_run):
        _ask_whether_to_import(request.db, change)
        report = event_files.brought_in_as_shown
    request.submit(change, report, _("People"))


def _ask_whether_to_import(db: str | None, change: "import_event.ImportEvent") -> None:
    """Show who the people of the file are here, and ask. Raises typer.Exit if the answer is no."""
    show_page(event_files.before_import(import_event.outlook(db, change)), sys.stderr)
    if not questions.confirm(_("Import it?")):
        note(_("nothing was imported"))
        raise typer.Exit
