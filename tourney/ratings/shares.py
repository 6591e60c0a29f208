"""What each opponent of a game did to a player's rating: shares that sum to its change.

An opponent's share is what he changes when he joins a table at which the player and some of the others have been
rated without him, averaged over every order in which the others could join (Shapley, 1953).
"""

from collections.abc import Callable, Sequence
from math import comb, sqrt
from typing import Final, final

from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters

MOST_SHARED: Final = 10
"""Opponents of whom every group is looked at."""
DRAWN_ORDERS: Final = 100
"""Orders that are drawn where there are more, each taken forwards and backwards."""

Draw = Callable[[], float]
"""Gives numbers from 0 to below 1."""


def shares(
    parameters: Parameters, skills: Sequence[Skill], places: Sequence[int], player: int, draw: Draw
) -> tuple[float, list[Skill]]:
    """What tau adds to the player's sigma, and what every other one, in their order, does to his mu and sigma.

    All sum to the change of his rating, to rounding. `player` is his place in `skills`. Raises RatingError as
    `Kernel.rate` does.
    """
    table = _Table(parameters, skills, places, player)
    sigma = skills[player][1]
    drift = sqrt(sigma * sigma + parameters.tau * parameters.tau) - sigma
    number = len(skills) - 1
    found = _exact(table, number) if number <= MOST_SHARED else _drawn(table, number, draw)
    return drift, found


@final
class _Table:
    """The player's skill behind a game with some of the others."""

    def __init__(self, parameters: Parameters, skills: Sequence[Skill], places: Sequence[int], player: int) -> None:
        self._parameters = parameters
        self._skills = skills
        self._places = places
        self._player = player
        self._others = [seat for seat in range(len(skills)) if seat != player]

    def behind(self, group: int) -> Skill:
        """With the others whose bits are set."""
        if group == 0:
            mu, sigma = self._skills[self._player]
            return mu, sqrt(sigma * sigma + self._parameters.tau * self._parameters.tau)
        there = [self._player, *(seat for bit, seat in enumerate(self._others) if group >> bit & 1)]
        # As they stand at the whole table: players who tie are compared in that order.
        there.sort()
        rated = rate_table(
            self._parameters, [self._skills[seat] for seat in there], [self._places[seat] for seat in there]
        )
        return rated[there.index(self._player)]


def _exact(table: _Table, number: int) -> list[Skill]:
    """Over all groups, each as often as it is there already when somebody joins."""
    behind = [table.behind(group) for group in range(1 << number)]
    weights = [1.0 / (number * comb(number - 1, size)) for size in range(number)]
    found: list[Skill] = []
    for bit in range(number):
        on_mu = on_sigma = 0.0
        for group in range(1 << number):
            if not group >> bit & 1:
                weight = weights[group.bit_count()]
                joined = behind[group | 1 << bit]
                on_mu += weight * (joined[0] - behind[group][0])
                on_sigma += weight * (joined[1] - behind[group][1])
        found.append((on_mu, on_sigma))
    return found


def _drawn(table: _Table, number: int, draw: Draw) -> list[Skill]:
    """Over drawn orders."""
    on_mu, on_sigma = [0.0] * number, [0.0] * number
    for _ in range(DRAWN_ORDERS):
        keys = [draw() for _other in range(number)]
        order = sorted(range(number), key=keys.__getitem__)
        for joining in (order, order[::-1]):
            group = 0
            before = table.behind(group)
            for bit in joining:
                group |= 1 << bit
                now = table.behind(group)
                on_mu[bit] += (now[0] - before[0]) / (2 * DRAWN_ORDERS)
                on_sigma[bit] += (now[1] - before[1]) / (2 * DRAWN_ORDERS)
                before = now
    return list(zip(on_mu, on_sigma, strict=True))
