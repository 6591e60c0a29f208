"""The words of ratings: tables that are rated, ratings, steps from one to the next, and checkpoints on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from tourney.domain.rankings import RatingRow
from tourney.ratings.kernel import check_game
from tourney.ratings.parameters import Parameters, RatingError

Key = tuple[str, str, int, int]
"""Where a table stands in time: event date (ISO), event, round, table; tables are rated in this order."""


Played = tuple[Sequence[str], Sequence[int]]
"""A game of a stream: the players in source order, and the place of each (1 best, equal = tie)."""


@dataclass(frozen=True, slots=True)
class RatedTable:
    """A game as ratings see it: who played, in source order, and the place of each (1 best, equal = tie).

    Raises RatingError for a player who stands there twice, and for places that do not fit the players.
    """

    key: Key
    players: tuple[str, ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        try:
            check_game(self.players, self.places)
        except RatingError as error:
            raise error.at(place_text(self.key)) from None


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill after `games` games; `change` is what the last one did to the score.

    `trend` is what the last games did to mu, each counting nine tenths of the one behind it: that sigma shrinks, which
    lifts every score, is not in it.
    A win is place 1; players who share the first place have each won. `day` is that of his last game (counted as
    `day_number` does), 0 where no day was given.
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
        """What players are ranked by: mu − 3 sigma, which the skill exceeds almost surely."""
        return self.mu - 3 * self.sigma


class Step(NamedTuple):
    """One table and the ratings of its players before and after it, in its order."""

    table: RatedTable
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]


class Checkpoint(NamedTuple):
    """The ratings after the first `games` games of a history, by player: all that is needed to go on."""

    games: int
    ratings: Mapping[str, Rating]


def day_number(day: str) -> int:
    """The day (ISO) as a number, the first of January of year 1 being 1. Raises ValueError for what is no day."""
    return date.fromisoformat(day).toordinal()


def newcomer(player: str, parameters: Parameters) -> Rating:
    """The rating of somebody who has not played."""
    return Rating(player, parameters.mu, parameters.sigma)


def ranked(ratings: Mapping[str, Rating]) -> list[RatingRow]:
    """The ratings from the best score down; equal scores share a rank and stand in order of name."""
    rows: list[RatingRow] = []
    for place, rating in enumerate(sorted(ratings.values(), key=lambda one: (-one.score, one.player)), 1):
        rank = rows[-1].rank if rows and rows[-1].score == rating.score else place
        rows.append(_row(rank, rating))
    return rows


def place_text(key: Key) -> str:
    """The key for people: `2026-11-20 club, round 3, table 2`."""
    day, event, round_number, table = key
    return " ".join(part for part in (day, event) if part) + f", round {round_number}, table {table}"


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
