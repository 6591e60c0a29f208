"""`tourney round`: seat a round, change it, time it, play its bot tables."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from tourney.cli.framework import questions
from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import FOR_PROGRAMS, EventName, EventOption, Reason, Trusting
from tourney.cli.framework.output import note
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import FormattedWriting, Posted, Reading, Request, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.rounds import clock as clock_report
from tourney.reports.rounds import rounds as reports
from tourney.reports.rounds import seatings
from tourney.reports.rounds.slips import slips as slips_report
from tourney.service.events.codes import event_code
from tourney.service.lookup import AfterEvent
from tourney.service.rounds import bot_tables, dissolve_table, draw_round, edit_round, seating_report
from tourney.service.rounds import clock as service_clock
from tourney.service.rounds import rounds as service
from tourney.service.rounds import substitute as service_substitute
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.service.rounds.clock import ChangeClock, ClockCommand
    from tourney.service.rounds.edit_round import Destination

# Commands that draw, play, change or verify rounds import their services themselves: `round show` needs none of these,
# and would take a quarter longer to start.

app = noun()

DRAW = _("Draw and post")
CHANGE = _("When something changes")
PROVE = _("Bots, and proof")
TOO_FEW = _("too few players")
"""The reason for dissolving a table, unless another is given."""

Round = Annotated[
    int | None, typer.Option("--round", metavar="R", min=1, help=_("Only this round; if left out, all rounds."))
]
Newest = Annotated[
    int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; if left out, the newest."))
]


@app.command(
    heading=DRAW,
    help=_("Draw the next round: who sits at which table, and in which seat."),
    epilog=_("tourney round draw Friday\ntourney round draw Friday --file tables.csv --dry-run"),
)
def draw(
    request: FormattedWriting,
    event: EventName = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help=_(
                "Some or all tables, set by you: a CSV file with the columns round, table, seat, player, or JSON as "
                "`round show --json` prints it. All others are seated around them."
            ),
        ),
    ] = None,
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help=_("Draw it although tables of earlier rounds have no result.")),
    ] = False,
    draft: Annotated[
        bool,
        typer.Option("--draft", help=_("Show it to nobody else yet: phones and screens see it when it is published.")),
    ] = False,
) -> None:
    if not (anyway or request.dry_run) and questions.possible():
        _confirm_missing(request.db, event)
    request.submit(draw_round.DrawRound(event, file, anyway, draft), reports.schedule)


def _confirm_missing(db: str | None, event: str | None) -> None:
    """Ask whether to draw although results are missing that do not decide the seating. Raises TourneyError for no."""

    missing = draw_round.waiting_for_results(db, event)
    if not missing.tables or missing.decisive:
        return
    question = _("Results are missing: {tables}. Draw round {next} all the same?").format(
        tables=draw_round.missing_text(missing), next=missing.rounds + 1
    )
    if not questions.confirm(question):
        message = _("round {next} is not drawn").format(next=missing.rounds + 1)
        raise TourneyError(ExitCode.REFUSED, message, _("enter the results with `tourney result enter`"))


@app.command(
    heading=DRAW,
    help=_("Publish a round that was drawn as a draft: from now on phones and screens show it."),
    epilog=_("tourney round publish Friday"),
)
def publish(request: FormattedWriting, event: EventName = None, only: Newest = None) -> None:
    request.submit(draw_round.PublishRound(event, only), reports.schedule)


@app.command(
    "show",
    heading=DRAW,
    help=_("Show who sits where, or make a list of it to post. The player in seat 1 deals first."),
    epilog=_(
        "tourney round show Friday\n"
        "tourney round show Friday --round 2 --by name > list.txt\n"
        "tourney round show Friday --all\n"
        "tourney round show Friday --why"
    ),
)
def show_(
    request: Posted,
    event: EventName = None,
    only: Newest = None,
    every: Annotated[bool, typer.Option("--all", help=_("All rounds."))] = False,
    by: Annotated[
        reports.PostedOrder | None,
        typer.Option("--by", metavar="ORDER", help=_("Make the list to post, sorted by table or name.")),
    ] = None,
    why: Annotated[
        bool,
        typer.Option(
            "--why", help=_("Show how good the seating of all rounds is: who meets again, and how even the seats are.")
        ),
    ] = False,
) -> None:
    if why:
        _refuse_with_why(only, by)
        request.show(lambda: seatings.judged(seating_report.of_event(request.db, event)))
        return
    report = reports.schedule if by is None else partial(reports.posted_list, by=by)
    if every and only is not None:
        message = _("{first} and {second} do not go together").format(first="--all", second="--round")
        raise TourneyError(ExitCode.USAGE, message, _("leave out {second}").format(second="--round"))
    # Programs have read all rounds from the first version on.
    newest = only is None and not every and (by is not None or request.form not in FOR_PROGRAMS)
    read = partial(service.show, request.db, event, "newest" if newest else only)
    request.show_state(read, report, event_code(event))


def _refuse_with_why(only: int | None, by: reports.PostedOrder | None) -> None:
    """Raise TourneyError USAGE for options that cannot be combined with --why."""
    if only is not None or by is not None:
        message = _("--why concerns all rounds: it goes with neither --round nor --by")
        raise TourneyError(ExitCode.USAGE, message, _("give --why alone, or leave it out"))


@app.command(
    heading=CHANGE,
    help=_(
        "Let somebody play for a player who is absent and keeps the seat. The event's setting `substitutes` says who "
        "the result counts for. With one name only, nobody plays for that player any longer."
    ),
    epilog=_(
        "tourney round substitute Ana Eva\n"
        "tourney round substitute Friday Ana Eva --round 2\n"
        "tourney round substitute Ana"
    ),
)
def substitute(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] PLAYER..."),
            help=_(
                "The absent player and the substitute, who must be registered. Before them an event's exact name, "
                "unless the current event is meant."
            ),
        ),
    ],
    event: EventOption = None,
    only: Newest = None,
) -> None:
    change = AfterEvent(event, words, lambda event, names: service_substitute.NameSubstitute(event, names, only))
    request.submit(change, reports.substituted)


@app.command(
    heading=CHANGE,
    help=_(
        "Move a player to another table or seat, swap two players, seat one who comes late, or take one out. It shows "
        "how often players then meet again. Nobody can be moved at a table that has a result."
    ),
    epilog=_(
        "tourney round move Ana --table 3\ntourney round move Ana --with Beñat\ntourney round move Friday Elena --out"
    ),
)
def move(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] PLAYER"),
            help=_(
                "The player's name, or their number from `tourney event show`. Before it the event's name, unless the "
                "current event is meant."
            ),
        ),
    ],
    event: EventOption = None,
    only: Newest = None,
    table: Annotated[
        int | None, typer.Option("--table", metavar="T", min=1, help=_("The number of the player's new table."))
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="S", min=1, help=_("The seat at the new table; if left out, the last.")),
    ] = None,
    other: Annotated[
        str | None, typer.Option("--with", metavar="PLAYER", help=_("Another player, to swap places with."))
    ] = None,
    out: Annotated[
        bool, typer.Option("--out", help=_("Take the player out of this round, which they sit out."))
    ] = False,
) -> None:
    destination = _destination(table, seat, other, out)
    change = AfterEvent(
        event, words, lambda event, names: edit_round.MovePlayer(event, names[0], destination, only), most=1
    )
    request.submit(change, reports.edited)


def _destination(table: int | None, seat: int | None, other: str | None, out: bool) -> "Destination":
    """Return the player's destination. Raises TourneyError USAGE unless exactly one option gives it."""

    options: list[Destination] = []
    if table is not None:
        options.append(edit_round.ToTable(table, seat))
    if other is not None:
        options.append(edit_round.Swap(other))
    if out:
        options.append(edit_round.Out())
    if len(options) != 1 or (seat is not None and table is None):
        message = _("one of --table (with --seat), --with and --out must say where the player goes")
        raise TourneyError(ExitCode.USAGE, message, _("give exactly one of the three options"))
    return options[0]


