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
from tourney.ratings.truncation import FAR, draw_margin, shift, tie, win

MAX_SWEEPS: Final = 10
_TOLERANCE: Final = 0.0001
_MIN_WEIGHT: Final = 0.0001
_ULP: Final = 2.0**-53
_MAX_INSERTED: Final = 16
"""The most players of a game that are sorted by insertion, which takes time with their square."""

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
        links = [PlaceLink(mu, sigma) for mu, sigma in skills]
        for link, place in zip(links, places, strict=True):
            link.place = place
        if weights is not None:
            set_weights(links, weights)
        if len(skills) < 2:
            for link in links:
                _check_skill(link.mu, link.sigma)
            return list(skills)
        self.update(list(links))
        return [(link.mu_after, link.sigma_after) for link in links]

    def update(self, chain: "list[PlaceLink]") -> None:
        """Set `mu_after` and `sigma_after` of the two or more players of a game, and sort them by place.

        Raises RatingError for an invalid skill, and where the numbers overflow.
        """
        for link in chain:
            _check_skill(link.mu, link.sigma)
        _sort(chain)
        try:
            self._begin(chain)
            _pass_messages(chain, self._margin, self._sweeps)
            for link in chain:
                link.end()
        except (ArithmeticError, ValueError):
            raise self._overflow(chain) from None

    def revise(self, chain: "list[PlaceLink]") -> None:
        """Sweep once over a game that was played with other skills before, whose gaps are kept as a first guess.

        `mu` and `variance` of the players, who are sorted by place, are the skills without this game. Raises
        ArithmeticError and ValueError where the numbers overflow.
        """
        place_above = 0
        for link in chain:
            link.know(link.mu, link.variance + self._noise)
            link.tied = link.place == place_above
            place_above = link.place
        last = len(chain) - 1
        for seat in range(last - 1, 0, -1):
            upper, lower = chain[seat], chain[seat + 1]
            _pass_up(upper, lower, lower.gap_precision, lower.gap_precision_mean)
        _pass_messages(chain, self._margin, 1)

    def _begin(self, chain: "list[PlaceLink]") -> None:
        place_above = 0
        for link in chain:
            link.begin(self._drift, self._noise, link.place == place_above)
            place_above = link.place

    def _overflow(self, chain: "list[PlaceLink]") -> RatingError:
        mus = [link.mu for link in chain]
        return RatingError(
            "skills {apart:.3g} apart at one table, with beta {beta:g}, cannot be computed",
            "give the pool a larger beta, or look for a wrong result",
            apart=max(mus) - min(mus),
            beta=self._beta,
        )


@mypyc_attr(acyclic=True)
class PlaceLink:
    """A player of one game, as a link in the chain of places.

    `mu` and `sigma` are the skill before the game, `mu_after` and `sigma_after` that after it; `place` is 1 for the
    best, `weight` the share of the game that the player has played.

    The player's performance is normal. `own_*` is what the skill alone says of it; `down_*` adds the comparison with
    the player above, `up_*` that with the player below. `gap_*` is the message of the comparison with the player above
    about the gap, the difference of the two performances; `tied` says whether the two have tied.
    """

    def __init__(self, mu: float, sigma: float) -> None:
        self.mu = mu
        self.sigma = sigma
        self.mu_after = mu
        self.sigma_after = sigma
        self.place = 0
        self.weight = 1.0
        self.tied = False
        self.variance = 0.0
        self.own_precision = 0.0
        self.own_precision_mean = 0.0
        self.down_mean = 0.0
        self.down_variance = 0.0
        self.up_mean = 0.0
        self.up_variance = 0.0
        self.gap_precision = 0.0
        self.gap_precision_mean = 0.0

    def begin(self, drift: float, noise: float, tied: bool) -> None:
        """Forget the last game: only the skill is known, whose variance has grown by `drift`."""
        variance = self.sigma * self.sigma + drift
        self.know(self.weight * self.mu, self.weight * self.weight * (variance + noise))
        self.tied = tied
        self.variance = variance
        self.gap_precision = 0.0
        self.gap_precision_mean = 0.0

    def know(self, mean: float, variance: float) -> None:
        """Set what the skill alone says of the performance."""
        self.own_precision = 1.0 / variance
        self.own_precision_mean = mean / variance
        self.down_mean = mean
        self.down_variance = variance
        self.up_mean = mean
        self.up_variance = variance

    def end(self) -> None:
        """Set the skill after the game, from what is now known of the performance."""
        precision = 1.0 / self.down_variance + 1.0 / self.up_variance - self.own_precision
        precision_mean = self.down_mean / self.down_variance + self.up_mean / self.up_variance - self.own_precision_mean
        share = self.weight * self.variance * self.own_precision
        self.mu_after = self.mu + share * (precision_mean / precision - self.weight * self.mu)
        self.sigma_after = sqrt(self.variance * (1.0 - self.weight * share) + share * share / precision)
        _check_skill(self.mu_after, self.sigma_after)


