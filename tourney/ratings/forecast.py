"""How likely every place is before a game is played: exact for what TrueSkill believes of plays, by quadrature.

A player's play is normal: his mu, and the variance sigma² + beta². The better play stands higher. That two plays lie
within the draw margin and tie is left out: somebody is always ahead.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from math import ceil, erfc, exp, floor, inf, pi, sqrt
from operator import mul
from typing import Final

from tourney.ratings.kernel import Skill
from tourney.ratings.parameters import RatingError

_REACH: Final = 6.5
"""Spreads from its mean beyond which a play is left out: less than 1e-10 of it lies there."""
_MOST_NODES: Final = 200_000
_FINE: Final = 16.0
"""Nodes in a spread where integrals of integrals are taken."""
_ROOT_TWO: Final = sqrt(2.0)
_ROOT_TWO_PI: Final = sqrt(2.0 * pi)

Play = tuple[float, float]
"""Mean and spread of what a player shows in one game."""
Counts = Sequence[Sequence[float]]
"""How likely 0, 1, 2, … players are above each node."""


def ahead(skill: Skill, other: Skill, beta: float) -> float:
    """The probability that the first of the two finishes ahead of the other."""
    (mu, sigma), (their_mu, their_sigma) = skill, other
    return 0.5 * erfc((their_mu - mu) / sqrt(2.0 * (sigma * sigma + their_sigma * their_sigma + 2.0 * beta * beta)))


def places(skills: Sequence[Skill], beta: float) -> list[list[float]]:
    """For each player the probabilities of place 1, 2, … to the last, each to 1e-8.

    They sum to 1 for each player, and for each place. Raises RatingError where it would take forever, some being so
    much surer than others.
    """
    plays = _plays(skills, beta)
    step = min(spread for _mean, spread in plays) / sqrt(len(plays))
    nodes = list(_nodes(plays, step))
    above = [[_above(play, x) for x in nodes] for play in plays]
    densities = [[_density(play, x) * step for x in nodes] for play in plays]
    found: dict[int, list[float]] = {}
    for player, counts in _others(range(len(plays)), [[1.0] * len(nodes)], above):
        found[player] = [sum(map(mul, densities[player], count)) for count in counts]
    return [found[player] for player in range(len(plays))]


def orders(skills: Sequence[Skill], beta: float, top: int) -> dict[tuple[int, ...], float]:
    """The probability of every order of the first `top` players, who are named by their places in `skills`.

    Each to 1e-6; they sum to 1. Raises RatingError as `places` does.
    """
    plays = _plays(skills, beta)
    step = min(spread for _mean, spread in plays) / _FINE
    nodes = list(_nodes(plays, step))
    densities = [[_density(play, x) * step for x in nodes] for play in plays]
    below = [[1.0 - _above(play, x) for x in nodes] for play in plays]
    found: dict[tuple[int, ...], float] = {}
    _extend(found, (), [1.0] * len(nodes), top, densities, below)
    return found


def _plays(skills: Sequence[Skill], beta: float) -> list[Play]:
    return [(mu, sqrt(sigma * sigma + beta * beta)) for mu, sigma in skills]


def _nodes(plays: Sequence[Play], step: float) -> Iterator[float]:
    """Where plays are looked at: all multiples of the step that are in somebody's reach, upwards."""
    ranges = sorted((mean - _REACH * spread, mean + _REACH * spread) for mean, spread in plays)
    if sum(high - low for low, high in ranges) > _MOST_NODES * step:
        raise RatingError(
            "some of these skills are so much surer than others that nothing can be foretold",
            "give the pool a larger beta, or leave the others out",
        )
    done = -inf
    for low, high in ranges:
        for node in range(ceil(max(low, done) / step), floor(high / step) + 1):
            yield node * step
        done = max(done, (floor(high / step) + 0.5) * step)


def _density(play: Play, x: float) -> float:
    """Nothing beyond reach, so that nothing is worked out there."""
    mean, spread = play
    t = (x - mean) / spread
    return exp(-0.5 * t * t) / (spread * _ROOT_TWO_PI) if -_REACH <= t <= _REACH else 0.0


def _above(play: Play, x: float) -> float:
    """The probability of a play above x."""
    mean, spread = play
    return 0.5 * erfc((x - mean) / (spread * _ROOT_TWO))


def _others(players: Sequence[int], counts: Counts, above: Sequence[Sequence[float]]) -> Iterator[tuple[int, Counts]]:
    """Each of the players with the counts to which all but himself have been added."""
    if len(players) == 1:
        yield players[0], counts
        return
    half = len(players) // 2
    for some, others in ((players[:half], players[half:]), (players[half:], players[:half])):
        yield from _others(some, reduce(_with, (above[other] for other in others), counts), above)


def _with(counts: Counts, above: Sequence[float]) -> Counts:
    """The counts with one more player, who is above each node with these probabilities."""
    nobody = [0.0] * len(above)
    return [
        [same + chance * (fewer - same) for same, fewer, chance in zip(here, before, above, strict=True)]
        for here, before in zip((*counts, nobody), (nobody, *counts), strict=True)
    ]


def _extend(
    found: dict[tuple[int, ...], float],
    order: tuple[int, ...],
    over: Sequence[float],
    left: int,
    densities: Sequence[Sequence[float]],
    below: Sequence[Sequence[float]],
) -> None:
    """Add all orders that begin with `order`, of whom `over` says how likely they stand so and above each node."""
    others = [player for player in range(len(densities)) if player not in order]
    for player in others:
        here = [part * density for part, density in zip(over, densities[player], strict=True)]
        if left > 1:
            _extend(found, (*order, player), _gathered(here), left - 1, densities, below)
            continue
        for other in others:
            if other != player:
                here = [part * under for part, under in zip(here, below[other], strict=True)]
        found[(*order, player)] = sum(here)


def _gathered(parts: Sequence[float]) -> list[float]:
    """The integral from each node upwards of what stands at the nodes, through cubics."""
    padded = (0.0, *parts, 0.0, 0.0)
    total = 0.0
    gathered: list[float] = []
    for node in range(len(parts) - 1, -1, -1):
        before, here, after, behind = padded[node : node + 4]
        total += (13.0 * (here + after) - before - behind) / 24.0
        gathered.append(total)
    return gathered[::-1]
