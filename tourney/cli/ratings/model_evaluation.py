"""`tourney rating compare`, `noise` and `verify`: how good the ratings of a whole history are."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import seed_text
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import PlainReading, Reading
from tourney.cli.ratings.options import Pool
from tourney.reports.ratings import model_evaluation as reports
from tourney.service.ratings import model_evaluation as service
from tourney.text.i18n import _

app = Commands()

TRUST = _("How far to trust the ratings")

Shuffles = Annotated[int, typer.Option(metavar="N", min=2, help=_("The number of other orders to try."))]
Seed = Annotated[
    str, typer.Option(parser=seed_text, metavar="TEXT", help=_("Any text, from which the other orders follow."))
]


@app.command(
    heading=TRUST,
    help=_("Compare how well TrueSkill and Elo predict the later games of a pool from the earlier ones."),
    epilog=_("tourney rating compare"),
)
def compare(request: Reading, pool: Pool = "people") -> None:
    with bar(_("fitting")) as progress:
        comparison = service.compare_models(request.db, pool, progress)
    request.show(lambda: reports.compared_models(comparison))


@app.command(
    heading=TRUST,
    help=_("Show how much of each rank is due to the order in which the games were played."),
    epilog=_("tourney rating noise --shuffles 100"),
)
def noise(request: Reading, pool: Pool = "people", shuffles: Shuffles = 20, seed: Seed = "1") -> None:
    with bar(_("shuffling")) as progress:
        order_noise = service.order_noise(request.db, pool, shuffles, seed, progress)
    request.show(lambda: reports.order_noise(order_noise))


@app.command(
    heading=TRUST,
    help=_("Rate a pool again with another program, the package trueskill, and compare. Exit code 1 if they differ."),
    epilog=_("tourney rating verify"),
)
def verify(request: PlainReading, pool: Pool = "people") -> None:
    with bar(_("rating")) as progress:
        comparison = service.verify(request.db, pool, progress)
    request.show(reports.verified(comparison), good=comparison.agree)
