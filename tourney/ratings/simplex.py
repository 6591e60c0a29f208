"""The downhill simplex method: the minimum of a function of a few numbers, without derivatives.

Source: J. A. Nelder, R. Mead, A simplex method for function minimization, The Computer Journal 7 (1965).
"""

from collections.abc import Callable, Sequence
from typing import Final

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
