"""Cautious readings of a pool's games, by which rank intervals are counted, and the ranking with its intervals.

A reading rates the games with another sigma for newcomers. The narrowest, a quarter of the pool's, takes the players to
be close together. It is widened in steps as long as the games show at least the spread that the wider one assumes: the
step of expectation-maximisation for the variance of a normal prior (Dempster, Laird and Rubin, Journal of the Royal
Statistical Society B 39, 1977), rounded down.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from tourney.domain.rankings import BY_SCORE, RankingQuantity, RatingRow
from tourney.ratings.intervals import Interval, rank_intervals
from tourney.ratings.model import Rating, ranking
from tourney.ratings.parameters import Parameters

_NARROWINGS: Final = (4.0, 2.0 * 2.0**0.5, 2.0, 2.0**0.5)
"""The factors by which the sigma of each reading is narrower than the pool's."""

Ratings = Mapping[str, Rating]
"""Ratings by player."""


def cautious(own: Ratings, parameters: Parameters, rate: Callable[[Parameters], Ratings]) -> Ratings:
    """Return the widest cautious reading that the games bear out; `rate` rates the same games with other parameters.

    `own` are the ratings by the pool's own `parameters`, the widest reading of all.
    """
    narrowest, *wider = (replace(parameters, sigma=parameters.sigma / times) for times in _NARROWINGS)
    found = rate(narrowest)
    for assumed in (*wider, parameters):
        reading = own if assumed is parameters else rate(assumed)
        if _variance(reading) < assumed.sigma * assumed.sigma:
            break
        found = reading
    return found


def _variance(ratings: Ratings) -> float:
    """Return the variance of the skills as a reading sees them: that of the estimates, and what is left uncertain."""
    if len(ratings) < 2:
        return 0.0
    mean = sum(rating.mu for rating in ratings.values()) / len(ratings)
    between = sum((rating.mu - mean) ** 2 for rating in ratings.values()) / (len(ratings) - 1)
    return between + sum(rating.sigma**2 for rating in ratings.values()) / len(ratings)


def ranked(
    own: Ratings,
    reading: Ratings,
    by: RankingQuantity = BY_SCORE,
    shown: Callable[[str], str] = str,
    order: Callable[[str], object] = str,
    hidden: Collection[str] = (),
) -> list[tuple[RatingRow, Interval]]:
    """Return the rows of the ratings with their rank intervals by a cautious reading, the best first.

    Players have the name that `shown` returns for their key, and equal ranks are sorted by `order` of that name. Those
    in `hidden` are ranked and left out.
    """
    skills = [(rating.mu, rating.sigma) for rating in own.values()]
    readings = [(reading[player].mu, reading[player].sigma) for player in own]
    intervals = dict(zip(own, rank_intervals(skills, readings, by.deviations), strict=True))
    listed = (row for row in ranking(own, by) if row.player not in hidden)
    rows = ((replace(row, player=shown(row.player)), intervals[row.player]) for row in listed)
    return sorted(rows, key=lambda row: (row[0].rank, order(row[0].player)))
