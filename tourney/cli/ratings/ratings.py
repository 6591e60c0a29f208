"""`tourney ratings`: the players of a pool by rating."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tourney.cli.framework.commands import single
from tourney.cli.framework.request import Posted, Request
from tourney.cli.ratings.options import GameFilter, Listed, Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter, RatingsTable, Selection
from tourney.reports.ratings import ranking_lists as list_reports
from tourney.reports.ratings import ratings as reports
from tourney.reports.render.report import Report
from tourney.service.codes import journal_code
from tourney.service.ratings import ranking_lists as lists
from tourney.service.ratings import ratings as service
from tourney.text.i18n import _

Ranking = TypeVar("Ranking")

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
    show_ratings(request, games, listed, pool)


def show_ratings(request: Request, games: GameFilter, listed: Listed, pool: str) -> None:
    """Show the ratings of a pool, or the ranking that the options select; a page of HTML has pictures of its first."""
    rating_filter, by = games.parsed(), listed.quantity
    if listed.selection != Selection() or listed.moved_since:
        read_list = partial(
            lists.ranking_list, request.db, pool, rating_filter, listed.selection, by, listed.moved_since
        )
        _show(request, pool, rating_filter, read_list, list_reports.ranking_list, lambda found: found.listed)
        return
    read = partial(service.ratings, request.db, pool, by)
    if rating_filter != ALL_GAMES:
        read = partial(service.filtered_ratings, request.db, pool, rating_filter, by)
    _show(request, pool, rating_filter, read, reports.ratings, lambda table: table)


def _show(
    request: Request,
    pool: str,
    rating_filter: RatingFilter,
    read: Callable[[], Ranking],
    report: Callable[[Ranking], Report],
    table_of: Callable[[Ranking], RatingsTable],
) -> None:
    if request.form != "html":
        request.show_state(read, report, journal_code)
        return
    from tourney.reports.ratings.first_players import Histories, with_pictures
    from tourney.service.ratings.player_history import player_histories

    def both() -> tuple[Ranking, Histories]:
        return read(), player_histories(request.db, pool, rating_filter=rating_filter)

    def pictured(state: tuple[Ranking, Histories]) -> Report:
        found, histories = state
        return with_pictures(report(found), table_of(found), histories)

    request.show_state(both, pictured, journal_code)
