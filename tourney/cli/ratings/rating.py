"""`tourney rating`: pools of ratings, players' histories, forecasts, and how good they are."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import Writing
from tourney.cli.ratings import forecasts, model_evaluation, player_history, pools
from tourney.cli.ratings.options import Parameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings.pools import ImportResults
from tourney.text.i18n import _

app = noun("rating")
app.add_typer(player_history.app)
app.add_typer(forecasts.app)
app.add_typer(pools.app, name="pool")
app.add_typer(model_evaluation.app)

File = Annotated[str, typer.Argument(metavar="FILE", help=_("The CSV file; one seq is one game."))]
NewPool = Annotated[str, typer.Option("--pool", metavar="POOL", help=_("The pool, created if needed."))]
Columns = Annotated[
    list[str] | None, typer.Option(metavar="FIELD=NAME", help=_("As player=NAME: a column's name in the file."))
]


@app.command("import", help=_("Rate a plain results file in its own pool. Its columns: seq, rank, player or driver."))
def import_(request: Writing, file: File, pool: NewPool, column: Columns = None, parameters: Parameters = "") -> None:
    request.submit(ImportResults(file, pool, _columns(column or []), parameters), reports.imported)


def _columns(given: list[str]) -> dict[str, str]:
    """Return the columns by field, from texts such as `player=NAME`."""
    pairs = [text.partition("=") for text in given]
    for (field, sign, name), text in zip(pairs, given, strict=True):
        if not (field and sign and name):
            message = _("--column {text} is not FIELD=NAME").format(text=text)
            raise TourneyError(ExitCode.USAGE, message, _("as --column player=Driver"))
    return {field.strip(): name.strip() for field, _sign, name in pairs}
