"""Ratings compared, game by game, with those of the package `trueskill`; the only module that loads it.

Both programs sweep over a game until messages change by less than a tolerance. Where a change lies at the tolerance,
the last bit of a float decides whether one sweeps once more, and ratings differ by what that sweep changes. So each
game is compared by itself, from our ratings before it, and that change is allowed for. So is the rounding of both: each
comparison of neighbours loses digits by its condition, the ratio of the variance of the gap to what is small beside it,
the noise or, in a tie, the margin. A comparison further than FAR standard deviations from what was expected is beyond
the package: it raises an error or divides numbers below the smallest normal float, where we compute exactly.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from itertools import chain, pairwise, repeat
from math import hypot, sqrt
from typing import TYPE_CHECKING, Final

from tourney.domain.pools import Pool
from tourney.domain.rankings import ROUNDING, RatingsComparison
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import MAX_SWEEPS, Kernel, Skill
from tourney.ratings.model import GameResult, Rating
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError
from tourney.ratings.truncation import FAR, draw_margin

if TYPE_CHECKING:
    import trueskill

_ULP: Final = 2.0**-53


def compare(
    pool: Pool,
    parameters: Parameters,
    games: Iterable[GameResult],
    ratings: Mapping[str, Rating],
    days: Iterable[int] = (),
) -> RatingsComparison:
    """Return how far the updates of these games are from those of `trueskill`; memory grows with the players only.

    `ratings` are those after each player's last game; `days` has the day of each game, or is empty. Raises RatingError
    if the ratings are not of the players of these games, and for a game that cannot be rated.
    """
    package, ours, differences = _Package(parameters), Fold(parameters), _Differences()
    beyond: list[int] = []
    differing: list[int] = []
    for (players, places), day in zip(games, days or repeat(0), strict=False):
        ours.advance_to(day)
        before = package.skills_of(players, ours.day)
        rated = package.rate(before, places)
        ours.add(players, places)
        after = [ours.rating(player) for player in players]
        if rated is None:
            beyond.append(ours.games)
        else:
            apart = differences.add(after, rated)
            allowed = _rounding(parameters, before, places)
            if apart > allowed and apart > allowed + _last_sweep(parameters, before, places):
                differing.append(ours.games)
        package.keep(after, ours.day)
    shown = _shown(ours, ratings, differences)
    found = differences.mu[0], differences.mu[1], differences.sigma[0], differences.sigma[1]
    return RatingsComparison(
        pool, version("trueskill"), ours.games, len(ratings), *found, tuple(beyond), tuple(differing), shown
    )


class _Differences:
    """The greatest differences of mu and of sigma so far, each with its player."""

    def __init__(self) -> None:
        self.mu: tuple[float, str] = (0.0, "")
        self.sigma: tuple[float, str] = (0.0, "")

    def add(self, ours: Iterable[Rating], theirs: Iterable[Skill]) -> float:
        """Add the skills of some players, and return the greatest difference among them."""
        greatest = 0.0
        for rating, (mu, sigma) in zip(ours, theirs, strict=True):
            mu_apart, sigma_apart = abs(rating.mu - mu), abs(rating.sigma - sigma)
            if mu_apart > self.mu[0]:
                self.mu = mu_apart, rating.player
            if sigma_apart > self.sigma[0]:
                self.sigma = sigma_apart, rating.player
            greatest = max(greatest, mu_apart, sigma_apart)
        return greatest


def _shown(fold: Fold, ratings: Mapping[str, Rating], differences: _Differences) -> float:
    """Return the greatest difference of the ratings shown from those that the games give."""
    given = fold.ratings()
    if given.keys() != ratings.keys():
        raise RatingError("the ratings are of other players than the games")
    return differences.add(ratings.values(), [(given[player].mu, given[player].sigma) for player in ratings])


def _rounding(parameters: Parameters, skills: Sequence[Skill], places: Sequence[int]) -> float:
    """Return by how much rounding may change a mu or sigma in this game, to first order.

    Each of the comparisons rounds numbers as large as a skill, and enlarges the error by its condition. What both
    programs approximate alike, such as erfc, is ROUNDING for a newcomer's usual sigma, and grows with sigma.
    """
    noise = parameters.beta**2
    variance = 2.0 * (max(sigma for _mu, sigma in skills) ** 2 + parameters.tau**2 + noise)
    small = noise
    if len(set(places)) < len(places):
        small = min(noise, 2.0 * noise * draw_margin(parameters.draw) ** 2)
    greatest = max(abs(mu) + sigma for mu, sigma in skills)
    compared = 2 * MAX_SWEEPS * (len(skills) - 1)
    return ROUNDING * max(1.0, parameters.sigma / Parameters().sigma) + compared * _ULP * greatest * variance / small


def _last_sweep(parameters: Parameters, skills: Sequence[Skill], places: Sequence[int]) -> float:
    """Return the most that our last sweep over the game changed a mu or sigma: who stops before it is so far away."""
    beta, tau, draw = parameters.beta, parameters.tau, parameters.draw
    swept = [Kernel(beta, tau, draw, sweeps).rate(skills, places) for sweeps in range(1, MAX_SWEEPS + 1)]
    changes = [_apart(before, after) for before, after in pairwise(swept)]
    return next((change for change in reversed(changes) if change > 0.0), 0.0)


def _apart(some: Iterable[Skill], others: Iterable[Skill]) -> float:
    """Return the greatest difference of a mu or sigma."""
    pairs = zip(chain.from_iterable(some), chain.from_iterable(others), strict=True)
    return max(abs(mine - theirs) for mine, theirs in pairs)


class _Package:
    """The update of the package, with a calendar that it does not have."""

    def __init__(self, parameters: Parameters) -> None:
        from trueskill import TrueSkill

        mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
        # No backend: the package's own erfc is the same on every machine, whether or not scipy is installed.
        self._environment = TrueSkill(mu, sigma, beta, tau, draw, None)
        self._farthest = 0.0
        """The standard deviations of a game's outcome from what was expected, in its farthest comparison so far."""
        self._watch()
        self._newcomer: Skill = (mu, sigma)
        self._absence = parameters.absence
        self._skills: dict[str, Skill] = {}
        self._days: dict[str, int] = {}

    def skills_of(self, players: Iterable[str], day: int) -> list[Skill]:
        """Return the players' skills on that day."""
        return [self._grown(player, day) for player in players]

    def rate(self, skills: Iterable[Skill], places: Iterable[int]) -> list[Skill] | None:
        """Return the skills after a game; None where the floats of the package fail or lose their digits."""
        self._farthest = 0.0
        teams = [(self._environment.create_rating(mu, sigma),) for mu, sigma in skills]
        try:
            rated: list[tuple[trueskill.Rating]] = self._environment.rate(teams, list(places))
        except (ArithmeticError, ValueError):
            return None
        return [(rating.mu, rating.sigma) for (rating,) in rated] if self._farthest <= FAR else None

    def _watch(self) -> None:
        """Make the package note how far each comparison is from what was expected."""
        v_win, v_draw = self._environment.v_win, self._environment.v_draw

        def win(gap: float, margin: float) -> float:
            self._farthest = max(self._farthest, margin - gap)
            shift: float = v_win(gap, margin)
            return shift

        def draw(gap: float, margin: float) -> float:
            self._farthest = max(self._farthest, abs(gap) - margin)
            shift: float = v_draw(gap, margin)
            return shift

        self._environment.v_win, self._environment.v_draw = win, draw

    def keep(self, ratings: Iterable[Rating], day: int) -> None:
        """Keep the ratings after a game on that day."""
        for rating in ratings:
            self._skills[rating.player] = rating.mu, rating.sigma
            self._days[rating.player] = day

    def _grown(self, player: str, day: int) -> Skill:
        mu, sigma = self._skills.get(player, self._newcomer)
        years = (day - self._days.get(player, day)) / DAYS_PER_YEAR
        if self._absence == 0.0 or years <= 0.0 or sigma >= self._newcomer[1]:
            return mu, sigma
        return mu, min(self._newcomer[1], hypot(sigma, self._absence * sqrt(years)))
