"""`tourney league export`, `import` and `book`: leagues and deals as files."""

from io import StringIO
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.output import note, show, written_to
from tourney.cli.framework.request import ToFile, Writing
from tourney.cli.leagues.options import KEEP, Number, Seed
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.book import book_text
from tourney.reports.leagues import files as reports
from tourney.service.leagues import export_league as service
from tourney.service.leagues.import_league import ImportLeague
from tourney.text.i18n import _

app = Commands()


@app.command(
    heading=KEEP,
    help=_(
        "Write a league to a file: its settings, and its blocks with their faults and records. Another computer "
        "imports it, and has the same table and the same hash."
    ),
    epilog=_("tourney league export --output planner.league\ntourney league export 3 --output planner.league"),
)
def export(request: ToFile, number: Number = None) -> None:
    if request.json and request.file is None:
        text = StringIO()
        exported = service.export_league(request.db, number, text.write)
        show(reports.exported(exported, None, text.getvalue()), "json")
        return
    with written_to(request.file) as stream:
        exported = service.export_league(request.db, number, stream.write)
    report = reports.exported(exported, request.output)
    if request.file is None:
        note(report.title)
    else:
        show(report, request.form)


@app.command(
    "import",
    heading=KEEP,
    help=_(
        "Import a league from the file that `league export` writes. Every block is checked. If the same league is "
        "here already, the blocks that it lacks are added to it."
    ),
    epilog=_("tourney league import planner.league"),
)
def import_(
    request: Writing, file: Annotated[str, typer.Argument(metavar="FILE", help=_("The file of the league."))]
) -> None:
    request.submit(ImportLeague((file,)), reports.imported)


@app.command(
    heading=KEEP,
    help=_(
        "Write a book: a list of deals, a seed on each line, which `--book` lets bots play. The deals are those of a "
        "league, or of some of its blocks, or new ones with --deals."
    ),
    epilog=_("tourney league book --deals 500 --output book.txt\ntourney league book 3 --block 17 --block 40"),
)
def book(
    request: ToFile,
    number: Number = None,
    deals: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=_("So many new deals, instead of those of a league."))
    ] = None,
    seed: Seed = "1",
    block: Annotated[
        list[int] | None, typer.Option(metavar="N", min=1, help=_("Only the deals of this block. May be repeated."))
    ] = None,
) -> None:
    if deals is not None and (number is not None or block):
        message = _("--deals makes new deals, and a league has its own")
        raise TourneyError(ExitCode.USAGE, message, _("give --deals, or a league and its blocks"))
    seeds = service.book_of_league(request.db, number, block or ()) if deals is None else service.new_book(deals, seed)
    report = reports.book(seeds, request.output)
    if request.file is not None:
        request.write(book_text(seeds))
        show(report, request.form)
    elif request.json:
        show(report, "json")
    else:
        request.write(book_text(seeds))
