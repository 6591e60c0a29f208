"""Anderson acceleration of a fixed-point iteration: fewer passes where some combination of numbers settles slowly.

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
        return _solved(rows)


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


def _solved(rows: list[Vector]) -> Vector:
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
