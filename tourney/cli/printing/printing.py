"""`tourney print`: reports arranged for paper, as HTML that a browser prints."""

from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import EventName, EventRules
from tourney.cli.framework.request import Printed
from tourney.cli.ratings.options import POOL_HELP, GameFilter, Listed
from tourney.cli.seasons.options import AsOf, OneSeason
from tourney.service.codes import event_code, journal_code, journal_code_if_any
from tourney.text.i18n import _

# Each command imports its reports and services itself, as a program prints one of them.

app = noun(
    _(
        "The file that --output names opens in any browser, which prints it or saves it as PDF. Every page has the day "
        "and a code of 16 characters, which says what state it shows."
    )
)

ROUND = _("A round")
EVENT = _("An event")
CLUB = _("The club")

Newest = Annotated[
    int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; if left out, the newest."))
]


@app.command(
    heading=ROUND,
    help=_("Make score slips, one for each table of a round, to fill in and sign. Two or more fit a page."),
    epilog=_("tourney print slips Friday --output slips.html"),
)
def slips(
    request: Printed,
    event: EventName = None,
    only: Newest = None,
    table: Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("Only this table."))] = None,
) -> None:
    from tourney.reports.rounds import slips as reports
    from tourney.service.rounds import rounds as service

    read = partial(service.slips, request.db, event, only, table)
    request.show_state(read, reports.slips, event_code(event))


@app.command(
    heading=ROUND,
    help=_("Make the seating of a round for a wall, by name and by table, in type to be read from two metres."),
    epilog=_("tourney print wall Friday --output wall.html"),
)
def wall(request: Printed, event: EventName = None, only: Newest = None) -> None:
    from tourney.reports.rounds import posters as reports
    from tourney.service.rounds import rounds as service

    read = partial(service.show, request.db, event, "newest" if only is None else only)
    request.show_state(read, reports.wall, event_code(event))


@app.command(
    heading=ROUND,
    help=_("Make a sign for each table of a round: its number, as large as a page, and who sits there."),
    epilog=_("tourney print signs Friday --output signs.html"),
)
def signs(request: Printed, event: EventName = None, only: Newest = None) -> None:
    from tourney.reports.rounds import posters as reports
    from tourney.service.rounds import rounds as service

    read = partial(service.show, request.db, event, "newest" if only is None else only)
    request.show_state(read, reports.signs, event_code(event))


@app.command(
    heading=EVENT,
    help=_("Make the standings of an event for paper."),
    epilog=_("tourney print standings Friday --output standings.html"),
)
def standings(
    request: Printed,
    event: EventName = None,
    after: Annotated[
        int | None,
        typer.Option("--round", metavar="R", min=1, help=_("After this round; if left out, after all.")),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=_("After the last round of this stage, before the next one began.")),
    ] = None,
) -> None:
    from tourney.reports.results import standings as reports
    from tourney.service.stages import shown as service

    read = partial(service.standings, request.db, event, after, stage)
    request.show_state(read, partial(reports.standings, by_round="people"), event_code(event))


@app.command(
    heading=EVENT,
    help=_("Make certificates for the winners of an event, one on each page."),
    epilog=_("tourney print certificates Friday --top 3 --output certificates.html"),
)
def certificates(
    request: Printed,
    event: EventName = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help=_("For the players with the ranks 1 to N."))
    ] = 3,
) -> None:
    from tourney.reports.results import certificates as reports
    from tourney.service.stages import shown as service

    read = partial(service.standings, request.db, event)
    request.show_state(read, partial(reports.certificates, top=top), event_code(event))


@app.command(
    heading=CLUB,
    help=_("Make the ratings of a pool for paper."),
    epilog=_("tourney print ratings --season 2026 --output ratings.html"),
)
def ratings(
    request: Printed,
    games: GameFilter,
    listed: Listed,
    pool: Annotated[str, typer.Argument(metavar="POOL", help=POOL_HELP)] = "people",
) -> None:
    from tourney.cli.ratings.ratings import show_ratings

    show_ratings(request, games, listed, pool)


@app.command(
    heading=CLUB,
    help=_("Make the standings of a season for paper, with the events that count."),
    epilog=_('tourney print season "Autumn 2026" --output season.html'),
)
def season(
    request: Printed,
    name: OneSeason = None,
    as_of: AsOf = None,
) -> None:
    from tourney.reports import seasons as reports
    from tourney.service.seasons import standings as service

    request.show_state(partial(service.standings, request.db, name, as_of), reports.on_paper, journal_code)


@app.command(
    heading=CLUB,
    help=_("Make the rules for paper; every sentence names the clause of the document it comes from."),
    epilog=_("tourney print rules oficial --output rules.html\ntourney print rules --event Friday --output rules.html"),
)
def rules(
    request: Printed,
    name: Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help=_(
                "A name from `tourney rules list`, such as oficial or oficial+scaled; or a file with a club's own "
                "rules."
            ),
        ),
    ] = "oficial",
    event: EventRules = None,
) -> None:
    from tourney.reports import rules as reports
    from tourney.service import rules as service

    code = journal_code_if_any if event is None else event_code(event)
    request.show_state(partial(service.page_for, request.db, name, event), reports.page, code)
