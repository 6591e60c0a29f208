"""Upper bounds on the points that further runs may cover, worked out suit by suit."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import SIZE
from engine.solver.spans import Span, SuitHolding


@final
@mypyc_attr(acyclic=True)
class SpanCache:
    """Bounds on one more run, remembered by suit, free ranks and number of jokers."""

    __slots__ = ("known", "spans")

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self.known: dict[int, int] = {}

    def bound(self, holding: SuitHolding, jokers: i64) -> i64:
        """Return a bound on the points of one more span in a suit, with that many jokers and the cards not covered."""
        key = (holding.free * 4 + holding.suit) * 64 + jokers
        known = self.known.get(key)
        if known is None:
            known = self._most_points(holding, jokers)
            self.known[key] = known
        return known

    def _most_points(self, holding: SuitHolding, jokers: i64) -> i64:
        free, points_of = holding.free, holding.points_of
        most: i64 = 0
        for span in self.spans:
            if span.points <= most:
                break
            if span.suit != holding.suit:
                continue
            adding = span.once & free
            points: i64 = points_of[adding]
            if span.twice:
                most = span.points
            elif points > most and span.length - SIZE[adding] <= jokers:
                most = points
        return most


def set_bounds(holding: SuitHolding, cache: SpanCache, jokers: i64, most: i64) -> None:
    """Set the bounds of a suit for that many jokers and the cards not covered; one run covers no more than `most`."""
    holding.suit_bound = holding.points
    if holding.coverage is not None:
        holding.suit_bound -= holding.coverage.points
    holding.run_bound = min(min(most, holding.suit_bound), cache.bound(holding, jokers))


def upper_bound(holdings: list[SuitHolding], cache: SpanCache, runs: i64, jokers: i64) -> i64:
    """Return a bound on the points of `runs` runs of all suits with that many jokers, before any is chosen.

    In each suit they cover what single runs could, each for itself, and no more than the suit has.
    """
    wide = jokers + 1
    best: list[int] = [0] * ((runs + 1) * wide)
    for holding in holdings:
        if cache.bound(holding, jokers):
            _add_suit(best, _suit_bounds(holding, cache, runs, jokers), runs, wide)
    return best[-1]


def _suit_bounds(holding: SuitHolding, cache: SpanCache, runs: i64, jokers: i64) -> list[int]:
    """Return the bounds of up to that many runs of one suit, by runs and then by jokers."""
    wide = jokers + 1
    single: list[int] = []
    for spent in range(wide):
        single.append(cache.bound(holding, spent))
    bounds: list[int] = [0] * wide
    for at in range(runs * wide):
        spent = at % wide
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


def _add_suit(best: list[int], bounds: list[int], runs: i64, wide: i64) -> None:
    """Add the bounds of one more suit to the best of the suits so far; both by runs and then by jokers."""
    at = (runs + 1) * wide - 1
    while at >= wide:
        most: i64 = best[at]
        for own in range(wide, at + 1):
            if own % wide <= at % wide:
                points: i64 = best[at - own]
                points += bounds[own]
                if points > most:
                    most = points
        best[at] = most
        at -= 1
