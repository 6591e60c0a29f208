"""The values of ratings: games, ratings and checkpoints, and the ranking by score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from tourney.domain.rankings import BY_SCORE, RankingQuantity, RatingRow
from tourney.ratings.parameters import Parameters

GameResult = tuple[Sequence[str], Sequence[int]]
"""The players of a game in the order in which its source lists them, and the place of each (1 best, equal = tie)."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill after `games` games; `change` is the change of the score in the last one.

    `trend` sums the changes of mu, each game counting nine tenths as much as the one after it; it leaves out sigma,
    whose decrease raises every score. A win is place 1; players who share the first place have each won. `day` is the
    day of the last game (a `day_number`), 0 where no day was given.
    """

    player: str
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    change: float = 0.0
    trend: float = 0.0
    day: int = 0

    @property
    def score(self) -> float:
        """The score that players are ranked by: mu − 3 sigma, which the skill exceeds almost surely."""
        return self.mu - 3 * self.sigma


class Checkpoint(NamedTuple):
    """The ratings after the first `games` games of a history, by player: all that is needed to rate later games."""

    games: int
    ratings: Mapping[str, Rating]


def day_number(day: str) -> int:
    """Return an ISO date as a number, counted from 1 on 1 January of year 1. Raises ValueError for anything else."""
    return date.fromisoformat(day).toordinal()


def newcomer(player: str, parameters: Parameters) -> Rating:
    """Return the rating of a player without a game."""
    return Rating(player, parameters.mu, parameters.sigma)


def ranking(ratings: Mapping[str, Rating], by: RankingQuantity = BY_SCORE) -> list[RatingRow]:
    """Return the ratings from the best down, by the score or another quantity; equals share a rank, sorted by name."""
    rows: list[RatingRow] = []
    values = {player: by.of(rating.mu, rating.sigma) for player, rating in ratings.items()}
    last = 0.0
    for place, key in enumerate(sorted(ratings, key=lambda key: (-values[key], ratings[key].player)), 1):
        rank = rows[-1].rank if rows and last == values[key] else place
        last = values[key]
        rows.append(_row(rank, ratings[key]))
    return rows


def _row(rank: int, rating: Rating) -> RatingRow:
    return RatingRow(
        rank=rank,
        player=rating.player,
        mu=rating.mu,
        sigma=rating.sigma,
        score=rating.score,
        games=rating.games,
        wins=rating.wins,
        change=rating.change,
        trend=rating.trend,
    )
