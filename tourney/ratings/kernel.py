"""The TrueSkill update of one game in which everybody plays for themselves.

Players form a chain in the order of their places, and each is compared with the next. The results of the
comparisons are passed down and up the chain as messages until they converge. The order of the messages, the number of
sweeps and the tolerance are those of the package `trueskill` 0.4.5, so that ratings equal its ratings up to rounding.
Normal distributions are kept as mean and variance; where messages are multiplied, as precision (1 / variance) and
precision mean (mean × precision).
"""

from collections.abc import Sequence
from functools import lru_cache
from math import inf, sqrt
from typing import Final, final

from mypy_extensions import mypyc_attr

from tourney.ratings.parameters import Parameters, RatingError
from tourney.ratings.truncation import draw_margin, tie, win

MAX_SWEEPS: Final = 10
_TOLERANCE: Final = 0.0001
_MIN_WEIGHT: Final = 0.0001
_ULP: Final = 2.0**-53

Skill = tuple[float, float]
"""The mu and sigma of a player."""


def rate_table(
    parameters: Parameters,
    skills: Sequence[Skill],
    places: Sequence[int],
    weights: Sequence[float] | None = None,
) -> list[Skill]:
    """Return the skills after one game: `Kernel.rate` with these parameters."""
    return kernel(parameters).rate(skills, places, weights)


@lru_cache(maxsize=16)
def kernel(parameters: Parameters) -> "Kernel":
    """Return the update rule of these parameters, cached."""
    return Kernel(parameters.beta, parameters.tau, parameters.draw)


def check_game(players: Sequence[str], places: Sequence[int]) -> None:
    """Raise RatingError for a repeated player, and for places that do not match the players."""
    if len(players) != len(places):
        raise RatingError("{players} players but {places} places", players=len(players), places=len(places))
    if len(set(players)) != len(players):
        repeated = next(name for name in players if players.count(name) > 1)
        raise RatingError("'{player}' plays twice", "a player has one place in a game", player=repeated)
    for place in places:
        if place < 1:
            raise RatingError("a place below 1", "places count from 1, the best")


@final
class Kernel:
    """The update rule of a pool, with everything derived from its parameters; `sweeps` is the most for one game."""

    def __init__(self, beta: float, tau: float, draw: float, sweeps: int = MAX_SWEEPS) -> None:
        self._sweeps: Final = sweeps
        self._beta: Final[float] = beta
        self._noise: Final[float] = beta * beta
        self._drift: Final[float] = tau * tau
        self._margin: Final[float] = draw_margin(draw) * sqrt(2.0) * beta

    def rate(
        self, skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None = None
    ) -> list[Skill]:
        """Return the skills after one game that ended on these places (1 best, equal = tie), in the same order.

        Tied players are compared in the order given, which moves mu by up to 0.024: keep the order of the source.
        `weights` is the share of the game that each has played, more than 0 and at most 1; by default all of it. A
        game of one player changes nothing.

        Raises RatingError for invalid skills or weights, for lists of unequal length, and where the numbers overflow.
        """
        if len(skills) != len(places):
            raise RatingError("{skills} skills but {places} places", skills=len(skills), places=len(places))
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
                "skills {apart:.3g} apart at one table, with beta {beta:g}, cannot be computed",
                "give the pool a larger beta, or look for a wrong result",
                apart=max(mus) - min(mus),
                beta=self._beta,
            ) from None

    def _rated(self, skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None) -> list[Skill]:
        order = _order(places)
        chain = self._chain(order, skills, places, weights)
        _pass_messages(chain, self._margin, self._sweeps)
        rated = list(skills)
        for link, seat in enumerate(order):
            rated[seat] = chain[link].skill()
        _check_skills(rated)
        return rated

    def _chain(
        self, order: list[int], skills: Sequence[Skill], places: Sequence[int], weights: Sequence[float] | None
    ) -> "list[_Player]":
        chain: list[_Player] = []
        place_above = 0
        for seat in order:
            mu, sigma = skills[seat]
            weight = 1.0 if weights is None else max(_MIN_WEIGHT, weights[seat])
            place = places[seat]
            tied = place == place_above
            chain.append(_Player(mu, sigma * sigma + self._drift, self._noise, weight, tied))
            place_above = place
        return chain


def _order(places: Sequence[int]) -> list[int]:
    """Return the seats sorted by place, ties in the given order; results mostly arrive sorted."""
    order = list(range(len(places)))
    for seat in range(1, len(places)):
        if places[seat] < places[seat - 1]:
            order.sort(key=places.__getitem__)
            break
    return order