def set_weights(links: list[PlaceLink], weights: Sequence[float]) -> None:
    """Set the weights of the players of a game. Raises RatingError for invalid ones."""
    if len(weights) != len(links):
        raise RatingError("{players} skills but {weights} weights", players=len(links), weights=len(weights))
    for weight in weights:
        if not 0.0 < weight <= 1.0:
            raise RatingError("a weight of {weight}; it must be more than 0 and at most 1", weight=weight)
    for link, weight in zip(links, weights, strict=True):
        link.weight = max(_MIN_WEIGHT, weight)


def _sort(chain: list[PlaceLink]) -> None:
    """Sort the players by place, ties in the given order: by insertion, since results mostly arrive sorted."""
    for end in range(1, len(chain)):
        link, seat = chain[end], end
        if end > _MAX_INSERTED and chain[end - 1].place > link.place:
            chain.sort(key=_place)
            return
        while seat > 0:
            above = chain[seat - 1]
            if above.place <= link.place:
                break
            chain[seat] = above
            seat -= 1
        if seat < end:
            chain[seat] = link


def _place(link: PlaceLink) -> int:
    return link.place


def _pass_messages(chain: list[PlaceLink], margin: float, sweeps: int) -> None:
    """Sweep the chain until the gaps converge, at most so often, then pass the messages on to its two ends."""
    last = len(chain) - 1
    if last == 1:
        _compare(chain[0], chain[1], margin, True)
    else:
        for _ in range(sweeps):
            if _sweep(chain, last, margin):
                break
    upper, lower = chain[0], chain[1]
    _pass_up(upper, lower, lower.gap_precision, lower.gap_precision_mean)
    upper, lower = chain[last - 1], chain[last]
    _pass_down(upper, lower, lower.gap_precision, lower.gap_precision_mean)


def _sweep(chain: list[PlaceLink], last: int, margin: float) -> bool:
    """Compare all neighbours but the last going down and all but the first going up; return whether gaps converged."""
    converged = True
    upper = chain[0]
    for seat in range(1, last):
        lower = chain[seat]
        if not _compare(upper, lower, margin, True):
            converged = False
        upper = lower
    lower = chain[last]
    for seat in range(last - 1, 0, -1):
        upper = chain[seat]
        if not _compare(upper, lower, margin, False):
            converged = False
        lower = upper
    return converged


def _compare(upper: PlaceLink, lower: PlaceLink, margin: float, down: bool) -> bool:
    """Update the gap of two neighbours, and pass it down or up; return whether the gap has stayed the same."""
    variance = upper.down_variance + lower.up_variance
    deviation = sqrt(variance)
    gap = upper.down_mean - lower.up_mean
    if lower.tied:
        smaller = min(upper.down_variance, lower.up_variance)
        v, w, rest = tie(gap / deviation, margin / deviation, smaller / variance)
        if rest == 0.0:
            rest = _ULP
    else:
        beyond = (gap - margin) / deviation
        if beyond < -FAR:
            v, w, rest = win(beyond)
        else:
            # What `win` would return: without its tuple, games of four are rated 4 % faster. `rest` is at least 5e-4:
            # it falls like 1 / gap², and the error of erfc takes at most 2e-4 from it.
            v = shift(beyond)
            w = v * (v + beyond)
            rest = 1.0 - w
    truncated_variance = rest * variance
    precision = w / truncated_variance
    precision_mean = (w * gap + v * deviation) / truncated_variance
    if down:
        _pass_down(upper, lower, precision, precision_mean)
    else:
        _pass_up(upper, lower, precision, precision_mean)
    converged = (
        -_TOLERANCE <= precision_mean - lower.gap_precision_mean <= _TOLERANCE
        and abs(precision - lower.gap_precision) <= _TOLERANCE * _TOLERANCE
    )
    lower.gap_precision = precision
    lower.gap_precision_mean = precision_mean
    return converged


def _pass_down(upper: PlaceLink, lower: PlaceLink, precision: float, precision_mean: float) -> None:
    """Update the lower player's performance: the upper player's, as known from above, less the gap."""
    passed = 1.0 / (1.0 + precision * upper.down_variance)
    variance = 1.0 / (lower.own_precision + precision * passed)
    lower.down_mean = (lower.own_precision_mean + (precision * upper.down_mean - precision_mean) * passed) * variance
    lower.down_variance = variance


def _pass_up(upper: PlaceLink, lower: PlaceLink, precision: float, precision_mean: float) -> None:
    """Update the upper player's performance: the lower player's, as known from below, plus the gap."""
    passed = 1.0 / (1.0 + precision * lower.up_variance)
    variance = 1.0 / (upper.own_precision + precision * passed)
    upper.up_mean = (upper.own_precision_mean + (precision * lower.up_mean + precision_mean) * passed) * variance
    upper.up_variance = variance


def _check_skill(mu: float, sigma: float) -> None:
    if not (-inf < mu < inf and 0.0 < sigma < inf):
        raise RatingError(
            "a skill of mu {mu} and sigma {sigma}; both must be finite and sigma more than 0", mu=mu, sigma=sigma
        )
