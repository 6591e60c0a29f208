"""`tourney rating pool`: the pools of ratings and their parameters."""

from typing import Annotated

import typer

from tourney.cli.framework.app import Verbs
from tourney.cli.framework.commands import Commands, ungrouped
from tourney.cli.framework.request import FormattedWriting, Request, Writing
from tourney.cli.ratings.options import Parameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings.pools import OpenJointPool, SetPoolParameters, list_pools
from tourney.text.i18n import _

app = Commands(cls=Verbs, rich_markup_mode=None, add_completion=False)

Opens = Annotated[bool, typer.Option("--open", help=_("Open the pool `joint`."))]
Name = Annotated[str, typer.Argument(metavar="POOL", help=_("people, bots, joint or an imported pool."))]
Mu = Annotated[float | None, typer.Option(metavar="POINTS", help=_("A newcomer's mu."))]
Sigma = Annotated[float | None, typer.Option(metavar="POINTS", help=_("A newcomer's sigma."))]
Beta = Annotated[
    float | None, typer.Option(metavar="POINTS", help=_("How much a player's performance varies from game to game."))
]
Tau = Annotated[float | None, typer.Option(metavar="POINTS", help=_("Added to sigma before each game, in squares."))]
Draw = Annotated[float | None, typer.Option(metavar="SHARE", help=_("The probability of a tie, from 0 to 1."))]
Absence = Annotated[
    float | None,
    typer.Option(metavar="POINTS", help=_("Added to sigma by a year without a game, in squares; 0 in TrueSkill.")),
]


@app.callback(invoke_without_command=True, help=_("List the pools, open the joint one, or set parameters."))
@ungrouped
def pool(context: typer.Context, request: FormattedWriting, opens: Opens = False, parameters: Parameters = "") -> None:
    if context.invoked_subcommand is not None:
        if opens or parameters or request != Request():
            message = _("options go after `{verb}`, not before it").format(verb=context.invoked_subcommand)
            raise TourneyError(ExitCode.USAGE, message, _("see `tourney rating pool set -h`"))
        return
    if parameters and not opens:
        raise TourneyError(ExitCode.USAGE, _("--parameters needs --open"), _("add --open"))
    if opens:
        request.submit(OpenJointPool(parameters), reports.opened)
    else:
        request.show(reports.pools(list_pools(request.db)))


@app.command("set", help=_("Rate a pool with other parameters; those not given stay."))
def set_(
    request: Writing,
    pool: Name,
    mu: Mu = None,
    sigma: Sigma = None,
    beta: Beta = None,
    tau: Tau = None,
    draw: Draw = None,
    absence: Absence = None,
) -> None:
    options = {"mu": mu, "sigma": sigma, "beta": beta, "tau": tau, "draw": draw, "absence": absence}
    given = {name: number for name, number in options.items() if number is not None}
    if not given:
        message = _("no parameter to set is given for the pool {pool}").format(pool=pool)
        raise TourneyError(ExitCode.USAGE, message, _("as --beta 3 or --absence 2; see `-h`"))
    request.submit(SetPoolParameters(pool, given), reports.pool_set)
