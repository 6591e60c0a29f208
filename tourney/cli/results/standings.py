"""`tourney standings`: who leads, and why."""

from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import EventName
from tourney.cli.framework.request import Posted
from tourney.reports.render.report import Report
from tourney.reports.results import standings as reports
from tourney.service.events.codes import event_code
from tourney.service.results import standings as service
from tourney.service.stages.shown import standings as shown_standings
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _

app = single()


@app.command(
    help=_("The player with the fewest points leads. Every rank can be explained."),
    epilog=_(
        "tourney standings Friday\n"
        "tourney standings Friday --why Ana\n"
        "tourney standings Friday --round 3 > standings.txt\n"
        "tourney standings Cup --stage Qualifying"
    ),
)
def standings(
    request: Posted,
    event: EventName = None,
    after: Annotated[
        int | None,
        typer.Option("--round", metavar="R", min=1, help=_("After this round; if left out, after all.")),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=_("After the last round of this stage, before the next one began.")),
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="PLAYER", help=_("Explain the rank of this player."))] = None,
) -> None:
    def report(table: StandingsTable) -> Report:
        return reports.standings(table) if why is None else reports.why(table, service.row_of(table, why))

    request.show_state(partial(shown_standings, request.db, event, after, stage), report, event_code(event))