@app.command(
    heading=CHANGE,
    help=_(
        "Dissolve a table, for example if too few players are left at it: its players are seated at the other tables, "
        "as many as have room, with the fewest repeats. The others sit this round out."
    ),
    epilog=_(
        'tourney round dissolve Friday --table 1 --reason "two players left"\n'
        'tourney round dissolve Friday --table 1 --reason "two players left" --dry-run'
    ),
)
def dissolve(
    request: Writing,
    table: Annotated[int, typer.Option("--table", metavar="T", min=1, help=_("The number of the table."))],
    reason: Reason = TOO_FEW,
    event: EventName = None,
    only: Newest = None,
) -> None:
    request.submit(dissolve_table.DissolveTable(event, table, reason, only), reports.dissolved)


@app.command(
    heading=CHANGE,
    help=_("Cancel the newest round, so that it can be drawn again. None of its tables may have a result."),
    epilog=_('tourney round cancel Friday --reason "two players came late"'),
)
def cancel(
    request: Writing,
    reason: Reason,
    event: EventName = None,
    only: Newest = None,
) -> None:
    request.submit(edit_round.CancelRound(event, reason, only), reports.cancelled)


@app.command(
    heading=PROVE,
    help=_("Let bots play the tables at which only bots sit and that have no result yet."),
    epilog=_("tourney round play Bots"),
)
def play(request: FormattedWriting, trusting: Trusting, event: EventName = None, only: Round = None) -> None:
    with bar(_("playing")) as progress:
        consent = trusting.consent if not request.dry_run else replace(trusting.consent, remember=False)
        wanted = bot_tables.BotTables(event, only, consent)
        played = bot_tables.play(request.db, wanted, progress, request.dry_run, request.by, note)
    request.show(lambda: reports.played(played))


