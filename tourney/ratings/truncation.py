"""What a result says about a gap: moments of a normal variable of spread 1 that a result cuts off.

The gap of two neighbours is normal before the game. A win leaves of it what lies above the draw margin, a
tie what lies between the margins: v is how far that moves the mean, w the part of the variance that it takes
away (Herbrich, Minka, Graepel: TrueSkill, 2006).

Up to FAR spreads both come from the approximation of erfc that the package `trueskill` 0.4.5 takes, whose
error of 1.2e-7 moves ratings by 1e-5: ratings agree with it only with the same one. Further away its floats
give out (it raises FloatingPointError, or ends with noise), and that error drowns what is learnt from a tie
where the margin is very narrow: there v, w and 1 − w are the exact ones, each to 1e-9 of itself.
"""

from math import exp, log, pi, sqrt
from typing import Final

FAR: Final = 37.5
"""Spreads beyond which the density is below the least float that is held in full."""

_ROOT2: Final = sqrt(2.0)
_EIGHTH_ROOT: Final = sqrt(0.125)
_PEAK: Final = sqrt(2.0 / pi)
"""Twice the normal density at 0: over `_tail` it is density over tail."""

_ERFC_ERROR: Final = 1.2e-7
_MOST_EATEN: Final = 0.25
_FRACTIONS: Final = 16
_PANELS: Final = 256
_REACH: Final = 40.0
_NODE: Final = sqrt(0.6)

Cut = tuple[float, float, float]
"""v, w and 1 − w, each to its own precision."""


def win(gap: float) -> Cut:
    """What is learnt when the gap, less the draw margin and in spreads, is above 0 and not at this mean."""
    if gap < -FAR:
        return _far_win(-gap)
    if gap <= 0.0:
        v = _PEAK / _tail(-gap)
    else:
        density = exp(-gap * gap / 2.0)
        v = _PEAK * density / (2.0 - density * _tail(gap))
    w = v * (v + gap)
    return v, w, 1.0 - w


def tie(gap: float, margin: float, least: float) -> Cut:
    """What is learnt when the gap is between −margin and margin and not at this mean, all in spreads.

    `least` is the part of the gap's variance that the surer of the two players brings: what the error of erfc
    makes of w may eat a quarter of it.
    """
    distance = abs(gap)
    error = _ERFC_ERROR * (1.0 / margin + distance * distance)
    exact = distance - margin > FAR or error > _MOST_EATEN * least
    v, w, rest = _exact_tie(distance, margin) if exact else _tie(distance, margin)
    return (v, w, rest) if gap < 0.0 else (-v, w, rest)


def draw_margin(draw: float) -> float:
    """Half the width of the gaps, in spreads, that make a tie of that probability between equals; 0 < draw < 1."""
    missing = 1.0 - draw
    # Abramowitz and Stegun 26.2.22, then twice Halley's step, with `trueskill`'s erfc.
    t = sqrt(-2.0 * log(missing / 2.0))
    x = 0.70711 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)))
    for _ in range(2):
        density = exp(-x * x)
        tail = density * _tail(abs(x) * _ROOT2)
        error = (tail if x >= 0.0 else 2.0 - tail) - missing
        x += error / (2.0 / sqrt(pi) * density - x * error)
    return _ROOT2 * x


def _far_win(y: float) -> Cut:
    """`win` of −y, exactly: from the continued fraction of Mills' ratio, 1 / (y + 1 / (y + 2 / (y + …)))."""
    below = 0.0
    for step in range(_FRACTIONS, 1, -1):
        below = step / (y + below)
    excess = 1.0 / (y + below)
    v = y + excess
    return v, v * excess, excess * (below - excess)


def _tie(distance: float, half: float) -> Cut:
    """`tie` of −distance with margin `half`, by the approximation of erfc."""
    near, far = half - distance, half + distance
    # The density at the far end over that at the near end: taken out of both, neither underflows.
    ratio = exp(-2.0 * half * distance)
    if near <= 0.0:
        inside = _tail(-near) - ratio * _tail(far)
        peak = _PEAK
    else:
        density = exp(-near * near / 2.0)
        inside = 2.0 - density * (_tail(near) + ratio * _tail(far))
        peak = _PEAK * density
    v = peak * (1.0 - ratio) / inside
    w = v * v + peak * (near + ratio * far) / inside
    return v, w, 1.0 - w


def _exact_tie(distance: float, half: float) -> Cut:
    """`tie` of −distance with margin `half`, exactly: by Gauss's rule over the way y from the margin that is nearer."""
    near = distance - half
    width = min(2.0 * half, _REACH / max(near, 1.0)) / _PANELS
    mass = first = second = 0.0
    for panel in range(_PANELS):
        for node, weight in ((-_NODE, 5.0), (0.0, 8.0), (_NODE, 5.0)):
            y = width * (panel + 0.5 + 0.5 * node)
            # Over the density at that margin, so that nothing underflows.
            density = weight * exp(-near * y - 0.5 * y * y)
            mass += density
            first += density * y
            second += density * y * y
    mean = first / mass
    rest = second / mass - mean * mean
    return near + mean, 1.0 - rest, rest


def _tail(x: float) -> float:
    """exp(x²/2) · erfc(x/√2) for x of 0 or more, to 1.2e-7 of it: the Chebyshev fit of Numerical Recipes, `erfcc`."""
    t = 1.0 / (1.0 + x * _EIGHTH_ROOT)
    fit = -0.82215223 + t * 0.17087277
    fit = -1.13520398 + t * (1.48851587 + t * fit)
    fit = -0.18628806 + t * (0.27886807 + t * fit)
    fit = 0.37409196 + t * (0.09678418 + t * fit)
    return t * exp(-1.26551223 + t * (1.00002368 + t * fit))
