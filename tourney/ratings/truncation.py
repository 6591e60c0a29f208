"""Moments of truncated normal variables: what a win or a tie says about the gap of two performances.

Before the game the gap of two neighbours is normal. A win truncates it below the draw margin, a tie outside both
margins: v is the shift of the mean, w the share of the variance that is lost (Herbrich, Minka, Graepel: TrueSkill,
2006).

Within FAR standard deviations both use the approximation of erfc in the package `trueskill` 0.4.5, whose error of
1.2e-7 moves ratings by 1e-5: ratings agree with the package only with the same approximation. Further away its floats
fail (it raises FloatingPointError, or returns noise), and with a very narrow margin that error exceeds the effect of a
tie: there v, w and 1 − w are computed exactly, each to a relative error of 1e-9.
"""

from math import exp, log, pi, sqrt
from typing import Final

FAR: Final = 37.5
"""Standard deviations beyond which the density is below the smallest normal float."""

_ROOT2: Final = sqrt(2.0)
_EIGHTH_ROOT: Final = sqrt(0.125)
_PEAK: Final = sqrt(2.0 / pi)
"""Twice the normal density at 0; divided by `_tail` it is the ratio of density to tail."""

_ERFC_ERROR: Final = 1.2e-7
_MAX_LOSS: Final = 0.25
_FRACTION_TERMS: Final = 16
_PANELS: Final = 256
_REACH: Final = 40.0
_NODE: Final = sqrt(0.6)

Moments = tuple[float, float, float]
"""v, w and 1 − w, each to its own precision."""


def win(gap: float) -> Moments:
    """Return the moments of a win; `gap` is the expected gap less the draw margin, in standard deviations."""
    if gap < -FAR:
        return _far_win(-gap)
    v = shift(gap)
    w = v * (v + gap)
    return v, w, 1.0 - w


def shift(gap: float) -> float:
    """Return v of a win, for a gap of −FAR or more, as in `win`."""
    if gap <= 0.0:
        return _PEAK / _tail(-gap)
    density = exp(-gap * gap / 2.0)
    return _PEAK * density / (2.0 - density * _tail(gap))


def tie(gap: float, margin: float, smaller_share: float) -> Moments:
    """Return the moments of a tie: a gap between −margin and margin, all in standard deviations.

    `smaller_share` is the share of the gap's variance contributed by the player of smaller variance: the error that
    erfc causes in w may reach a quarter of it, beyond that the exact moments are computed.
    """
    distance = abs(gap)
    error = _ERFC_ERROR * (1.0 / margin + distance * distance)
    exact = distance - margin > FAR or error > _MAX_LOSS * smaller_share
    v, w, rest = _exact_tie(distance, margin) if exact else _tie(distance, margin)
    return (v, w, rest) if gap < 0.0 else (-v, w, rest)


def draw_margin(draw: float) -> float:
    """Return the draw margin, in standard deviations, that gives ties of equals this probability; 0 < draw < 1."""
    missing = 1.0 - draw
    # Abramowitz and Stegun 26.2.22, then two steps of Halley's method, with `trueskill`'s erfc.
    t = sqrt(-2.0 * log(missing / 2.0))
    x = 0.70711 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)))
    for _ in range(2):
        density = exp(-x * x)
        tail = density * _tail(abs(x) * _ROOT2)
        error = (tail if x >= 0.0 else 2.0 - tail) - missing
        x += error / (2.0 / sqrt(pi) * density - x * error)
    return _ROOT2 * x


def _far_win(y: float) -> Moments:
    """Return `win(-y)` exactly, from the continued fraction of Mills' ratio, 1 / (y + 1 / (y + 2 / (y + …)))."""
    below = 0.0
    for step in range(_FRACTION_TERMS, 1, -1):
        below = step / (y + below)
    excess = 1.0 / (y + below)
    v = y + excess
    return v, v * excess, excess * (below - excess)


def _tie(distance: float, margin: float) -> Moments:
    """Return `tie(-distance, margin)` by the approximation of erfc."""
    near, far = margin - distance, margin + distance
    # The ratio of the densities at the far and the near end: factored out, neither underflows.
    ratio = exp(-2.0 * margin * distance)
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


def _exact_tie(distance: float, margin: float) -> Moments:
    """Return `tie(-distance, margin)` exactly, by Gaussian quadrature over the distance y from the nearer margin."""
    near = distance - margin
    width = min(2.0 * margin, _REACH / max(near, 1.0)) / _PANELS
    mass = first = second = 0.0
    for panel in range(_PANELS):
        for node, weight in ((-_NODE, 5.0), (0.0, 8.0), (_NODE, 5.0)):
            y = width * (panel + 0.5 + 0.5 * node)
            # Relative to the density at that margin, so that nothing underflows.
            density = weight * exp(-near * y - 0.5 * y * y)
            mass += density
            first += density * y
            second += density * y * y
    mean = first / mass
    rest = second / mass - mean * mean
    return near + mean, 1.0 - rest, rest


def _tail(x: float) -> float:
    """Return exp(x²/2) · erfc(x/√2) for x ≥ 0, to a relative 1.2e-7: the Chebyshev fit `erfcc` of Numerical Recipes."""
    t = 1.0 / (1.0 + x * _EIGHTH_ROOT)
    fit = -0.82215223 + t * 0.17087277
    fit = -1.13520398 + t * (1.48851587 + t * fit)
    fit = -0.18628806 + t * (0.27886807 + t * fit)
    fit = 0.37409196 + t * (0.09678418 + t * fit)
    return t * exp(-1.26551223 + t * (1.00002368 + t * fit))
