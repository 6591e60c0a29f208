"""Parameters fitted to a history: those whose predictions have the least log-loss, by the downhill simplex method.

A long history is searched on its latest games first, and on all of them from there. Parameters are searched by their
logarithms to base 2.

Source: J. A. Nelder, R. Mead, A simplex method for function minimization, The Computer Journal 7 (1965).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, log2, sqrt
from typing import Final

from tourney.ratings.backtest import ByPoints, Elo, Predictor, TrueSkill, backtest
from tourney.ratings.backtest_values import EloParameters, Performances, Results
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import MIN_DRAW, Parameters, RatingError

_SMALLEST: Final = 1e-8
"""The difference of the values of a simplex at which the search ends."""

Point = tuple[float, ...]


def minimum(
    function: Callable[[Point], float], start: Sequence[float], steps: Sequence[float], evaluations: int
) -> Point:
    """Return the best point found from `start` with so many evaluations at most.

    `steps` has the distance to the first neighbour along each axis; a number whose step is 0 stays. The start is
    evaluated first; the last step may take as many further evaluations as there are numbers.
    """
    corners = [tuple(start)]
    for moved, step in enumerate(steps):
        if step:
            corners.append(tuple(x + step * (place == moved) for place, x in enumerate(start)))
    simplex = sorted((function(corner), corner) for corner in corners)
    used = len(simplex)
    while used < evaluations and simplex[-1][0] - simplex[0][0] > _SMALLEST:
        worst, corner = simplex[-1]
        centre = tuple(
            sum(numbers) / (len(simplex) - 1) for numbers in zip(*(at for _value, at in simplex[:-1]), strict=True)
        )
        reflected = _along(centre, corner, -1.0)
        value = function(reflected)
        used += 1
        if value < simplex[0][0]:
            further = _along(centre, corner, -2.0)
            simplex[-1] = min((value, reflected), (function(further), further))
            used += 1
        elif value < simplex[-2][0]:
            simplex[-1] = (value, reflected)
        else:
            nearer = _along(centre, corner, -0.5 if value < worst else 0.5)
            contracted = function(nearer)
            used += 1
            if contracted < min(value, worst):
                simplex[-1] = (contracted, nearer)
            else:
                best = simplex[0][1]
                shrunk = [_along(best, at, 0.5) for _value, at in simplex[1:]]
                simplex[1:] = [(function(at), at) for at in shrunk]
                used += len(shrunk)
        simplex.sort()
    return simplex[0][1]


def _along(centre: Point, corner: Point, by: float) -> Point:
    """Return the point on the line from the centre to a corner, `by` times as far away."""
    return tuple(middle + by * (x - middle) for middle, x in zip(centre, corner, strict=True))


Progress = Callable[[int], None]
"""Called with the number of points evaluated so far."""

_SEARCHED: Final = 50
"""The evaluations of each of two searches, for each draw probability."""
_REFINED: Final = 14
"""The evaluations of a search on all games, where the first search saw only the latest."""
_LATEST: Final = 2000
"""The games of which the first search measures predictions; it learns from as many before them."""
_STEP: Final = 1.0
_FINE: Final = 0.25
_MAX_DRAW: Final = 0.5
_BOUND: Final = 14.0
"""No parameter is searched further from its scale than 2 to this power."""

_STARTS: Final = tuple((beta, beta - below, -3.0) for beta in (0.0, -2.0, -1.0, 1.0, 2.0) for below in (4.0, 2.0, 6.0))
"""Beta, tau and absence relative to sigma: beta from a quarter of it to four times, tau from a 64th of beta to a
quarter, since the valley of low losses is long and has several local minima."""

MAX_EVALUATIONS: Final = len(_STARTS) + 4 * _SEARCHED + _REFINED
"""The most points that a fit of TrueSkill evaluates, nearly."""


def fit_trueskill(
    parameters: Parameters,
    results: Results,
    measured: range,
    alike: float = 1.0,
    progress: Progress = lambda _points: None,
) -> Parameters:
    """Return the parameters whose beta, tau, draw probability and absence have the least loss over the measured games.

    Games are rated by their hands where the results have these, and `alike` is as in `TrueSkill`. mu and sigma, which
    only set the scale, are kept. Absence is fitted where the days are known, and otherwise 0. The draw probability is
    the share of ties among neighbours by place, or the least where that is better. Raises RatingError where the games
    cannot be rated, and where all of the measured games are ties.
    """
    part = results.part(measured)
    share = tied_share([hand for game in part.hands for hand in game] if results.hands else part.games)

    def parameters_at(point: Point) -> Parameters:
        return replace(_scaled(parameters, point, results), draw=point[3])

    def predictor(point: Point, part: Results) -> TrueSkill:
        return TrueSkill(parameters_at(point), part.days, part.hands, alike)

    fit, points = _Search(predictor, results, measured, progress), list[Point]()
    for draw in sorted({MIN_DRAW, min(max(share, MIN_DRAW), _MAX_DRAW)}):
        starts = [(*points[0][:3], draw)] if points else [(*start, draw) for start in _STARTS]
        points.append(fit.best(starts, (_STEP, _STEP, _STEP, 0.0)))
    return parameters_at(fit.refined(min(points, key=lambda point: fit.loss(point)), (_FINE, _FINE, _FINE, 0.0)))


def fit_elo(games: Sequence[GameResult], measured: range) -> EloParameters:
    """Return the parameters of least loss over the measured games. Raises RatingError where all of them are ties."""

    def parameters_at(point: Point) -> EloParameters:
        k, rise, half, scale = map(_power, point)
        return EloParameters(k, k * (1.0 + rise), half, scale)

    fit = _Search(lambda point, _part: Elo(parameters_at(point)), Results(games), measured)
    starts = [(k, rise, 3.0, log2(400.0)) for k in (5.0, 7.0, 3.0) for rise in (-2.0, 1.0)]
    return parameters_at(fit.refined(fit.best(starts, (_STEP,) * 4), (_FINE,) * 4))


def fit_by_points(parameters: Parameters, results: Results, measured: range, alike: float) -> tuple[Parameters, float]:
    """Return the parameters for `ByPoints` whose predictions of the measured games lose least, and the scale.

    Beta, tau and absence are fitted as in `fit_trueskill`, the scale in place of the draw probability, which this model
    does not have.
    """
    spread = _spread([each for game in results.part(measured).performances for each in game])

    def fitted_at(point: Point) -> tuple[Parameters, float]:
        fitted = _scaled(parameters, point, results)
        return fitted, fitted.beta / spread * _power(point[3])

    def predictor(point: Point, part: Results) -> ByPoints:
        return ByPoints(*fitted_at(point), part.performances, alike, part.days)

    fit = _Search(predictor, results, measured)
    best = fit.best([(*start, 0.0) for start in _STARTS], (_STEP,) * 4)
    return fitted_at(fit.refined(best, (_FINE,) * 4))


def _scaled(parameters: Parameters, point: Point, results: Results) -> Parameters:
    """Return the parameters with beta, tau and, where days are known, absence at a point relative to sigma."""
    beta, tau, absence = (parameters.sigma * _power(x) for x in point[:3])
    return replace(parameters, beta=beta, tau=tau, absence=absence if results.days else 0.0)


def _power(x: float) -> float:
    return float(2.0 ** min(max(x, -_BOUND), _BOUND))


def _spread(hands: Sequence[Performances]) -> float:
    """Return the standard deviation of performances inside a hand; 1 where there is none."""
    squares = [
        (each - sum(performances) / len(performances)) ** 2 for _players, performances in hands for each in performances
    ]
    freedom = len(squares) - len(hands)
    return sqrt(sum(squares) / freedom) if freedom > 0 and any(squares) else 1.0


def tied_share(games: Sequence[GameResult]) -> float:
    """Return the share of ties among the neighbours by place of these games."""
    neighbours = tied = 0
    for _players, places in games:
        neighbours += len(places) - 1
        tied += len(places) - len(set(places))
    return tied / neighbours if neighbours else 0.0


class _Search:
    """A search for the point of least loss over the measured games, by a predictor of a part of the results."""

    def __init__(
        self,
        predictor: Callable[[Point, Results], Predictor],
        results: Results,
        measured: range,
        progress: Progress = lambda _points: None,
    ) -> None:
        self._predictor = predictor
        self._results = results
        self._measured = measured
        self._latest = measured[-_LATEST:]
        self._progress = progress
        self._losses: dict[tuple[Point, range], float] = {}

    def best(self, starts: Sequence[Point], steps: Point) -> Point:
        """Return the best point from the best start, on the latest games; a coordinate whose step is 0 stays.

        Raises RatingError if the loss of the first start does.
        """
        self._losses[starts[0], self._latest] = self._loss(starts[0], self._latest)
        start: Point = min(starts, key=self.loss)
        # A simplex may flatten too early; a second one from where it ended does not.
        start = minimum(self.loss, start, steps, _SEARCHED)
        return minimum(self.loss, start, steps, _SEARCHED)

    def refined(self, start: Point, steps: Point) -> Point:
        """Return the best point from a start, on all measured games."""
        if self._latest == self._measured:
            return start
        return minimum(lambda point: self._evaluate(point, self._measured), start, steps, _REFINED)

    def loss(self, point: Point) -> float:
        """Return the loss of a point on the latest games; infinity where it cannot be computed."""
        return self._evaluate(point, self._latest)

    def _loss(self, point: Point, part: range) -> float:
        """Return the loss over the part, learned from as many games before it."""
        first = max(0, part.start - len(part))
        learned = self._results.part(range(first, part.stop))
        return backtest(
            self._predictor(point, learned), learned.games, range(part.start - first, part.stop - first)
        ).loss

    def _evaluate(self, point: Point, part: range) -> float:
        key = point, part
        if key not in self._losses:
            try:
                self._losses[key] = self._loss(point, part)
            except RatingError:
                self._losses[key] = inf
            self._progress(len(self._losses))
        return self._losses[key]
