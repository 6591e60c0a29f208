"""`tourney round`: seat a round, mend it, time it, play its bot tables."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import Database, DryRun, EventName, FormOption, Json, form, mode
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.rounds import rounds as reports
from tourney.reports.rounds.posted_lists import PostedOrder, posted_list
from tourney.reports.rounds.seatings import judged
from tourney.reports.rounds.slips import slips as slips_report
from tourney.service.rounds import clock as clocks
from tourney.service.rounds import edit_round, seating_report, verify_draw
from tourney.service.rounds import rounds as service
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
    show(reports.schedule(service.draw(db, event, file, mode(dry_run))), form(format, json), mode(dry_run))


@app.command(
    "show",
    help=_("Show the seating of rounds. Seat 1 deals first. With --by it is a list for the wall, of the newest round."),
)
def show_(
    event: EventName = None,
    only: Round = None,
    by: Annotated[
        PostedOrder | None, typer.Option("--by", help=_("A line for each player, by table or by name."))
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help=_("How good the seating of all rounds is; not with --round or --by."))
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
    """Raises TourneyError USAGE for what --why does not go with."""
    if only is not None or by is not None:
        message = _("--why goes with neither --round nor --by: it is about all rounds")
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
        played = service.play(db, event, only, progress, mode(dry_run))
    show(reports.played(played), form(format, json), mode(dry_run))


@app.command(
    help=_("Move a player within a drawn round, into it, or out of it. It says what that costs in repeats."),
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
        str | None, typer.Option("--with", metavar="OTHER", help=_("Exchange places with this player."))
    ] = None,
    out: Annotated[bool, typer.Option("--out", help=_("Away from the tables."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    edited = edit_round.move(db, event, player, _where(table, seat, other, out), only, mode(dry_run))
    show(reports.edited(edited), form(None, json), mode(dry_run))


def _where(table: int | None, seat: int | None, other: str | None, out: bool) -> edit_round.Where:
    """Where to, as the options say; exactly one of them must."""
    ways: list[edit_round.Where] = []
    if table is not None:
        ways.append(edit_round.ToTable(table, seat))
    if other is not None:
        ways.append(edit_round.Swap(other))
    if out:
        ways.append(edit_round.Out())
    if len(ways) != 1 or (seat is not None and table is None):
        message = _("where the player goes is said by one of --table (with --seat), --with and --out")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
    return ways[0]


@app.command(help=_("Take back the newest round. No table of it may have a result that counts."))
def cancel(
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))],
    event: EventName = None,
    only: Newest = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    gone = edit_round.cancel(db, event, reason, only, mode(dry_run))
    show(reports.cancelled(gone), form(None, json), mode(dry_run))


@app.command(help=_("Draw the rounds again from the seed, and compare. Exit code 1 if one comes out otherwise."))
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
        int | None, typer.Option("--minutes", metavar="M", min=1, help=_("How long; as the event says unless set."))
    ] = None,
    start: Annotated[bool, typer.Option("--start", help=_("The round begins now."))] = False,
    stop: Annotated[bool, typer.Option("--stop", help=_("The round has no clock any more."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    act = _clock_act(minutes, start, stop)
    if act is None:
        schedule = service.show(db, event, "newest" if only is None else only)
    else:
        schedule = clocks.turn(db, event, act, only, minutes, mode=mode(dry_run))
    show(reports.clock(schedule), form(None, json), mode(dry_run) if act else "save")


def _clock_act(minutes: int | None, start: bool, stop: bool) -> clocks.ClockAct | None:
    """What the options do to the clock; None only shows it."""
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
