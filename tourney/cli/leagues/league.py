"""`tourney league`: bots against bots."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import Database, DryRun, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.cli.leagues import games, pilot
from tourney.cli.leagues.options import (
    BotNames,
    Level,
    Number,
    Patience,
    RulesId,
    Seats,
    Seed,
    Stake,
    Workers,
    crew,
    named,
)
from tourney.cli.leagues.progress import league_progress
from tourney.domain.leagues import PATIENCE, Design, KeptRecords, League
from tourney.reports.leagues import leagues as reports
from tourney.service.leagues import leagues as service
from tourney.service.leagues.confidence import LEVEL, at_level, checked_level
from tourney.text.i18n import _

app = noun("league")

BLOCKS = 100
"""How many a league has, unless it is said."""
MOST_BLOCKS = 100_000
"""The same where it is to end when it is sure."""


@app.command(
    help=_(
        "Begin a league and play it. What is played follows from the seed, whatever the workers. Ctrl-C finishes the "
        "blocks in play, twice stops at once; `league resume` goes on either way."
    ),
    epilog=_("Example: tourney league run --bots greedy,random --blocks 500 --seed 1"),
)
def run(
    bots: BotNames,
    rules: RulesId = "oficial",
    seats: Seats = 4,
    blocks: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help=_("Blocks, 100 unless set; with --until-sure at most.")),
    ] = None,
    until_sure: Annotated[
        str, typer.Option(metavar="P", help=_("End when the order has this probability, as 0.95."))
    ] = "",
    design: Annotated[
        Design,
        typer.Option(help=_("In which seatings a block plays its deals; seats and opponents are level in each.")),
    ] = "pairs",
    seed: Seed = "1",
    records: Annotated[
        KeptRecords, typer.Option(help=_("Which games' records are kept; sampled: each 100th block."))
    ] = "none",
    stake: Stake = 0,
    workers: Workers = None,
    patience: Patience = PATIENCE,
    level: Level = LEVEL,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    most = blocks if blocks is not None else MOST_BLOCKS if until_sure else BLOCKS
    wanted = League(named(bots), rules, seats, seed, most, design, until_sure, records, stake)
    shown, held = form(format, json), checked_level(level)
    with league_progress() as progress:
        table = service.run(db, wanted, crew(workers, patience), progress)
    show(reports.table(at_level(table, held)), shown)


@app.command(help=_("Go on with a league that was broken off; a finished one is shown."))
def resume(
    number: Number = None,
    workers: Workers = None,
    patience: Patience = PATIENCE,
    level: Level = LEVEL,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    shown, held = form(format, json), checked_level(level)
    with league_progress() as progress:
        table = service.resume(db, number, crew(workers, patience), progress)
    show(reports.table(at_level(table, held)), shown)


@app.command(
    help=_(
        "Put more bots into a league, and play their games. All else stays as it is; for the designs pairs and replace."
    ),
    epilog=_("Example: tourney league join --bots planner"),
)
def join(
    bots: BotNames,
    number: Number = None,
    workers: Workers = None,
    patience: Patience = PATIENCE,
    level: Level = LEVEL,
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    shown, held = form(format, json), checked_level(level)
    if dry_run:
        now, games = service.would_join(db, named(bots), number)
        show(reports.joining(at_level(now, held), named(bots), games), shown, "dry run")
        return
    with league_progress() as progress:
        table = service.join(db, named(bots), number, crew(workers, patience), progress)
    show(reports.table(at_level(table, held)), shown)


@app.command(help=_("How a league stands, also while it is being played."))
def status(
    number: Number = None,
    level: Level = LEVEL,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    shown, held = form(format, json), checked_level(level)
    show(reports.table(at_level(service.status(db, number), held)), shown)


app.add_typer(games.app)
app.add_typer(pilot.app)
