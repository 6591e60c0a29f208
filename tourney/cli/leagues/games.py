"""`tourney league record` and `why`: single games of a league."""

import sys
from typing import Annotated

import typer

from tourney.cli.framework.options import Database, FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.cli.leagues.options import Number
from tourney.reports.leagues import leagues as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import games as service
from tourney.text.i18n import _

app = typer.Typer()


@app.command(
    help=_("Print the record of a game, as `tourney record replay` takes it."),
    epilog=_("Example: tourney league record --block 3 --game 1 > game.toml"),
)
def record(
    number: Number = None,
    block: Annotated[int, typer.Option(metavar="N", min=1, help=_("Which block, from 1."))] = 1,
    game: Annotated[int, typer.Option(metavar="N", min=1, help=_("Which game of it, from 1."))] = 1,
    db: Database = None,
    json: Json = False,
) -> None:
    text = service.record(db, number, block, game)
    if json:
        show(Report("", data={"block": block, "game": game, "record": text}), "json")
    else:
        sys.stdout.write(text)


@app.command(
    help=_(
        "Where two bots parted with the same cards. Hand by hand, with the points that it moved; in leagues of the "
        "designs pairs and replace."
    ),
    epilog=_("Example: tourney league why planner greedy"),
)
def why(
    better: Annotated[str, typer.Argument(metavar="A", help=_("The bot that did better."))],
    worse: Annotated[str, typer.Argument(metavar="B", help=_("The bot beside it."))],
    league: Annotated[int | None, typer.Option(metavar="ID", help=_("The league; else the newest."))] = None,
    block: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("Which block; else where A did best beside B."))
    ] = None,
    db: Database = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    show(reports.reason(service.why(db, better, worse, league, block)), form(format, json))
