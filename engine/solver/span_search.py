"""The cheapest leftovers that arcs can find: every choice of arcs for the runs, the best trios beside.

No joker of a run stands for a natural that stays in the hand or lies in a trio: they would change places. So
arcs alone decide what runs use, but for naturals that two runs want. All jokers end in melds, so only naturals
count. A trio of no rank is made of jokers; where a trio must have a natural, a run lends it one and takes a
joker instead.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT
from engine.solver import bounds
from engine.solver.contract import Goal
from engine.solver.counts import NUMBER, SuitCards
from engine.solver.joker_fill import Cards, filled, fillings, fits, lend, place_spare_jokers
from engine.solver.spans import Arc, Holding, Taken, joined
from engine.solver.trios import chosen_ranks, dearest, hope

_KING: Final = 1 << 12


def add_arcs(goal: Goal, holding: Holding, starts: i64, jokers: i64, found: list[Arc]) -> i64:
    """Puts among those found the arcs of a suit that so many jokers can fill, and returns the ranks in any of them.

    They are of the least length, or longer with naturals at both ends.
    """
    once = holding.cards.once
    lapping = once | once << 13
    least = goal.least
    naturals: i64 = NUMBER[once & BIT[least] - 1]
    within: i64 = 0
    for start in range(starts):
        if least - naturals <= jokers:
            within |= _arcs_from(goal, holding, start, jokers, found)
        naturals += (lapping >> start + least & 1) - (lapping >> start & 1)
    return within


def _arcs_from(goal: Goal, holding: Holding, start: i64, jokers: i64, found: list[Arc]) -> i64:
    """Adds the arcs that begin at that rank, and returns the ranks in any of them."""
    held = holding.cards
    once: i64 = 0
    twice: i64 = 0
    thrice: i64 = 0
    within: i64 = 0
    gap = False
    rank: i64 = BIT[start]
    least = goal.least
    most: i64 = least
    if rank & held.once:
        most = goal.run_most if goal.turns else min(goal.run_most, 14 - start)
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
            arc = Arc(holding, start, once, twice, thrice, length)
            if (length <= 13 and goal.run_naturals == 1) or fits(goal, holding, arc, [arc]):
                _insert(found, arc)
                within = once
        rank <<= 1
        if rank > _KING:
            rank = 1
    return within


def _insert(arcs: list[Arc], arc: Arc) -> None:
    """Puts the arc into its place."""
    place = len(arcs)
    while place and arcs[place - 1].order > arc.order:
        place -= 1
    arcs.insert(place, arc)


_MANY: Final = 24
"""With so many arcs it pays to work out what further runs might cover before they are tried."""

_SLACK: Final = (1, 12, 40)
"""How far below all hope the aim is set, one after the other, where there are no trios to hope too much of."""


@final
@mypyc_attr(acyclic=True)
class Found:
    """Runs with their cards, the jokers and the naturals that they leave to trios, and the ranks of these.

    `used` is what the runs use of each suit, naturals lent among it. Each rank has its number of trios; the rank
    -1, which stands first, is none.
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
class ArcSearch:
    """Looks for the runs and trios that cover the most points, and leave fewer than `under`.

    Of choices that cover the same the first is found: arcs in order of their points, then ranks of trios. The jokers
    that runs do not need are left to the caller, to be added at their ends. Where there is no room for them all,
    `spare` asks for runs that are best with those jokers placed in them, in the places of naturals if need be: a
    joker that stays in the hand then counts against the points covered.
    """

    def __init__(self, goal: Goal, suits: list[SuitCards], jokers: i64, under: int | None, spare: bool = False) -> None:
        self.goal = goal
        self.trios = goal.trios
        self.jokers = jokers
        self.holdings: list[Holding] = []
        self.counts: i64 = 0
        self.total: i64 = 0
        for suit, cards in enumerate(suits):
            holding = Holding(suit, cards, goal.worth[suit])
            self.holdings.append(holding)
            self.total += holding.points
            self.counts += cards.spread
        self.spare = spare
        self.best: i64 = -1
        if spare:
            self.best -= goal.joker * jokers
        if under is not None:
            self.best = max(self.best, self.total - under)
        self.found: Found | None = None
        self.chosen: list[Arc] = []
        self.arcs: list[Arc] = []
        self.tops = bounds.Tops(self.arcs)

    def search(self) -> None:
        """Sets `best` (points covered) and `found`, which covers them; None if there is no way."""
        if self.goal.runs == 0:
            self._settle(0, self.counts, self.jokers)
            return
        within = self._add_arcs()
        if self.trios is None:
            self.total = min(self.total, within)
        if self.trios is None and len(self.arcs) > _MANY:
            self._aim()
        else:
            self._extend(0, 0, self.counts, self.jokers)

    def _add_arcs(self) -> i64:
        """Finds all arcs; what the cards count that lie in any."""
        starts: i64 = self.goal.table.shape.starts
        points: i64 = 0
        for holding in self.holdings:
            if self.goal.table.fewest_gaps(holding.cards.once) <= self.jokers:
                points += holding.within(add_arcs(self.goal, holding, starts, self.jokers, self.arcs))
        return points

    def _aim(self) -> None:
        """Looks for what may be hoped for, then for less, and at last for anything better than `best`."""
        floor = self.best
        self.total = min(self.total, bounds.reach(self.holdings, self.tops, self.goal.runs, self.jokers))
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
        hoped = self._hope(counts)
        arcs = self.arcs
        for place in range(first, len(arcs)):
            arc = arcs[place]
            if covered + arc.points * left + hoped <= self.best or self.best == self.total:
                return
            holding = self.holdings[arc.suit]
            before = holding.taken
            needed = self.best - covered - hoped - (left - 1) * arc.points
            after = arc if before is None else self._beside(arc, before, holding, jokers, needed)
            if after is None:
                continue
            points, missing, rest = after.points, after.missing, counts - after.used
            if before is not None:
                points -= before.points
                missing -= before.missing
                rest += before.used
            if missing > jokers:
                continue
            holding.take(after)
            if self._worthwhile(covered + points, rest, jokers - missing, left - 1, arc) and (
                before is None or self._fits(arc, holding, after)
            ):
                self.chosen.append(arc)
                if left == 1:
                    self._settle(covered + points, rest, jokers - missing)
                else:
                    self._extend(place, covered + points, rest, jokers - missing)
                self.chosen.pop()
            holding.take(before)

    def _beside(self, arc: Arc, before: Taken, holding: Holding, jokers: i64, needed: i64) -> Taken | None:
        """What the arc takes together with those of its suit; None if it may not, or adds too few points or cards."""
        if self.goal.distinct:
            return None
        if arc.twice == 0:
            adding = arc.once & holding.free
            if arc.length - NUMBER[adding] > jokers or holding.worth[adding] <= needed:
                return None
        return joined(before, arc, holding)

    def _fits(self, arc: Arc, holding: Holding, after: Taken) -> bool:
        same = [one for one in self.chosen if one.suit == arc.suit]
        same.append(arc)
        return fits(self.goal, holding, after, same)

    def _worthwhile(self, covered: i64, counts: i64, jokers: i64, left: i64, arc: Arc) -> bool:
        """Whether so many runs more, none better than the arc, and the trios might cover more than the best so far."""
        if left == 0:
            return self._promising(covered, counts, jokers)
        if len(self.arcs) <= _MANY:
            return True
        for holding in self.holdings:
            bounds.hope(holding, self.tops, jokers, arc.points)
        for _ in range(left):
            richest = self.holdings[0]
            for holding in self.holdings:
                if holding.hoped > richest.hoped:
                    richest = holding
            covered += richest.hoped
            richest.spare -= richest.hoped
            richest.hoped = min(richest.hoped, richest.spare)
        return covered + self._hope(counts) > self.best

    def _hope(self, counts: i64) -> i64:
        """More points than trios of these cards cannot cover."""
        if self.trios is None:
            return 0
        return hope(self.trios, counts)

    def _promising(self, covered: i64, counts: i64, jokers: i64) -> bool:
        """Whether trios of the cards left could be made, and might cover more than the best so far."""
        if self.trios is None:
            return covered > self.best
        if self.trios.gaps(counts) > jokers:
            return False
        return covered > self.best or covered + hope(self.trios, counts) > self.best

    def _settle(self, covered: i64, counts: i64, jokers: i64) -> None:
        """Notes the chosen arcs with the best trios beside them, if they cover more than the best so far."""
        if self.spare:
            self._note_with_spare(covered, jokers)
            return
        if self.trios is None:
            self._note(covered, jokers, [], 0)
            return
        needy = self.trios.needy
        lent = self.trios.trios
        if needy:
            lent = jokers - self.jokers - self.goal.run_naturals * self.goal.runs
            for arc in self.chosen:
                lent += arc.length
        while True:
            points, code = dearest(self.trios, counts, jokers, lent)
            if points < 0 or covered + points <= self.best:
                return
            ranks = chosen_ranks(code)
            asked = ranks[0][1] if ranks[0][0] < 0 else 0
            if self._note(covered + points, jokers, ranks, asked if needy else 0):
                return
            lent = asked - 1

    def _note(self, covered: i64, jokers: i64, ranks: list[tuple[int, int]], asked: int) -> bool:
        """Notes the chosen arcs with these trios; False if their runs cannot lend so many naturals."""
        runs: list[Cards] | None
        lent: list[int] = []
        if asked == 0:
            runs = self._filled()
        else:
            runs = self._lending(lent, asked, {rank for rank, _ in ranks if rank >= 0} if self.goal.distinct else set())
        if runs is None:
            return False
        self.found = Found(runs, jokers - asked, lent, self._used(), ranks)
        self.best = covered
        return True

    def _note_with_spare(self, covered: i64, spare: i64) -> None:
        """Notes the chosen arcs with the jokers placed that they do not need, if less is left then."""
        for runs in self._all_fillings():
            left, longer = place_spare_jokers(self.goal, runs, spare)
            if covered - left > self.best:
                self.best = covered - left
                self.found = Found(longer, 0, [], [], [])

    def _used(self) -> list[int]:
        """What the chosen arcs use of each suit."""
        used: list[int] = []
        for holding in self.holdings:
            spread: i64 = 0
            if holding.taken is not None:
                spread = holding.taken.used
            used.append(spread)
        return used

    def _filled(self) -> list[Cards]:
        """The chosen arcs with their cards, suit by suit."""
        runs: list[Cards] = []
        for holding in self.holdings:
            if holding.taken is not None:
                runs += filled(self.goal, holding, [arc for arc in self.chosen if arc.suit == holding.suit])
        return runs

    def _lending(self, lent: list[int], asked: int, ranks: set[int]) -> list[Cards] | None:
        """The chosen arcs so filled that they lend so many naturals, of none of these ranks; adds those to `lent`."""
        for runs in self._all_fillings():
            found = lend(self.goal, runs, asked, ranks)
            if found is not None:
                lent += found
                return runs
        return None

    def _all_fillings(self) -> Iterator[list[Cards]]:
        """The chosen arcs with their cards, suit by suit, for every choice of who has a card that two want."""
        by_suit = [[arc for arc in self.chosen if arc.suit == suit] for suit in range(4)]
        every = [fillings(self.goal, arcs, self.holdings[suit].cards) for suit, arcs in enumerate(by_suit) if arcs]
        for choice in product(*every):
            yield [run for some in choice for run in some]
