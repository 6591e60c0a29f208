"""`tourney league`: bots against bots."""

import os
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import RulesName, decimal
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import FormattedWriting, PlainReading, Reading, WithoutDatabase
from tourney.cli.leagues.progress import league_progress
from tourney.domain.leagues import (
    DEFAULT_LEVEL,
    FAULT_COST,
    TIME_LIMIT,
    Design,
    KeptRecords,
    League,
    LeagueTable,
    PlaySettings,
)
from tourney.reports import leagues as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import games, leagues, pilots
from tourney.text.i18n import _

app = noun(
    _(
        "A league is played in blocks: a block is one set of deals, played several times with the bots in other "
        "seats, so that luck with the cards evens out. Every block is kept as soon as it is finished."
    )
)

PLAY = _("Play")
READ = _("See how it stands, and why")
PLAN = _("Plan")

DEFAULT_BLOCKS = 100
MAX_BLOCKS_UNTIL_SURE = 100_000
"""The default numbers of blocks: of a league, and of one that ends as soon as its order is certain."""

BotNames = Annotated[
    str,
    typer.Option(
        metavar="BOT,BOT,...",
        help=_(
            "The bots, from `tourney bot list`, such as greedy,random, or your own, such as mine.py:Mine; one may be "
            "named twice."
        ),
    ),
]
Number = Annotated[
    int | None, typer.Argument(metavar="LEAGUE", help=_("The number of the league; if left out, the newest."))
]
Seats = Annotated[int, typer.Option(metavar="N", min=2, help=_("The number of players at a table."))]
Seed = Annotated[
    str, typer.Option(metavar="TEXT", help=_("Any text: deals, seats and the bots' chance follow from it."))
]
Stake = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        show_default=False,
        help=_("What each bot pays into the pot of the knock game; if left out, 100."),
    ),
]
FaultCost = Annotated[
    int,
    typer.Option(
        metavar="POINTS",
        min=0,
        max=1_000_000,
        help=_("What a fault of a bot costs it in its mean and ranks, in points, or money of the knock game."),
    ),
]
Isolation = Annotated[
    str,
    typer.Option(
        metavar="LEVEL",
        help=_(
            "How far bots from outside are kept away, at least: trusted, process, sandbox or wasm. If left out, "
            "trusted for Python classes, process for programs, wasm for modules."
        ),
    ),
]


@dataclass(frozen=True, slots=True)
class Playing:
    """The options for how a league is played and shown. Raises TourneyError USAGE for an impossible level."""

    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1000,
            help=_("How many processes play at the same time; if left out, one for each core of the computer."),
        ),
    ] = None
    time_limit: Annotated[
        int,
        typer.Option(
            "--patience",
            metavar="SECONDS",
            min=1,
            max=1_000_000,
            help=_(
                "How long a bot may think about one action before it is replaced for the rest of the game (not on "
                "Windows, nor if it is compiled)."
            ),
        ),
    ] = TIME_LIMIT
    level: Annotated[
        float,
        typer.Option(
            parser=decimal,
            metavar="P",
            help=_("The confidence level of the intervals that are shown, from 0.5 to 1, such as 0.99."),
        ),
    ] = DEFAULT_LEVEL

    def __post_init__(self) -> None:
        leagues.checked_level(self.level)

    @property
    def settings(self) -> PlaySettings:
        """Return the settings for playing."""
        return PlaySettings(self.workers if self.workers is not None else os.cpu_count() or 1, self.time_limit)

    def shown(self, table: LeagueTable) -> Report:
        """Return the report of the league's table at the confidence level."""
        return reports.table(leagues.at_level(table, self.level))


def _names(bots: str) -> tuple[str, ...]:
    return tuple([name.strip() for name in bots.split(",")])


@app.command(
    heading=PLAY,
    help=_(
        "Start a league and play it. Ctrl-C stops it when the blocks being played are finished, a second Ctrl-C at "
        "once; `tourney league resume` continues it. The same seed always gives the same games."
    ),
    epilog=_(
        "tourney league run --bots greedy,random\n"
        "tourney league run --bots greedy,planner --until-sure 0.95\n"
        "tourney league run --bots random,greedy,planner --blocks 500 --seed 1"
    ),
)
def run(
    playing: Playing,
    request: Reading,
    bots: BotNames,
    rules: RulesName = "oficial",
    seats: Seats = 4,
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=_(
                "The most blocks to play (a block is a set of deals, in several seatings); if left out, 100, or with "
                "--until-sure 100,000."
            ),
        ),
    ] = None,
    until_sure: Annotated[
        str,
        typer.Option(
            metavar="P", help=_("End as soon as the order of the bots is certain with this probability, such as 0.95.")
        ),
    ] = "",
    design: Annotated[
        Design,
        typer.Option(
            metavar="DESIGN",
            help=_(
                "Who sits at a table. pairs: two bots, with as many seats each; replace: two bots, one of which has "
                "one seat; rotations: all bots, each deal from every seat; fresh: all bots, each deal once."
            ),
        ),
    ] = "pairs",
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            show_default=False,
            help=_(
                "Any text: deals, seats and the bots' chance follow from it. If left out, 1; at the levels sandbox and "
                "wasm one that no bot can guess, which the table shows."
            ),
        ),
    ] = "",
    records: Annotated[
        KeptRecords,
        typer.Option(
            metavar="WHICH", help=_("The games to keep card by card: none, sampled (of every 100th block) or all.")
        ),
    ] = "none",
    stake: Stake = 0,
    fault_cost: FaultCost = FAULT_COST,
    isolation: Isolation = "",
) -> None:
    most = blocks if blocks is not None else MAX_BLOCKS_UNTIL_SURE if until_sure else DEFAULT_BLOCKS
    league = League(
        _names(bots),
        rules,
        seats,
        seed,
        most,
        design,
        until_sure,
        records,
        stake,
        isolation=isolation,
        fault_cost=fault_cost,
    )
    with league_progress() as progress:
        table = leagues.run(request.db, league, playing.settings, progress, by=request.by)
    request.show(lambda: playing.shown(table))


