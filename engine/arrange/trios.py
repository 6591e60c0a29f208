"""The trios of a contract: which ranks they should have, given how many cards of each rank are left.

The first trio of a rank lacks what the rank has too few of, and so on: a rank has *slots*. Whatever else a slot
lacks, jokers may be; but where trios need a natural, each must have one of its own.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.spreads import TOPS, at_least, ranks_in, total
from engine.rules import Contracts, Rules


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
