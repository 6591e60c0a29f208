"""The options that the verbs of `tourney league` share."""

import os
from typing import Annotated

import typer

from tourney.domain.leagues import Crew
from tourney.text.i18n import _

BotNames = Annotated[
    str, typer.Option(metavar="A,B,...", help=_("The bots; one may be named twice, as greedy,greedy."))
]
Level = Annotated[
    float, typer.Option(metavar="P", help=_("How sure intervals are, as 0.99; changes only what is shown."))
]
Number = Annotated[int | None, typer.Argument(metavar="[ID]", help=_("The league's number; else the newest."))]
RulesId = Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))]
Seats = Annotated[int, typer.Option(metavar="N", min=2, help=_("Players at a table."))]
Seed = Annotated[str, typer.Option(metavar="TEXT", help=_("What deals, seats and bots follow from."))]
Stake = Annotated[int, typer.Option(metavar="N", min=0, help=_("What a knock game is played for; 100 unless set."))]
Workers = Annotated[
    int | None, typer.Option(metavar="W", min=1, max=1000, help=_("Processes that play; else one a core."))
]
Patience = Annotated[
    int,
    typer.Option(
        metavar="SECONDS",
        min=1,
        max=1_000_000,
        help=_("How long a bot may think before it is out of its game; not on Windows, nor in compiled code."),
    ),
]


def named(bots: str) -> tuple[str, ...]:
    """The bots of the list."""
    return tuple(filter(None, (name.strip() for name in bots.split(","))))


def crew(workers: int | None, patience: int) -> Crew:
    """Who is to play."""
    return Crew(processes(workers), patience)


def processes(workers: int | None) -> int:
    """How many are to play."""
    return workers if workers is not None else os.cpu_count() or 1
