"""The cheapest leftovers that arcs can find: every choice of arcs for the runs, the best trios beside.

No joker of a run stands for a natural that stays in the hand or lies in a trio: they would change places. So
arcs alone decide what runs use, but for naturals that two runs want. All jokers end in melds, so only naturals
count. A trio of no rank is made of jokers; where a trio must have a natural, a run lends it one and takes a
joker instead.
"""

from itertools import product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.arcs import Arc, Cards, Taken, alone, arcs_of, filled, fillings, fits, joined, lend
from engine.arrange.goal import Goal
from engine.arrange.spreads import NUMBER
from engine.arrange.suit_cards import SuitCards
from engine.arrange.trios import chosen_ranks

_MANY: Final = 24
"""With so many arcs it pays to work out what further runs might cover before they are tried."""

_SLACK: Final = (1, 12, 40)
"""How far below all hope the aim is set, one after the other, where there are no trios to hope too much of."""


@final
@mypyc_attr(acyclic=True)
class Found:
    """Runs with their cards, the naturals that they lend, what they use of each suit, and the ranks of trios.

    Each rank has its number of trios; the rank -1, which stands first, is none.
    """

    __slots__ = ("lent", "ranks", "runs", "used")

    def __init__(self, runs: list[Cards], lent: list[int], used: list[int], ranks: list[tuple[int, int]]) -> None:
        self.runs = runs
        self.lent = lent
        self.used = used
        self.ranks = ranks


