"""Ratings worked out a second time, by the package whose arithmetic they follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.rankings import RatingsComparison
from tourney.service.ratings.rating_cache import days_of, folded, parameters_of
from tourney.service.ratings.ratings import find_pool, history_of, shown_names

if TYPE_CHECKING:
    from tourney.domain.modes import Progress


def verify(db: str | None, pool: str = "people", progress: Progress | None = None) -> RatingsComparison:
    """The ratings that `ratings` shows beside those that the package `trueskill` makes of all games of the pool.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where skills lie too far apart to compute.
    """
    from tourney.ratings.comparison import compare

    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        history = history_of(reader, number, found)
        ratings = folded(reader, found, history).fold.checkpoint().ratings
        games = _told(history, list(history.stretches(found.kind)), progress)
        comparison = compare(found, parameters_of(found), games, ratings, days_of(found, history))
        names = shown_names(reader, found)
    mu, sigma = comparison.mu_player, comparison.sigma_player
    return replace(comparison, mu_player=names.get(mu, mu), sigma_player=names.get(sigma, sigma))


def _told(
    history: storage.History, stretches: list[storage.Stretch], progress: Progress | None
) -> Iterator[storage.Game]:
    total = sum(stretch.games for stretch in stretches)
    done = 0
    for stretch in stretches:
        for game in history.games(stretch):
            yield game
            done += 1
            if progress is not None:
                progress(done, total)
