"""Ratings compared with those of the package `trueskill`; the only module that loads it."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from itertools import repeat
from math import hypot, sqrt
from typing import TYPE_CHECKING

from tourney.domain.rankings import Pool, RatingsComparison
from tourney.ratings.fold import Fold
from tourney.ratings.model import GameResult, Rating
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError

if TYPE_CHECKING:
    import trueskill


def compare(
    pool: Pool,
    parameters: Parameters,
    games: Iterable[GameResult],
    ratings: Mapping[str, Rating],
    days: Iterable[int] = (),
) -> RatingsComparison:
    """Return how far the ratings after these games are from those of `trueskill`; memory grows with the players only.

    `ratings` are those after each player's last game; `days` has the day of each game, or is empty. Raises RatingError
    if the ratings are not of the players of these games, and for a game that cannot be rated.
    """
    theirs = _PackageFold(parameters)
    ours = Fold(parameters)
    failed: list[int] = []
    for (players, places), day in zip(games, days or repeat(0), strict=False):
        ours.advance_to(day)
        ours.add(players, places)
        if not theirs.add(players, places, ours.day):
            failed.append(ours.games)
            theirs.replace([ours.rating(player) for player in players])
    if theirs.skills.keys() != ratings.keys():
        raise RatingError("the ratings are not those of the players of these games")
    mu = _greatest({name: abs(rating.mu - theirs.skills[name].mu) for name, rating in ratings.items()})
    sigma = _greatest({name: abs(rating.sigma - theirs.skills[name].sigma) for name, rating in ratings.items()})
    return RatingsComparison(pool, version("trueskill"), ours.games, len(ratings), *mu, *sigma, tuple(failed))


class _PackageFold:
    """The ratings of the package, game by game."""

    def __init__(self, parameters: Parameters) -> None:
        from trueskill import TrueSkill

        mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
        # No backend: the package's own erfc is the same on every machine, whether or not scipy is installed.
        self._environment = TrueSkill(mu, sigma, beta, tau, draw, None)
        self._newcomer = self._environment.create_rating()
        self._absence = parameters.absence
        self._days: dict[str, int] = {}
        self.skills: dict[str, trueskill.Rating] = {}

    def add(self, players: Sequence[str], places: Iterable[int], day: int) -> bool:
        """Rate a game; return False, with only the days changed, where the floats of the package fail."""
        teams = [(self._grown(player, day),) for player in players]
        self._days.update(dict.fromkeys(players, day))
        try:
            rated = self._environment.rate(teams, list(places))
        except (ArithmeticError, ValueError):
            return False
        self.skills.update((player, rating) for player, (rating,) in zip(players, rated, strict=True))
        return True

    def _grown(self, player: str, day: int) -> "trueskill.Rating":
        """Return the player's rating with the sigma of that day; the package itself has no calendar."""
        rating = self.skills.get(player, self._newcomer)
        years = (day - self._days.get(player, day)) / DAYS_PER_YEAR
        if self._absence == 0.0 or years <= 0.0 or rating.sigma >= self._newcomer.sigma:
            return rating
        sigma = min(self._newcomer.sigma, hypot(rating.sigma, self._absence * sqrt(years)))
        return self._environment.create_rating(rating.mu, sigma)

    def replace(self, ratings: Iterable[Rating]) -> None:
        """Replace the ratings of some players."""
        self.skills.update(
            (rating.player, self._environment.create_rating(rating.mu, rating.sigma)) for rating in ratings
        )


def _greatest(differences: Mapping[str, float]) -> tuple[float, str]:
    """Return the greatest difference and its player; 0 and "" if there are no players."""
    if not differences:
        return 0.0, ""
    player = max(differences, key=differences.__getitem__)
    return differences[player], player
