"""The pages of rankings: pools of ratings, each player's history, published editions, and leagues of bots.

A league shows its table also while it is played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from tourney.domain.leagues import League
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, BY_SCORE, RankingChoice, RankingQuantity, RatingsTable, Selection
from tourney.reports.leagues import table as leagues_report
from tourney.reports.ratings import editions as editions_report
from tourney.reports.ratings import first_players
from tourney.reports.ratings import player_history as history_report
from tourney.reports.ratings import ranking_lists as lists_report
from tourney.reports.ratings import ratings as ratings_report
from tourney.reports.ratings.plain_words import pool_words
from tourney.reports.render.plots import legend
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.service.leagues import leagues as leagues_service
from tourney.service.leagues.league_file import without_paths
from tourney.service.ratings import editions as editions_service
from tourney.service.ratings import player_history as history_service
from tourney.service.ratings import pools as pools_service
from tourney.service.ratings import ranking_lists as lists_service
from tourney.service.ratings import ratings as ratings_service
from tourney.service.ratings import score_sheets as sheets_service
from tourney.service.ratings.rating_filter import parse_filter
from tourney.text.i18n import _
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import name_code, no_page, number_in
from tourney.web.render import Link, Shown, report_view, with_column, with_plot

if TYPE_CHECKING:
    from tourney.service.ratings.player_history import Histories


def pools(asked: Asked) -> View:
    """Show every pool in which somebody has played, with a link to its players."""
    listed = [pool for pool in pools_service.list_pools(asked.db) if _is_played(asked, pool)]
    whole = ratings_report.pools(listed)
    # Names and parameters are for whoever runs the pools.
    rows = tuple((pool_words(pool.name),) for pool in listed)
    nobody = () if listed else (_("Nobody has a rating yet."),)
    report = replace(whole, columns=whole.columns[:1], rows=rows, lines=nobody)
    shown = report_view(report, [path_of(pool) for pool in listed])
    others = [Link("/leagues", _("Leagues of bots"))] if leagues_service.known(asked.db) else []
    return View("report.html", _("Ratings"), {"shown": shown, "others": others})


def _is_played(asked: Asked, pool: Pool) -> bool:
    """Return whether a game counts in the pool."""
    return bool(asked.server.once(ratings_service.ratings, asked.db, pool.name).rows)


def _in_order(report: Report, by: RankingQuantity = BY_SCORE) -> Report:
    """Return a table of ratings with rank, name, the number that ranks and games before all else."""
    first = {key: place for place, key in enumerate(("rank", "player", by.name, "games"))}
    # Sorting is stable: the other columns keep their order.
    order = sorted(range(len(report.columns)), key=lambda at: first.get(report.columns[at].key, len(first)))
    rows = tuple(tuple(row[at] for at in order) for row in report.rows)
    return replace(report, columns=tuple(report.columns[at] for at in order), rows=rows)


_CODED: Final = frozenset("/%")
"""The characters that a part of a path has only quoted, and that servers in between may read again."""


def path_of(pool: Pool) -> str:
    """Return the path of a pool's page."""
    return _path(pool.name)


def _path(name: str) -> str:
    """Return the path of the pool of that name; one that no part of a path can have has a code."""
    return f"/pools/{quote(name, safe='') if _CODED.isdisjoint(name) else name_code(name)}"


def ratings(asked: Asked) -> View:
    """Show a pool's players, the best first, with a link to each, and plots of the first; links to the other pages."""
    histories = asked.server.once_for_all(history_service.player_histories, asked.db, asked.path["pool"])
    table, report = _ranking(asked, asked.server.settings.ranking, histories.table)
    start = path_of(table.pool)
    links = [player_path(start, row.player) for row in table.rows]
    others = [
        *(Link(f"{start}/seasons/{year}", _("Season {year}").format(year=year)) for year in seasons(histories)),
        *([Link(f"{start}/moved", _("Who moved since the last edition"))] if last_edition(asked, histories) else []),
        Link(f"{start}/fame", _("Hall of fame")),
        Link(f"{start}/editions", _("Published editions")),
        Link("/pools", _("All pools")),
    ]
    report = first_players.with_pictures(report, table, histories)
    shown = report_view(_in_order(report, asked.server.settings.ranking.by), links)
    return _page(ratings_title(table.pool.name), shown, others=others)


