"""The cheapest leftovers by branch and bound: every choice of spans for the runs, with the best trios beside them.

No joker of a run needs to stand for a natural that stays in the hand or lies in a trio: the two can be exchanged. So
spans alone decide which cards runs use, except for naturals that two runs contest. All jokers end in melds, so only
naturals count. A trio of no rank is made of jokers; where a trio must have a natural, a run lends it one and takes a
joker instead.

The exception is a contract of runs only, if the ends of the runs have no room for all jokers. There spare jokers may
replace naturals, and a joker that stays in the hand counts against the points covered.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT
from engine.solver import bounds
from engine.solver.bounds import Covered
from engine.solver.contract import Goal
from engine.solver.counts import RANK_COUNTS, SIZE, SuitCards
from engine.solver.joker_fill import Cards, all_fillings, can_fill, first_filling, lend, place_spare_jokers
from engine.solver.spans import Coverage, Span, SuitHolding, combined
from engine.solver.trios import best_trios, ranks_of, upper_bound

_KING: Final = 1 << 12


def add_spans(goal: Goal, holding: SuitHolding, starts: i64, jokers: i64, spans: list[Span]) -> i64:
    """Add to `spans` the spans of a suit that `jokers` jokers can fill; return the ranks in any of them.

    A span has the least length of a run, or is longer with naturals at both ends.
    """
    once = holding.cards.once
    lapping = once | once << 13
    least = goal.run_least
    naturals: i64 = SIZE[once & BIT[least] - 1]
    within: i64 = 0
    for start in range(starts):
        if least - naturals <= jokers:
            within |= _add_spans_from(goal, holding, start, jokers, spans)
        naturals += (lapping >> start + least & 1) - (lapping >> start & 1)
    return within


def _add_spans_from(goal: Goal, holding: SuitHolding, start: i64, jokers: i64, spans: list[Span]) -> i64:
    """Add to `spans` those that begin at a rank; return the ranks in any of them."""
    held = holding.cards
    once: i64 = 0
    twice: i64 = 0
    thrice: i64 = 0
    within: i64 = 0
    gap = False
    rank: i64 = BIT[start]
    least = goal.run_least
    most: i64 = least
    if rank & held.once:
        most = goal.run_most if goal.round_corner else min(goal.run_most, 14 - start)
    for length in range(1, most + 1):
        gap_before = gap
        gap = held.once & rank == 0
        jokers -= 1
        if not once & rank:
            once |= rank
            jokers += not gap
        elif not twice & rank:
            twice |= rank
            jokers += held.twice & rank != 0
        else:
            thrice |= rank
            jokers += held.thrice & rank != 0
        if jokers < 0 or (gap and gap_before and goal.jokers_apart):
            break
        if length == least or (length > least and not gap):
            span = Span(holding, start, once, twice, thrice, length)
            if (length <= 13 and goal.run_naturals == 1) or can_fill(goal, holding, span, [span]):
                _insert(spans, span)
                within = once
        rank <<= 1
        if rank > _KING:
            rank = 1
    return within


def _insert(spans: list[Span], span: Span) -> None:
    """Insert a span into spans that ascend by `order`."""
    place = len(spans)
    while place and spans[place - 1].order > span.order:
        place -= 1
    spans.insert(place, span)


_BOUND_ABOVE: Final = 24
"""The number of spans above which bounds on further runs save more time than they take."""

_SLACK: Final = (1, 12, 40)
"""The points below the upper bound at which successive searches begin, for contracts without trios (with trios the
bound is too loose)."""


@final
@mypyc_attr(acyclic=True)
class SpanSolution:
    """Runs with their cards, the jokers left to trios, the naturals lent to trios, and the ranks of trios.

    `used` are, by suit, the rank counts of the cards that the runs use, including naturals lent. `ranks` has pairs of a
    rank and its number of trios; rank -1, which comes first, stands for trios of no rank.
    """

    __slots__ = ("jokers", "lent", "ranks", "runs", "used")

    def __init__(
        self, runs: list[Cards], jokers: i64, lent: list[int], used: list[int], ranks: list[tuple[int, int]]
    ) -> None:
        self.runs = runs
        self.jokers = jokers
        self.lent = lent
        self.used = used
        self.ranks = ranks


@final
@mypyc_attr(acyclic=True)
class SpanSearch:
    """A search for the runs and trios that cover the most points and leave fewer than `under`.

    Of choices with equal points the first is found: spans in their order, then ranks of trios. Spare jokers are left to
    the caller; with `place_spare` they are placed in the runs, and the search finds the runs that are best with them.

    Different spans may cover the same cards with as many jokers. If no further spans improve one such choice, none
    improve the others, and `SpanCache.in_vain` keeps that, unless it depends on how spans are filled: `undecided`
    counts the complete choices, and those without a filling. There is a `cache` only if there are many spans.
    """

    def __init__(
        self, goal: Goal, suits: list[SuitCards], jokers: i64, under: int | None, place_spare: bool = False
    ) -> None:
        self.goal = goal
        self.trios = goal.trios
        self.jokers = jokers
        self.holdings: list[SuitHolding] = []
        self.counts: i64 = 0
        self.total: i64 = 0
        for suit, cards in enumerate(suits):
            holding = SuitHolding(suit, cards, goal.points_of[suit])
            self.holdings.append(holding)
            self.total += holding.points
            self.counts += cards.counts
        self.place_spare = place_spare
        self.best: i64 = -1
        if place_spare:
            self.best -= goal.joker * jokers
        if under is not None:
            self.best = max(self.best, self.total - under)
        self.found: SpanSolution | None = None
        self.chosen: list[Span] = []
        self.undecided: i64 = 0
        self.spans: list[Span] = []
        self.cache: bounds.SpanCache | None = None

    def search(self) -> None:
        """Set `best`, the points covered, and `found`, the solution that covers them; None if there is none."""
        if self.goal.runs == 0:
            self._complete(0, self.counts, self.jokers)
            return
        within = self._add_spans()
        if self.trios is None:
            self.total = min(self.total, within)
        if len(self.spans) > _BOUND_ABOVE:
            self.cache = bounds.SpanCache(self.spans)
        if self.trios is None and self.cache is not None:
            self._search_with_slack(self.cache)
        else:
            self._search_above(self.best)

    def _add_spans(self) -> i64:
        """Add all spans; return the points of the cards that lie in at least one."""
        starts: i64 = self.goal.table.minimal.starts
        points: i64 = 0
        for holding in self.holdings:
            if self.goal.table.fewest_gaps(holding.cards.once) <= self.jokers:
                points += holding.points_within(add_spans(self.goal, holding, starts, self.jokers, self.spans))
        return points

    def _search_with_slack(self, cache: bounds.SpanCache) -> None:
        """Search for choices near the upper bound, then for lower ones, and last for any above `best`."""
        floor = self.best
        self.total = min(self.total, bounds.upper_bound(self.holdings, cache, self.goal.runs, self.jokers))
        for slack in _SLACK:
            if self.found is None and self.total - slack > floor:
                cache.in_vain.clear()
                self._search_above(self.total - slack)
        if self.found is None:
            cache.in_vain.clear()
            self._search_above(floor)

    def _search_above(self, best: i64) -> None:
        """Search for choices that cover more points than `best`."""
        self.best = best
        room = self.jokers
        trio_bound: i64 = 0
        if self.trios is not None:
            room -= self.trios.gaps(self.counts)
            trio_bound = upper_bound(self.trios, self.counts)
        self._extend(0, 0, self.counts, self.jokers, room, trio_bound)

    def _extend(self, first: i64, covered: i64, counts: i64, jokers: i64, room: i64, trio_bound: i64) -> None:
        """Choose further spans from number `first` on; `counts` and `jokers` are what the chosen spans leave.

        Trios leave the runs at most `room` of the jokers, and cover at most `trio_bound` points.
        """
        left = self.goal.runs - len(self.chosen) - 1
        spans = self.spans
        for place in range(first, len(spans)):
            span = spans[place]
            needed = self.best - covered - trio_bound - left * span.points
            if span.points <= needed or self.best == self.total:
                return
            points, missing, used = span.points, span.jokers, span.used
            holding = self.holdings[span.suit]
            before = holding.coverage
            if before is not None:
                if self.goal.distinct:
                    continue
                if span.twice == 0:
                    added = span.once & holding.free
                    points, missing, used = holding.points_of[added], span.length - SIZE[added], RANK_COUNTS[added]
                elif span.length - holding.cards.total + before.length - before.jokers > room:
                    continue
                else:
                    after = combined(before, span, holding)
                    points, missing = after.points - before.points, after.jokers - before.jokers
                    used = after.used - before.used
            if points > needed and missing <= room:
                self._choose(place, covered + points, counts - used, jokers - missing, left)

    def _choose(self, place: i64, covered: i64, counts: i64, jokers: i64, left: i64) -> None:
        """Choose span number `place`, unless it and `left` further runs cannot cover more than `best`.

        `covered`, `counts` and `jokers` are as in `_extend`, with the span chosen.
        """
        room = jokers
        trio_bound: i64 = 0
        if self.trios is not None:
            room -= self.trios.gaps(counts)
            if room < 0:
                return
            if left > 0 or covered <= self.best:
                trio_bound = upper_bound(self.trios, counts)
        span = self.spans[place]
        needed = self.best - covered - trio_bound
        if left * span.points <= needed:
            return
        holding = self.holdings[span.suit]
        before = holding.coverage
        after: Coverage = span if before is None else combined(before, span, holding)
        holding.cover(after)
        self.chosen.append(span)
        cache = self.cache
        if left == 0:
            if before is None or self._can_fill(span.suit, after):
                self._complete(covered, counts, jokers)
            self.undecided += 1
        elif cache is None:
            if before is None or self._can_fill(span.suit, after):
                self._extend(place, covered, counts, jokers, room, trio_bound)
        elif self._runs_can_improve(cache, needed, room, left, span):
            cards = self._cards_and_jokers(jokers)
            if place < cache.in_vain.get(cards, place + 1):
                undecided = self.undecided
                if before is None or self._can_fill(span.suit, after):
                    self._extend(place, covered, counts, jokers, room, trio_bound)
                else:
                    self.undecided += 1
                if self.undecided == undecided:
                    cache.in_vain[cards] = place
        self.chosen.pop()
        holding.cover(before)

    def _cards_and_jokers(self, jokers: i64) -> Covered:
        """Return what decides how many points further spans can add: the cards covered, the spans and jokers left."""
        clubs, diamonds, hearts, spades = self.holdings
        return clubs.used, diamonds.used, hearts.used, spades.used, 8 * jokers + len(self.chosen)

    def _can_fill(self, suit: i64, coverage: Coverage) -> bool:
        """Return whether the chosen spans of a suit, which have this coverage, have a filling."""
        spans = [chosen for chosen in self.chosen if chosen.suit == suit]
        return can_fill(self.goal, self.holdings[suit], coverage, spans)

    def _runs_can_improve(self, cache: bounds.SpanCache, needed: i64, jokers: i64, left: i64, span: Span) -> bool:
        """Return whether `left` further runs, none better than the span, might cover more than `needed` points."""
        if left == 1:
            for holding in self.holdings:
                if holding.uncovered > needed and cache.bound(holding, jokers) > needed:
                    return True
            return False
        for holding in self.holdings:
            bounds.set_bounds(holding, cache, jokers, span.points)
        for _ in range(left):
            richest = self.holdings[0]
            for holding in self.holdings:
                if holding.run_bound > richest.run_bound:
                    richest = holding
            needed -= richest.run_bound
            richest.suit_bound -= richest.run_bound
            richest.run_bound = min(richest.run_bound, richest.suit_bound)
        return needed < 0

    def _complete(self, covered: i64, counts: i64, jokers: i64) -> None:
        """Record the chosen spans with their best trios, if they cover more than `best`."""
        if self.place_spare:
            self._record_with_spare(covered, jokers)
            return
        if self.trios is None:
            self._record(covered, jokers, [], 0)
            return
        need_natural = self.trios.need_natural
        lent = self.trios.trios
        if need_natural:
            lent = jokers - self.jokers - self.goal.run_naturals * self.goal.runs
            for span in self.chosen:
                lent += span.length
        while True:
            points, code = best_trios(self.trios, counts, jokers, lent)
            if points < 0 or covered + points <= self.best:
                return
            ranks = ranks_of(code)
            rankless = ranks[0][1] if ranks[0][0] < 0 else 0
            if self._record(covered + points, jokers, ranks, rankless if need_natural else 0):
                return
            lent = rankless - 1

    def _record(self, covered: i64, jokers: i64, ranks: list[tuple[int, int]], loans: int) -> bool:
        """Record the chosen spans with these trios; return False if their runs cannot lend `loans` naturals."""
        runs: list[Cards] | None
        lent: list[int] = []
        if loans == 0:
            runs = self._first_filling()
        else:
            runs = self._lending(lent, loans, {rank for rank, _ in ranks if rank >= 0} if self.goal.distinct else set())
        if runs is None:
            return False
        self.found = SpanSolution(runs, jokers - loans, lent, [holding.used for holding in self.holdings], ranks)
        self.best = covered
        return True

    def _record_with_spare(self, covered: i64, spare: i64) -> None:
        """Record the chosen spans with spare jokers placed in them, if they cover more than `best`."""
        for runs in self._all_fillings():
            points_left, longer = place_spare_jokers(self.goal, runs, spare)
            if covered - points_left > self.best:
                self.best = covered - points_left
                self.found = SpanSolution(longer, 0, [], [], [])

    def _first_filling(self) -> list[Cards]:
        """Return the chosen spans with their cards, suit by suit."""
        runs: list[Cards] = []
        for holding in self.holdings:
            if holding.coverage is not None:
                runs += first_filling(self.goal, holding, [span for span in self.chosen if span.suit == holding.suit])
        return runs

    def _lending(self, lent: list[int], loans: int, ranks: set[int]) -> list[Cards] | None:
        """Return the chosen spans filled so that they lend `loans` naturals, added to `lent`; none is of `ranks`."""
        for runs in self._all_fillings():
            naturals = lend(self.goal, runs, loans, ranks)
            if naturals is not None:
                lent += naturals
                return runs
        return None

    def _all_fillings(self) -> Iterator[list[Cards]]:
        """Yield the chosen spans with their cards, suit by suit, for every assignment of contested cards."""
        by_suit = [[span for span in self.chosen if span.suit == suit] for suit in range(4)]
        fillings = [
            all_fillings(self.goal, spans, self.holdings[suit].cards) for suit, spans in enumerate(by_suit) if spans
        ]
        for choice in product(*fillings):
            yield [run for filling in choice for run in filling]
