"""`tourney rating source` and `alias`: the files that an imported pool is made of, and other names of its players."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import Reading, Writing
from tourney.reports.ratings import sources as reports
from tourney.service.ratings import sources as service
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
