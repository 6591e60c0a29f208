"""`tourney rating`: pools of ratings, players' histories, forecasts, and how good they are."""

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands, noun
from tourney.cli.framework.options import FileOptions, seed_text
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.cli.ratings import editions, forecasts, player_history, pools
from tourney.cli.ratings.layouts import LayoutOptions
from tourney.cli.ratings.options import Parameters
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.ratings import model_evaluation as evaluation_reports
from tourney.reports.ratings import ratings as reports
from tourney.service.ratings import model_evaluation as evaluation
from tourney.service.ratings import sources as service
from tourney.service.ratings.pools import ImportResults
from tourney.text.i18n import _

source_app = noun(
    _(
        "A source is a results file in a pool, named by its file's name. Importing it again replaces its games; what "
        "was imported before sources had names is the source “earlier”."
    )
)
alias_app = noun(
    _(
        "An alias is another name of a player in imported files: its games count for the player, in files that come "
        "later too. Names that differ only in case, accents or spaces need none."
    )
)

Pool = Annotated[str, typer.Option("--pool", metavar="POOL", help=_("The pool of the results file."))]
Source = Annotated[str, typer.Argument(metavar="SOURCE", help=_("The name of the source, as `list` shows it."))]
Alias = Annotated[str, typer.Argument(metavar="NAME", help=_("The other name, as the files have it."))]
Player = Annotated[str, typer.Argument(metavar="PLAYER", help=_("The player who gets its games."))]


@source_app.command(
    "list",
    help=_("List the sources of a pool in the order in which they are rated."),
    epilog=_("tourney rating source list --pool races"),
)
def list_sources(request: Reading, pool: Pool) -> None:
    request.show(lambda: reports.sources(service.list_sources(request.db, pool)))


@source_app.command(
    "remove",
    help=_("Remove all games of a source from its pool, and rate the others again."),
    epilog=_("tourney rating source remove races.csv --pool races --dry-run"),
)
def remove_source(request: Writing, source: Source, pool: Pool) -> None:
    request.submit(service.RemoveSource(source, pool), reports.source_removed)


@alias_app.command(
    "list",
    help=_("List the aliases in a pool, each with its player."),
    epilog=_("tourney rating alias list --pool races"),
)
def list_aliases(request: Reading, pool: Pool) -> None:
    request.show(lambda: reports.aliases(service.list_aliases(request.db, pool)))


@alias_app.command(
    "add",
    help=_("Count the games of a name for another player, and remember it for later files."),
    epilog=_('tourney rating alias add "J. Clark" "Jim Clark" --pool races --dry-run'),
)
def add_alias(request: Writing, name: Alias, player: Player, pool: Pool) -> None:
    request.submit(service.AddAlias(name, player, pool), reports.alias_added)


@alias_app.command(
    "remove",
    help=_("Let a name be a player of its own again."),
    epilog=_('tourney rating alias remove "J. Clark" --pool races'),
)
def remove_alias(request: Writing, name: Alias, pool: Pool) -> None:
    request.submit(service.RemoveAlias(name, pool), reports.alias_removed)


ELSEWHERE = _("Results from elsewhere, and pools")

app = noun(
    _(
        "Ratings are by TrueSkill: mu estimates a player's skill, sigma says how uncertain that is. They belong "
        "to a pool, which is a set of results that are rated together."
    )
)
import_app = Commands()
trust_app = Commands()
app.add_typer(player_history.app)
app.add_typer(forecasts.app)
app.add_typer(editions.app)
app.add_typer(import_app)
app.add_typer(source_app, name="source", rich_help_panel=ELSEWHERE)
app.add_typer(alias_app, name="alias", rich_help_panel=ELSEWHERE)
app.add_typer(pools.app, name="pool", rich_help_panel=ELSEWHERE)
app.add_typer(trust_app)

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
        "tourney rating import chess.csv --pool chess --column Name=player\n"
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
            message = _("--column {text} is not THEIRS=OURS").format(text=text[:40])
            raise TourneyError(ExitCode.USAGE, message, _("as in `--column jugador=player`"))
    return {field.strip(): name.strip() for field, _sign, name in pairs}


TRUST = _("How far to trust the ratings")

Shuffles = Annotated[int, typer.Option(metavar="N", min=2, help=_("The number of other orders to try."))]
Seed = Annotated[
    str, typer.Option(parser=seed_text, metavar="TEXT", help=_("Any text, from which the other orders follow."))
]


@trust_app.command(
    heading=TRUST,
    help=_("Compare how well TrueSkill and Elo predict the later games of a pool from the earlier ones."),
    epilog=_("tourney rating compare"),
)
def compare(request: Reading, pool: Pool = "people") -> None:
    with bar(_("fitting")) as progress:
        comparison = evaluation.compare_models(request.db, pool, progress)
    request.show(lambda: evaluation_reports.compared_models(comparison))


@trust_app.command(
    heading=TRUST,
    help=_("Show how much of each rank is due to the order in which the games were played."),
    epilog=_("tourney rating noise --shuffles 100"),
)
def noise(request: Reading, pool: Pool = "people", shuffles: Shuffles = 20, seed: Seed = "1") -> None:
    with bar(_("shuffling")) as progress:
        order_noise = evaluation.order_noise(request.db, pool, shuffles, seed, progress)
    request.show(lambda: evaluation_reports.order_noise(order_noise))


@trust_app.command(
    heading=TRUST,
    help=_("Rate a pool again with another program, the package trueskill, and compare. Exit code 1 if they differ."),
    epilog=_("tourney rating verify"),
)
def verify(request: PlainReading, pool: Pool = "people") -> None:
    with bar(_("rating")) as progress:
        comparison = evaluation.verify(request.db, pool, progress)
    request.show(evaluation_reports.verified(comparison), good=comparison.agree)
