"""The same history rated by the package `trueskill`, and how far apart the two are; nothing else loads it."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from itertools import repeat
from math import hypot, sqrt
from typing import TYPE_CHECKING

from tourney.domain.rankings import Pool, RatingsComparison
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import YEAR, Parameters, RatingError
from tourney.ratings.values import Played, Rating

if TYPE_CHECKING:
    import trueskill


def compare(
    pool: Pool,
    parameters: Parameters,
    games: Iterable[Played],
    ratings: Mapping[str, Rating],
    days: Iterable[int] = (),
) -> RatingsComparison:
    """Ratings of the pool after these games beside those that `trueskill` comes to; memory grows with the players only.

    `ratings` are as each player's last game left him; `days` has that of each game, or nothing. Raises RatingError if
    they are not ratings of the players of these games, and for a game that cannot be rated.
    """
    theirs = _Package(parameters)
    ours = Fold(parameters)
    beyond: list[int] = []
    for (players, places), day in zip(games, days or repeat(0), strict=False):
        ours.on(day)
        ours.add(players, places)
        if not theirs.add(players, places, ours.day):
            beyond.append(ours.games)
            theirs.take_over([ours.rating(player) for player in players])
    if theirs.skills.keys() != ratings.keys():
        raise RatingError("the ratings are not those of the players of these games")
    mu = _greatest({player: abs(one.mu - theirs.skills[player].mu) for player, one in ratings.items()})
    sigma = _greatest({player: abs(one.sigma - theirs.skills[player].sigma) for player, one in ratings.items()})
    return RatingsComparison(pool, version("trueskill"), ours.games, len(ratings), *mu, *sigma, tuple(beyond))


class _Package:
    """The package's ratings, which grow game by game."""

    def __init__(self, parameters: Parameters) -> None:
        from trueskill import TrueSkill

        mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
        # No backend: its own erfc, the same on every machine, whether or not scipy is installed.
        self._world = TrueSkill(mu, sigma, beta, tau, draw, None)
        self._newcomer = self._world.create_rating()
        self._absence = parameters.absence
        self._days: dict[str, int] = {}
        self.skills: dict[str, trueskill.Rating] = {}

    def add(self, players: Sequence[str], places: Iterable[int], day: int) -> bool:
        """Rate a game; False, and nothing changed but the days, where the package's floats give out."""
        teams = [(self._grown(player, day),) for player in players]
        self._days.update(dict.fromkeys(players, day))
        try:
            rated = self._world.rate(teams, list(places))
        except (ArithmeticError, ValueError):
            return False
        self.skills.update((player, rating) for player, (rating,) in zip(players, rated, strict=True))
        return True

    def _grown(self, player: str, day: int) -> "trueskill.Rating":
        """The package knows no calendar: what it is given has grown already."""
        now = self.skills.get(player, self._newcomer)
        years = (day - self._days.get(player, day)) / YEAR
        if self._absence == 0.0 or years <= 0.0 or now.sigma >= self._newcomer.sigma:
            return now
        sigma = min(self._newcomer.sigma, hypot(now.sigma, self._absence * sqrt(years)))
        return self._world.create_rating(now.mu, sigma)

    def take_over(self, ratings: Iterable[Rating]) -> None:
        """Go on from these."""
        self.skills.update((one.player, self._world.create_rating(one.mu, one.sigma)) for one in ratings)


def _greatest(differences: Mapping[str, float]) -> tuple[float, str]:
    """The greatest, and whose it is; of nobody there is none."""
    if not differences:
        return 0.0, ""
    player = max(differences, key=differences.__getitem__)
    return differences[player], player
