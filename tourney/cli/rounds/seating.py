"""`tourney seating`: seatings without an event: plan one, judge one, compare options."""

import re
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import Apart, NeededTable, RulesName, Together
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import Reading, WithoutDatabase
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Short
from tourney.reports.rounds import advice
from tourney.reports.rounds import seatings as reports
from tourney.seating.model import Aim
from tourney.service.seating import advice as advising
from tourney.service.seating import plans as service
from tourney.text.i18n import _

app = noun("seating")

_SIZES = re.compile(r"\s*[0-9]{1,4}(?:\s*[,+\s]\s*[0-9]{1,4})*\s*", re.ASCII)


@app.command(
    help=_("Plan a seating: all rounds, with a certificate. Seat 1 deals first."),
    epilog=_("Example: tourney seating plan --players 22 --size 4 --rounds 5 --seed 7"),
)
def plan(
    request: WithoutDatabase,
    players: Annotated[
        int | None, typer.Option(metavar="N", help=_("The number of players; they are called 1 to N."))
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help=_("Who plays: CSV with 'name'; optional label, club."))
    ] = None,
    size: Annotated[
        int | None, typer.Option(metavar="K", help=_("Players at a table, at most; four unless set."))
    ] = None,
    rounds: Annotated[int, typer.Option(metavar="R", help=_("How many rounds."))] = 5,
    seed: Annotated[str, typer.Option(metavar="TEXT", help=_("The seed of the draw."))] = "1",
    sizes: Annotated[
        str | None, typer.Option(metavar="K,K,...", help=_("The size of each table, as 4,4,3; not with --size."))
    ] = None,
    least: Annotated[int, typer.Option(metavar="K", help=_("Players at the smallest table."))] = 2,
    short: Annotated[Short, typer.Option(help=_("When numbers do not divide."))] = "short tables",
    aim: Annotated[Aim, typer.Option(help=_("What to prefer where repeats cannot be avoided."))] = "no third meeting",
    played: Annotated[
        str | None, typer.Option(metavar="FILE", help=_("A seating of rounds already played; they stay."))
    ] = None,
    apart: Apart = None,
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
        together=tuple(together or ()),
        tables=tuple(table or ()),
    )
    request.show(reports.planned(service.planned_seating(seating_request)))


def _sizes(text: str) -> tuple[int, ...]:
    if not _SIZES.fullmatch(text):
        message = _("--sizes “{text}” cannot be read").format(text=text[:80])
        raise TourneyError(ExitCode.USAGE, message, _("write the size of each table, as 4,4,3"))
    return tuple(map(int, re.findall("[0-9]+", text)))


@app.command(
    help=_("Judge a seating, whoever made it. JSON as 'seating plan' prints it, or CSV round,table,seat,player."),
    epilog=_("Example: tourney seating judge plan.json"),
)
def judge(
    request: WithoutDatabase,
    file: Annotated[str, typer.Argument(metavar="FILE", help=_("The seating."))],
    apart: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help=_("Players to keep apart, as 'Ana,Beñat'."))
    ] = None,
    together: Together = None,
    table: NeededTable = None,
) -> None:
    request.show(reports.judged(service.judged_seating(file, apart or (), together or (), table or ())))


@app.command(
    help=_("Compare table sizes and numbers of rounds, and recommend one."),
    epilog=_("Example: tourney seating advise --players 22 --rounds 5 --rules oficial"),
)
def advise(
    request: Reading,
    players: Annotated[int, typer.Option(metavar="N", help=_("The number of players."))],
    rounds: Annotated[int, typer.Option(metavar="R", help=_("The number of rounds wanted."))] = 5,
    rules: RulesName = "oficial",
    size: Annotated[
        int | None, typer.Option(metavar="K", help=_("Table size wanted; four unless the rules allow none."))
    ] = None,
    hours: Annotated[float | None, typer.Option(metavar="H", help=_("The time for all rounds."))] = None,
    minutes: Annotated[
        int | None, typer.Option(metavar="M", help=_("The length of a round; else as long as games have lasted."))
    ] = None,
) -> None:
    advice_request = advising.AdviceRequest(players, rounds, rules, size, minutes, hours)
    with bar(_("planning")) as progress:
        advised = advising.advised(request.db, advice_request, progress)
    request.show(advice.advised(advised))
