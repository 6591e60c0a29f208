"""The trios of a contract: which ranks they should have, given how many cards of each rank are left.

The first trio of a rank lacks what the rank has too few of, and so on: a rank has *slots*. Whatever else a slot
lacks, jokers may be; but where trios need a natural, each must have one of its own.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.rules import Contracts, Rules
from engine.solver.counts import TOPS, at_least, ranks_in, total


def one_of_a_kind(rules: Rules) -> bool:
    """Whether the trios of a contract must be of different ranks and its runs of different suits."""
    return isinstance(rules.play, Contracts) and rules.play.laying.distinct == "yes"


@final
@mypyc_attr(acyclic=True)
class Trios:
    """So many trios, made of cards of which so many packs and jokers are in play."""

    __slots__ = ("distinct", "least", "needy", "points", "slots", "trios")

    def __init__(self, rules: Rules, trios: int, packs: int, jokers: int) -> None:
        self.trios: i64 = trios
        self.least: i64 = rules.trio.least
        self.needy = rules.trio.naturals > 0
        self.distinct = one_of_a_kind(rules)
        self.points: list[int] = list(rules.values.ranks)
        self.slots: i64 = min(1 if self.distinct else trios, (4 * packs + jokers) // rules.trio.least)

    def gaps(self, counts: i64) -> i64:
        """How many cards the trios lack; `counts` is the spread of the cards left."""
        missing: i64 = 0
        for level in range(self.least):
            short = self.trios - self._slots_within(counts, level)
            if short <= 0:
                break
            missing += short
        return missing

    def needs(self, counts: i64, used: i64, lent: i64) -> tuple[i64, i64, i64, i64]:
        """Gaps, jokers that may stand in them, and the ranks (top bits) that help: loosely, tightly.

        `used` are the naturals in runs, of which as many as `lent` may make way for jokers.
        """
        found: i64 = 0
        missing: i64 = 0
        loose: i64 = 0
        for level in range(self.least):
            here = self._slots_within(counts, level)
            if here > found and level:
                loose |= self._ranks_at(counts, level)
            if here >= self.trios:
                return missing, missing, loose, 0
            missing += self.trios - here
            found = here
        new = TOPS & ~at_least(counts, 1) if self.distinct else TOPS
        short = self._short_of_naturals(counts, used, lent) if self.needy else 0
        return missing, missing - short, loose | new, new if short else 0

    def _short_of_naturals(self, counts: i64, used: i64, lent: i64) -> i64:
        """How many trios have no natural, neither of the cards left nor lent by a run."""
        if self.distinct:
            held = at_least(counts, 1)
            lent = min(lent, ranks_in(at_least(used, 1) & ~held))
            return max(0, self.trios - ranks_in(held) - lent)
        return max(0, self.trios - total(counts) - lent)

    def _slots_within(self, counts: i64, level: i64) -> i64:
        """How many trios could be made that lack so many cards each, or fewer."""
        slots: i64 = 0
        number = self.least - level
        # Loops over `_` would count in objects when compiled.
        for _slot in range(self.slots):
            ranks = at_least(counts, number)
            if ranks == 0:
                break
            slots += ranks_in(ranks)
            number += self.least
        return slots

    def _ranks_at(self, counts: i64, level: i64) -> i64:
        """The ranks of which a trio would lack exactly so many cards, fewer than all."""
        ranks: i64 = 0
        number = self.least - level
        for _slot in range(self.slots):
            some = at_least(counts, number)
            if some == 0:
                break
            ranks |= some & ~at_least(counts, number + 1)
            number += self.least
        return ranks

    def cards(self, counts: i64) -> i64:
        """How many cards of each rank one best choice of trios uses, as a spread."""
        used: i64 = 0
        wanted = self.trios
        for level in range(self.least):
            size = self.least - level
            number = size
            for _slot in range(self.slots):
                ranks = at_least(counts, number)
                if level:
                    ranks &= ~at_least(counts, number + 1)
                while ranks and wanted:
                    low = ranks & -ranks
                    ranks ^= low
                    used += (low >> 3) * size
                    wanted -= 1
                number += self.least
            if wanted == 0:
                break
        return used


def hope(trios: Trios, counts: i64) -> i64:
    """More points than trios of these cards cannot cover: those of the ranks that count most."""
    points = trios.points
    others: list[int] = [0] * (trios.trios - 1)
    covered: i64 = 0
    least: i64 = 0
    rank: i64 = 0
    while counts:
        here: i64 = points[rank] * (counts & 15)
        if here > least:
            covered += here - least
            least = _least_of(here, others)
        counts >>= 4
        rank += 1
    return covered


def _least_of(points: i64, others: list[int]) -> i64:
    """The least of these points and the others, which ascend; if it is one of them, these take its place there."""
    if len(others) == 0 or points <= others[0]:
        return points
    least: i64 = others[0]
    place: i64 = 1
    while place < len(others) and others[place] < points:
        others[place - 1] = others[place]
        place += 1
    others[place - 1] = points
    return least


def dearest(trios: Trios, counts: i64, jokers: i64, lent: i64) -> tuple[i64, i64]:
    """The most points that the trios can cover, and a code for their ranks (`chosen_ranks`); negative if none can.

    No more than `lent` trios are of no rank: of jokers, or of jokers and a natural that a run lends.
    """
    ways = _Ways(trios.trios, jokers, trios.least)
    if jokers >= trios.least:
        ways.add(0, 0, lent, 0)
    rank: i64 = 1
    while counts:
        held = counts & 15
        if held and trios.least - held <= jokers:
            most = 1 if trios.distinct else held if trios.needy else trios.trios
            ways.add(rank, held, most, held * trios.points[rank - 1])
        counts >>= 4
        rank += 1
    return ways.best()


@final
@mypyc_attr(acyclic=True)
class _Way:
    """The most points for so many trios and jokers spent on them, their ranks, and both as before the last rank."""

    __slots__ = ("code", "code_before", "made", "points", "points_before", "spent")

    def __init__(self, made: i64, spent: i64, points: i64, code: i64) -> None:
        self.made = made
        self.spent = spent
        self.points = points
        self.code = code
        self.points_before = points
        self.code_before = code


@final
@mypyc_attr(acyclic=True)
class _Ways:
    """All ways to make trios of the ranks so far, in the order first reached."""

    __slots__ = ("jokers", "known", "least", "reached", "trios")

    def __init__(self, trios: i64, jokers: i64, least: i64) -> None:
        self.trios = trios
        self.jokers = jokers
        self.least = least
        nothing = _Way(0, 0, 0, 0)
        self.known: list[_Way | None] = [None] * ((trios + 1) * (jokers + 1))
        self.known[0] = nothing
        self.reached: list[_Way] = [nothing]

    def add(self, entry: i64, held: i64, most: i64, gain: i64) -> None:
        """Adds up to so many trios of one rank, of which so many naturals are held: they cover them all."""
        number = len(self.reached)
        for way in self.reached:
            way.points_before = way.points
            way.code_before = way.code
        for place in range(number):
            way = self.reached[place]
            points, code = way.points_before + gain, way.code_before << 8 | entry << 4
            for more in range(1, min(most, self.trios - way.made) + 1):
                spent = way.spent + max(0, self.least * more - held)
                if spent > self.jokers:
                    break
                self._note(way.made + more, spent, points, code | more)

    def _note(self, made: i64, spent: i64, points: i64, code: i64) -> None:
        at = made * (self.jokers + 1) + spent
        known = self.known[at]
        if known is None:
            way = _Way(made, spent, points, code)
            self.known[at] = way
            self.reached.append(way)
        elif known.points < points:
            known.points = points
            known.code = code

    def best(self) -> tuple[i64, i64]:
        """The most points for all trios, and the code of their ranks; negative points if they cannot be made."""
        most: i64 = -1
        code: i64 = 0
        for way in self.reached:
            if way.made == self.trios and way.points > most:
                most = way.points
                code = way.code
        return most, code


def chosen_ranks(code: i64) -> list[tuple[int, int]]:
    """The ranks of trios and how many each has; the rank -1, which stands first, is none."""
    ranks: list[tuple[int, int]] = []
    while code:
        ranks.append(((code >> 4 & 15) - 1, code & 15))
        code >>= 8
    ranks.reverse()
    return ranks
