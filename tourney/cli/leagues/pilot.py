"""`tourney league pilot`: how many hands it takes to tell bots apart."""

from typing import Annotated

import typer

from tourney.cli.framework.options import FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.cli.leagues.options import BotNames, RulesId, Seats, Seed, Stake, Workers, named, processes
from tourney.domain.leagues import League
from tourney.reports.leagues import pilots as reports
from tourney.service.leagues import pilots as service
from tourney.text.i18n import _

app = typer.Typer()


@app.command(
    help=_("How many hands each design needs to separate a gap; keeps nothing."),
    epilog=_("Example: tourney league pilot --bots greedy,random --gap 0.5"),
)
def pilot(
    bots: BotNames,
    gap: Annotated[float, typer.Option(metavar="POINTS", help=_("The difference a hand that is to show."))],
    certainty: Annotated[str, typer.Option(metavar="P", help=_("How sure it is to be, from 0.5 to 1."))] = "0.95",
    rules: RulesId = "oficial",
    seats: Seats = 4,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help=_("Games that each design plays; 30 blocks at least."))
    ] = 200,
    seed: Seed = "1",
    stake: Stake = 0,
    workers: Workers = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    shown = form(format, json)
    wanted = League(named(bots), rules, seats, seed, blocks=1, certainty=certainty, stake=stake)
    with bar(_("playing")) as progress:
        found = service.pilot(wanted, gap, games, processes(workers), progress)
    show(reports.pilot(found), shown)
