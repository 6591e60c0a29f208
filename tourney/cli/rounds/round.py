"""`tourney round`: seat a round, change it, time it, play its bot tables."""

from dataclasses import replace
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import EventName
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import FormattedWriting, Reading, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.rounds import rounds as reports
from tourney.reports.rounds.seatings import judged
from tourney.reports.rounds.slips import slips as slips_report
from tourney.service.rounds import rounds as service
from tourney.service.rounds import seating_report, verify_draw
from tourney.service.rounds.edit_round import CancelRound, Destination, MovePlayer, Out, Swap, ToTable
from tourney.service.rounds.rounds import ChangeClock, ClockCommand, DrawRound
from tourney.text.i18n import _

app = noun("round")

Round = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("This round alone; all unless set."))]
Newest = Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; the newest unless set."))]


@app.command(
    help=_("Seat the next round. With --file some or all tables are given; the rest is seated around them."),
    epilog=_("Example: tourney round draw Friday --dry-run"),
)
def draw(
    request: FormattedWriting,
    event: EventName = None,
    file: Annotated[
        str | None,
        typer.Option("--file", metavar="FILE", help=_("Tables by hand: JSON, or CSV round,table,seat,player.")),
    ] = None,
) -> None:
    request.submit(DrawRound(event, file), reports.schedule)


@app.command(
    "show", help=_("Show the seating of rounds. Seat 1 deals first. With --by: a list to post, of the newest round.")
)
def show_(
    request: Reading,
    event: EventName = None,
    only: Round = None,
    by: Annotated[
        reports.PostedOrder | None, typer.Option("--by", help=_("One line for each player, by table or by name."))
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help=_("The quality of the seating of all rounds; not with --round or --by."))
    ] = False,
) -> None:
    if why:
        _refuse_with_why(only, by)
        request.show(judged(seating_report.of_event(request.db, event)))
    elif by is None:
        request.show(reports.schedule(service.show(request.db, event, only)))
    else:
        request.show(reports.posted_list(service.show(request.db, event, "newest" if only is None else only), by))


def _refuse_with_why(only: int | None, by: reports.PostedOrder | None) -> None:
    """Raise TourneyError USAGE for options that cannot be combined with --why."""
    if only is not None or by is not None:
        message = _("--why concerns all rounds: it goes with neither --round nor --by")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))


@app.command(help=_("Play the drawn tables of bots that have no result yet."))
def play(request: FormattedWriting, event: EventName = None, only: Round = None) -> None:
    with bar(_("playing")) as progress:
        played = service.play(request.db, event, only, progress, request.dry_run)
    request.show(reports.played(played))


@app.command(
    help=_("Move a player within a drawn round, into it, or out of it. The report has the cost in repeats."),
    epilog=_("Example: tourney round move Friday Ana --with 7"),
)
def move(
    request: Writing,
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
) -> None:
    request.submit(MovePlayer(event, player, _destination(table, seat, other, out), only), reports.edited)


def _destination(table: int | None, seat: int | None, other: str | None, out: bool) -> Destination:
    """Return the player's destination. Raises TourneyError USAGE unless exactly one option gives it."""
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
    request: Writing,
    reason: Annotated[str, typer.Option(metavar="TEXT", help=_("The reason; it is recorded."))],
    event: EventName = None,
    only: Newest = None,
) -> None:
    request.submit(CancelRound(event, reason, only), reports.cancelled)


@app.command(help=_("Draw the rounds again from the seed, and compare. Exit code 1 if one differs."))
def verify(request: Reading, event: EventName = None) -> None:
    verification = verify_draw.verify(request.db, event)
    request.show(reports.verified(verification), good=verification.agree)


@app.command(help=_("Show, start or stop a round's clock. --minutes alone changes the length of one that runs."))
def clock(
    request: Writing,
    event: EventName = None,
    only: Newest = None,
    minutes: Annotated[
        int | None, typer.Option("--minutes", metavar="M", min=1, help=_("The length; the event's unless set."))
    ] = None,
    start: Annotated[bool, typer.Option("--start", help=_("The round begins now."))] = False,
    stop: Annotated[bool, typer.Option("--stop", help=_("The round has no clock from now on."))] = False,
) -> None:
    command = _clock_command(minutes, start, stop)
    if command is None:
        request.show(reports.clock(service.show(request.db, event, "newest" if only is None else only)))
    else:
        request.submit(ChangeClock(event, command, only, minutes), reports.clock)


def _clock_command(minutes: int | None, start: bool, stop: bool) -> ClockCommand | None:
    """Return the command for the clock; None if it is only shown. Raises TourneyError USAGE for a contradiction."""
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
    request: Reading,
    event: EventName = None,
    only: Newest = None,
    table: Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("This table alone."))] = None,
) -> None:
    chosen = request if request.format or request.json else replace(request, format="markdown")
    chosen.show(slips_report(service.slips(request.db, event, only, table)))
