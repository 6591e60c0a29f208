"""The trios of a contract: which ranks they should have, given the rank counts of the cards left by runs.

The first trio of a rank lacks some number of cards, the second as many or more, and so on: a rank has *slots*, each for
a trio that lacks a certain number. Jokers may replace all cards that a slot lacks; but where trios need a natural, each
must have one of its own.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.rules import Contracts, Rules
from engine.solver.counts import TOPS, at_least, number_of_ranks, total


def melds_are_distinct(rules: Rules) -> bool:
    """Return whether the trios of a contract must be of different ranks, and its runs of different suits."""
    return isinstance(rules.play, Contracts) and rules.play.laying.distinct == "yes"


@final
@mypyc_attr(acyclic=True)
class Trios:
    """The trios of a contract under one rule set, with the packs and jokers in play."""

    __slots__ = ("distinct", "least", "need_natural", "points", "slots", "trios")

    def __init__(self, rules: Rules, trios: int, packs: int, jokers: int) -> None:
        self.trios: i64 = trios
        self.least: i64 = rules.trio.least
        self.need_natural = rules.trio.naturals > 0
        self.distinct = melds_are_distinct(rules)
        self.points: list[int] = list(rules.values.ranks)
        self.slots: i64 = min(1 if self.distinct else trios, (4 * packs + jokers) // rules.trio.least)

    def gaps(self, counts: i64) -> i64:
        """Return how many cards the best trios of these cards lack."""
        missing: i64 = 0
        for level in range(self.least):
            short = self.trios - self._slots_within(counts, level)
            if short <= 0:
                break
            missing += short
        return missing

    def requirements(self, counts: i64, used: i64, lendable: i64) -> tuple[i64, i64, i64, i64]:
        """Return the gaps, how many may hold jokers, the ranks that help, and the ranks that help without joker room.

        Ranks are top bits; the last ones help even where jokers have no room left. `used` are the naturals in runs, of
        which `lendable` may be replaced by jokers.
        """
        filled: i64 = 0
        missing: i64 = 0
        outs: i64 = 0
        for level in range(self.least):
            slots = self._slots_within(counts, level)
            if slots > filled and level:
                outs |= self._ranks_at(counts, level)
            if slots >= self.trios:
                return missing, missing, outs, 0
            missing += self.trios - slots
            filled = slots
        new = TOPS & ~at_least(counts, 1) if self.distinct else TOPS
        short = self._short_of_naturals(counts, used, lendable) if self.need_natural else 0
        return missing, missing - short, outs | new, new if short else 0

    def _short_of_naturals(self, counts: i64, used: i64, lendable: i64) -> i64:
        """Return how many trios have no natural, either of the cards left or lent by a run."""
        if self.distinct:
            held = at_least(counts, 1)
            lendable = min(lendable, number_of_ranks(at_least(used, 1) & ~held))
            return max(0, self.trios - number_of_ranks(held) - lendable)
        return max(0, self.trios - total(counts) - lendable)

    def _slots_within(self, counts: i64, level: i64) -> i64:
        """Return how many trios that lack `level` cards or fewer could be made."""
        slots: i64 = 0
        number = self.least - level
        # When compiled, loops over `_` would count in Python objects.
        for _slot in range(self.slots):
            ranks = at_least(counts, number)
            if ranks == 0:
                break
            slots += number_of_ranks(ranks)
            number += self.least
        return slots

    def _ranks_at(self, counts: i64, level: i64) -> i64:
        """Return the ranks of which a trio would lack exactly `level` cards, fewer than all."""
        ranks: i64 = 0
        number = self.least - level
        for _slot in range(self.slots):
            candidates = at_least(counts, number)
            if candidates == 0:
                break
            ranks |= candidates & ~at_least(counts, number + 1)
            number += self.least
        return ranks

    def cards(self, counts: i64) -> i64:
        """Return the rank counts of the cards that one best choice of trios uses."""
        used: i64 = 0
        needed = self.trios
        for level in range(self.least):
            size = self.least - level
            number = size
            for _slot in range(self.slots):
                ranks = at_least(counts, number)
                if level:
                    ranks &= ~at_least(counts, number + 1)
                while ranks and needed:
                    low = ranks & -ranks
                    ranks ^= low
                    used += (low >> 3) * size
                    needed -= 1
                number += self.least
            if needed == 0:
                break
        return used


def upper_bound(trios: Trios, counts: i64) -> i64:
    """Return an upper bound on the points that trios of these cards cover: those of the ranks with the most points."""
    points = trios.points
    others: list[int] = [0] * (trios.trios - 1)
    covered: i64 = 0
    least: i64 = 0
    rank: i64 = 0
    while counts:
        value: i64 = points[rank] * (counts & 15)
        if value > least:
            covered += value - least
            least = _replace_least(value, others)
        counts >>= 4
        rank += 1
    return covered


def _replace_least(points: i64, others: list[int]) -> i64:
    """Return the least of `points` and `others`, which ascend; replace it in `others` by `points`."""
    if len(others) == 0 or points <= others[0]:
        return points
    least: i64 = others[0]
    place: i64 = 1
    while place < len(others) and others[place] < points:
        others[place - 1] = others[place]
        place += 1
    others[place - 1] = points
    return least


def best_trios(trios: Trios, counts: i64, jokers: i64, lent: i64) -> tuple[i64, i64]:
    """Return the most points that the trios can cover, negative if there are none, and a code for `ranks_of`.

    At most `lent` trios are of no rank: of jokers, or of jokers and a natural that a run lends.
    """
    choices = _TrioChoices(trios.trios, jokers, trios.least)
    if jokers >= trios.least:
        choices.add(0, 0, lent, 0)
    rank: i64 = 1
    while counts:
        held = counts & 15
        if held and trios.least - held <= jokers:
            most = 1 if trios.distinct else held if trios.need_natural else trios.trios
            choices.add(rank, held, most, held * trios.points[rank - 1])
        counts >>= 4
        rank += 1
    return choices.best()


@final
@mypyc_attr(acyclic=True)
class _TrioChoice:
    """The most points for a number of trios and jokers, and the code of their ranks; both also before the last rank."""

    __slots__ = ("code", "code_before", "jokers", "points", "points_before", "trios")

    def __init__(self, trios: i64, jokers: i64, points: i64, code: i64) -> None:
        self.trios = trios
        self.jokers = jokers
        self.points = points
        self.code = code
        self.points_before = points
        self.code_before = code


@final
@mypyc_attr(acyclic=True)
class _TrioChoices:
    """A dynamic programme over ranks: the best choice for each number of trios and jokers, in the order found."""

    __slots__ = ("jokers", "known", "least", "reached", "trios")

    def __init__(self, trios: i64, jokers: i64, least: i64) -> None:
        self.trios = trios
        self.jokers = jokers
        self.least = least
        nothing = _TrioChoice(0, 0, 0, 0)
        self.known: list[_TrioChoice | None] = [None] * ((trios + 1) * (jokers + 1))
        self.known[0] = nothing
        self.reached: list[_TrioChoice] = [nothing]

    def add(self, entry: i64, held: i64, most: i64, gain: i64) -> None:
        """Add up to `most` trios of the rank with code `entry`; they cover its `held` naturals, worth `gain` points."""
        number = len(self.reached)
        for choice in self.reached:
            choice.points_before = choice.points
            choice.code_before = choice.code
        for place in range(number):
            choice = self.reached[place]
            points, code = choice.points_before + gain, choice.code_before << 8 | entry << 4
            for more in range(1, min(most, self.trios - choice.trios) + 1):
                jokers = choice.jokers + max(0, self.least * more - held)
                if jokers > self.jokers:
                    break
                self._record(choice.trios + more, jokers, points, code | more)

    def _record(self, trios: i64, jokers: i64, points: i64, code: i64) -> None:
        at = trios * (self.jokers + 1) + jokers
        known = self.known[at]
        if known is None:
            choice = _TrioChoice(trios, jokers, points, code)
            self.known[at] = choice
            self.reached.append(choice)
        elif known.points < points:
            known.points = points
            known.code = code

    def best(self) -> tuple[i64, i64]:
        """Return the most points for all trios, and the code of their ranks; negative points if there are none."""
        most: i64 = -1
        code: i64 = 0
        for choice in self.reached:
            if choice.trios == self.trios and choice.points > most:
                most = choice.points
                code = choice.code
        return most, code


def ranks_of(code: i64) -> list[tuple[int, int]]:
    """Return the ranks of trios and the number of each; rank -1, which comes first, stands for trios of no rank."""
    ranks: list[tuple[int, int]] = []
    while code:
        ranks.append(((code >> 4 & 15) - 1, code & 15))
        code >>= 8
    ranks.reverse()
    return ranks