def _ranking(asked: Asked, choice: RankingChoice, by_score: RatingsTable) -> tuple[RatingsTable, Report]:
    """Return the rows of the ranking chosen, and its report."""
    db, pool = asked.db, asked.path["pool"]
    if choice.lists_all:
        table = by_score if choice.by == BY_SCORE else asked.server.once(ratings_service.ratings, db, pool, choice.by)
        return table, ratings_report.ratings(table)
    found = asked.server.once(
        lists_service.ranking_list, db, pool, ALL_GAMES, choice.selection, choice.by, choice.moved_since
    )
    return found.listed, lists_report.ranking_list(found)


def _page(title: str, shown: Shown, **values: object) -> View:
    """Return a page whose table is called as the page is."""
    return View("report.html", title, {"shown": replace(shown, title=title), **values})


def last_edition(asked: Asked, histories: Histories) -> str:
    """Return the day of the last edition if games were played since; "" otherwise."""
    editions = asked.server.once(editions_service.list_editions, asked.db, asked.path["pool"])
    day = editions[-1].edition.as_of if editions else ""
    return day if max(histories.days, default="") > day else ""


def seasons(histories: Histories) -> list[str]:
    """Return the years in which games were played, the newest first."""
    return sorted({day[:4] for day in histories.days if day}, reverse=True)


def season(asked: Asked) -> View:
    """Show the ranking of a year, as if nothing else had been played."""
    year = number_in(asked.path["year"])
    if str(year) not in seasons(
        asked.server.once_for_all(history_service.player_histories, asked.db, asked.path["pool"])
    ):
        raise no_page()
    table = asked.server.once(ratings_service.filtered_ratings, asked.db, asked.path["pool"], parse_filter(season=year))
    shown = report_view(_in_order(ratings_report.ratings(table)))
    title = _("Season {year}: {pool}").format(year=year, pool=pool_words(table.pool.name))
    return _page(title, shown, others=[_back(asked)])


def moved(asked: Asked) -> View:
    """Show who moved since the last edition, from where and why."""
    pool = asked.path["pool"]
    day = last_edition(asked, asked.server.once_for_all(history_service.player_histories, asked.db, pool))
    title = _("Who moved since the last edition")
    report = Report(title, lines=(_("No game was played since the last edition."),))
    if day:
        found = asked.server.once(lists_service.ranking_list, asked.db, pool, ALL_GAMES, Selection(), BY_SCORE, day)
        report = lists_report.ranking_list(found)
    return _page(title, report_view(_in_order(report)), others=[_back(asked)])


def fame(asked: Asked) -> View:
    """Show the records of a pool."""
    found = asked.server.once_for_all(lists_service.hall_of_fame, asked.db, asked.path["pool"])
    title = _("Hall of fame: {pool}").format(pool=pool_words(found.pool.name))
    shown = report_view(editions_report.hall_of_fame(found))
    return _page(title, shown, others=[_back(asked)])


def player_path(pool: str, name: str) -> str:
    """Return the path of a player's page under that of the pool."""
    return f"{pool}/players/{name_code(name)}"


def player(asked: Asked) -> View:
    """Show a player's history in a pool, with the curve of the rating.

    The ratings are read once for all players of a pool, whoever of them is asked for.
    """
    histories = asked.server.once_for_all(history_service.player_histories, asked.db, asked.path["pool"])
    for name, key in histories.shown.items():
        if name_code(name) == asked.path["player"]:
            return _player(asked, key, others=[_back(asked)])
    raise no_page()


def short_player(asked: Asked) -> View:
    """Show a player's page without links; the player is named by the key that the pool has."""
    return _player(asked, asked.path["player"])


