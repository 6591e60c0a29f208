"""Fewer passes through a history: the level of all skills is settled by itself, and passes are combined.

Passes settle last what no game measures, the level of all skills together at a time, since each carries it only a
little way. `Levels` settles it on a coarse grid of times, as multigrid methods do. Other combinations of numbers that
settle slowly are left to Anderson's acceleration.

Source: D. G. Anderson, Iterative procedures for nonlinear integral equations, Journal of the ACM 12 (1965).
"""

from typing import Final, final

_MEMORY: Final = 8
"""The passes that a step combines."""
_RIDGE: Final = 1e-12
"""The share of the largest diagonal element that is added to the diagonal of the normal equations."""

_SAMPLE: Final = 200_000
"""The numbers of a long vector of which inner products are taken."""

Vector = list[float]

KNOTS: Final = 33
"""The times between which a shift of the level is linear."""
_FREE: Final = 1e-9
"""The precision that holds the shift of a knot at 0 which nothing else holds."""


@final
class Levels:
    """The shifts of the level of all skills that make the moves of all players least improbable.

    A shift is a function of the position in the history, from 0 to less than KNOTS − 1, linear between the whole
    numbers. Games do not resist it, since they compare players of one position. What does is each player's prior, and
    each move of a skill from one game to the next, `weight` being the precision of either.
    """

    def __init__(self) -> None:
        self._rows: Final[list[Vector]] = [[0.0] * (KNOTS + 1) for _ in range(KNOTS)]
        self._stiffness: Final[Vector] = [0.0] * KNOTS
        self._pull: Final[Vector] = [0.0] * KNOTS

    def add_prior(self, position: float, excess: float, weight: float) -> None:
        """Add a player's first game, and by how much the skill exceeds the mean of the prior."""
        knot = int(position)
        share = position - float(knot)
        self._add([knot, knot + 1], [1.0 - share, share], excess, weight)

    def add_move(self, before: float, position: float, move: float, weight: float) -> None:
        """Add the move of a player's skill since the game before, at an earlier position."""
        from_knot, knot = int(before), int(position)
        if from_knot == knot:
            distance = position - before
            self._stiffness[knot] += distance * distance * weight
            self._pull[knot] += distance * move * weight
            return
        from_share, share = before - float(from_knot), position - float(knot)
        knots = [from_knot, from_knot + 1, knot, knot + 1]
        self._add(knots, [from_share - 1.0, -from_share, 1.0 - share, share], move, weight)

    def shifts(self) -> Vector:
        """Return the shift at each knot."""
        for knot in range(KNOTS):
            self._rows[knot][knot] += _FREE
        for knot in range(KNOTS - 1):
            self._add([knot, knot + 1], [-1.0, 1.0], 0.0, self._stiffness[knot])
            self._rows[knot][KNOTS] += self._pull[knot]
            self._rows[knot + 1][KNOTS] -= self._pull[knot]
        return solved(self._rows)

    def _add(self, knots: list[int], effects: Vector, excess: float, weight: float) -> None:
        """Add `weight` times the square of an excess that shifts of the knots increase by their effects."""
        for knot, effect in zip(knots, effects, strict=True):
            row = self._rows[knot]
            for other, other_effect in zip(knots, effects, strict=True):
                row[other] += weight * effect * other_effect
            row[KNOTS] -= weight * effect * excess


def shift_at(shifts: Vector, position: float) -> float:
    """Return the shift at a position."""
    knot = int(position)
    share = position - float(knot)
    return shifts[knot] * (1.0 - share) + shifts[knot + 1] * share


@final
class Acceleration:
    """Combines the results of the last passes into the start of the next one."""

    def __init__(self) -> None:
        self._result: Vector = []
        self._residual: Vector = []
        self._results: Final[list[Vector]] = []
        """The changes of the result from pass to pass, the newest last."""
        self._residuals: Final[list[Vector]] = []
        """The changes of the residual, sampled."""
        self._products: Final[list[Vector]] = []
        """The inner products of these changes."""

    def restart(self) -> None:
        """Forget all passes."""
        self._result, self._residual = [], []
        self._results.clear()
        self._residuals.clear()
        self._products.clear()

    def next_start(self, start: Vector, result: Vector) -> Vector:
        """Return where the next pass starts, from the start of the last pass and its result."""
        stride = 1 + len(result) // _SAMPLE
        residual = _difference(result[::stride], start[::stride])
        if self._result:
            self._remember(_difference(result, self._result), _difference(residual, self._residual))
        self._result, self._residual = result, residual
        return _combined(result, self._results, self._weights(residual))

    def _remember(self, result: Vector, residual: Vector) -> None:
        """Add the changes of a pass; beyond _MEMORY the oldest is forgotten."""
        if len(self._results) == _MEMORY:
            del self._results[0], self._residuals[0], self._products[0]
            for row in self._products:
                del row[0]
        self._results.append(result)
        self._residuals.append(residual)
        products = [_product(residual, other) for other in self._residuals]
        for row, product in zip(self._products, products, strict=False):
            row.append(product)
        self._products.append(products)

    def _weights(self, residual: Vector) -> Vector:
        """Return the weights with which the changes of the residual come nearest to the residual."""
        ridge = _RIDGE * max([row[place] for place, row in enumerate(self._products)], default=0.0)
        rows = [[*row, _product(change, residual)] for row, change in zip(self._products, self._residuals, strict=True)]
        for place, row in enumerate(rows):
            row[place] += ridge
        return solved(rows)


def _combined(result: Vector, changes: list[Vector], weights: Vector) -> Vector:
    """Return the result less the weighted changes."""
    combined = []
    for place in range(len(result)):
        total = result[place]
        for number in range(len(changes)):
            total -= weights[number] * changes[number][place]
        combined.append(total)
    return combined


def _difference(some: Vector, others: Vector) -> Vector:
    return [one - other for one, other in zip(some, others, strict=True)]


def _product(some: Vector, others: Vector) -> float:
    total = 0.0
    for place in range(len(some)):
        total += some[place] * others[place]
    return total


def solved(rows: list[Vector]) -> Vector:
    """Return the solution of symmetric positive definite equations, whose right side is the last column."""
    size = len(rows)
    for place in range(size):
        pivot = rows[place]
        if pivot[place] <= 0.0:
            return [0.0] * size
        for below in range(place + 1, size):
            row = rows[below]
            factor = row[place] / pivot[place]
            for column in range(place, size + 1):
                row[column] -= factor * pivot[column]
    solution = [0.0] * size
    for place in range(size - 1, -1, -1):
        row = rows[place]
        known = sum([row[column] * solution[column] for column in range(place + 1, size)])
        solution[place] = (row[size] - known) / row[place]
    return solution
