"""`tourney player`: people and bots."""

from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework import questions
from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import FileOptions
from tourney.cli.framework.output import note
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import PlayerKind, PublishedAs
from tourney.reports import people as reports
from tourney.service import impact
from tourney.service import players as service
from tourney.text.i18n import _

app = noun()

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help=_('The name, without regard to accents and capitals; with its label if two have it, as "Ana (Getxo)".'),
    ),
]
Names = Annotated[
    list[str], typer.Argument(metavar="NAME...", help=_("The names; put a name of several words in quotes."))
]
Label = Annotated[
    str,
    typer.Option(metavar="TEXT", help=_("A word that tells apart people of the same name, such as their town.")),
]
Club = Annotated[str, typer.Option(metavar="TEXT", help=_("The club that they play for."))]
Search = Annotated[
    str, typer.Option(metavar="TEXT", help=_("Only names with this text in them; accents do not matter."))
]
Kind = Annotated[PlayerKind | None, typer.Option(metavar="KIND", help=_("Only players of this kind: person or bot."))]


@app.command(
    help=_("Register people, so that they can be entered into events."),
    epilog=_(
        'tourney player add Ana Beñat "María José"\n'
        'tourney player add Ana --label Getxo --club "Club de Getxo" --dry-run'
    ),
)
def add(request: Writing, names: Names, label: Label = "", club: Club = "") -> None:
    request.submit(service.RegisterPlayers(names, label, club), reports.added)


@app.command(
    "list",
    help=_("List the people and bots that are registered."),
    epilog=_("tourney player list --search ana\ntourney player list --kind person --format csv > players.csv"),
)
def list_(request: Reading, search: Search = "", kind: Kind = None) -> None:
    request.show(lambda: reports.players(service.listing(request.db, search, kind)))


@app.command("show", help=_("Show a player: their club, events and games."), epilog=_("tourney player show Ana"))
def show_(request: PlainReading, name: Name) -> None:
    request.show(reports.page(service.show(request.db, name)))


@app.command(
    "import",
    help=_("Register all people of a file; those registered already stay as they are."),
    epilog=_("tourney player import players.csv\ntourney player import socios.xlsx --column jugador=name"),
)
def import_(
    request: Writing,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=_("A CSV file or a workbook (.xlsx) with the column name or player, and if you like label and club."),
        ),
    ],
    described: FileOptions,
) -> None:
    request.submit_file(described, partial(service.ImportPlayers, file), reports.registered)


@app.command(
    help=_("Change a person's name, label or club."),
    epilog=_('tourney player rename Ana --name "Ana Ruiz"\ntourney player rename Ana --label Getxo --club ""'),
)
def rename(
    request: Writing,
    name: Name,
    new: Annotated[str | None, typer.Option("--name", metavar="NEW", help=_("The new name."))] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help=_('The new label, which tells apart people of the same name; "" for none.')),
    ] = None,
    club: Annotated[
        str | None, typer.Option(metavar="TEXT", help=_('The new club that they play for; "" for none.'))
    ] = None,
) -> None:
    request.submit(service.RenamePlayer(name, new, label, club), reports.renamed)


@app.command(
    help=_(
        "Set what rankings show of a person: their name, another name, or nothing. It holds for ratings, their pages "
        "and prints, and for earlier editions; events show people by name."
    ),
    epilog=_(
        'tourney player publish Ana --as "A. R."\n'
        "tourney player publish Ana --not\n"
        "tourney player publish Ana --by-name"
    ),
)
def publish(
    request: Writing,
    name: Name,
    other: Annotated[str | None, typer.Option("--as", metavar="NAME", help=_("Show this other name."))] = None,
    hidden: Annotated[bool, typer.Option("--not", help=_("Show nothing of this person."))] = False,
    by_name: Annotated[bool, typer.Option("--by-name", help=_("Show the name, which is the default."))] = False,
) -> None:
    if (other is not None) + hidden + by_name != 1:
        message = _("give one of --as NAME, --not and --by-name")
        raise TourneyError(ExitCode.USAGE, message, _("for example `tourney player publish Ana --not`"))
    shown: PublishedAs = "other name" if other is not None else "nothing" if hidden else "name"
    request.submit(service.PublishPlayer(name, shown, other or ""), reports.published)


@app.command(
    help=_("Merge two registrations of one person, who was registered twice by mistake."),
    epilog=_('tourney player merge Ana "Ana Ruiz" --dry-run'),
)
def merge(
    request: Writing,
    keep: Annotated[str, typer.Argument(metavar="KEEP", help=_("The name that stays and gets all events and games."))],
    gone: Annotated[str, typer.Argument(metavar="GONE", help=_("The name that is given up."))],
) -> None:
    request.submit(service.MergePlayers(keep, gone), reports.merged, _("Games that move"))


@app.command(
    help=_(
        "Erase a person's name for good, for example because they ask for it. Their games and points stay, under a "
        "number. This cannot be undone."
    ),
    epilog=_("tourney player erase Ana --dry-run\ntourney player erase Ana"),
)
def erase(
    request: Writing,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help=_("Do not ask whether the name is to be erased."))] = False,
) -> None:
    change = service.ErasePlayer(name)
    if questions.possible() and not (yes or request.dry_run):
        _ask_whether_to_erase(request.db, change)
    request.submit(change, reports.erased)


def _ask_whether_to_erase(db: str | None, change: service.ErasePlayer) -> None:
    """Name who would be erased and what stays of them, and ask. Raises typer.Exit if the answer is no."""
    for line in reports.before_erasing(impact.preview(db, change).outcome):
        note(line)
    if not questions.confirm(_("Erase the name?")):
        note(_("nobody was erased"))
        raise typer.Exit
