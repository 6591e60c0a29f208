"""The arithmetic of one game: TrueSkill for a game that everybody plays for himself.

Players stand in the order of their places and each is compared with the next. What a comparison says travels
down and up that chain as messages until it changes no more: in the order, for the rounds and to the least
change of the package `trueskill` 0.4.5, so that ratings are those that it gives, to rounding. Numbers are means
and variances; where messages are added they are precisions (1 / variance) and pulls (mean × precision).
"""

from collections.abc import Sequence
from functools import lru_cache
from math import inf, sqrt
from typing import Final, final

from mypy_extensions import mypyc_attr

from tourney.ratings.parameters import Parameters, RatingError
from tourney.ratings.truncation import draw_margin, tie, win

_MOST_ROUNDS: Final = 10
_LEAST_CHANGE: Final = 0.0001
_LEAST_WEIGHT: Final = 0.0001
_ULP: Final = 2.0**-53

Skill = tuple[float, float]
"""mu and sigma."""


def rate_table(
    parameters: Parameters,
    skills: Sequence[Skill],
    places: Sequence[int],
    weights: Sequence[float] | None = None,
) -> list[Skill]:
    """The skills after one game of players who ended on these places: `Kernel.rate` of these parameters."""
    return kernel(parameters).rate(skills, places, weights)


@lru_cache(maxsize=16)
def kernel(parameters: Parameters) -> "Kernel":
    """The arithmetic with these parameters."""
    return Kernel(parameters.beta, parameters.tau, parameters.draw)


def check_game(players: Sequence[str], places: Sequence[int]) -> None:
    """Raises RatingError for a player who stands there twice, and for places that do not fit the players."""
    if len(players) != len(places):
        raise RatingError(f"{len(players)} players but {len(places)} places")
    if len(set(players)) != len(players):
        twice = next(name for name in players if players.count(name) > 1)
        raise RatingError(f"'{twice}' plays twice", "a player has one place in a game")
    for place in places:
        if place < 1:
            raise RatingError("a place below 1", "places count from 1, the best")


@final
class Kernel:
    """The arithmetic of a pool, with what its parameters come to."""

    def __init__(self, beta: float, tau: float, draw: float) -> None:
        self._beta: Final[float] = beta
        self._noise: Final[float] = beta * beta
        self._drift: Final[float] = tau * tau
        self._margin: Final[float] = draw_margin(draw) * sqrt(2.0) * beta

    def rate(
        self, skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None = None
    ) -> list[Skill]:
        """The skills after one game of players who ended on these places (1 best, equal = tie).

        All in the same order, and so is what comes back. Tied players are compared in the order in which they
        stand, which moves mu by up to 0.024: keep it the source's. `weights` says how much of the game each has
        played, more than 0 and at most 1; without them all have played all of it. A game of one changes nothing.

        Raises RatingError for what is no skill or weight, for lists of unequal length, and where the numbers
        leave what floats can hold.
        """
        if len(skills) != len(places):
            raise RatingError(f"{len(skills)} skills but {len(places)} places")
        if weights is not None:
            _check_weights(weights, len(skills))
        _check_skills(skills)
        if len(skills) < 2:
            return list(skills)
        try:
            return self._rated(skills, places, weights)
        except (ArithmeticError, ValueError):
            mus = [mu for mu, _sigma in skills]
            raise RatingError(
                f"skills {max(mus) - min(mus):.3g} apart at one table, with beta {self._beta:g}, cannot be computed",
                "give the pool a larger beta, or look for a wrong result",
            ) from None

    def _rated(self, skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None) -> list[Skill]:
        order = _order(places)
        chain = self._chain(order, skills, places, weights)
        _run(chain, self._margin)
        rated = list(skills)
        for link, seat in enumerate(order):
            rated[seat] = chain[link].skill()
        _check_skills(rated)
        return rated

    def _chain(
        self, order: list[int], skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None
    ) -> "list[_Player]":
        chain: list[_Player] = []
        place_before = 0
        for seat in order:
            mu, sigma = skills[seat]
            weight = 1.0 if weights is None else max(_LEAST_WEIGHT, weights[seat])
            place = places[seat]
            tied = place == place_before
            chain.append(_Player(mu, sigma * sigma + self._drift, self._noise, weight, tied))
            place_before = place
        return chain


def _order(places: Sequence[int]) -> list[int]:
    """The seats by their places; of equal places as they stand, as most are that come from a file."""
    order = list(range(len(places)))
    for seat in range(1, len(places)):
        if places[seat] < places[seat - 1]:
            order.sort(key=places.__getitem__)
            break
    return order


