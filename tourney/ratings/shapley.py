"""Shapley values: what each opponent of a game did to a player's rating, in shares that sum to its change.

An opponent's share is the change they make by joining a table at which the player and some of the others have been
rated without them, averaged over every order in which the opponents could join (Shapley, 1953).
"""

from collections.abc import Callable, Sequence
from math import comb, sqrt
from typing import Final, final

from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters

MAX_EXACT_OPPONENTS: Final = 10
"""The most opponents for whom every coalition is evaluated."""
SAMPLED_ORDERS: Final = 100
"""Orders sampled for more opponents, each also taken backwards."""

Draw = Callable[[], float]
"""A source of random numbers from 0 to below 1."""


def shapley_values(
    parameters: Parameters, skills: Sequence[Skill], places: Sequence[int], player: int, draw: Draw
) -> tuple[float, list[Skill]]:
    """Return what tau adds to the player's sigma, and each opponent's share in the change of mu and sigma.

    Together they sum to the change of the rating, to rounding. `player` is an index of `skills`; the opponents keep
    their order. Raises RatingError as `Kernel.rate` does.
    """
    table = _Table(parameters, skills, places, player)
    sigma = skills[player][1]
    drift = sqrt(sigma * sigma + parameters.tau * parameters.tau) - sigma
    opponents = len(skills) - 1
    if opponents <= MAX_EXACT_OPPONENTS:
        return drift, _exact(table, opponents)
    return drift, _sampled(table, opponents, draw)


@final
class _Table:
    """A finished game, rated with some of the player's opponents left out."""

    def __init__(self, parameters: Parameters, skills: Sequence[Skill], places: Sequence[int], player: int) -> None:
        self._parameters = parameters
        self._skills = skills
        self._places = places
        self._player = player
        self._opponents = [seat for seat in range(len(skills)) if seat != player]

    def skill_with(self, coalition: int) -> Skill:
        """Return the player's skill after a game with the opponents whose bits are set."""
        if coalition == 0:
            mu, sigma = self._skills[self._player]
            return mu, sqrt(sigma * sigma + self._parameters.tau * self._parameters.tau)
        seats = [self._player, *(seat for bit, seat in enumerate(self._opponents) if coalition >> bit & 1)]
        # In the order of the whole table: tied players are compared in that order.
        seats.sort()
        rated = rate_table(
            self._parameters, [self._skills[seat] for seat in seats], [self._places[seat] for seat in seats]
        )
        return rated[seats.index(self._player)]


def _exact(table: _Table, opponents: int) -> list[Skill]:
    """Average over all coalitions, each weighted by how often it is seated when an opponent joins."""
    skills = [table.skill_with(coalition) for coalition in range(1 << opponents)]
    weights = [1.0 / (opponents * comb(opponents - 1, size)) for size in range(opponents)]
    shares: list[Skill] = []
    for bit in range(opponents):
        on_mu = on_sigma = 0.0
        for coalition in range(1 << opponents):
            if not coalition >> bit & 1:
                weight = weights[coalition.bit_count()]
                joined = skills[coalition | 1 << bit]
                on_mu += weight * (joined[0] - skills[coalition][0])
                on_sigma += weight * (joined[1] - skills[coalition][1])
        shares.append((on_mu, on_sigma))
    return shares


def _sampled(table: _Table, opponents: int, draw: Draw) -> list[Skill]:
    """Average over sampled orders of joining."""
    on_mu, on_sigma = [0.0] * opponents, [0.0] * opponents
    for _ in range(SAMPLED_ORDERS):
        keys = [draw() for _opponent in range(opponents)]
        order = sorted(range(opponents), key=keys.__getitem__)
        for joining in (order, order[::-1]):
            coalition = 0
            before = table.skill_with(coalition)
            for bit in joining:
                coalition |= 1 << bit
                after = table.skill_with(coalition)
                on_mu[bit] += (after[0] - before[0]) / (2 * SAMPLED_ORDERS)
                on_sigma[bit] += (after[1] - before[1]) / (2 * SAMPLED_ORDERS)
                before = after
    return list(zip(on_mu, on_sigma, strict=True))