@final
@mypyc_attr(acyclic=True)
class ArcSearch:
    """Looks for the runs and trios that cover the most points, and leave fewer than `under`.

    Of choices that cover the same the first is found: arcs in order of their points, then ranks of trios.
    """

    def __init__(self, goal: Goal, suits: list[SuitCards], jokers: i64, under: int | None) -> None:
        self.goal = goal
        self.trios = goal.trios
        self.jokers = jokers
        self.suits = suits
        self.taken: list[Taken | None] = [None, None, None, None]
        self.held: list[int] = []
        self.counts: i64 = 0
        self.total: i64 = 0
        for suit, cards in enumerate(suits):
            worth = goal.worth[suit]
            points: i64 = worth[cards.once]
            if cards.twice:
                points += worth[cards.twice] + worth[cards.thrice] + worth[cards.four]
            self.held.append(points)
            self.total += points
            self.counts += cards.spread
        self.best: i64 = -1 if under is None else max(-1, self.total - under)
        self.found: Found | None = None
        self.tops: dict[tuple[int, int, int], int] = {}
        self.chosen: list[Arc] = []
        self.arcs: list[Arc] = []

    def search(self) -> None:
        """Sets `best` (points covered) and `found`, which covers them; None if there is no way."""
        if self.goal.runs == 0:
            self._settle(0, self.counts, self.jokers)
            return
        for suit, cards in enumerate(self.suits):
            if self.goal.table.fewest_gaps(cards.once) <= self.jokers:
                arcs_of(self.goal, suit, cards, self.jokers, self.arcs)
        if self.trios is None:
            self.total = min(self.total, self._within_arcs())
        if self.trios is None and len(self.arcs) > _MANY:
            self._aim()
        else:
            self._extend(0, 0, self.counts, self.jokers)

    def _within_arcs(self) -> i64:
        """What the cards count that lie in any arc."""
        ranks: list[int] = [0, 0, 0, 0]
        for arc in self.arcs:
            ranks[arc.suit] |= arc.once
        points: i64 = 0
        for suit, cards in enumerate(self.suits):
            within: i64 = ranks[suit]
            worth = self.goal.worth[suit]
            points += worth[cards.once & within]
            if cards.twice & within:
                points += worth[cards.twice & within] + worth[cards.thrice & within] + worth[cards.four & within]
        return points

    def _aim(self) -> None:
        """Looks for what may be hoped for, then for less, and at last for anything better than `best`."""
        floor = self.best
        self.total = min(self.total, self._reach())
        for slack in _SLACK:
            if self.found is None and self.total - slack > floor:
                self.best = self.total - slack
                self._extend(0, 0, self.counts, self.jokers)
        if self.found is None:
            self.best = floor
            self._extend(0, 0, self.counts, self.jokers)

    def _extend(self, first: i64, covered: i64, counts: i64, jokers: i64) -> None:
        """Adds arcs from that one on; `counts` and `jokers` are what the chosen ones leave."""
        left = self.goal.runs - len(self.chosen)
        hope = self._hope(counts)
        free = self._free()
        for place in range(first, len(self.arcs)):
            arc = self.arcs[place]
            if covered + arc.points * left + hope <= self.best or self.best == self.total:
                return
            before = self.taken[arc.suit]
            needed = self.best - covered - hope - (left - 1) * arc.points
            after = arc.taken if before is None else self._beside(arc, before, free, jokers, needed)
            if after is None:
                continue
            points, missing, rest = after.points, after.missing, counts - after.used
            if before is not None:
                points -= before.points
                missing -= before.missing
                rest += before.used
            if missing > jokers:
                continue
            self.taken[arc.suit] = after
            if self._worthwhile(covered + points, rest, jokers - missing, left - 1, arc) and (
                before is None or self._fits(arc, after)
            ):
                self.chosen.append(arc)
                if left == 1:
                    self._settle(covered + points, rest, jokers - missing)
                else:
                    self._extend(place, covered + points, rest, jokers - missing)
                self.chosen.pop()
            self.taken[arc.suit] = before

    def _free(self) -> list[int]:
        """For each suit the ranks of which more copies are held than are taken; nothing where all are free."""
        if not self.chosen:
            return []
        return [_beyond(held, taken) for held, taken in zip(self.suits, self.taken, strict=True)]

    def _beside(self, arc: Arc, before: Taken, free: list[int], jokers: i64, needed: i64) -> Taken | None:
        """What the arc takes together with those of its suit; None if it may not, or adds too few points or cards."""
        worth = self.goal.worth[arc.suit]
        if self.goal.distinct:
            return None
        if arc.twice == 0:
            adding = arc.once & free[arc.suit]
            if arc.length - NUMBER[adding] > jokers or worth[adding] <= needed:
                return None
        return joined(before, arc, self.suits[arc.suit], worth)

    def _fits(self, arc: Arc, after: Taken) -> bool:
        same = [one for one in self.chosen if one.suit == arc.suit]
        same.append(arc)
        return fits(self.goal, self.suits[arc.suit], after, same)

    def _worthwhile(self, covered: i64, counts: i64, jokers: i64, left: i64, arc: Arc) -> bool:
        """Whether so many runs more, none better than the arc, and the trios might cover more than the best so far."""
        if left == 0:
            return self._promising(covered, counts, jokers)
        if len(self.arcs) <= _MANY:
            return True
        free: list[int] = []
        tops: list[int] = []
        for suit, taken in enumerate(self.taken):
            free.append(self.held[suit] - (0 if taken is None else taken.points))
            tops.append(min(arc.points, self._top(suit, jokers)))
        for _ in range(left):
            most, suit = max([(min(free[suit], tops[suit]), suit) for suit in range(4)])
            covered += most
            free[suit] -= most
        return covered + self._hope(counts) > self.best

    def _reach(self) -> int:
        """No fewer points than the runs could cover: in each suit what single runs could, and no more than it has."""
        reach = [[0] * (self.jokers + 1)] + [[-self.total - 1] * (self.jokers + 1) for _ in range(self.goal.runs)]
        for suit in range(4):
            single = [self._top(suit, jokers) for jokers in range(self.jokers + 1)]
            several = [[0] * (self.jokers + 1)]
            for _ in range(self.goal.runs):
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
                for k in range(self.goal.runs + 1)
            ]
        return reach[self.goal.runs][self.jokers]

    def _top(self, suit: int, jokers: int) -> int:
        """No fewer points than one run of the suit could cover with so many jokers and the cards not taken."""
        free = _beyond(self.suits[suit], self.taken[suit])
        found = self.tops.get((suit, free, jokers))
        if found is None:
            worth = self.goal.worth[suit]
            found = 0
            for arc in self.arcs:
                if arc.points <= found:
                    break
                if arc.suit == suit:
                    adding = arc.once & free
                    if arc.twice:
                        found = max(found, arc.points)
                    elif worth[adding] > found and arc.length - NUMBER[adding] <= jokers:
                        found = worth[adding]
            self.tops[suit, free, jokers] = found
        return found

    def _hope(self, counts: i64) -> i64:
        """More points than trios of these cards cannot cover."""
        return 0 if self.trios is None else self.trios.hope(counts)

    def _promising(self, covered: i64, counts: i64, jokers: i64) -> bool:
        """Whether trios of the cards left could be made, and might cover more than the best so far."""
        if self.trios is None:
            return covered > self.best
        return self.trios.gaps(counts) <= jokers and covered + self.trios.hope(counts) > self.best

    def _settle(self, covered: i64, counts: i64, jokers: i64) -> None:
        """Notes the chosen arcs with the best trios beside them, if they cover more than the best so far."""
        if self.trios is None:
            self._note(covered, [], 0)
            return
        needy = self.trios.needy
        lent = self.trios.trios
        if needy:
            lent = -self.goal.run_naturals * self.goal.runs
            for taken in self.taken:
                lent += 0 if taken is None else taken.length - taken.missing
        while True:
            points, code = self.trios.best(counts, jokers, lent)
            if points < 0 or covered + points <= self.best:
                return
            ranks = chosen_ranks(code)
            asked = ranks[0][1] if ranks[0][0] < 0 else 0
            if self._note(covered + points, ranks, asked if needy else 0):
                return
            lent = asked - 1

    def _note(self, covered: i64, ranks: list[tuple[int, int]], asked: int) -> bool:
        """Notes the chosen arcs with these trios; False if their runs cannot lend so many naturals."""
        runs: list[Cards] | None
        lent: list[int] = []
        if asked == 0:
            runs = self._filled()
        else:
            runs = self._lending(lent, asked, {rank for rank, _ in ranks if rank >= 0} if self.goal.distinct else set())
        if runs is None:
            return False
        self.found = Found(runs, lent, [0 if taken is None else taken.used for taken in self.taken], ranks)
        self.best = covered
        return True

    def _filled(self) -> list[Cards]:
        """The chosen arcs with their cards, suit by suit."""
        runs: list[Cards] = []
        for suit, cards in enumerate(self.suits):
            taken = self.taken[suit]
            if taken is None:
                continue
            arcs = [arc for arc in self.chosen if arc.suit == suit]
            if cards.contested(taken.once, taken.twice, taken.thrice, taken.four):
                runs += filled(self.goal, arcs, cards)
            else:
                runs += [alone(arc, cards) for arc in arcs]
        return runs

    def _lending(self, lent: list[int], asked: int, ranks: set[int]) -> list[Cards] | None:
        """The chosen arcs so filled that they lend so many naturals, of none of these ranks; adds those to `lent`."""
        by_suit = [[arc for arc in self.chosen if arc.suit == suit] for suit in range(4)]
        every = [fillings(self.goal, arcs, self.suits[suit]) for suit, arcs in enumerate(by_suit) if arcs]
        for choice in product(*every):
            runs = [run for some in choice for run in some]
            found = lend(self.goal, runs, asked, ranks)
            if found is not None:
                lent += found
                return runs
        return None


def _beyond(held: SuitCards, taken: Taken | None) -> i64:
    """The ranks of which more copies are held than are taken."""
    if taken is None:
        return held.once
    some = held.once & ~taken.once | held.twice & ~taken.twice
    return some | held.thrice & ~taken.thrice | held.four & ~taken.four
