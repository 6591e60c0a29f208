"""Several runs of one suit: every choice of starts, and of who gets a card that two of them want."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.solver.contract import Goal
from engine.solver.counts import SPREAD, SuitCards, at_least
from engine.solver.runs import Runs, keep

_SLOTS: Final = 251
_REMEMBERED: Final[list["Several | None"]] = [None] * _SLOTS
"""Answers, each in a slot that follows from its question: most are asked again of the same hand, a card or two later,
before another takes their slot."""


def several(goal: Goal, cards: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> list[Runs]:
    """Every way to make so many runs of a suit with at most so many gaps, least gaps first, and perhaps more ways.

    Where they are all that the contract asks for, one way without a missing card is enough.
    """
    slot = (cards.once + 8 * cards.twice + 31 * runs) % _SLOTS
    known = _REMEMBERED[slot]
    if known is None or not known.answers(goal, cards, runs, jokers, most_gaps):
        known = Several(goal, cards, runs, jokers, most_gaps)
        _REMEMBERED[slot] = known
    return known.ways


@final
@mypyc_attr(acyclic=True)
class Several:
    """Every way to make so many runs of a suit with at most `most_gaps` gaps: `ways`, least gaps first.

    `enough` says whether one was found that needs no other.
    """

    __slots__ = (
        "chosen",
        "enough",
        "fewest",
        "goal",
        "jokers",
        "most_gaps",
        "one_is_enough",
        "packs",
        "runs",
        "shared",
        "starts",
        "suit",
        "table",
        "ways",
    )

    def __init__(self, goal: Goal, suit: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> None:
        self.goal = goal
        self.table = goal.table
        self.packs: i64 = goal.packs
        self.suit = suit
        self.runs = runs
        self.jokers = jokers
        self.most_gaps = most_gaps
        self.fewest = goal.table.fewest_gaps(suit.once)
        self.one_is_enough = goal.alone == runs
        self.enough = False
        self.ways: list[Runs] = []
        self.starts: list[int] = [0] * runs
        self.shared: list[int] = self.starts[:]
        self.chosen: list[Runs] = [goal.table.each[0]] * runs
        self._extend(0, runs, suit.once, suit.twice, suit.thrice, suit.four, most_gaps)

    def answers(self, goal: Goal, cards: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> bool:
        """Whether the ways are those that are asked for, or more."""
        if goal is not self.goal or runs != self.runs or jokers != self.jokers or not cards.same(self.suit):
            return False
        return most_gaps == self.most_gaps or (most_gaps < self.most_gaps and not self.enough)

    def _extend(self, first: i64, runs: i64, once: i64, twice: i64, thrice: i64, four: i64, gaps: i64) -> None:
        """Adds so many runs from that start on, of the naturals not yet used and with so many gaps."""
        table = self.table
        # Each further run lacks no less than a run of all the cards does.
        most = gaps - self.fewest * (runs - 1)
        for start in range(first, table.starts):
            way = table.way(start, once)
            if way.gaps > most:
                continue
            self.starts[self.runs - runs] = start
            self.chosen[self.runs - runs] = way
            if runs == 1:
                self._settle()
            else:
                used = table.windows[start] & once
                rest = ~used
                self._extend(
                    start,
                    runs - 1,
                    once & rest | twice & used,
                    twice & rest | thrice & used,
                    thrice & rest | four & used,
                    four & rest,
                    gaps - way.gaps,
                )
            if self.enough:
                return

    def _settle(self) -> None:
        """Notes the chosen runs; tries every owner of a contested card if that may give jokers more room."""
        way = self._joined(self.chosen)
        if way is not None:
            self._keep(way)
            plenty = way.room > self.jokers or way.room == way.gaps
            if self.enough or (plenty and way.forced == 0 and not self.table.lending):
                return
        self._share()

    def _contested(self) -> int:
        """The ranks that more of the chosen runs want than there are cards of, but some."""
        once: i64 = 0
        twice: i64 = 0
        thrice: i64 = 0
        four: i64 = 0
        five: i64 = 0
        for start in self.starts:
            window: i64 = self.table.windows[start]
            five |= four & window
            four |= thrice & window
            thrice |= twice & window
            twice |= once & window
            once |= window
        return self.suit.contested(once, twice, thrice, four) | five & self.suit.once

    def _share(self) -> None:
        """Notes the chosen runs for every choice of who has a contested card."""
        contested = self._contested()
        if contested:
            for place, start in enumerate(self.starts):
                self.shared[place] = self.table.windows[start] & self.suit.once & ~contested
            self._give(contested, 0, self.suit.copies(contested & -contested))

    def _give(self, contested: i64, first: i64, copies: i64) -> None:
        """Gives so many copies of the lowest of these ranks to runs from that place on, then those of the others."""
        if copies:
            low = contested & -contested
            for place in range(first, self.runs):
                if self.table.windows[self.starts[place]] & low:
                    self.shared[place] |= low
                    self._give(contested, place + 1, copies - 1)
                    self.shared[place] ^= low
            return
        rest = contested & (contested - 1)
        if rest:
            self._give(rest, 0, self.suit.copies(rest & -rest))
            return
        way = self._joined([self.table.way(start, self.shared[place]) for place, start in enumerate(self.starts)])
        if way is not None:
            self._keep(way)

    def _keep(self, way: Runs) -> None:
        keep(self.ways, way, self.table.apart)
        if self.one_is_enough and way.gaps <= min(way.room, self.jokers):
            self.enough = True

    def _joined(self, ways: list[Runs]) -> Runs | None:
        """The runs as one way; None if the packs cannot fill their gaps."""
        joined = Runs(0, 0, 0, 0, 0, 0, 0)
        for way in ways:
            joined.gaps += way.gaps
            joined.room += way.room
            joined.used += way.used
            joined.lends += way.lends
            joined.loose |= way.loose
            joined.tight |= way.tight
        packs = self.packs
        if self.runs > packs:
            demand = sum([SPREAD[self.table.windows[start]] for start in self.starts])
            if at_least(demand, packs + 1):
                return self._crowded(joined, [way.loose for way in ways])
        return joined

    def _crowded(self, joined: Runs, gaps: list[int]) -> Runs | None:
        """The same where some gaps must hold jokers, because no pack has a further copy for them."""
        fillings = self._fillings(gaps)
        if not fillings:
            return None
        forced, room = min(fillings), max(fillings)
        joined.forced, joined.room = forced, room
        joined.tight = fillings[room]
        if forced == room:
            joined.loose = joined.tight
        return joined

    def _fillings(self, gaps: list[int]) -> dict[int, int]:
        """By number of jokers in the gaps: the ranks where naturals may stand then, if the packs hold them.

        Naturals are counted at the scarce ranks only, those that could come to more than the packs hold.
        """
        full = self.packs + 1
        held: int = self.suit.spread
        scarce = 15 * (at_least(held + sum([SPREAD[ranks] for ranks in gaps]), full) >> 3)
        partial = {(0, held & scarce): 0}
        for start, ranks in zip(self.starts, gaps, strict=True):
            after: dict[tuple[int, int], int] = {}
            for more, naturals in self.table.filled(start, ranks):
                for (jokers, total), before in partial.items():
                    sums = total + (SPREAD[naturals] & scarce)
                    if not at_least(sums, full):
                        key = (jokers + more, sums)
                        after[key] = after.get(key, 0) | before | naturals
            partial = after
        found: dict[int, int] = {}
        for (jokers, _), ranks in partial.items():
            found[jokers] = found.get(jokers, 0) | ranks
        return found