@app.command(
    heading=PLAY,
    help=_("Continue a league that was interrupted; of a finished one, show the table."),
    epilog=_("tourney league resume"),
)
def resume(playing: Playing, request: Reading, number: Number = None) -> None:
    with league_progress() as progress:
        table = leagues.resume(request.db, number, playing.settings, progress)
    request.show(lambda: playing.shown(table))


@app.command(
    heading=PLAY,
    help=_("Add bots to a league of the designs pairs or replace, and play only their games."),
    epilog=_("tourney league join --bots planner"),
)
def join(playing: Playing, request: FormattedWriting, bots: BotNames, number: Number = None) -> None:
    if request.dry_run:
        table, games_more = leagues.preview_join(request.db, _names(bots), number)
        request.show(lambda: reports.join_preview(leagues.at_level(table, playing.level), _names(bots), games_more))
        return
    with league_progress() as progress:
        table = leagues.join(request.db, _names(bots), number, playing.settings, progress, by=request.by)
    request.show(lambda: playing.shown(table))


@app.command(
    heading=READ,
    help=_("Show the table of a league, finished or not. It says which bot is better, by how much, and how certainly."),
    epilog=_("tourney league status\ntourney league status 1 --level 0.99"),
)
def status(playing: Annotated[Playing, "level"], request: Reading, number: Number = None) -> None:
    request.show(lambda: playing.shown(leagues.status(request.db, number)))


@app.command(
    heading=READ,
    help=_("Print a game card by card, as text that `tourney record` can read."),
    epilog=_("tourney league record --block 3 --game 1 > game.toml"),
)
def record(
    request: PlainReading,
    number: Number = None,
    block: Annotated[int, typer.Option(metavar="N", min=1, help=_("The number of the block, from 1."))] = 1,
    game: Annotated[int, typer.Option(metavar="N", min=1, help=_("The number of the game in its block, from 1."))] = 1,
) -> None:
    text = games.record(request.db, number, block, game)
    if request.json:
        request.show(Report("", data={"block": block, "game": game, "record": text}))
    else:
        sys.stdout.write(text)


@app.command(
    help=_(
        "Show why one bot did better than another. For each hand it shows where they first played differently with the "
        "same cards, and what that was worth. For leagues of the designs pairs and replace."
    ),
    heading=READ,
    epilog=_("tourney league why planner greedy"),
)
def why(
    request: Reading,
    better: Annotated[str, typer.Argument(metavar="A", help=_("The bot that did better."))],
    worse: Annotated[str, typer.Argument(metavar="B", help=_("The bot that did worse."))],
    league: Annotated[
        int | None, typer.Option(metavar="N", help=_("The number of the league; if left out, the newest."))
    ] = None,
    block: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("The number of the block; if left out, where A did best."))
    ] = None,
) -> None:
    compared = games.compare(request.db, better, worse, league, block)
    request.show(lambda: reports.comparison(compared))


@app.command(
    heading=PLAN,
    help=_(
        "Estimate how many hands a league needs to tell two bots apart, in each design. A few games are played for it, "
        "and nothing is kept."
    ),
    epilog=_("tourney league pilot --bots greedy,planner --gap 0.5"),
)
def pilot(
    playing: Annotated[Playing, "workers"],
    request: WithoutDatabase,
    bots: BotNames,
    gap: Annotated[
        float,
        typer.Option(
            parser=decimal, metavar="POINTS", help=_("The difference to show, in points a hand, such as 0.5.")
        ),
    ],
    certainty: Annotated[
        str, typer.Option(metavar="P", help=_("How certain the order should be, from 0.5 to 1."))
    ] = "0.95",
    rules: RulesName = "oficial",
    seats: Seats = 4,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help=_("How many games to play in each design; at least 30 blocks."))
    ] = 200,
    seed: Seed = "1",
    stake: Stake = 0,
) -> None:
    league = League(_names(bots), rules, seats, seed, blocks=1, certainty=certainty, stake=stake)
    with bar(_("playing")) as progress:
        pilot_run = pilots.pilot(league, gap, games, playing.settings.workers, progress)
    request.show(lambda: reports.pilot(pilot_run))
