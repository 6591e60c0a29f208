"""`tourney result`: a table's sheet, hand by hand, through the engine."""

import sys
from typing import Annotated

import typer

from tourney.cli.frame import noun
from tourney.cli.options import Database, DryRun, EventName, FormOption, Json, form, mode, watch
from tourney.cli.printing import show
from tourney.domain import DeclaredHand, ExitCode, TourneyError
from tourney.reports import results as reports
from tourney.reports.moves import with_moves
from tourney.reports.rulings import with_rulings
from tourney.service import results as service
from tourney.service import rulings
from tourney.text import _

app = noun("result")

Round = Annotated[int, typer.Option("--round", metavar="R", min=1, help=_("The round."))]
Table = Annotated[int, typer.Option(metavar="T", min=1, help=_("The table's number in that round."))]
File = Annotated[str | None, typer.Option(metavar="SHEET.TOML", help=_("The sheet as a file."))]
Hands = Annotated[
    list[str] | None,
    typer.Option(metavar="HAND", help=_('Once for each hand, in order, as "TT Ana=-10 Beñat=35".')),
]
Dead = Annotated[list[str] | None, typer.Option(metavar="CONTRACT", help=_("A hand that nobody closed, as TE."))]
Reason = Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))]


@app.command(
    help=_("Enter a table's sheet. It comes from a file, or by one --hand for each hand."),
    epilog=_("Example: tourney result enter Friday --round 1 --table 2 --file sheet.toml"),
)
def enter(
    round: Round,
    table: Table,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    hands = sheet(file, hand, dead)
    result = service.enter(db, event, round, table, hands, mode(dry_run))
    show(reports.sheet(result), form(None, json), mode(dry_run))


@app.command(help=_("Put another sheet in the place of a table's result."))
def correct(
    round: Round,
    table: Table,
    reason: Reason,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    hands, watched = sheet(file, hand, dead), watch(dry_run)
    result = service.correct(db, event, round, table, hands, reason, mode(dry_run), watch=watched)
    show(with_moves(reports.sheet(result), watched, _("The sheet")), form(None, json), mode(dry_run))


@app.command(help=_("Make a table's result count for nothing. Another sheet may then be entered."))
def void(
    round: Round,
    table: Table,
    reason: Reason,
    event: EventName = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    watched = watch(dry_run)
    result = service.void(db, event, round, table, reason, mode(dry_run), watch=watched)
    show(with_moves(reports.sheet(result), watched), form(None, json), mode(dry_run))


@app.command("show", help=_("Show results. All of an event, those of a round, or one table's sheet."))
def show_(
    event: EventName = None,
    round: Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("This round alone."))] = None,
    table: Annotated[
        int | None, typer.Option(metavar="T", min=1, help=_("This table alone, hand by hand; needs --round."))
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help=_("The table's record as text, for `tourney record`."))
    ] = False,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    chosen = form(format, json)
    if round is None or table is None:
        if table is not None or record:
            message = _("one table is meant, but not which")
            raise TourneyError(ExitCode.USAGE, message, _("give both --round and --table"))
        show(reports.listing(service.show(db, event, round)), chosen)
    elif record:
        sys.stdout.write(service.record(db, event, round, table))
    else:
        result = service.show(db, event, round, table)[0]
        show(with_rulings(reports.sheet(result), rulings.listing(db, event), round, table), chosen)


def sheet(file: str | None, hands: list[str] | None, dead: list[str] | None) -> tuple[DeclaredHand, ...]:
    """The sheet that the options give: a file, or hands, not both."""
    if (file is None) == (hands is None) or (file is not None and dead is not None):
        message = _("the sheet comes from --file, or from one --hand for each hand (and --dead)")
        raise TourneyError(ExitCode.USAGE, message, _("give one or the other"))
    return service.read_sheet(file) if file is not None else service.read_flags(hands or (), dead or ())
