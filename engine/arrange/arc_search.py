"""The cheapest leftovers that arcs can find: every choice of arcs for the runs, the best trios beside.

No joker of a run stands for a natural that stays in the hand or lies in a trio: they would change places. So
arcs alone decide what runs use, but for naturals that two runs want. All jokers end in melds, so only naturals
count. A trio of no rank is made of jokers; where a trio must have a natural, a run lends it one and takes a
joker instead.
"""

from itertools import pairwise, product

from engine.arrange.arcs import NOTHING, Arc, Cards, Layers, fillings, lend, worth_of
from engine.arrange.trios import Trios
from engine.arrange.wild import suit_points
from engine.cards import Faces
from engine.rules import Rules

_SLACK = (1, 12, 40)
"""How far below all hope the aim is set, one after the other, where there are no trios to hope too much of."""


class ArcSearch:
    """Looks for the runs and trios that cover the most points, and leave fewer than `under`."""

    def __init__(self, rules: Rules, trios: int, runs: int, hand: Faces, under: int | None) -> None:
        self.rules = rules
        self.trios = trios
        self.runs = runs
        self.jokers = hand.jokers
        self.needs = Trios(rules, trios, 4, hand.jokers)
        self.run_naturals = max(1, rules.run.naturals)
        self.points = rules.values.ranks
        self.worth = [worth_of(suit_points(rules, suit)) for suit in range(4)]
        self.taken = [NOTHING] * 4
        self.suits = [Layers(hand, suit) for suit in range(4)]
        self.counts = sum([one.spread() for one in self.suits])
        self.held = [one.points(worth) for one, worth in zip(self.suits, self.worth, strict=True)]
        self.total = sum(self.held)
        self.best = -1 if under is None else max(-1, self.total - under)
        self.best_runs: list[Cards] | None = None
        self.best_trios: list[tuple[int, int]] = []
        self.best_lent: list[int] = []
        self.tops: dict[tuple[int, int, int], int] = {}
        self.chosen: list[Arc] = []
        self.arcs: list[Arc] = []
        if runs:
            self.arcs = [arc for suit in range(4) for arc in self._arcs(suit)]
            self.arcs.sort(key=_most_points)

    def search(self) -> None:
        """Fills `best` (points covered) and the runs, trios and loans that cover them; no runs if there is no way."""
        if self.runs == 0:
            self._settle(0, self.counts, self.jokers)
        else:
            self._aim()

    def _aim(self) -> None:
        """Looks for what may be hoped for, then for less, and at last for anything better than `best`."""
        floor = self.best
        if self.trios == 0:
            self.total = min(self.total, self._reach())
            for slack in _SLACK:
                if self.best_runs is None and self.total - slack > floor:
                    self.best = self.total - slack
                    self._extend(0, 0, self.counts, self.jokers)
        if self.best_runs is None:
            self.best = floor
            self._extend(0, 0, self.counts, self.jokers)

    def _arcs(self, suit: int) -> list[Arc]:
        run, layers = self.rules.run, self.suits[suit]
        found: list[Arc] = []
        for start in range(13 if run.ace == "round" else 15 - run.least):
            most = 39 if run.most is None else run.most
            if run.ace == "ends":
                most = min(most, 14 - start)
            for length in range(run.least, most + 1):
                arc = Arc(suit, start, length)
                alone = NOTHING.plus(arc, layers, self.worth[suit])
                arc.points, arc.missing = alone.points, alone.missing
                if arc.missing > self.jokers or self._broken(arc, layers):
                    break
                if length == run.least or self._ends_in_naturals(arc, layers):
                    found.append(arc)
        return [arc for arc in found if self._fits([arc])]

    def _broken(self, arc: Arc, layers: Layers) -> bool:
        """Whether two ranks that are not held stand side by side in the arc."""
        if self.rules.run.jokers_adjacent == "allowed":
            return False
        last = (arc.start + arc.length - 1) % 13
        before = (last - 1) % 13
        if arc.length > self.rules.run.least:
            return not (layers.once >> last & 1 or layers.once >> before & 1)
        gaps = [layers.once >> ((arc.start + place) % 13) & 1 == 0 for place in range(arc.length)]
        return any(one and other for one, other in pairwise(gaps))

    def _ends_in_naturals(self, arc: Arc, layers: Layers) -> bool:
        last = (arc.start + arc.length - 1) % 13
        return bool(layers.once >> last & 1 and layers.once >> arc.start & 1)

    def _fits(self, arcs: list[Arc]) -> bool:
        """Whether the arcs of one suit can be filled; a full trial only where they want the same card."""
        layers = self.suits[arcs[0].suit]
        once = twice = thrice = four = 0
        for arc in arcs:
            four |= (once & arc.thrice) | (twice & arc.twice) | (thrice & arc.once)
            thrice |= arc.thrice | (once & arc.twice) | (twice & arc.once)
            twice |= arc.twice | (once & arc.once)
            once |= arc.once
        contested = (twice & ~layers.twice | thrice & ~layers.thrice | four & ~layers.four) & layers.once
        if self.rules.run.jokers_adjacent == "allowed":
            own: int = layers.once & ~contested
            if all((arc.once & own).bit_count() >= self.run_naturals for arc in arcs):
                return True
        elif not contested:
            return True
        return next(fillings(self.rules, arcs[0].suit, arcs, layers), None) is not None

    def _extend(self, first: int, covered: int, counts: int, jokers: int) -> None:
        """Adds arcs from that one on; `counts` and `jokers` are what the chosen ones leave."""
        left = self.runs - len(self.chosen)
        hope = self._hope(counts)
        free = [held.beyond(taken) for held, taken in zip(self.suits, self.taken, strict=True)]
        for place in range(first, len(self.arcs)):
            arc = self.arcs[place]
            if covered + arc.points * left + hope <= self.best or self.best == self.total:
                return
            if arc.twice == 0:
                adding = arc.once & free[arc.suit]
                most = self.worth[arc.suit][adding] + (left - 1) * arc.points
                if arc.length - adding.bit_count() > jokers or covered + most + hope <= self.best:
                    continue
            before = self.taken[arc.suit]
            if before.once and self.needs.distinct:
                continue
            after = before.plus(arc, self.suits[arc.suit], self.worth[arc.suit])
            points, missing = after.points - before.points, after.missing - before.missing
            if missing > jokers:
                continue
            self.taken[arc.suit] = after
            rest = counts - after.used + before.used
            if self._worthwhile(covered + points, rest, jokers - missing, left - 1, arc) and (
                not before.once or self._fits([*[one for one in self.chosen if one.suit == arc.suit], arc])
            ):
                self.chosen.append(arc)
                if left == 1:
                    self._settle(covered + points, rest, jokers - missing)
                else:
                    self._extend(place, covered + points, rest, jokers - missing)
                self.chosen.pop()
            self.taken[arc.suit] = before

    def _worthwhile(self, covered: int, counts: int, jokers: int, left: int, arc: Arc) -> bool:
        """Whether so many runs more, none better than the arc, and the trios might cover more than the best so far."""
        if left == 0:
            return self._promising(covered, counts, jokers)
        free = [held - taken.points for held, taken in zip(self.held, self.taken, strict=True)]
        tops = [min(arc.points, self._top(suit, jokers)) for suit in range(4)]
        for _ in range(left):
            most, suit = max([(min(one, top), suit) for suit, (one, top) in enumerate(zip(free, tops, strict=True))])
            covered += most
            free[suit] -= most
        return covered + self._hope(counts) > self.best

    def _reach(self) -> int:
        """No fewer points than the runs could cover: in each suit what single runs could, and no more than it has."""
        reach = [[0] * (self.jokers + 1)] + [[-self.total - 1] * (self.jokers + 1) for _ in range(self.runs)]
        for suit in range(4):
            single = [self._top(suit, jokers) for jokers in range(self.jokers + 1)]
            several = [[0] * (self.jokers + 1)]
            for _ in range(self.runs):
                more = [
                    max([several[-1][j] + single[all_of - j] for j in range(all_of + 1)])
                    for all_of in range(len(single))
                ]
                several.append([min(points, self.held[suit]) for points in more])
            reach = [
                [
                    max([reach[k - m][j - i] + several[m][i] for m in range(k + 1) for i in range(j + 1)])
                    for j in range(self.jokers + 1)
                ]
                for k in range(self.runs + 1)
            ]
        return reach[self.runs][self.jokers]

    def _top(self, suit: int, jokers: int) -> int:
        """No fewer points than one run of the suit could cover with so many jokers and the cards not taken."""
        free = self.suits[suit].beyond(self.taken[suit])
        found = self.tops.get((suit, free, jokers))
        if found is None:
            worth = self.worth[suit]
            found = 0
            for arc in self.arcs:
                if arc.points <= found:
                    break
                if arc.suit == suit:
                    adding = arc.once & free
                    if arc.twice:
                        found = max(found, arc.points)
                    elif worth[adding] > found and arc.length - adding.bit_count() <= jokers:
                        found = worth[adding]
            self.tops[suit, free, jokers] = found
        return found

    def _hope(self, counts: int) -> int:
        """More points than trios of these cards cannot cover."""
        if self.trios == 0:
            return 0
        ranks = [self.points[rank] * (counts >> (4 * rank) & 15) for rank in range(13)]
        return sum(sorted(ranks)[13 - self.trios :])

    def _promising(self, covered: int, counts: int, jokers: int) -> bool:
        """Whether trios of the cards left could be made, and might cover more than the best so far."""
        return covered + self._hope(counts) > self.best and self.needs.gaps(counts) <= jokers

    def _settle(self, covered: int, counts: int, jokers: int) -> None:
        if self.runs == 0 and not self._promising(covered, counts, jokers):
            return
        naturals = sum([one.length - one.missing for one in self.taken])
        lent = naturals - self.run_naturals * self.runs if self.needs.needy else self.trios
        while True:
            points, ranks = self._best_trios(counts, jokers, lent)
            if covered + points <= self.best:
                return
            asked = sum([number for rank, number in ranks if rank < 0])
            if self._noted(ranks, asked if self.needs.needy else 0):
                self.best = covered + points
                return
            lent = asked - 1

    def _noted(self, ranks: list[tuple[int, int]], asked: int) -> bool:
        """Notes the chosen arcs with these trios; False if their runs cannot lend so many naturals."""
        by_suit = [[arc for arc in self.chosen if arc.suit == suit] for suit in range(4)]
        every = [fillings(self.rules, suit, arcs, self.suits[suit]) for suit, arcs in enumerate(by_suit) if arcs]
        taken = {rank for rank, _ in ranks if rank >= 0} if self.needs.distinct else set()
        for choice in product(*every) if asked else [[next(some) for some in every]]:
            runs = [run for some in choice for run in some]
            lent = lend(self.rules, runs, asked, taken)
            if lent is not None:
                self.best_runs, self.best_trios, self.best_lent = runs, ranks, lent
                return True
        return False

    def _best_trios(self, counts: int, jokers: int, lent: int) -> tuple[int, list[tuple[int, int]]]:
        """The most points that the trios cover, and how many of them each rank has; rank -1 is none.

        No more than `lent` trios are of no rank.
        """
        ways: dict[tuple[int, int], tuple[int, list[tuple[int, int]]]] = {(0, 0): (0, [])}
        for rank in range(-1, 13):
            held = 0 if rank < 0 else counts >> (4 * rank) & 15
            if rank >= 0 and held == 0:
                continue
            points = held * self.points[rank]
            most = lent if rank < 0 else 1 if self.needs.distinct else held if self.needs.needy else self.trios
            for (made, spent), (before, ranks) in list(ways.items()):
                for more in range(1, min(most, self.trios - made) + 1):
                    price = spent + max(0, self.needs.least * more - held)
                    if price > jokers:
                        break
                    known = ways.get((made + more, price))
                    if known is None or known[0] < before + points:
                        ways[made + more, price] = (before + points, [*ranks, (rank, more)])
        full = [way for (made, _), way in ways.items() if made == self.trios]
        return max(full, key=_first) if full else (-1 - self.total, [])


def _first(way: tuple[int, list[tuple[int, int]]]) -> int:
    return way[0]


def _most_points(arc: Arc) -> tuple[int, int, int, int]:
    return (-arc.points, arc.suit, arc.start, arc.length)
