"""Parameters that foretell part of a history best: a search in steps that are halved, without chance."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import inf
from typing import Final

from tourney.ratings.backtest import score
from tourney.ratings.parameters import LEAST_DRAW, Parameters, RatingError
from tourney.ratings.predictors import Elo, TrueSkill
from tourney.ratings.values import Played

MOST_TRIES: Final = 150
"""Points at which a search looks at most."""
_FIRST_STEP: Final = 4
"""Steps are counted in quarters of a doubling."""
_DRAW: Final = 0.01
_MOST_DRAW: Final = 0.5
_ELO: Final = 32.0

Steps = tuple[int, ...]
"""How far each number is from a usual one, in quarters of a doubling."""
Tried = Callable[[int], None]
"""Told how many points have been looked at."""

_STARTS: Final = tuple((beta, beta - behind, 0) for beta in (0, -8, -4, 4, 8) for behind in (16, 8, 24))
"""beta from a quarter of sigma to four times, tau from a 64th of beta to a quarter: the valley of low losses is long
and has several bottoms. The first is none of the ends."""


def fit_trueskill(
    parameters: Parameters, games: Sequence[Played], measured: range, tried: Tried, days: Sequence[int] = ()
) -> Parameters:
    """These parameters with the beta, tau and draw probability that foretell the measured games with the least loss.

    mu and sigma only say in what points ratings are, and stay; so does absence, which counts where `days` has that of
    each game. Raises RatingError where the games cannot be rated, and where all of those measured have tied.
    """

    def at(steps: Steps) -> Parameters:
        beta, tau, draw = map(_doubled, (parameters.sigma, parameters.sigma, _DRAW), steps)
        return replace(parameters, beta=beta, tau=tau, draw=min(max(draw, LEAST_DRAW), _MOST_DRAW))

    return at(_least(_STARTS, lambda steps: score(TrueSkill(at(steps), days), games, measured).loss, tried))


def fit_elo(games: Sequence[Played], measured: range) -> float:
    """The K of Elo that foretells the measured games with the least loss; raises RatingError where all have tied."""
    steps = _least([(0,)], lambda steps: score(Elo(_doubled(_ELO, *steps)), games, measured).loss, lambda _points: None)
    return _doubled(_ELO, *steps)


def _doubled(number: float, quarters: int) -> float:
    return float(number * 2.0 ** (0.25 * quarters))


def _least(starts: Sequence[Steps], loss: Callable[[Steps], float], tried: Tried) -> Steps:
    """From the best start to where no neighbour is better, as far as MOST_TRIES reach; one or two numbers move at once.

    Raises RatingError as the loss of the first start does; elsewhere one that cannot be computed is without end.
    """
    known = {starts[0]: loss(starts[0])}

    def at(point: Steps) -> float:
        if point not in known:
            try:
                known[point] = loss(point)
            except RatingError:
                known[point] = inf
            tried(len(known))
        return known[point]

    best = min(starts, key=at)
    moves = [move for move in product((-1, 0, 1), repeat=len(best)) if 1 <= sum(map(abs, move)) <= 2]
    step = _FIRST_STEP
    while step and len(known) < MOST_TRIES:
        around = (tuple(here + step * by for here, by in zip(best, move, strict=True)) for move in moves)
        better = next((point for point in around if at(point) < at(best)), None)
        best, step = (best, step // 2) if better is None else (better, step)
    return best
