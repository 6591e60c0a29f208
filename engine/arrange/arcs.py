"""The cheapest leftovers of a contract with trios: every choice of arcs for its runs, the best trios beside.

An *arc* says where a run begins and how long it is. No joker of a run stands for a natural that stays in the
hand or lies in a trio: they would change places. So arcs alone decide what runs use, but for naturals that
two runs want. All jokers end in melds, so only naturals count. A trio of no rank is made of jokers; where a
trio must have a natural, a run lends it one and takes a joker instead.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise, product

from engine.arrange.plan import Trios, one_of_a_kind
from engine.arrange.runs import SPREAD, turned
from engine.arrange.wild import suit_points
from engine.cards import JOKER, Faces
from engine.melds import RUN, is_meld
from engine.rules import Rules

Cards = tuple[int, ...]

_RANKS = (1 << 13) - 1


class Arc:
    """A place for a run: the ranks it covers once, twice and three times, and the points it could hold."""

    __slots__ = ("length", "missing", "once", "points", "start", "suit", "thrice", "twice")

    def __init__(self, suit: int, start: int, length: int) -> None:
        self.suit = suit
        self.start = start
        self.length = length
        layers = [turned((1 << min(13, max(0, length - 13 * lap))) - 1, start) for lap in range(3)]
        self.once, self.twice, self.thrice = layers
        self.points = 0
        self.missing = 0


class Taken:
    """What arcs of one suit cover together, rank by rank, and what they use of the cards held."""

    __slots__ = ("four", "length", "missing", "once", "points", "thrice", "twice", "used")

    def __init__(self, length: int, once: int, twice: int, thrice: int, four: int) -> None:
        self.length = length
        self.once = once
        self.twice = twice
        self.thrice = thrice
        self.four = four
        self.points = 0
        self.used = 0
        self.missing = 0

    def plus(self, arc: Arc, held: "Layers", worth: tuple[int, ...]) -> "Taken":
        """These arcs and one more (what five arcs cover a fifth time is always missing)."""
        once = self.once | arc.once
        twice = self.twice | arc.twice | (self.once & arc.once)
        thrice = self.thrice | arc.thrice | (self.once & arc.twice) | (self.twice & arc.once)
        four = self.four | (self.once & arc.thrice) | (self.twice & arc.twice) | (self.thrice & arc.once)
        both = Taken(self.length + arc.length, once, twice, thrice, four)
        first, second = once & held.once, twice & held.twice
        third, fourth = thrice & held.thrice, four & held.four
        both.points = worth[first] + worth[second]
        both.used = SPREAD[first] + SPREAD[second]
        if third:
            both.points += worth[third] + worth[fourth]
            both.used += SPREAD[third] + SPREAD[fourth]
        naturals = first.bit_count() + second.bit_count() + third.bit_count() + fourth.bit_count()
        both.missing = both.length - naturals
        return both


NOTHING = Taken(0, 0, 0, 0, 0)


class Layers:
    """The cards of one suit, a set of ranks for each copy."""

    __slots__ = ("four", "once", "thrice", "twice")

    def __init__(self, hand: Faces, suit: int) -> None:
        self.once = hand.once >> (13 * suit) & _RANKS
        self.twice = hand.twice >> (13 * suit) & _RANKS
        self.thrice = hand.thrice >> (13 * suit) & _RANKS
        self.four = hand.four >> (13 * suit) & _RANKS

    def spread(self) -> int:
        """How many copies of each rank there are, as a spread."""
        return SPREAD[self.once] + SPREAD[self.twice] + SPREAD[self.thrice] + SPREAD[self.four]

    def points(self, worth: tuple[int, ...]) -> int:
        """What they count together."""
        return worth[self.once] + worth[self.twice] + worth[self.thrice] + worth[self.four]

    def beyond(self, taken: Taken) -> int:
        """The ranks of which there are more copies than are taken."""
        some = self.once & ~taken.once | self.twice & ~taken.twice
        return some | self.thrice & ~taken.thrice | self.four & ~taken.four

    def count(self, rank: int) -> int:
        """How many copies of the rank there are."""
        return (self.once >> rank & 1) + (self.twice >> rank & 1) + (self.thrice >> rank & 1) + (self.four >> rank & 1)


@cache
def worth_of(points: tuple[int, ...]) -> tuple[int, ...]:
    """For each set of ranks, the sum of what its ranks count."""
    sums = [0]
    for value in points:
        sums += [value + other for other in sums]
    return tuple(sums)


def fillings(rules: Rules, suit: int, arcs: list[Arc], layers: Layers) -> Iterator[list[Cards]]:
    """The arcs with their cards, for every choice of who has a card that two want."""
    wanting: dict[int, list[tuple[int, int]]] = {}
    for number, arc in enumerate(arcs):
        for place in range(arc.length):
            wanting.setdefault((arc.start + place) % 13, []).append((number, place))
    choices: list[list[tuple[tuple[int, int], ...]]] = []
    for rank, places in wanting.items():
        jokers = max(0, len(places) - layers.count(rank))
        if jokers:
            choices.append(list(combinations(places, jokers)))
    for choice in product(*choices):
        jokers_at = {spot for spots in choice for spot in spots}
        if _fair(rules, arcs, jokers_at):
            yield [
                tuple(
                    JOKER if (number, place) in jokers_at else 13 * suit + (arc.start + place) % 13
                    for place in range(arc.length)
                )
                for number, arc in enumerate(arcs)
            ]


def lend(rules: Rules, runs: list[Cards], number: int, ranks: set[int]) -> list[int] | None:
    """Takes so many naturals out of the runs, jokers in their places; None, and nothing taken, if that cannot be.

    Where melds must be distinct, the naturals are of different ranks and of none of those given.
    """
    if number == 0:
        return []
    for which, run in enumerate(runs):
        for place, face in enumerate(run):
            if face == JOKER or face % 13 in ranks:
                continue
            runs[which] = (*run[:place], JOKER, *run[place + 1 :])
            if is_meld(rules, RUN, runs[which]):
                others = lend(rules, runs, number - 1, {*ranks, face % 13} if one_of_a_kind(rules) else ranks)
                if others is not None:
                    return [face, *others]
            runs[which] = run
    return None


def _fair(rules: Rules, arcs: list[Arc], jokers_at: set[tuple[int, int]]) -> bool:
    if rules.run.jokers_adjacent == "forbidden" and any(
        (number, place + 1) in jokers_at for number, place in jokers_at
    ):
        return False
    naturals = [arc.length for arc in arcs]
    for number, _ in jokers_at:
        naturals[number] -= 1
    return all(count >= max(1, rules.run.naturals) for count in naturals)


class ArcSearch:
    """Looks for the runs and trios that cover the most points."""

    def __init__(self, rules: Rules, trios: int, runs: int, hand: Faces) -> None:
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
        self.best = -1
        self.best_runs: list[Cards] = []
        self.best_trios: list[tuple[int, int]] = []
        self.best_lent: list[int] = []
        self.chosen: list[Arc] = []
        self.arcs: list[Arc] = []
        if runs:
            self.arcs = [arc for suit in range(4) for arc in self._arcs(suit)]
            self.arcs.sort(key=_most_points)

    def search(self) -> None:
        """Fills `best` (points covered; -1 if there is no way) and the runs, trios and loans that cover them."""
        if self.runs == 0:
            self._settle(0, self.counts, self.jokers)
        else:
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
            own = layers.once & ~contested
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
        for _ in range(left):
            most = max(free)
            if most <= 0:
                break
            covered += min(most, arc.points)
            free[free.index(most)] -= arc.points
        return covered + self._hope(counts) > self.best

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
