"""`tourney league`: bots against bots."""

import os
from typing import Annotated

import typer

from tourney.cli.frame import noun
from tourney.cli.league_progress import league_bar
from tourney.cli.options import Database, FormOption, Json, form
from tourney.cli.printing import show
from tourney.domain import Design, KeptRecords, League
from tourney.reports import leagues as reports
from tourney.service import leagues as service
from tourney.text import _

app = noun("league")

BLOCKS = 100
"""How many a league has, unless it is said."""
MOST_BLOCKS = 100_000
"""The same where it is to end when it is sure."""

Number = Annotated[int | None, typer.Argument(metavar="[ID]", help=_("The league's number; else the newest."))]
Workers = Annotated[int | None, typer.Option(metavar="W", min=1, help=_("Processes that play; else one a core."))]


def _bots(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _processes(workers: int | None) -> int:
    return workers if workers is not None else os.cpu_count() or 1


@app.command(
    help=_("Begin a league and play it. What is played follows from the seed, whatever the workers."),
    epilog=_("Example: tourney league run --bots greedy,random --blocks 500 --seed 1"),
)
def run(
    bots: Annotated[str, typer.Option(metavar="A,B,...", help=_("The bots; one may be named twice."))],
    rules: Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))] = "oficial",
    seats: Annotated[int, typer.Option(metavar="N", min=2, help=_("Players at a table."))] = 4,
    blocks: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help=_("Blocks, 100 unless set; with --until-sure at most.")),
    ] = None,
    until_sure: Annotated[
        str, typer.Option(metavar="P", help=_("End when the order has this probability, as 0.95."))
    ] = "",
    design: Annotated[Design, typer.Option(help=_("In which seatings a block plays its deals."))] = "pairs",
    seed: Annotated[str, typer.Option(metavar="TEXT", help=_("What deals, seats and bots follow from."))] = "1",
    records: Annotated[
        KeptRecords, typer.Option(help=_("Which games' records are kept; sampled: each 100th block."))
    ] = "none",
    stake: Annotated[
        int, typer.Option(metavar="N", min=0, help=_("What a knock game is played for; 100 unless set."))
    ] = 0,
    workers: Workers = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    most = blocks if blocks is not None else MOST_BLOCKS if until_sure else BLOCKS
    wanted = League(_bots(bots), rules, seats, seed, most, design, until_sure, records, stake)
    shown = form(format, json)
    with league_bar() as progress:
        table = service.run(db, wanted, _processes(workers), progress)
    show(reports.table(table), shown)


@app.command(help=_("Go on with a league that was broken off; a finished one is shown."))
def resume(
    number: Number = None,
    workers: Workers = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    shown = form(format, json)
    with league_bar() as progress:
        table = service.resume(db, number, _processes(workers), progress)
    show(reports.table(table), shown)


@app.command(help=_("How a league stands, also while it is being played."))
def status(number: Number = None, db: Database = None, format: FormOption = None, json: Json = False) -> None:
    show(reports.table(service.status(db, number)), form(format, json))
