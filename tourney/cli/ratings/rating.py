"""`tourney rating`: pools of ratings and what they are made of."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import Database, DryRun, Json, form, mode
from tourney.cli.framework.output import show
from tourney.cli.framework.progress import bar
from tourney.cli.ratings import forecasts, model_evaluation, player_history, pools
from tourney.cli.ratings.pools import PoolParameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import ratings as service
from tourney.service.ratings import verify_ratings
from tourney.text.i18n import _

app = noun("rating")
app.add_typer(player_history.app)
app.add_typer(forecasts.app)
app.add_typer(pools.app, name="pool")
app.add_typer(model_evaluation.app)


@app.command("import", help=_("Rate a plain results file in its own pool. Its columns: seq, rank, player or driver."))
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_("The CSV file; one seq is one game."))],
    pool: Annotated[str, typer.Option(metavar="POOL", help=_("The pool, made if need be."))],
    column: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=NAME", help=_("As player=NAME: a column's name in the file."))
    ] = None,
    parameters: PoolParameters = "",
    db: Database = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    imported = service.import_file(db, file, pool, _columns(column or []), parameters, mode(dry_run))
    show(reports.imported(imported), form(None, json), mode(dry_run))


@app.command(help=_("Rate a pool again with the package trueskill, and compare. Exit code 1 if they differ."))
def verify(
    pool: Annotated[str, typer.Option(metavar="POOL", help=_("As people, bots, joint or one imported."))] = "people",
    db: Database = None,
    json: Json = False,
) -> None:
    with bar(_("rating")) as progress:
        found = verify_ratings.verify(db, pool, progress)
    show(reports.compared(found), form(None, json))
    if not found.agree:
        raise typer.Exit(int(ExitCode.REFUSED))


def _columns(given: list[str]) -> dict[str, str]:
    """`player=NAME` as field to column."""
    pairs = [text.partition("=") for text in given]
    for (field, sign, name), text in zip(pairs, given, strict=True):
        if not (field and sign and name):
            message = _("--column {text} is not FIELD=NAME").format(text=text)
            raise TourneyError(ExitCode.USAGE, message, _("as --column player=Driver"))
    return {field.strip(): name.strip() for field, _sign, name in pairs}