@final
@mypyc_attr(acyclic=True)
class _Player:
    """A player of one game, in the chain of places.

    `before` is what is known of his play by himself and his comparison with the player before him, `behind` by
    himself and that with the player behind him. `said` is what the comparison with the player before him says
    of their gap (that player's play less his) by itself; `tied` is whether the two have tied.
    """

    def __init__(self, mean: float, variance: float, noise: float, weight: float, tied: bool) -> None:
        play_mean = weight * mean
        play_variance = weight * weight * (variance + noise)
        self.mean = mean
        self.variance = variance
        self.weight = weight
        self.tied = tied
        self.own_precision = 1.0 / play_variance
        self.own_pull = play_mean / play_variance
        self.before_mean = play_mean
        self.before_variance = play_variance
        self.behind_mean = play_mean
        self.behind_variance = play_variance
        self.said_precision = 0.0
        self.said_pull = 0.0

    def skill(self) -> Skill:
        """His skill after the game: it has its share in what is now known of his play."""
        precision = 1.0 / self.before_variance + 1.0 / self.behind_variance - self.own_precision
        pull = self.before_mean / self.before_variance + self.behind_mean / self.behind_variance - self.own_pull
        share = self.weight * self.variance * self.own_precision
        mu = self.mean + share * (pull / precision - self.weight * self.mean)
        return mu, sqrt(self.variance * (1.0 - self.weight * share) + share * share / precision)


def _run(chain: list[_Player], margin: float) -> None:
    """Compare neighbours down and up the chain until that says nothing new, then tell those at its ends."""
    last = len(chain) - 1
    if last == 1:
        _compare(chain[0], chain[1], margin)
    else:
        for _ in range(_MOST_ROUNDS):
            if _round(chain, last, margin):
                break
    _tell_upper(chain[0], chain[1])
    _tell_lower(chain[last - 1], chain[last])


def _round(chain: list[_Player], last: int, margin: float) -> bool:
    """Once down, all gaps but the last, and once up, all but the first; has it said nothing new?"""
    settled = True
    for seat in range(1, last):
        upper, lower = chain[seat - 1], chain[seat]
        if not _compare(upper, lower, margin):
            settled = False
        _tell_lower(upper, lower)
    for seat in range(last, 1, -1):
        upper, lower = chain[seat - 1], chain[seat]
        if not _compare(upper, lower, margin):
            settled = False
        _tell_upper(upper, lower)
    return settled


def _compare(upper: _Player, lower: _Player, margin: float) -> bool:
    """Look at the gap of two neighbours; does the result say the same of it as before?"""
    variance = upper.before_variance + lower.behind_variance
    spread = sqrt(variance)
    gap = upper.before_mean - lower.behind_mean
    if lower.tied:
        least = min(upper.before_variance, lower.behind_variance)
        v, w, rest = tie(gap / spread, margin / spread, least / variance)
    else:
        v, w, rest = win((gap - margin) / spread)
    if rest == 0.0:
        rest = _ULP
    left = rest * variance
    precision = w / left
    pull = (w * gap + v * spread) / left
    settled = (
        -_LEAST_CHANGE <= pull - lower.said_pull <= _LEAST_CHANGE
        and abs(precision - lower.said_precision) <= _LEAST_CHANGE * _LEAST_CHANGE
    )
    lower.said_precision = precision
    lower.said_pull = pull
    return settled


def _tell_lower(upper: _Player, lower: _Player) -> None:
    """The lower one's play is the upper one's, as known from before, less their gap."""
    precision = lower.said_precision
    passed = 1.0 / (1.0 + precision * upper.before_variance)
    variance = 1.0 / (lower.own_precision + precision * passed)
    pull = lower.own_pull + (precision * upper.before_mean - lower.said_pull) * passed
    lower.before_mean = pull * variance
    lower.before_variance = variance


def _tell_upper(upper: _Player, lower: _Player) -> None:
    """The upper one's play is the lower one's, as known from behind, and their gap."""
    precision = lower.said_precision
    passed = 1.0 / (1.0 + precision * lower.behind_variance)
    variance = 1.0 / (upper.own_precision + precision * passed)
    pull = upper.own_pull + (precision * lower.behind_mean + lower.said_pull) * passed
    upper.behind_mean = pull * variance
    upper.behind_variance = variance


def _check_skills(skills: Sequence[Skill]) -> None:
    for mu, sigma in skills:
        if not (-inf < mu < inf and 0.0 < sigma < inf):
            raise RatingError(f"a skill of mu {mu} and sigma {sigma}; both must be finite and sigma more than 0")


def _check_weights(weights: Sequence[float], players: int) -> None:
    if len(weights) != players:
        raise RatingError(f"{players} skills but {len(weights)} weights")
    for weight in weights:
        if not 0.0 < weight <= 1.0:
            raise RatingError(f"a weight of {weight}; it must be more than 0 and at most 1")
