"""`tourney result`: a table's sheet, hand by hand, through the engine."""

import sys
from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import Database, DryRun, EventName, FormOption, Json, form, mode, seen, watch
from tourney.cli.framework.output import note, show
from tourney.cli.results import prompts
from tourney.cli.results.prompts import GivenSheet
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import DeclaredHand, Length
from tourney.reports.impact import with_moves
from tourney.reports.results import results as reports
from tourney.reports.results.rulings import with_rulings
from tourney.service.results import entry, rulings
from tourney.service.results import results as service
from tourney.text.i18n import _

app = noun("result")

Round = Annotated[int, typer.Option("--round", metavar="R", min=1, help=_("The round."))]
Table = Annotated[int, typer.Option(metavar="T", min=1, help=_("The table's number in that round."))]
File = Annotated[str | None, typer.Option(metavar="SHEET.TOML", help=_("The sheet as a file."))]
Hands = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND",
        help=_('Once for each hand, in order, as "TT Ana=-10 Beñat=35" or "knock Ana=5 Beñat=85 buys=Beñat".'),
    ),
]
Dead = Annotated[list[str] | None, typer.Option(metavar="CONTRACT", help=_("A hand that nobody closed, as TE."))]
Short = Annotated[bool, typer.Option("--short", help=_("The game ended early; these are the hands that were played."))]
Reason = Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))]


@app.command(
    help=_(
        "Enter a table's sheet. A terminal asks for it hand by hand; else give a file, or --hand for each hand. Where"
        " half of it was kept, the missing hands are enough; one given again takes the place of the one kept."
    ),
    epilog=_("Example: tourney result enter Friday --round 1 --table 2 --file sheet.toml"),
)
def enter(
    round: Annotated[int | None, typer.Option("--round", metavar="R", min=1, help=_("The round."))] = None,
    table: Annotated[int | None, typer.Option(metavar="T", min=1, help=_("The table's number in that round."))] = None,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    short: Short = False,
    half: Annotated[bool, typer.Option("--half", help=_("Keep these hands, to be finished later."))] = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    if _asks(file, hand, dead) and not (short or half):
        typed = prompts.typed_sheet(db, event, round, table, "enter", mode(dry_run))
        _enter(db, typed, "all", dry_run, json)
        return
    spot, length = (event, *_spot(round, table)), length_of(short, half)
    finished = not half and _nothing(file, hand, dead) and entry.begun(db, *spot)
    given = GivenSheet(*spot, () if finished else sheet(file, hand, dead), length)
    if half:
        kept = entry.keep_partial_sheet(db, given.event, given.round, given.table, given.hands, mode(dry_run))
        show(reports.partial_sheet(kept), form(None, json), mode(dry_run))
        return
    _enter(db, given, "rest", dry_run, json)
    _tell_doubts(db, given)


def _enter(db: str | None, one: GivenSheet, given: service.Given, dry_run: bool, json: bool) -> None:
    at = (one.event, one.round, one.table)
    result = service.enter(db, *at, one.hands, mode(dry_run), length=one.length, given=given)
    show(reports.sheet(result), form(None, json), mode(dry_run))


@app.command(help=_("Put another sheet in the place of a table's result. A terminal asks which hand is wrong."))
def correct(
    round: Round,
    table: Table,
    reason: Reason,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    short: Short = False,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    watched = watch(dry_run)
    asked = _asks(file, hand, dead) and not short
    if asked:
        one = prompts.typed_sheet(db, event, round, table, "correct", mode(dry_run))
    else:
        one = GivenSheet(event, round, table, sheet(file, hand, dead), length_of(short))
    at, hands = (one.event, one.round, one.table), one.hands
    result = service.correct(db, *at, hands, reason, mode(dry_run), length=one.length, watch=watched)
    show(with_moves(reports.sheet(result), seen(watched), _("The sheet")), form(None, json), mode(dry_run))
    if not asked:
        _tell_doubts(db, one)


@app.command(help=_("Make a result count for nothing. Half a sheet is set aside; another may be entered."))
def void(
    round: Round,
    table: Table,
    reason: Reason,
    event: EventName = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    aside = entry.set_aside(db, event, round, table, reason, mode(dry_run))
    if aside is not None:
        show(reports.partial_sheet_dropped(aside), form(None, json), mode(dry_run))
        return
    watched = watch(dry_run)
    result = service.void(db, event, round, table, reason, mode(dry_run), watch=watched)
    show(with_moves(reports.sheet(result), seen(watched)), form(None, json), mode(dry_run))


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
        show(reports.listing(service.show(db, event, round), entry.partial_sheets_of(db, event, round)), chosen)
    elif record:
        sys.stdout.write(service.record(db, event, round, table))
    else:
        result = service.show(db, event, round, table)[0]
        show(with_rulings(reports.sheet(result), rulings.listing(db, event), round, table), chosen)


def _asks(*given: object) -> bool:
    """Whether the sheet is asked for: none of its options is given, and somebody is there to answer."""
    return _nothing(*given) and prompts.possible()


def _nothing(*given: object) -> bool:
    return all(one is None for one in given)


def _spot(round_number: int | None, table: int | None) -> tuple[int, int]:
    """Round and table, which must be given where nobody can be asked."""
    if round_number is None or table is None:
        missing = "--round" if round_number is None else "--table"
        message = _("missing option {option}").format(option=missing)
        raise TourneyError(ExitCode.USAGE, message, _("give --round and --table; a terminal asks without --file"))
    return round_number, table


def length_of(short: bool, half: bool = False) -> Length:
    """What the options say of the sheet's length; TourneyError USAGE if they contradict each other."""
    if short and half:
        message = _("--short and --half contradict each other")
        raise TourneyError(ExitCode.USAGE, message, _("--short ends the game; --half is finished later"))
    return "short" if short else "whole"


def _tell_doubts(db: str | None, one: GivenSheet) -> None:
    """Says on standard error which points are possible and hardly to be expected."""
    for line in service.doubts(db, one.event, one.round, one.table, one.hands):
        note(line)


def sheet(file: str | None, hands: list[str] | None, dead: list[str] | None) -> tuple[DeclaredHand, ...]:
    """The sheet that the options give: a file, or hands, not both."""
    if (file is None) == (hands is None) or (file is not None and dead is not None):
        message = _("the sheet comes from --file, or from one --hand for each hand (and --dead)")
        raise TourneyError(ExitCode.USAGE, message, _("give one or the other"))
    return service.read_sheet(file) if file is not None else service.read_flags(hands or (), dead or ())
