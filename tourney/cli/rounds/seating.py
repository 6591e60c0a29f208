"""`tourney seating`: seatings without an event: plan one, judge one, compare options."""

import re
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import Apart, NeededTable, Never, RulesName, Together, decimal
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import Reading, WithoutDatabase
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Short
from tourney.domain.rules import USUAL_RULES
from tourney.reports.rounds import advice
from tourney.reports.rounds import seatings as reports
from tourney.seating.model import Aim
from tourney.service.seating import advice as advising
from tourney.service.seating import plans as service
from tourney.text.i18n import _

app = noun()

_SIZES = re.compile(r"\s*[0-9]{1,4}(?:(?:\s*[,+]\s*|\s+)[0-9]{1,4})*\s*", re.ASCII)


@app.command(
    help=_(
        "Plan who sits where in all rounds, so that players seldom meet again. The player in seat 1 deals first. The "
        "plan says how many repeats it has (meetings of two players beyond their first), and how few are possible."
    ),
    epilog=_(
        "tourney seating plan --players 22 --rounds 5\n"
        "tourney seating plan --file players.csv --sizes 4,4,3 --apart Ana,Beñat\n"
        "tourney seating plan --players 24 --rounds 6 --json > plan.json"
    ),
)
def plan(
    request: WithoutDatabase,
    players: Annotated[
        int | None, typer.Option(metavar="N", help=_("How many play; they are called 1 to N. Or give --file."))
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=_("Who plays: a CSV file with the column name, perhaps label and club.")),
    ] = None,
    size: Annotated[
        int | None, typer.Option(metavar="N", help=_("The number of players at a full table; if left out, four."))
    ] = None,
    rounds: Annotated[int, typer.Option(metavar="N", help=_("The number of rounds."))] = 5,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help=_("Any text, from which the plan follows: another text, another plan."))
    ] = "1",
    sizes: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help=_("The size of each table, such as 4,4,3, instead of --size.")),
    ] = None,
    least: Annotated[int, typer.Option(metavar="N", help=_("The fewest players at a table."))] = 2,
    short: Annotated[
        Short,
        typer.Option(
            metavar="HOW",
            help=_(
                'If players do not fill all tables: "short tables" have fewer players; with "sit out" some sit out a '
                "round."
            ),
        ),
    ] = "short tables",
    aim: Annotated[
        Aim,
        typer.Option(
            metavar="AIM",
            help=_(
                'If repeats cannot be avoided: "fewest repeats", or "no third meeting", which takes a few repeats more '
                "so that no two players meet three times."
            ),
        ),
    ] = "no third meeting",
    played: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=_("Rounds already played, which stay and count in --rounds; a file as `tourney seating judge` reads."),
        ),
    ] = None,
    apart: Apart = None,
    never: Never = None,
    together: Together = None,
    table: NeededTable = None,
) -> None:
    seating_request = service.SeatingRequest(
        players,
        file,
        rounds,
        size,
        None if sizes is None else _sizes(sizes),
        least,
        short,
        seed,
        aim,
        played,
        apart=tuple(apart or ()),
        never=tuple(never or ()),
        together=tuple(together or ()),
        tables=tuple(table or ()),
    )
    seating = service.planned_seating(seating_request)
    request.show(lambda: reports.planned(seating))


def _sizes(text: str) -> tuple[int, ...]:
    if not _SIZES.fullmatch(text):
        message = _("--sizes “{text}” cannot be read").format(text=text[:80])
        raise TourneyError(ExitCode.USAGE, message, _("write the size of each table, as 4,4,3"))
    return tuple(map(int, re.findall("[0-9]+", text)))


@app.command(
    help=_("Judge a seating that anybody made: who meets again, how even the seats are, and what is possible."),
    epilog=_("tourney seating judge plan.json\ntourney seating judge plan.csv --apart Ana,Beñat"),
)
def judge(
    request: WithoutDatabase,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=_(
                "The seating: a CSV file with the columns round, table, seat, player, or JSON as `tourney seating plan "
                "--json` prints it."
            ),
        ),
    ],
    apart: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help=_("Players who must not meet, such as Ana,Beñat. May be repeated.")),
    ] = None,
    together: Together = None,
    table: NeededTable = None,
) -> None:
    seating = service.judged_seating(file, apart or (), together or (), table or ())
    request.show(lambda: reports.judged(seating))


@app.command(
    help=_("Compare table sizes and numbers of rounds for a number of players, and recommend one."),
    epilog=_("tourney seating advise --players 22\ntourney seating advise --players 22 --rounds 6 --hours 4"),
)
def advise(
    request: Reading,
    players: Annotated[int, typer.Option(metavar="N", help=_("How many play."))],
    rounds: Annotated[int, typer.Option(metavar="N", help=_("The number of rounds that you want."))] = 5,
    rules: RulesName = USUAL_RULES,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=_("The number of players at a full table; if left out, four, or the nearest that the rules allow."),
        ),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option(parser=decimal, metavar="HOURS", help=_("The time for all rounds together, such as 3.5.")),
    ] = None,
    minutes: Annotated[
        int | None,
        typer.Option(metavar="MINUTES", help=_("The time of a round; if left out, as long as games have lasted.")),
    ] = None,
) -> None:
    advice_request = advising.AdviceRequest(players, rounds, rules, size, minutes, hours)
    with bar(_("planning")) as progress:
        advised = advising.advised(request.db, advice_request, progress)
    request.show(lambda: advice.advised(advised))
