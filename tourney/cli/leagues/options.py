"""Options that several commands of leagues share."""

import os
from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.cli.framework.options import Isolation, RulesName, decimal, seed_text
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.league_tables import DEFAULT_LEVEL, LeagueTable
from tourney.domain.leagues import (
    FAULT_COST,
    MOST_FAULT_COST,
    TIME_LIMIT,
    Design,
    GapTest,
    KeptRecords,
    League,
    PlaySettings,
)
from tourney.domain.rules import USUAL_RULES
from tourney.files.book import read_book
from tourney.reports.leagues import table as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import leagues
from tourney.text.i18n import _

PLAY = _("Play")
READ = _("See who leads, and why")
KEEP = _("Keep and pass on")
PLAN = _("Plan")

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
    str,
    typer.Option(
        parser=seed_text, metavar="TEXT", help=_("Any text: deals, seats and the bots' chance follow from it.")
    ),
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
BlockNumber = Annotated[int, typer.Option("--block", metavar="N", min=1, help=_("The number of the block, from 1."))]
GameNumber = Annotated[
    int, typer.Option("--game", metavar="N", min=1, help=_("The number of the game in its block, from 1."))
]


@dataclass(frozen=True, slots=True)
class Terms:
    """The options for what a league plays, whoever plays it."""

    rules: RulesName = USUAL_RULES
    seats: Seats = 4
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=_(
                "The most blocks to play (a block is a set of deals, in several seatings); if left out, 100, with "
                "--until-sure 100,000, with --book all its deals."
            ),
        ),
    ] = None
    until_sure: Annotated[
        str,
        typer.Option(
            metavar="P", help=_("End as soon as the order of the bots is certain with this probability, such as 0.95.")
        ),
    ] = ""
    design: Annotated[
        Design,
        typer.Option(
            metavar="DESIGN",
            help=_(
                "Who sits at a table. pairs: two bots, with as many seats each; replace: two bots, one of which has "
                "one seat; gauntlet: as pairs, but only the first bot against each other one; rotations: all bots, "
                "each deal from every seat; fresh: all bots, each deal once."
            ),
        ),
    ] = "pairs"
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            show_default=False,
            help=_(
                "Any text: deals, seats and the bots' chance follow from it, so it is public. If left out, 128 random "
                "bits are drawn: their SHA-256 is shown before the first deal, and the bits when the league has ended."
            ),
        ),
    ] = ""
    records: Annotated[
        KeptRecords,
        typer.Option(
            metavar="WHICH", help=_("The games to keep card by card: none, sampled (of every 100th block) or all.")
        ),
    ] = "none"
    book: Annotated[
        str | None,
        typer.Option(
            "--book",
            metavar="FILE",
            help=_("A file with a list of deals, as `tourney league book` writes it: play these, and no others."),
        ),
    ] = None
    stake: Stake = 0
    fault_cost: Annotated[
        int,
        typer.Option(
            metavar="POINTS",
            min=0,
            max=MOST_FAULT_COST,
            help=_("What a fault of a bot costs it in its mean and ranks, in points, or money of the knock game."),
        ),
    ] = FAULT_COST
    isolation: Isolation = ""

    def league(self, bots: tuple[str, ...], test: GapTest | None = None) -> League:
        """Return a league of these bots. Raises TourneyError for a book that cannot be read."""
        return League(
            bots,
            self.rules,
            self.seats,
            self.seed,
            self.blocks or 0,
            self.design,
            self.until_sure,
            self.records,
            self.stake,
            test=test,
            book=() if self.book is None else read_book(self.book),
            isolation=self.isolation,
            fault_cost=self.fault_cost,
        )


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
    on: Annotated[
        str,
        typer.Option(
            "--on",
            metavar="SCHEDULER",
            help=_(
                "Let the workers of a scheduler play, instead of processes of this computer: `dask:tcp://HOST:PORT`, "
                "`dask:tls://HOST:PORT` or `dask:FILE.json`, the scheduler's file."
            ),
        ),
    ] = ""
    trust_users: Annotated[
        bool,
        typer.Option(
            "--trust-users",
            help=_("With --on, accept an unencrypted scheduler that other users of this computer can reach."),
        ),
    ] = False
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
        if self.on and self.workers is not None:
            message = _("--workers and --on exclude each other: the scheduler has workers of its own")
            raise TourneyError(ExitCode.USAGE, message, _("leave one of them out"))

    @property
    def settings(self) -> PlaySettings:
        """Return the settings for playing."""
        workers = self.workers if self.workers is not None else os.cpu_count() or 1
        return PlaySettings(workers, self.time_limit, self.on, self.trust_users)

    def shown(self, table: LeagueTable) -> Report:
        """Return the report of the league's table at the confidence level."""
        return reports.table(leagues.at_level(table, self.level))


def names(bots: str) -> tuple[str, ...]:
    """Return the texts of `--bots`."""
    return tuple([name.strip() for name in bots.split(",")])
