"""Histograms of the fuel that answers of a module have cost; they can be added up, and do not grow with the answers.

A histogram is the largest cost, and then pairs of a bin and how many answers are in it. A bin holds the costs with the
same first six binary digits, so that a quantile is at most 1 part in 32 above the true one.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

Histogram = tuple[int, ...]
DIGITS: Final = 6


def histogram(costs: Iterable[int]) -> Histogram:
    """Return the histogram of these costs, empty for none."""
    costs = list(costs)
    return _written(max(costs), Counter(map(_bin, costs))) if costs else ()


def merged(ours: Histogram, theirs: Histogram) -> Histogram:
    """Return the histogram of both."""
    if not ours or not theirs:
        return ours or theirs
    return _written(max(ours[0], theirs[0]), Counter(dict(_bins(ours))) + Counter(dict(_bins(theirs))))


def quantile(costs: Histogram, share: float) -> int:
    """Return the cost that this share of the answers does not exceed, rounded up to the end of its bin."""
    bins = list(_bins(costs))
    wanted = share * sum(count for _bin, count in bins)
    passed = 0
    for number, count in bins:
        passed += count
        if passed >= wanted:
            return min(costs[0], _end(number))
    return costs[0]


def is_histogram(values: Histogram) -> bool:
    """Return whether the values are such as `histogram` returns for some costs: the largest, and counts by bin."""
    if len(values) < 3 or len(values) % 2 == 0 or not all(type(value) is int and value >= 0 for value in values):
        return False
    most, bins, counts = values[0], values[1::2], values[2::2]
    return list(bins) == sorted(set(bins)) and 0 not in counts and bins[-1] == _bin(most)


def _bin(cost: int) -> int:
    """Return the number of a bin: the number of binary digits beyond the first six, and those six."""
    beyond = max(0, cost.bit_length() - DIGITS)
    return (beyond << DIGITS) + (cost >> beyond)


def _end(number: int) -> int:
    """Return the largest cost of a bin."""
    beyond, first = number >> DIGITS, number & ((1 << DIGITS) - 1)
    return ((first + 1) << beyond) - 1


def _bins(costs: Histogram) -> Iterable[tuple[int, int]]:
    return list(pairwise(costs[1:]))[::2]


def _written(most: int, bins: Counter[int]) -> Histogram:
    return (most, *[value for pair in sorted(bins.items()) for value in pair])
