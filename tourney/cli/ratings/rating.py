"""`tourney rating`: pools of ratings, players' histories, forecasts, and how good they are."""

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands, noun
from tourney.cli.framework.options import FileOptions
from tourney.cli.framework.request import Writing
from tourney.cli.ratings import editions, forecasts, model_evaluation, player_history, pools, sources
from tourney.cli.ratings.layouts import LayoutOptions
from tourney.cli.ratings.options import Parameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings.pools import ImportResults
from tourney.text.i18n import _

ELSEWHERE = _("Results from elsewhere, and pools")

app = noun(
    _(
        "Ratings are those of TrueSkill: mu estimates a player's skill, sigma says how uncertain that is. They belong "
        "to a pool, which is a set of results that are rated together."
    )
)
import_app = Commands()
app.add_typer(player_history.app)
app.add_typer(forecasts.app)
app.add_typer(editions.app)
app.add_typer(import_app)
app.add_typer(sources.source_app, name="source", rich_help_panel=ELSEWHERE)
app.add_typer(sources.alias_app, name="alias", rich_help_panel=ELSEWHERE)
app.add_typer(pools.app, name="pool", rich_help_panel=ELSEWHERE)
app.add_typer(model_evaluation.app)

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help=_(
            "A CSV file or a workbook (.xlsx) with a row for each player of each game. Its columns: seq (the number of "
            "the game), rank (1 is best), player or driver; and if you like date, and game or race (the name of the "
            "game)."
        ),
    ),
]
NewPool = Annotated[
    str, typer.Option("--pool", metavar="POOL", help=_("The name of the pool, which is created if it is new."))
]
SourceName = Annotated[
    str,
    typer.Option(
        "--source",
        metavar="NAME",
        help=_(
            "The name of the source, if it is not the file's: games that came from this source before are replaced."
        ),
    ),
]


@import_app.command(
    "import",
    heading=ELSEWHERE,
    help=_(
        "Rate games from a file, such as races or another card game, in a pool of their own. A file that is imported "
        "again, such as one with a mistake corrected, replaces its games."
    ),
    epilog=_(
        "tourney rating import races.csv --pool races\n"
        "tourney rating import chess.csv --pool chess --column player=Name\n"
        "tourney rating import pots.csv --pool pots --game day --score won --best high"
    ),
)
def import_(
    request: Writing,
    file: File,
    pool: NewPool,
    described: FileOptions,
    options: LayoutOptions,
    source: SourceName = "",
    parameters: Parameters = "",
) -> None:
    theirs_first = [text for text in described.column or () if _is_theirs_first(text)]
    by_field = _columns([text for text in described.column or () if text not in theirs_first])
    change = partial(ImportResults, file, pool, None, parameters, source=source)
    request.submit_file(
        replace(described, column=theirs_first),
        change,
        reports.imported,
        options.layout(by_field),
        (options.saved, options.save_as),
    )


def _is_theirs_first(text: str) -> bool:
    """Return whether the text is `jugador=player`, as in other commands, and not `player=jugador`."""
    from tourney.files.results import FIELDS

    before, _sign, after = text.partition("=")
    return before.strip() not in FIELDS and after.strip() in FIELDS


def _columns(given: list[str]) -> dict[str, str]:
    """Return the columns by field, from texts such as `player=NAME`."""
    pairs = [text.partition("=") for text in given]
    for (field, sign, name), text in zip(pairs, given, strict=True):
        if not (field and sign and name):
            message = _("--column {text} is not FIELD=NAME").format(text=text)
            raise TourneyError(ExitCode.USAGE, message, _("as --column player=Driver"))
    return {field.strip(): name.strip() for field, _sign, name in pairs}
