"""Upper bounds, suit by suit, on the points that further runs may cover."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import SIZE
from engine.solver.spans import Span, SuitHolding

Covered = tuple[int, int, int, int, int]
"""The rank counts of the cards covered, by suit, and a number for the spans and jokers left."""


@final
@mypyc_attr(acyclic=True)
class SpanCache:
    """Bounds on one more run, cached by suit, free ranks and number of jokers, and what is known to fail.

    `in_vain` has, by what the chosen spans cover, the number of a span: further spans from there on improve nothing.
    """

    __slots__ = ("in_vain", "known", "spans")

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self.known: dict[int, int] = {}
        self.in_vain: dict[Covered, int] = {}

    def bound(self, holding: SuitHolding, jokers: i64) -> i64:
        """Return a bound on the points of one more span in a suit, with `jokers` jokers and the uncovered cards."""
        key = (holding.free * 4 + holding.suit) * 64 + jokers
        points = self.known.get(key)
        if points is None:
            points = self._most_points(holding, jokers)
            self.known[key] = points
        return points

    def _most_points(self, holding: SuitHolding, jokers: i64) -> i64:
        free, points_of = holding.free, holding.points_of
        most: i64 = 0
        for span in self.spans:
            if span.points <= most:
                break
            if span.suit != holding.suit:
                continue
            added = span.once & free
            points: i64 = points_of[added]
            if span.twice:
                most = span.points
            elif points > most and span.length - SIZE[added] <= jokers:
                most = points
        return most


def set_bounds(holding: SuitHolding, cache: SpanCache, jokers: i64, most: i64) -> None:
    """Set the bounds of a suit for `jokers` jokers and the uncovered cards; one run covers no more than `most`."""
    holding.suit_bound = holding.uncovered
    holding.run_bound = min(min(most, holding.suit_bound), cache.bound(holding, jokers))


def upper_bound(holdings: list[SuitHolding], cache: SpanCache, runs: i64, jokers: i64) -> i64:
    """Return an upper bound on the points of `runs` runs of all suits with `jokers` jokers, before any is chosen.

    In each suit, runs cover no more than the sum of what each could cover by itself, and no more than the suit has.
    """
    width = jokers + 1
    best: list[int] = [0] * ((runs + 1) * width)
    for holding in holdings:
        if cache.bound(holding, jokers):
            _add_suit(best, _suit_bounds(holding, cache, runs, jokers), runs, width)
    return best[-1]


def _suit_bounds(holding: SuitHolding, cache: SpanCache, runs: i64, jokers: i64) -> list[int]:
    """Return the bounds of 0 to `runs` runs of one suit, each with 0 to `jokers` jokers, in one list."""
    width = jokers + 1
    single: list[int] = []
    for spent in range(width):
        single.append(cache.bound(holding, spent))
    bounds: list[int] = [0] * width
    for at in range(runs * width):
        spent = at % width
        most: i64 = 0
        for own in range(spent + 1):
            points: i64 = single[own]
            points += bounds[at - own]
            if points > most:
                most = points
        if most > holding.points:
            most = holding.points
        bounds.append(most)
    return bounds


def _add_suit(best: list[int], bounds: list[int], runs: i64, width: i64) -> None:
    """Combine the bounds of one more suit with the best of the suits so far; both as in `_suit_bounds`."""
    at = (runs + 1) * width - 1
    while at >= width:
        most: i64 = best[at]
        for own in range(width, at + 1):
            if own % width <= at % width:
                points: i64 = best[at - own]
                points += bounds[own]
                if points > most:
                    most = points
        best[at] = most
        at -= 1
