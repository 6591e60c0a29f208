"""`tourney league`: bots against bots. `tourney bot`: the built-in bots."""

import os
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import RulesName
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import FormattedWriting, PlainReading, Reading, WithoutDatabase
from tourney.cli.leagues.progress import league_progress
from tourney.domain.leagues import DEFAULT_LEVEL, TIME_LIMIT, Design, KeptRecords, League, LeagueTable, PlaySettings
from tourney.reports import leagues as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import games, leagues, pilots
from tourney.text.i18n import _

app, bot_app = noun("league"), noun("bot")

DEFAULT_BLOCKS = 100
MAX_BLOCKS_UNTIL_SURE = 100_000
"""The default numbers of blocks: of a league, and of one that ends as soon as its order is certain."""

BotNames = Annotated[
    str, typer.Option(metavar="A,B,...", help=_("The bots; one may be named twice, such as greedy,greedy."))
]
Number = Annotated[int | None, typer.Argument(metavar="[ID]", help=_("The league's number; else the newest."))]
Seats = Annotated[int, typer.Option(metavar="N", min=2, help=_("Players at a table."))]
Seed = Annotated[str, typer.Option(metavar="TEXT", help=_("The seed of deals, seats and bots."))]
Stake = Annotated[int, typer.Option(metavar="N", min=0, help=_("The stake of a knock game; 100 unless set."))]


@dataclass(frozen=True, slots=True)
class Playing:
    """The options for how a league is played and shown. Raises TourneyError USAGE for an impossible level."""

    workers: Annotated[
        int | None, typer.Option(metavar="W", min=1, max=1000, help=_("Worker processes; else one for each core."))
    ] = None
    time_limit: Annotated[
        int,
        typer.Option(
            "--patience",
            metavar="SECONDS",
            min=1,
            max=1_000_000,
            help=_("How long a bot may think before it is out of its game; not on Windows, nor in compiled code."),
        ),
    ] = TIME_LIMIT
    level: Annotated[
        float,
        typer.Option(metavar="P", help=_("Confidence level of intervals, such as 0.99; changes only the output.")),
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
    return tuple(filter(None, (name.strip() for name in bots.split(","))))


@app.command(
    help=_(
        "Start a league and play it. The seed determines what is played, whatever the workers. Ctrl-C finishes the "
        "blocks in play, twice stops at once; `league resume` continues either way."
    ),
    epilog=_("Example: tourney league run --bots greedy,random --blocks 500 --seed 1"),
)
def run(
    playing: Playing,
    request: Reading,
    bots: BotNames,
    rules: RulesName = "oficial",
    seats: Seats = 4,
    blocks: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("Blocks, 100 unless set; with --until-sure at most."))
    ] = None,
    until_sure: Annotated[
        str, typer.Option(metavar="P", help=_("End when the order has this probability, such as 0.95."))
    ] = "",
    design: Annotated[
        Design,
        typer.Option(help=_("The seatings in which a block plays its deals; each balances seats and opponents.")),
    ] = "pairs",
    seed: Seed = "1",
    records: Annotated[
        KeptRecords, typer.Option(help=_("The games whose records are kept; sampled: every 100th block."))
    ] = "none",
    stake: Stake = 0,
) -> None:
    most = blocks if blocks is not None else MAX_BLOCKS_UNTIL_SURE if until_sure else DEFAULT_BLOCKS
    league = League(_names(bots), rules, seats, seed, most, design, until_sure, records, stake)
    with league_progress() as progress:
        table = leagues.run(request.db, league, playing.settings, progress)
    request.show(playing.shown(table))


@app.command(help=_("Continue a league that was interrupted; a finished one is shown."))
def resume(playing: Playing, request: Reading, number: Number = None) -> None:
    with league_progress() as progress:
        table = leagues.resume(request.db, number, playing.settings, progress)
    request.show(playing.shown(table))


@app.command(
    help=_("Add bots to a league and play their games. All else stays as it is; for the designs pairs and replace."),
    epilog=_("Example: tourney league join --bots planner"),
)
def join(playing: Playing, request: FormattedWriting, bots: BotNames, number: Number = None) -> None:
    if request.dry_run:
        table, games_more = leagues.preview_join(request.db, _names(bots), number)
        request.show(reports.join_preview(leagues.at_level(table, playing.level), _names(bots), games_more))
        return
    with league_progress() as progress:
        table = leagues.join(request.db, _names(bots), number, playing.settings, progress)
    request.show(playing.shown(table))


@app.command(help=_("Show the table of a league, finished or not."))
def status(playing: Annotated[Playing, "level"], request: Reading, number: Number = None) -> None:
    request.show(playing.shown(leagues.status(request.db, number)))


@app.command(
    help=_("Print the record of a game, for `tourney record replay`."),
    epilog=_("Example: tourney league record --block 3 --game 1 > game.toml"),
)
def record(
    request: PlainReading,
    number: Number = None,
    block: Annotated[int, typer.Option(metavar="N", min=1, help=_("The block, from 1."))] = 1,
    game: Annotated[int, typer.Option(metavar="N", min=1, help=_("The game of the block, from 1."))] = 1,
) -> None:
    text = games.record(request.db, number, block, game)
    if request.json:
        request.show(Report("", data={"block": block, "game": game, "record": text}))
    else:
        sys.stdout.write(text)


@app.command(
    help=_(
        "Show where two bots first played differently with the same cards. Hand by hand, with the points that it "
        "moved; in leagues of the designs pairs and replace."
    ),
    epilog=_("Example: tourney league why planner greedy"),
)
def why(
    request: Reading,
    better: Annotated[str, typer.Argument(metavar="A", help=_("The bot that did better."))],
    worse: Annotated[str, typer.Argument(metavar="B", help=_("The bot that did worse."))],
    league: Annotated[int | None, typer.Option(metavar="ID", help=_("The league; else the newest."))] = None,
    block: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("The block; else where A did best against B."))
    ] = None,
) -> None:
    request.show(reports.comparison(games.compare(request.db, better, worse, league, block)))


@app.command(
    help=_("Estimate the hands that each design needs to separate a gap."),
    epilog=_("Example: tourney league pilot --bots greedy,random --gap 0.5"),
)
def pilot(
    playing: Annotated[Playing, "workers"],
    request: WithoutDatabase,
    bots: BotNames,
    gap: Annotated[float, typer.Option(metavar="POINTS", help=_("The difference a hand that is to show."))],
    certainty: Annotated[str, typer.Option(metavar="P", help=_("The certainty asked for, from 0.5 to 1."))] = "0.95",
    rules: RulesName = "oficial",
    seats: Seats = 4,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help=_("Games that each design plays; at least 30 blocks."))
    ] = 200,
    seed: Seed = "1",
    stake: Stake = 0,
) -> None:
    league = League(_names(bots), rules, seats, seed, blocks=1, certainty=certainty, stake=stake)
    with bar(_("playing")) as progress:
        pilot_run = pilots.pilot(league, gap, games, playing.settings.workers, progress)
    request.show(reports.pilot(pilot_run))


@bot_app.command("list", help=_("List the built-in bots, weakest first."))
def list_bots(request: WithoutDatabase) -> None:
    request.show(reports.bots(leagues.builtin_bots()))