@final
@mypyc_attr(acyclic=True)
class _Player:
    """A player of one game, as a link in the chain of places.

    The player's performance is normal. `own_*` is what the skill alone says of it; `down_*` adds the comparison with
    the player above, `up_*` that with the player below. `gap_*` is the message of the comparison with the player above
    about the gap, the difference of the two performances; `tied` says whether the two have tied.
    """

    def __init__(self, mean: float, variance: float, noise: float, weight: float, tied: bool) -> None:
        own_mean = weight * mean
        own_variance = weight * weight * (variance + noise)
        self.mean = mean
        self.variance = variance
        self.weight = weight
        self.tied = tied
        self.own_precision = 1.0 / own_variance
        self.own_precision_mean = own_mean / own_variance
        self.down_mean = own_mean
        self.down_variance = own_variance
        self.up_mean = own_mean
        self.up_variance = own_variance
        self.gap_precision = 0.0
        self.gap_precision_mean = 0.0

    def skill(self) -> Skill:
        """Return the skill after the game, from what is now known of the performance."""
        precision = 1.0 / self.down_variance + 1.0 / self.up_variance - self.own_precision
        precision_mean = self.down_mean / self.down_variance + self.up_mean / self.up_variance - self.own_precision_mean
        share = self.weight * self.variance * self.own_precision
        mu = self.mean + share * (precision_mean / precision - self.weight * self.mean)
        return mu, sqrt(self.variance * (1.0 - self.weight * share) + share * share / precision)


def _pass_messages(chain: list[_Player], margin: float, sweeps: int) -> None:
    """Sweep the chain until the gaps converge, at most so often, then pass the messages on to its two ends."""
    last = len(chain) - 1
    if last == 1:
        _update_gap(chain[0], chain[1], margin)
    else:
        for _ in range(sweeps):
            if _sweep(chain, last, margin):
                break
    _pass_up(chain[0], chain[1])
    _pass_down(chain[last - 1], chain[last])


def _sweep(chain: list[_Player], last: int, margin: float) -> bool:
    """Update all gaps but the last going down and all but the first going up; return whether they have converged."""
    converged = True
    for seat in range(1, last):
        upper, lower = chain[seat - 1], chain[seat]
        if not _update_gap(upper, lower, margin):
            converged = False
        _pass_down(upper, lower)
    for seat in range(last, 1, -1):
        upper, lower = chain[seat - 1], chain[seat]
        if not _update_gap(upper, lower, margin):
            converged = False
        _pass_up(upper, lower)
    return converged


def _update_gap(upper: _Player, lower: _Player, margin: float) -> bool:
    """Update the message about the gap of two neighbours; return whether it has stayed the same."""
    variance = upper.down_variance + lower.up_variance
    deviation = sqrt(variance)
    gap = upper.down_mean - lower.up_mean
    if lower.tied:
        smaller = min(upper.down_variance, lower.up_variance)
        v, w, rest = tie(gap / deviation, margin / deviation, smaller / variance)
    else:
        v, w, rest = win((gap - margin) / deviation)
    if rest == 0.0:
        rest = _ULP
    truncated_variance = rest * variance
    precision = w / truncated_variance
    precision_mean = (w * gap + v * deviation) / truncated_variance
    converged = (
        -_TOLERANCE <= precision_mean - lower.gap_precision_mean <= _TOLERANCE
        and abs(precision - lower.gap_precision) <= _TOLERANCE * _TOLERANCE
    )
    lower.gap_precision = precision
    lower.gap_precision_mean = precision_mean
    return converged


def _pass_down(upper: _Player, lower: _Player) -> None:
    """Update the lower player's performance: the upper player's, as known from above, less the gap."""
    precision = lower.gap_precision
    passed = 1.0 / (1.0 + precision * upper.down_variance)
    variance = 1.0 / (lower.own_precision + precision * passed)
    precision_mean = lower.own_precision_mean + (precision * upper.down_mean - lower.gap_precision_mean) * passed
    lower.down_mean = precision_mean * variance
    lower.down_variance = variance


def _pass_up(upper: _Player, lower: _Player) -> None:
    """Update the upper player's performance: the lower player's, as known from below, plus the gap."""
    precision = lower.gap_precision
    passed = 1.0 / (1.0 + precision * lower.up_variance)
    variance = 1.0 / (upper.own_precision + precision * passed)
    precision_mean = upper.own_precision_mean + (precision * lower.up_mean + lower.gap_precision_mean) * passed
    upper.up_mean = precision_mean * variance
    upper.up_variance = variance


def _check_skills(skills: Sequence[Skill]) -> None:
    for mu, sigma in skills:
        if not (-inf < mu < inf and 0.0 < sigma < inf):
            raise RatingError(
                "a skill of mu {mu} and sigma {sigma}; both must be finite and sigma more than 0", mu=mu, sigma=sigma
            )


def _check_weights(weights: Sequence[float], players: int) -> None:
    if len(weights) != players:
        raise RatingError("{players} skills but {weights} weights", players=players, weights=len(weights))
    for weight in weights:
        if not 0.0 < weight <= 1.0:
            raise RatingError("a weight of {weight}; it must be more than 0 and at most 1", weight=weight)
