"""How likely every place is before a game is played: exact for what TrueSkill believes of plays, by quadrature.

A player's play is normal: his mu, and the variance sigma² + beta². The better play stands higher. That two plays lie
within the draw margin and tie is left out: somebody is always ahead.
"""

from collections.abc import Iterator, Sequence
from math import ceil, erfc, exp, floor, inf, pi, sqrt
from typing import Final

from tourney.ratings.kernel import Skill
from tourney.ratings.parameters import RatingError

_REACH: Final = 7.0
"""Spreads from its mean beyond which a play is left out: less than 3e-12 of it lies there."""
_MOST_NODES: Final = 200_000
_FINE: Final = 16.0
"""Nodes in a spread where integrals of integrals are taken."""
_ROOT_TWO: Final = sqrt(2.0)
_ROOT_TWO_PI: Final = sqrt(2.0 * pi)

Play = tuple[float, float]
"""Mean and spread of what a player shows in one game."""


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
    sums = [[0.0] * len(plays) for _ in plays]
    for x in _nodes(plays, step):
        above = [_above(play, x) for play in plays]
        everybody = _counted(above)
        for player, play in enumerate(plays):
            density = _density(play, x)
            if density > 0.0:
                _add(sums[player], _without(everybody, above[player]), density * step)
    return sums


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
        raise RatingError("some of these skills are so much surer than others that nothing can be foretold")
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


def _counted(chances: Sequence[float]) -> list[float]:
    """How likely 0, 1, 2, … of independent things happen."""
    counts = [1.0]
    for chance in chances:
        missed = 1.0 - chance
        more = [count * chance for count in counts]
        counts = [missed * count + one for count, one in zip((*counts, 0.0), (0.0, *more), strict=True)]
    return counts


def _without(counts: Sequence[float], chance: float) -> list[float]:
    """`_counted` without one of the things: from the end at which the division takes less than half away."""
    missed = 1.0 - chance
    rest = 0.0
    left: list[float] = []
    if chance <= 0.5:
        for count in counts[:-1]:
            rest = (count - chance * rest) / missed
            left.append(rest)
        return left
    for count in counts[:0:-1]:
        rest = (count - missed * rest) / chance
        left.append(rest)
    return left[::-1]


def _add(sums: list[float], parts: Sequence[float], weight: float) -> None:
    for place, part in enumerate(parts):
        sums[place] += weight * part


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