def _player(asked: Asked, key: str, **values: object) -> View:
    pool = asked.path["pool"]
    contracts, seats = asked.server.once_for_all(sheets_service.all_sheet_statistics, asked.db, pool).of(key)
    history = asked.server.once_for_all(history_service.player_histories, asked.db, pool)[key]
    history = replace(history, contracts=contracts, seats=seats)
    report = history_report.player_history(history, plain=True)
    shown = with_plot(report, history_report.inline_plot(history), legend())
    return _page(history.player, shown, **values)


def editions(asked: Asked) -> View:
    """Show the editions of a pool, with a link to each."""
    shown = editions_service.list_editions(asked.db, asked.path["pool"])
    report = with_column(editions_report.editions(shown), "pool", readers="programs")
    links = [f"{_start(asked)}/editions/{each.edition.number}" for each in shown]
    title = _("Published editions: {pool}").format(pool=pool_words(asked.path["pool"]))
    return _page(title, report_view(report, links), others=[_back(asked)])


def edition(asked: Asked) -> View:
    """Show an edition as it was published."""
    shown = editions_service.edition(asked.db, number_in(asked.path["number"]), asked.path["pool"])
    title = editions_report.plain_title(shown)
    return _page(title, report_view(_in_order(editions_report.edition(shown))), others=[_back(asked)])


def ratings_title(pool: str) -> str:
    """Return the title of the ratings of a pool."""
    return _("Ratings: {pool}").format(pool=pool_words(pool))


def _back(asked: Asked) -> Link:
    return Link(_start(asked), ratings_title(asked.path["pool"]))


def _start(asked: Asked) -> str:
    return _path(asked.path["pool"])


def _of_pool(rest: str, answer: Callable[[Asked], View]) -> Page:
    """Return a page of a pool; under another spelling of its name it leads to the pool, which has one set of pages."""

    def spelled(asked: Asked) -> Answer:
        name = asked.path["pool"]
        names = [pool.name for pool in pools_service.list_pools(asked.db) if not _CODED.isdisjoint(pool.name)]
        name = next((each for each in names if name_code(each) == name), name)
        pool = pools_service.pool_called(asked.db, name)
        return answer(replace(asked, path={**asked.path, "pool": name})) if pool.name == name else Moved(path_of(pool))

    return Page(f"/pools/{{pool}}{rest}", spelled, slow=True)


def leagues(asked: Asked) -> View:
    """Show every league, with a link to its table."""
    fields: Fields[tuple[int, League]] = (
        Field("league", _("League"), lambda each: each[0], priority=0),
        Field("bots", _("Bots"), lambda each: ", ".join(without_paths(each[1].bots, each[1])), priority=0),
        Field("rules", _("Rules"), lambda each: each[1].rules, priority=2),
    )
    rows = sorted(leagues_service.known(asked.db).items(), reverse=True)
    shown = report_view(listing(_("Leagues"), fields, rows), [f"/leagues/{number}" for number, _league in rows])
    return View("report.html", _("Leagues"), {"shown": shown})


def league(asked: Asked) -> View:
    """Show a league's table as it is now, without the workers of a scheduler: their names have addresses."""
    table = replace(leagues_service.status(asked.db, number_in(asked.path["number"])), machines=())
    report = leagues_report.table(without_paths(table, table.league))
    others = [Link("/leagues", _("All leagues"))]
    return View("report.html", report.title, {"shown": report_view(report), "others": others})


PAGES = (
    Page("/pools", pools, slow=True),
    _of_pool("", ratings),
    _of_pool("/seasons/{year}", season),
    _of_pool("/moved", moved),
    _of_pool("/fame", fame),
    _of_pool("/editions", editions),
    _of_pool("/editions/{number}", edition),
    _of_pool("/players/{player}", player),
    Page("/leagues", leagues, slow=True),
    Page("/leagues/{number}", league, slow=True),
)
