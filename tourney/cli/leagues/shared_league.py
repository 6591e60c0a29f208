"""`tourney league part` and `merge`: a league played by several computers that share no network."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.request import FormattedWriting, PlainWithoutDatabase
from tourney.cli.leagues.options import KEEP, PLAY, BotNames, Playing, Terms, names
from tourney.cli.leagues.progress import league_progress
from tourney.domain.leagues import ImportedLeague
from tourney.reports.leagues import files as reports
from tourney.reports.render.report import Report
from tourney.service.leagues import part as service
from tourney.service.leagues.import_league import ImportLeague
from tourney.text.i18n import _

app = Commands()


@app.command(
    heading=PLAY,
    help=_(
        "Play a part of a league into a file, which `tourney league merge` puts together with the others. Give each "
        "computer another part and otherwise the same options. The same command continues a part that was interrupted. "
        "With --until-sure a part plays all of its blocks, since it does not know the others."
    ),
    epilog=_(
        "tourney league part 1/2 --bots greedy,planner --output one.league\n"
        "tourney league part 2/2 --bots greedy,planner --output two.league"
    ),
)
def part(
    terms: Terms,
    playing: Annotated[Playing, "workers", "time_limit"],
    request: PlainWithoutDatabase,
    share: Annotated[str, typer.Argument(metavar="PART", help=_("The part, such as 3/8, the third of eight."))],
    bots: BotNames,
    output: Annotated[
        str, typer.Option(metavar="FILE", help=_("The file to write the part to, such as part-3.league."))
    ],
) -> None:
    league = terms.league(names(bots))
    with league_progress() as progress:
        played = service.play_part(output, league, service.read_share(share), playing.settings, progress)
    request.show(lambda: reports.part(played, output))


@app.command(
    heading=KEEP,
    help=_(
        "Merge the parts of a league, in any order, and show its table: it has the same hash as a league played by one "
        "computer. Every block is checked. Files that `tourney league export` wrote can be among them."
    ),
    epilog=_("tourney league merge one.league two.league"),
)
def merge(
    playing: Annotated[Playing, "level"],
    request: FormattedWriting,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=_("The files of the parts."))],
) -> None:
    def shown(outcome: ImportedLeague) -> Report:
        assert outcome.table is not None
        return reports.merged(outcome, playing.shown(outcome.table))

    request.submit(ImportLeague(tuple(files), merged=True), shown)
