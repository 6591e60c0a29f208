"""`tourney rating publish`, `editions`, `edition`, `fame` and `calibration`: what a club publishes of its ratings."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.request import Posted, Reading, Writing
from tourney.cli.ratings.options import Pool
from tourney.reports.ratings import editions as reports
from tourney.service.ratings import editions as service
from tourney.service.ratings import ranking_lists
from tourney.text.i18n import _

app = Commands()

EDITIONS = _("Editions: ratings as they were published")

AsOf = Annotated[
    str,
    typer.Option(metavar="DATE", help=_("Count the games of events up to this day, such as 30/6/2026 or 2026-06-30.")),
]
Top = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default=False, help=_("Publish only ranks 1 to N; otherwise all.")),
]
Number = Annotated[
    int | None,
    typer.Argument(metavar="NUMBER", min=1, help=_("The edition's number; if left out, the last one.")),
]


@app.command(
    heading=EDITIONS,
    help=_(
        "Publish the ratings of a pool as of a day, as its next edition. An edition never changes. It says who moved "
        "since the one before, and lists what corrections since then would change in earlier ones."
    ),
    epilog=_("tourney rating publish --as-of 2026-06-30\ntourney rating publish --as-of 30/6/2026 --top 10 --dry-run"),
)
def publish(request: Writing, as_of: AsOf, pool: Pool = "people", top: Top = None) -> None:
    request.submit(service.PublishEdition(pool, as_of, top), reports.published)


@app.command(
    heading=EDITIONS,
    help=_("List the published editions of a pool's ratings."),
    epilog=_("tourney rating editions"),
)
def editions(request: Reading, pool: Pool = "people") -> None:
    request.show(lambda: reports.editions(service.list_editions(request.db, pool)))


@app.command(
    heading=EDITIONS,
    help=_("Show an edition as it was published, who moved since the one before, and its corrections of earlier ones."),
    epilog=_("tourney rating edition\ntourney rating edition 3 --format csv"),
)
def edition(request: Posted, number: Number = None, pool: Pool = "people") -> None:
    request.show(lambda: reports.edition(service.edition(request.db, number, pool)))


@app.command(
    heading=_("How far to trust the ratings"),
    help=_("Show how often the favourite of two players finished ahead, by how likely the ratings said that was."),
    epilog=_("tourney rating calibration"),
)
def calibration(request: Reading, pool: Pool = "people") -> None:
    request.show(lambda: reports.calibration(service.calibration(request.db, pool)))


@app.command(
    heading=EDITIONS,
    help=_("Show the highest scores ever, the longest runs of games won, and the closest rivals of a pool."),
    epilog=_("tourney rating fame"),
)
def fame(request: Reading, pool: Pool = "people") -> None:
    request.show(lambda: reports.hall_of_fame(ranking_lists.hall_of_fame(request.db, pool)))
