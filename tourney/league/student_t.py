"""Student's t distribution: upper tail and critical values.

The tail is a regularized incomplete beta function (Abramowitz and Stegun 26.7.1, 26.5.8); its continued fraction is
summed by Lentz's method.
"""

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p
from typing import Final

_TINY: Final = 1e-300
_PRECISION: Final = 1e-15
_BISECTIONS: Final = 200


def upper_tail(t: float, degrees_of_freedom: int) -> float:
    """Return the probability of a value above t, for 1 or more degrees of freedom, to 9 digits also far in the tail."""
    if t < 0.0:
        return 1.0 - upper_tail(-t, degrees_of_freedom)
    if t == 0.0:
        return 0.5
    square = t * t
    if square == inf:
        return 0.0
    whole = degrees_of_freedom + square
    return 0.5 * _beta(degrees_of_freedom / whole, square / whole, degrees_of_freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)
def critical_value(probability: float, degrees_of_freedom: int) -> float:
    """Return the t exceeded with this probability (above 0, at most one half): the inverse of `upper_tail`."""
    low, high = 0.0, 1.0
    while upper_tail(high, degrees_of_freedom) > probability:
        low, high = high, 2.0 * high
    for _bisection in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if upper_tail(middle, degrees_of_freedom) > probability else (low, middle)
    return high


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function at x; `rest` is 1 − x, passed to keep its digits."""
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _beta(rest, x, b, a)
    log_x = log1p(-rest) if rest < 0.5 else log(max(x, _TINY))
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log(rest)) / a
    return front * _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 / _nonzero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    m = 0
    change = 0.0
    while abs(change - 1.0) > _PRECISION:
        m += 1
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _nonzero(1.0 + step * d)
            c = _nonzero(1.0 + step / c)
            change = c * d
            value *= change
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