@app.command(
    heading=PROVE,
    help=_("Prove the draws: draw all rounds again from the event's seed, and compare. Exit code 1 if one differs."),
    epilog=_("tourney round verify Friday"),
)
def verify(request: Reading, event: EventName = None) -> None:
    verification = draw_round.verify(request.db, event)
    request.show(lambda: reports.verified(verification), good=verification.agree)


@app.command(
    heading=DRAW,
    help=_("Start the clock of a round, stop it, change its time, or show how much is left."),
    epilog=_(
        "tourney round clock Friday --start\n"
        "tourney round clock Friday --minutes 75\n"
        "tourney round clock Friday --watch"
    ),
)
def clock(
    request: Writing,
    event: EventName = None,
    only: Newest = None,
    minutes: Annotated[
        int | None,
        typer.Option("--minutes", metavar="MINUTES", min=1, help=_("The round's time; if left out, the event's time.")),
    ] = None,
    start: Annotated[bool, typer.Option("--start", help=_("Start the clock now."))] = False,
    stop: Annotated[bool, typer.Option("--stop", help=_("Stop the clock: the round has no time limit then."))] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help=_(
                "Fill the terminal with the time left and the tables without a result, until Ctrl-C, with a "
                "sound at the end. Without --round it shows each new round."
            ),
        ),
    ] = False,
) -> None:
    command = _clock_command(minutes, start, stop)
    if watch:
        _watch(
            request, event, only, None if command is None else service_clock.ChangeClock(event, command, only, minutes)
        )
    elif command is None:
        request.show(reports.clock(service.show(request.db, event, "played" if only is None else only)))
    else:
        request.submit(service_clock.ChangeClock(event, command, only, minutes), reports.clock)


def _watch(request: Request, event: str | None, only: int | None, change: "ChangeClock | None") -> None:
    """Make the change of the clock, if there is one, and show the clock until Ctrl-C."""
    from tourney.cli.rounds.watch import require_terminal, watch

    if request.json or request.dry_run or (change is not None and change.command == "stop"):
        message = _("--watch goes with none of --stop, --json and --dry-run")
        raise TourneyError(ExitCode.USAGE, message, _("give it alone, or with --start or --minutes"))
    require_terminal()
    if change is not None:
        request.submit(change, reports.clock)
    request.show(
        clock_report.left(watch(service_clock.WatchedRound(request.db, event, only)), datetime.now(UTC).astimezone())
    )


def _clock_command(minutes: int | None, start: bool, stop: bool) -> "ClockCommand | None":
    """Return the command for the clock; None if it is only shown. Raises TourneyError USAGE for a contradiction."""
    if stop and (start or minutes is not None):
        message = _("--stop goes with neither --start nor --minutes")
        raise TourneyError(ExitCode.USAGE, message, _("give --stop alone, or leave it out"))
    if start:
        return "start"
    if stop:
        return "stop"
    return None if minutes is None else "set"


@app.command(
    heading=DRAW,
    help=_(
        "Print empty score slips, one for each table of a round, to fill in by hand. Markdown is their default form."
    ),
    epilog=_("tourney round slips Friday > slips.md"),
)
def slips(
    request: Reading,
    event: EventName = None,
    only: Newest = None,
    table: Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("Only this table."))] = None,
) -> None:
    chosen = request if request.format or request.form != "table" else replace(request, format="markdown")
    read = partial(service.slips, request.db, event, only, table)
    chosen.show_state(read, slips_report, event_code(event))
