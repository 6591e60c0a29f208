"""`tourney league`: bots against bots."""

from dataclasses import asdict, replace
from io import StringIO
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands, noun
from tourney.cli.framework.options import Isolation, RulesName, Trusting, decimal
from tourney.cli.framework.output import note, show, write_text, written_to
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import (
    FormattedWriting,
    PlainReading,
    PlainWithoutDatabase,
    Reading,
    Request,
    ToFile,
    WithoutDatabase,
    Writing,
)
from tourney.cli.leagues.options import (
    KEEP,
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
from tourney.domain.league_tables import ImportedLeague, LeagueTable
from tourney.domain.leagues import GapTest, League
from tourney.domain.rules import USUAL_RULES
from tourney.files.book import book_text
from tourney.reports.leagues import files, studies
from tourney.reports.leagues import table as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import comparisons, exchange, leagues
from tourney.text.i18n import _

shared_app = Commands()


@shared_app.command(
    heading=PLAY,
    help=_(
        "Play a part of a league into a file, which `tourney league merge` puts together with the others. Give each "
        "computer another part and otherwise the same options. The same command continues a part that was interrupted. "
        "With --until-sure a part plays all of its blocks, since it does not know the others."
    ),
    epilog=_(
        "tourney league part 1/2 --bots greedy,planner --output one.league\n"
        "tourney league part 2/2 --bots greedy,planner --output two.league"
    ),
)
def part(
    terms: Terms,
    playing: Annotated[Playing, "workers", "time_limit"],
    request: PlainWithoutDatabase,
    share: Annotated[str, typer.Argument(metavar="PART", help=_("The part, such as 3/8, the third of eight."))],
    bots: BotNames,
    output: Annotated[
        str, typer.Option(metavar="FILE", help=_("The file to write the part to, such as part-3.league."))
    ],
) -> None:
    league = terms.league(names(bots))
    with league_progress() as progress:
        played = exchange.play_part(output, league, exchange.read_share(share), playing.settings, progress)
    request.show(lambda: files.part(played, output))


@shared_app.command(
    heading=KEEP,
    help=_(
        "Merge the parts of a league, in any order, and show its table: it has the same hash as a league played by one "
        "computer. Every block is checked. Files that `tourney league export` wrote can be among them."
    ),
    epilog=_("tourney league merge one.league two.league"),
)
def merge(
    playing: Annotated[Playing, "level"],
    request: FormattedWriting,
    file: Annotated[list[str], typer.Argument(metavar="FILE...", help=_("The files of the parts."))],
) -> None:
    def shown(outcome: ImportedLeague) -> Report:
        assert outcome.table is not None
        return files.merged(outcome, playing.shown(outcome.table))

    request.submit(exchange.ImportLeague(tuple(file), merged=True), shown)


files_app = Commands()


@files_app.command(
    heading=KEEP,
    help=_(
        "Write a league to a file: its settings, and its blocks with their faults and records. Another computer "
        "imports it, and has the same table and the same hash."
    ),
    epilog=_("tourney league export --output planner.league\ntourney league export 3 --output planner.league"),
)
def export(request: ToFile, number: Number = None) -> None:
    if request.json and request.file is None:
        text = StringIO()
        exported = exchange.export_league(request.db, number, text.write)
        show(files.exported(exported, None, text.getvalue()), "json")
        return
    with written_to(request.file) as write:
        exported = exchange.export_league(request.db, number, write)
    report = files.exported(exported, request.output)
    if request.file is None:
        note(report.title)
    else:
        show(report, request.form)


@files_app.command(
    "import",
    heading=KEEP,
    help=_(
        "Import a league from the file that `league export` writes. Every block is checked. If the same league is "
        "here already, the blocks that it lacks are added to it."
    ),
    epilog=_("tourney league import planner.league"),
)
def import_(
    request: Writing, file: Annotated[str, typer.Argument(metavar="FILE", help=_("The file of the league."))]
) -> None:
    request.submit(exchange.ImportLeague((file,)), files.imported)


@files_app.command(
    heading=KEEP,
    help=_(
        "Write a book: a list of deals, a seed on each line, which `--book` lets bots play. The deals come from a "
        "league, or from some of its blocks, or are new with --deals."
    ),
    epilog=_("tourney league book --deals 500 --output book.txt\ntourney league book 3 --block 17 --block 40"),
)
def book(
    request: ToFile,
    number: Number = None,
    deals: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("So many new deals, instead of a league's deals."))
    ] = None,
    seed: Seed = "1",
    block: Annotated[
        list[int] | None, typer.Option(metavar="N", min=1, help=_("Only the deals of this block. May be repeated."))
    ] = None,
) -> None:
    if deals is not None and (number is not None or block):
        message = _("--deals makes new deals, and a league has its own")
        raise TourneyError(ExitCode.USAGE, message, _("give --deals, or a league and its blocks"))
    seeds = (
        exchange.book_of_league(request.db, number, block or ()) if deals is None else exchange.new_book(deals, seed)
    )
    report = files.book(seeds, request.output)
    if request.file is not None:
        request.write(book_text(seeds))
        show(report, request.form)
    elif request.json:
        show(report, "json")
    else:
        request.write(book_text(seeds))


app = noun(
    _(
        "A league is played in blocks: a block is one set of deals, played several times with the bots in other "
        "seats, so that luck with the cards evens out. Every block is kept as soon as it is finished."
    )
)
app.add_typer(files_app)
app.add_typer(shared_app)


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
    joining = leagues.Joining(names(bots), number)
    if request.dry_run:
        consent = replace(trusting.consent, remember=False)
        table, games_more = leagues.preview_join(request.db, joining, consent)
        request.show(lambda: reports.join_preview(leagues.at_level(table, playing.level), joining.bots, games_more))
        return
    with league_progress() as progress:
        by, consent = request.by, trusting.consent
        table = leagues.join(request.db, joining, playing.settings, progress, by=by, consent=consent)
    request.show(lambda: playing.shown(table))


@app.command(
    "list",
    heading=READ,
    help=_("List the leagues, imported and merged ones too: their bots, how many blocks they have, and their state."),
    epilog=_("tourney league list"),
)
def list_(request: Reading) -> None:
    request.show(lambda: files.leagues(leagues.listed(request.db)))


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
    text = comparisons.record(request.db, number, block, game, trusting.consent)
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
    logs = comparisons.conversation(request.db, number, block, game, trusting.consent)
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
    compared = comparisons.compare(request.db, better, worse, league, block, trusting.consent)
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
    rules: RulesName = USUAL_RULES,
    seats: Seats = 4,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help=_("How many games to play in each design; at least 30 blocks."))
    ] = 200,
    seed: Seed = "1",
    stake: Stake = 0,
    isolation: Isolation = "",
) -> None:
    league = League(names(bots), rules, seats, seed, 1, certainty=certainty, stake=stake, isolation=isolation)
    with bar(_("playing")) as progress:
        pilot_run = comparisons.run_pilot(league, gap, games, playing.settings.workers, progress)
    request.show(lambda: studies.pilot(pilot_run))
