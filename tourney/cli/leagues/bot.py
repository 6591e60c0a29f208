"""`tourney bot`: the built-in bots, and the first steps of a bot of one's own."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import Isolation
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import PlainWithoutDatabase, WithoutDatabase
from tourney.reports import bots as reports
from tourney.service.leagues import bots, leagues
from tourney.text.i18n import _

app = noun()

Entrant = Annotated[
    str,
    typer.Argument(
        metavar="BOT", help=_("The bot, as a league names it, such as mine.py:Mine, cmd:./bot or @field.toml.")
    ),
]


@app.command("list", help=_("List the bots with what they do, the weakest first."), epilog=_("tourney bot list"))
def list_bots(request: WithoutDatabase) -> None:
    request.show(lambda: reports.bots(leagues.builtin_bots()))


@app.command(
    "new",
    help=_(
        "Create a folder with a bot that can play: one source file without dependencies, and a README. It speaks the "
        "protocol of `tourney guide protocol`; for a class in Python see `tourney guide bots`."
    ),
    epilog=_("tourney bot new mybot --source python\ntourney bot new mybot --source rust"),
)
def new(
    request: PlainWithoutDatabase,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=_("The folder, which is made if it is missing."))],
    source: Annotated[
        str,
        typer.Option(
            "--source", metavar="LANGUAGE", help=_("The programming language: python, c, rust or javascript.")
        ),
    ] = "python",
) -> None:
    request.show(lambda: reports.new_bot(bots.new_bot(folder, source)))


@app.command(
    help=_(
        "Probe a bot: ask it in many situations of the game, and send a program lines in every form that it must cope "
        "with. Takes a minute at most. Exit code 1 if the bot does something that no bot may do."
    ),
    epilog=_(
        'tourney bot check mine.py:Mine\ntourney bot check "cmd:./bot --fast"\n'
        'tourney bot check "cmd:./bot" --isolation sandbox'
    ),
)
def check(request: WithoutDatabase, entrant: Entrant, isolation: Isolation = "") -> None:
    with bar(_("probing")) as progress:
        checked = bots.check_bot(entrant, isolation, progress)
    request.show(lambda: reports.check(checked), good=not checked.count("failed"))


@app.command(
    help=_(
        "Put every decision of a player in a recorded game to a bot, and show where it would have done something "
        "else. The game continues as it was played."
    ),
    epilog=_(
        "tourney bot replay game.toml mine.py:Mine --seat 2\ntourney bot replay game.toml greedy --seat 1 --hand 3"
    ),
)
def replay(
    request: WithoutDatabase,
    record: Annotated[str, typer.Argument(metavar="FILE", help=_("A file with a record, such as game.toml."))],
    entrant: Entrant,
    seat: Annotated[int, typer.Option(metavar="N", help=_("The seat of the player, counted from 1."))],
    hand: Annotated[int | None, typer.Option(metavar="N", help=_("Only this hand, counted from 1."))] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="FILE",
            help=_("The file with the club's own rules by which the game was played, if any."),
        ),
    ] = None,
    isolation: Isolation = "",
) -> None:
    replayed = bots.replay_bot(record, seat, entrant, rules, hand, isolation)
    request.show(lambda: reports.replay(replayed))
