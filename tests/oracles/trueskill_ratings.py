"""Rate games one after the other with the package `trueskill` alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import trueskill

Game = tuple[Sequence[str], Sequence[int]]
"""The players of a game, and their places."""


class Rater:
    """Everybody's rating after the games so far."""

    def __init__(self, draw: float = 0.01, **parameters: float) -> None:
        self.world = trueskill.TrueSkill(draw_probability=draw, **parameters)
        self.ratings: dict[str, Any] = defaultdict(self.world.create_rating)
        self.games, self.wins = Counter[str](), Counter[str]()

    def rate(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate a game."""
        rated = self.world.rate([(self.ratings[player],) for player in players], ranks=list(places))
        for player, place, (rating,) in zip(players, places, rated, strict=True):
            self.ratings[player] = rating
            self.games[player] += 1
            self.wins[player] += place == 1

    def table(self) -> dict[str, tuple[float, float, int, int]]:
        """Return mu, sigma, games and wins of each player."""
        return {
            player: (float(rating.mu), float(rating.sigma), self.games[player], self.wins[player])
            for player, rating in self.ratings.items()
        }


def rated(games: Iterable[Game], **parameters: float) -> dict[str, tuple[float, float, int, int]]:
    """Return mu, sigma, games and wins of each player after the games."""
    rater = Rater(**parameters)
    for players, places in games:
        rater.rate(players, places)
    return rater.table()
