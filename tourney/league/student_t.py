"""Student's t distribution: what a mean of few values may miss by.

Its tail is a regularized incomplete beta function (Abramowitz and Stegun 26.7.1, 26.5.8), whose continued fraction
is summed as Lentz does.
"""

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p
from typing import Final

_LEAST: Final = 1e-300
_CLOSE: Final = 1e-15
_HALVINGS: Final = 200


def tail(t: float, freedom: int) -> float:
    """The probability of a value above t, for 1 or more degrees of freedom; right to 9 digits in the tail too."""
    if t < 0.0:
        return 1.0 - tail(-t, freedom)
    if t == 0.0:
        return 0.5
    square = t * t
    if square == inf:
        return 0.0
    whole = freedom + square
    return 0.5 * _beta(freedom / whole, square / whole, freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)
def bound(probability: float, freedom: int) -> float:
    """The t that is passed with this probability, above 0 and at most one half: the inverse of `tail`."""
    low, high = 0.0, 1.0
    while tail(high, freedom) > probability:
        low, high = high, 2.0 * high
    for _halving in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if tail(middle, freedom) > probability else (low, middle)
    return high


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularized incomplete beta function at x; `rest` is 1 − x, given for its digits."""
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _beta(rest, x, b, a)
    log_x = log1p(-rest) if rest < 0.5 else log(max(x, _LEAST))
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log(rest)) / a
    return front * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    value = d
    m = 0
    change = 0.0
    while abs(change - 1.0) > _CLOSE:
        m += 1
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _away(1.0 + step * d)
            c = _away(1.0 + step / c)
            change = c * d
            value *= change
    return value


def _away(value: float) -> float:
    """The value, or next to nothing instead of nothing."""
    return value if abs(value) > _LEAST else _LEAST
