"""How good a table would be before it is played: how even, and how much its result would tell."""

from collections.abc import Callable, Iterator, Sequence
from math import cos, exp, log, log2, pi, sqrt
from typing import Final

from tourney.ratings.forecast import orders
from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters

MOST_EXACT: Final = 5
"""Players of whom every order is looked at."""
DRAWN: Final = 1000
"""Orders that are drawn where more play."""

Told = tuple[float, tuple[float, ...]]
"""Bits that a result is expected to tell, and the sigma that each player is expected to have behind it."""


def match_quality(skills: Sequence[Skill], beta: float) -> float:
    """TrueSkill's match quality, from 0 to 1: the density of a tie of all, over that among equals of known skill.

    Of `trueskill` 0.4.5, without its matrices: where everybody plays for himself, its determinants are sums.
    """
    variances = [sigma * sigma + beta * beta for _mu, sigma in skills]
    precision = sum(1.0 / variance for variance in variances)
    mean = sum(mu / variance for (mu, _sigma), variance in zip(skills, variances, strict=True)) / precision
    apart = sum((mu - mean) ** 2 / variance for (mu, _sigma), variance in zip(skills, variances, strict=True))
    surplus = sum(log(variance / (beta * beta)) for variance in variances) + log(precision * beta * beta / len(skills))
    return exp(-0.5 * (surplus + apart))


def evenness(first: Sequence[float]) -> float:
    """How open it is who will be first, from 0 to 1: the entropy of these probabilities over that of equal ones."""
    return -sum(chance * log(chance) for chance in first if chance > 0.0) / log(len(first))


def information(skills: Sequence[Skill], parameters: Parameters, draw: Callable[[], float]) -> Told:
    """How much the result is expected to tell: how often, over all players, it halves the doubt about a skill.

    The bits of a result are the sum of log2(sigma before / sigma after), tau having been added before. The mean is
    over every order with its probability, or where more than MOST_EXACT play, over DRAWN orders; `draw` gives
    numbers from 0 to below 1. Raises RatingError where the numbers leave what floats can hold.
    """
    before = [sqrt(sigma * sigma + parameters.tau * parameters.tau) for _mu, sigma in skills]
    bits = 0.0
    behind = [0.0] * len(skills)
    for order, chance in _orders(skills, parameters.beta, draw):
        places = [order.index(player) + 1 for player in range(len(skills))]
        for player, (_mu, sigma) in enumerate(rate_table(parameters, skills, places)):
            bits += chance * log2(before[player] / sigma)
            behind[player] += chance * sigma
    return bits, tuple(behind)


def _orders(skills: Sequence[Skill], beta: float, draw: Callable[[], float]) -> Iterator[tuple[Sequence[int], float]]:
    """Orders of all players from first to last, and what each counts."""
    players = range(len(skills))
    if len(skills) <= MOST_EXACT:
        yield from orders(skills, beta, len(skills)).items()
        return
    for _ in range(DRAWN):
        plays = [mu + sqrt(sigma * sigma + beta * beta) * normal(draw) for mu, sigma in skills]
        yield sorted(players, key=plays.__getitem__, reverse=True), 1.0 / DRAWN


def normal(draw: Callable[[], float]) -> float:
    """A normal number of mean 0 and spread 1, from two of the sequence (Box and Muller)."""
    return sqrt(-2.0 * log(1.0 - draw())) * cos(2.0 * pi * draw())
