"""`tourney ratings`: the players of a pool by rating."""

from tourney.cli.framework.commands import single
from tourney.cli.framework.request import Posted
from tourney.cli.ratings.options import GameFilter, Listed, Pool
from tourney.reports import documents
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "A rating is an estimate of skill (TrueSkill): mu is the estimate, sigma its uncertainty. Players are ranked "
        "by their score, mu - 3 sigma, which rises as they win and as they become better known. Options that choose "
        "games show the ratings as if nothing else had been played. If a year without a game adds to sigma (`tourney "
        "rating pool set --absence`), the ratings are those of the day --as-of, or of the last game."
    ),
    epilog=_(
        "tourney ratings\n"
        "tourney ratings --season 2026\n"
        "tourney ratings --min-games 10 --active 12m --moved-since 1/9/2026"
    ),
)
def ratings(games: GameFilter, listed: Listed, request: Posted, pool: Pool = "people") -> None:
    form: documents.DocumentForm = "paper" if request.form == "html" else "programs"
    source = documents.ratings(request.db, pool, games.parsed(), listed.choice, form)
    request.show_state(source.read, source.report, source.code)
