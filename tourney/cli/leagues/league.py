"""`tourney league`: bots against bots."""

from dataclasses import asdict, replace
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import RulesName, decimal
from tourney.cli.framework.output import note, write_text
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import FormattedWriting, PlainReading, Reading, Request, WithoutDatabase
from tourney.cli.framework.trusting import Trusting
from tourney.cli.leagues import files, shared_league
from tourney.cli.leagues.options import (
    PLAN,
    PLAY,
    READ,
    BlockNumber,
    BotNames,
    GameNumber,
    Number,
    Playing,
    Seats,
    Seed,
    Stake,
    Terms,
    names,
)
from tourney.cli.leagues.progress import league_progress
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import GapTest, League, LeagueTable
from tourney.reports.leagues import listing, studies
from tourney.reports.leagues import table as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import games, leagues, pilots
from tourney.text.i18n import _

app = noun(
    _(
        "A league is played in blocks: a block is one set of deals, played several times with the bots in other "
        "seats, so that luck with the cards evens out. Every block is kept as soon as it is finished."
    )
)
app.add_typer(files.app)
app.add_typer(shared_league.app)


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
def run(terms: Terms, playing: Playing, request: Reading, bots: BotNames) -> None:
    _show_played(playing, request, _run(playing, request, terms.league(names(bots))))


def _run(playing: Playing, request: Request, league: League) -> LeagueTable:
    """Start the league and play it."""
    with league_progress() as progress:
        return leagues.run(request.db, league, playing.settings, progress, by=request.by, tell=note)


def _gaps(text: str) -> tuple[float, float]:
    """Return the two gaps of `--sprt`. Raises TourneyError USAGE for other text."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        message = _("“{text}” are not two gaps").format(text=text[:40])
        hint = _("give two numbers with a comma between them, such as --sprt 0,1 or --sprt 0,0.5")
        raise TourneyError(ExitCode.USAGE, message, hint) from None
    return low, high


@app.command(
    "test",
    heading=PLAY,
    help=_(
        "Test whether a new bot is better than an old one, in as few games as that takes. The two play a league until "
        "the answer is certain enough; `tourney league resume` continues it. Exit code 0 if the new bot passes, 1 if "
        "it fails or if there is no answer."
    ),
    epilog=_(
        'tourney league test mine.py:Mine greedy --sprt 0,1\ntourney league test "cmd:./new" "cmd:./old" --sprt 0,2'
    ),
)
def sequential(
    terms: Annotated[Terms, "rules", "seats", "design", "seed", "records", "book", "stake", "fault_cost", "isolation"],
    playing: Playing,
    request: Reading,
    new: Annotated[str, typer.Argument(metavar="NEW", help=_("The new bot, as a league names it."))],
    old: Annotated[str, typer.Argument(metavar="OLD", help=_("The bot that it should beat."))],
    sprt: Annotated[
        str,
        typer.Option(
            metavar="LOW,HIGH",
            help=_(
                "Two gaps in points a hand. The new bot passes if it is better by the second rather than by the first; "
                "0,1 asks whether it is better at all."
            ),
        ),
    ] = "0,1",
    alpha: Annotated[
        float, typer.Option(parser=decimal, metavar="P", help=_("How often a bot may pass that is better by LOW only."))
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(parser=decimal, metavar="P", help=_("How often a bot may fail that is better by HIGH."))
    ] = 0.05,
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help=_("The most blocks to play; if left out, 100,000, with --book all its deals.")
        ),
    ] = None,
) -> None:
    league = replace(terms, blocks=blocks).league((new.strip(), old.strip()), GapTest(*_gaps(sprt), alpha, beta))
    _show_played(playing, request, _run(playing, request, league))


def _show_played(playing: Playing, request: Request, table: LeagueTable) -> None:
    """Show the table of a league that has ended; exit code 1 after a test that was not passed."""
    request.show(lambda: playing.shown(table), good=table.test is None or table.verdict == "passed")


@app.command(
    heading=PLAY,
    help=_("Continue a league that was interrupted; of a finished one, show the table."),
    epilog=_("tourney league resume"),
)
def resume(playing: Playing, request: Reading, trusting: Trusting, number: Number = None) -> None:
    with league_progress() as progress:
        table = leagues.resume(request.db, number, playing.settings, progress, trusting.consent)
    _show_played(playing, request, table)


@app.command(
    heading=PLAY,
    help=_("Add bots to a league of the designs pairs or replace, and play only their games."),
    epilog=_("tourney league join --bots planner"),
)
def join(
    playing: Playing, request: FormattedWriting, trusting: Trusting, bots: BotNames, number: Number = None
) -> None:
    if request.dry_run:
        table, games_more = leagues.preview_join(request.db, names(bots), number)
        request.show(lambda: reports.join_preview(leagues.at_level(table, playing.level), names(bots), games_more))
        return
    with league_progress() as progress:
        joined = names(bots), number, playing.settings, progress
        table = leagues.join(request.db, *joined, by=request.by, consent=trusting.consent)
    request.show(lambda: playing.shown(table))


@app.command(
    "list",
    heading=READ,
    help=_("List the leagues, imported and merged ones too: their bots, how many blocks they have, and their state."),
    epilog=_("tourney league list"),
)
def list_(request: Reading) -> None:
    request.show(lambda: listing.leagues(leagues.listed(request.db)))


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
    trusting: Trusting,
    number: Number = None,
    block: BlockNumber = 1,
    game: GameNumber = 1,
) -> None:
    text = games.record(request.db, number, block, game, trusting.consent)
    if request.json:
        request.show(Report("", data={"block": block, "game": game, "record": text}))
    else:
        write_text(text)


@app.command(
    "log",
    heading=READ,
    help=_(
        "Print the conversation with the programs in a game, line by line: what each heard (>), said (<) and wrote to "
        "its standard error (!), and its faults (#). The block is played again for it."
    ),
    epilog=_("tourney league log --block 3 --game 1"),
)
def log(
    request: PlainReading, trusting: Trusting, number: Number = None, block: BlockNumber = 1, game: GameNumber = 1
) -> None:
    logs = games.conversation(request.db, number, block, game, trusting.consent)
    if request.json:
        request.show(Report("", data={"block": block, "game": game, "seats": [asdict(seat) for seat in logs]}))
    else:
        heading = _("seat {seat}: {bot}")
        for seat in logs:
            lines = (f"# {heading.format(seat=seat.seat, bot=seat.entrant)}", *seat.lines)
            write_text("".join(f"{line}\n" for line in lines))


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
    trusting: Trusting,
    better: Annotated[str, typer.Argument(metavar="A", help=_("The bot that did better."))],
    worse: Annotated[str, typer.Argument(metavar="B", help=_("The bot that did worse."))],
    league: Annotated[
        int | None, typer.Option(metavar="N", help=_("The number of the league; if left out, the newest."))
    ] = None,
    block: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("The number of the block; if left out, where A did best."))
    ] = None,
) -> None:
    compared = games.compare(request.db, better, worse, league, block, trusting.consent)
    request.show(lambda: studies.comparison(compared))


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
    league = League(names(bots), rules, seats, seed, blocks=1, certainty=certainty, stake=stake)
    with bar(_("playing")) as progress:
        pilot_run = pilots.pilot(league, gap, games, playing.settings.workers, progress)
    request.show(lambda: studies.pilot(pilot_run))
