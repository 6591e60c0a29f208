"""`tourney round`: seat a round, change it, time it, play its bot tables."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.changes import submit
from tourney.cli.framework.options import Database, DryRun, EventName, FormOption, Json, form, mode
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.rounds import rounds as reports
from tourney.reports.rounds.posted_lists import PostedOrder, posted_list
from tourney.reports.rounds.seatings import judged
from tourney.reports.rounds.slips import slips as slips_report
from tourney.service.rounds import rounds as service
from tourney.service.rounds import seating_report, verify_draw
from tourney.service.rounds.clock import ChangeClock, ClockCommand
from tourney.service.rounds.edit_round import CancelRound, Destination, MovePlayer, Out, Swap, ToTable
from tourney.service.rounds.rounds import DrawRound
from tourney.text.i18n import _

app = noun("round")

Round = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("This round alone; all unless set."))]
Newest = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; the newest unless set."))]


@app.command(
    help=_("Seat the next round. With --file some or all tables are given; the rest is seated around them."),
    epilog=_("Example: tourney round draw Friday --dry-run"),
)
def draw(
    event: EventName = None,
    file: Annotated[
        str | None,
        typer.Option("--file", metavar="FILE", help=_("Tables by hand: JSON, or CSV round,table,seat,player.")),
    ] = None,
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    submit(DrawRound(event, file), reports.schedule, db, dry_run, json, format=format)


@app.command(
    "show",
    help=_("Show the seating of rounds. Seat 1 deals first. With --by: a list to post, of the newest round."),
)
def show_(
    event: EventName = None,
    only: Round = None,
    by: Annotated[
        PostedOrder | None, typer.Option("--by", help=_("One line for each player, by table or by name."))
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help=_("The quality of the seating of all rounds; not with --round or --by."))
    ] = False,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    if why:
        _refuse_with_why(only, by)
        show(judged(seating_report.of_event(db, event)), form(format, json))
    elif by is None:
        show(reports.schedule(service.show(db, event, only)), form(format, json))
    else:
        show(posted_list(service.show(db, event, "newest" if only is None else only), by), form(format, json))


def _refuse_with_why(only: int | None, by: PostedOrder | None) -> None:
    """Raise TourneyError USAGE for options that --why does not go with."""
    if only is not None or by is not None:
        message = _("--why concerns all rounds: it goes with neither --round nor --by")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))


@app.command(help=_("Play the drawn tables of bots that have no result yet."))
def play(
    event: EventName = None,
    only: Round = None,
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    with bar(_("playing")) as progress:
        played = service.play(db, event, only, progress, dry_run)
    show(reports.played(played), form(format, json), mode(dry_run))


@app.command(
    help=_("Move a player within a drawn round, into it, or out of it. The report has the cost in repeats."),
    epilog=_("Example: tourney round move Friday Ana --with 7"),
)
def move(
    event: Annotated[str, typer.Argument(metavar="EVENT", help=_("The event."))],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=_("Name, or number in the event."))],
    only: Newest = None,
    table: Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("To this table."))] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", min=1, help=_("At this seat of it; the last unless set."))
    ] = None,
    other: Annotated[
        str | None, typer.Option("--with", metavar="OTHER", help=_("Swap places with this player."))
    ] = None,
    out: Annotated[bool, typer.Option("--out", help=_("Leave the tables: a bye."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    submit(MovePlayer(event, player, _destination(table, seat, other, out), only), reports.edited, db, dry_run, json)


def _destination(table: int | None, seat: int | None, other: str | None, out: bool) -> Destination:
    """Return the player's destination, which exactly one of the options gives."""
    options: list[Destination] = []
    if table is not None:
        options.append(ToTable(table, seat))
    if other is not None:
        options.append(Swap(other))
    if out:
        options.append(Out())
    if len(options) != 1 or (seat is not None and table is None):
        message = _("one of --table (with --seat), --with and --out must say where the player goes")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
    return options[0]


@app.command(help=_("Take back the newest round. No table of it may have a result that counts."))
def cancel(
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("The reason; it is recorded."))],
    event: EventName = None,
    only: Newest = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    submit(CancelRound(event, reason, only), reports.cancelled, db, dry_run, json)


@app.command(help=_("Draw the rounds again from the seed, and compare. Exit code 1 if one differs."))
def verify(event: EventName = None, db: Database = None, format: FormOption = None, json: Json = False) -> None:
    found = verify_draw.verify(db, event)
    show(reports.verified(found), form(format, json))
    if not found.agree:
        raise typer.Exit(int(ExitCode.REFUSED))


@app.command(help=_("Show, start or stop a round's clock. --minutes alone changes the length of one that runs."))
def clock(
    event: EventName = None,
    only: Newest = None,
    minutes: Annotated[
        int | None, typer.Option("--minutes", metavar="M", min=1, help=_("The length; the event's unless set."))
    ] = None,
    start: Annotated[bool, typer.Option("--start", help=_("The round begins now."))] = False,
    stop: Annotated[bool, typer.Option("--stop", help=_("The round has no clock from now on."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    command = _clock_command(minutes, start, stop)
    if command is None:
        show(reports.clock(service.show(db, event, "newest" if only is None else only)), form(None, json))
    else:
        submit(ChangeClock(event, command, only, minutes), reports.clock, db, dry_run, json)


def _clock_command(minutes: int | None, start: bool, stop: bool) -> ClockCommand | None:
    """Return what the options do to the clock; None only shows it."""
    if stop and (start or minutes is not None):
        message = _("--stop goes with neither --start nor --minutes")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
    if start:
        return "start"
    if stop:
        return "stop"
    return None if minutes is None else "set"


@app.command(help=_("Score slips of a round for printing. Markdown unless --format is set."))
def slips(
    event: EventName = None,
    only: Newest = None,
    table: Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("This table alone."))] = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    chosen = "markdown" if format is None and not json else form(format, json)
    show(slips_report(service.slips(db, event, only, table)), chosen)
