"""`tourney rating pool`: the pools of ratings and what each is rated with."""

from typing import Annotated

import typer

from tourney.cli.framework.app import Verbs
from tourney.cli.framework.options import Database, DryRun, FormOption, Json, form, mode, seen, watch
from tourney.cli.framework.output import show
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.impact import with_moves
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import pools as service
from tourney.text.i18n import _

PoolParameters = Annotated[
    str,
    typer.Option(
        "--parameters",
        metavar="TEXT",
        help=_('What a new pool is rated with, as "beta=6 tau=0.1"; the rest as usual.'),
    ),
]

app = typer.Typer(cls=Verbs, rich_markup_mode=None, add_completion=False)


@app.callback(
    invoke_without_command=True,
    help=_("List the pools, open the joint one, or set parameters."),
)
def pool(
    context: typer.Context,
    opens: Annotated[bool, typer.Option("--open", help=_("Open the pool `joint`."))] = False,
    parameters: PoolParameters = "",
    db: Database = None,
    dry_run: DryRun = False,
    format: FormOption = None,
    json: Json = False,
) -> None:
    if context.invoked_subcommand is not None:
        if opens or parameters or db is not None or dry_run or format is not None or json:
            message = _("options stand behind `{verb}`, not before it").format(verb=context.invoked_subcommand)
            raise TourneyError(ExitCode.USAGE, message, _("see `tourney rating pool set -h`"))
        return
    if parameters and not opens:
        raise TourneyError(ExitCode.USAGE, _("--parameters are for a pool that is opened"), _("add --open"))
    if opens:
        show(reports.opened(service.open_pool(db, parameters, mode(dry_run))), form(format, json), mode(dry_run))
    else:
        show(reports.pools(service.pools(db)), form(format, json))


@app.command("set", help=_("Rate a pool with other parameters; those not given stay."))
def set_(
    pool: Annotated[str, typer.Argument(metavar="POOL", help=_("As people, bots, joint or one imported."))],
    mu: Annotated[float | None, typer.Option(metavar="POINTS", help=_("A newcomer's mu."))] = None,
    sigma: Annotated[float | None, typer.Option(metavar="POINTS", help=_("A newcomer's sigma."))] = None,
    beta: Annotated[
        float | None, typer.Option(metavar="POINTS", help=_("How much a player's play varies from game to game."))
    ] = None,
    tau: Annotated[
        float | None, typer.Option(metavar="POINTS", help=_("What is added to sigma before each game, in squares."))
    ] = None,
    draw: Annotated[
        float | None, typer.Option(metavar="CHANCE", help=_("How likely two neighbours tie, from 0 to 1."))
    ] = None,
    absence: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS", help=_("What a year without a game adds to sigma, in squares; 0 is TrueSkill's own.")
        ),
    ] = None,
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    options = {"mu": mu, "sigma": sigma, "beta": beta, "tau": tau, "draw": draw, "absence": absence}
    given = {name: number for name, number in options.items() if number is not None}
    if not given:
        message = _("no parameter is given that the pool {pool} shall be rated with").format(pool=pool)
        raise TourneyError(ExitCode.USAGE, message, _("as --beta 3 or --absence 2; `-h` says what each is"))
    watched = watch(dry_run)
    before, after = service.set_pool(db, pool, given, mode(dry_run), watched)
    show(with_moves(reports.pool_set(before, after), seen(watched)), form(None, json), mode(dry_run))
