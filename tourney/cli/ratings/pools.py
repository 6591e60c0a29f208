"""`tourney rating pool`: the pools of ratings and their parameters."""

from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun, ungrouped
from tourney.cli.framework.options import decimal
from tourney.cli.framework.request import FormattedWriting, Request, Writing
from tourney.cli.ratings.options import POOL_HELP, Parameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import POOL_PARAMETERS, Unit
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings.model_evaluation import AdoptFitted
from tourney.service.ratings.pools import OpenJointPool, SetPoolParameters, list_pools
from tourney.text.i18n import _

app = noun()

Opens = Annotated[
    bool, typer.Option("--open", help=_('Open the pool "joint", in which tables of people and bots count.'))
]
Name = Annotated[str, typer.Argument(metavar="POOL", help=POOL_HELP)]


def _number(help_text: str, metavar: str = "POINTS") -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(parser=decimal, metavar=metavar, help=help_text)
    return found


@dataclass(frozen=True, slots=True)
class ParameterOptions:
    """The options that change a pool: each of its parameters, what it rates, or all that is fitted."""

    mu: Annotated[float | None, _number(_("The skill at which a newcomer starts, from -10,000 to 10,000."))] = None
    sigma: Annotated[float | None, _number(_("The uncertainty of a newcomer's skill, from 0.1 to 1000."))] = None
    beta: Annotated[
        float | None,
        _number(
            _("How much a player's performance varies from game to game, from a twentieth of sigma to 100 times sigma.")
        ),
    ] = None
    tau: Annotated[
        float | None,
        _number(_("How fast skill changes: before each game, sigma squared grows by tau squared; from 0 to beta.")),
    ] = None
    draw: Annotated[float | None, _number(_("The probability of a tie, from 0.001 to 0.5, such as 0.01."), "SHARE")] = (
        None
    )
    absence: Annotated[
        float | None,
        _number(_("How much a year without a game adds to sigma, in squares as tau does; from 0 to 100 times sigma.")),
    ] = None
    unit: Annotated[
        Unit | None,
        typer.Option(
            metavar="UNIT",
            help=_(
                "What is rated: game (the places of whole games) or hand (each hand's points, the fewest are best)."
            ),
        ),
    ] = None
    fitted: Annotated[
        bool,
        typer.Option("--fitted", help=_("Take the parameters that `tourney rating compare` fits to the pool's games.")),
    ] = False

    @property
    def given(self) -> dict[str, float]:
        """Return the parameters that are given, by name."""
        numbers = ((name, getattr(self, name)) for name in POOL_PARAMETERS)
        return {name: number for name, number in numbers if number is not None}


@app.callback(
    invoke_without_command=True,
    help=_('List the pools with their parameters, open the pool "joint", or change parameters with `set`.'),
)
@ungrouped
def pool(context: typer.Context, request: FormattedWriting, opens: Opens = False, parameters: Parameters = "") -> None:
    if context.invoked_subcommand is not None:
        if opens or parameters or request != Request():
            message = _("options go after `{verb}`, not before it").format(verb=context.invoked_subcommand)
            raise TourneyError(ExitCode.USAGE, message, _("for example `tourney rating pool set people --absence 2`"))
        return
    if parameters and not opens:
        raise TourneyError(ExitCode.USAGE, _("--parameters needs --open"), _("add --open"))
    if opens:
        request.submit(OpenJointPool(parameters), reports.opened)
    else:
        request.show(lambda: reports.pools(list_pools(request.db)))


@app.command(
    "set",
    help=_("Change parameters of a pool, and rate all its games again. Parameters that are not given stay."),
    epilog=_(
        "tourney rating pool set people --absence 2 --dry-run\ntourney rating pool set f1 --fitted --dry-run\n"
        "tourney rating pool set bots --unit hand --dry-run"
    ),
)
def set_(options: ParameterOptions, request: Writing, pool: Name) -> None:
    given, unit = options.given, options.unit
    if options.fitted and (given or unit):
        others = ", ".join(f"--{name}" for name in (*given, *(["unit"] if unit else [])))
        message = _("--fitted cannot be combined with {options}").format(options=others)
        raise TourneyError(ExitCode.USAGE, message, _("leave one of them out"))
    if options.fitted:
        request.submit(AdoptFitted(pool), reports.pool_set)
        return
    if not given and unit is None:
        message = _("no parameter to set is given for the pool {pool}").format(pool=pool)
        raise TourneyError(
            ExitCode.USAGE,
            message,
            _("for example `tourney rating pool set people --absence 2`; `tourney rating pool set -h` explains it"),
        )
    request.submit(SetPoolParameters(pool, given, unit), reports.pool_set)
