"""What a search goes along: the suits of a hand, and the runs that it has chosen in some of them.

Both are chains, each link made once and never changed.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.goal import Goal
from engine.arrange.runs import Runs
from engine.arrange.spreads import NUMBER, RANKS
from engine.cards import Faces

_BITS: Final = 7
"""So many hold the gaps of some runs, where those of one run, two, … stand side by side: the *bounds* of runs."""
_GAPS: Final = 127
"""The most that so many bits hold: more gaps than any runs have."""
_NEVER: Final = 0x7FFFFFFFF80
"""The bounds where there is no suit: no gaps for no run, and `_GAPS` for one to five."""


def bound(bounds: i64, runs: i64) -> i64:
    """The gaps of so many runs."""
    return bounds >> _BITS * runs & _GAPS


@final
@mypyc_attr(acyclic=True)
class Suit:
    """A suit of a hand, and the suits that come after it.

    No way to make one run, two, … has fewer gaps than `own` says in this suit, `after` in those after it, and `bounds`
    in all of them. `ways` are those of one run here; `first` is the suit's ace.
    """

    __slots__ = ("after", "bounds", "first", "four", "once", "own", "rest", "thrice", "twice", "ways")

    def __init__(self, goal: Goal, hand: Faces, first: i64, rest: "Suit | None") -> None:
        self.first = first
        self.rest = rest
        self.once = hand.once >> first & RANKS
        self.twice = hand.twice >> first & RANKS
        self.thrice = hand.thrice >> first & RANKS
        self.four = hand.four >> first & RANKS
        single = goal.table.single(self.once)
        self.ways = single.ways
        self.after: i64 = _NEVER
        if rest is not None:
            self.after = rest.bounds
        self.own = single.fewest << _BITS
        if goal.in_one_suit > 1:
            self.own |= self._of_several(goal, single.fewest, single.fewest_of_two)
        self.bounds: i64 = _joined(goal, self.own, self.after)

    def _of_several(self, goal: Goal, one: i64, two: i64) -> i64:
        """The bounds of two runs and more: each second copy may fill one place more, and each card one place."""
        copies: i64 = 0
        if self.twice:
            copies = NUMBER[self.twice]
            copies += NUMBER[self.thrice]
            copies += NUMBER[self.four]
        cards: i64 = NUMBER[self.once]
        cards += copies
        bounds: i64 = 0
        for runs in range(2, goal.in_one_suit + 1):
            gaps = two - copies + (runs - 2) * one
            if gaps < runs * one:
                gaps = runs * one
            if gaps < runs * goal.least - cards:
                gaps = runs * goal.least - cards
            bounds |= gaps << _BITS * runs
        return bounds


def _joined(goal: Goal, own: i64, after: i64) -> i64:
    """The bounds of a suit and of those after it."""
    bounds: i64 = 0
    for runs in range(1, goal.runs + 1):
        fewest = bound(after, runs)
        most = runs if runs < goal.in_one_suit else goal.in_one_suit
        for mine in range(1, most + 1):
            gaps = bound(own, mine) + bound(after, runs - mine)
            if gaps < fewest:
                fewest = gaps
        bounds |= fewest << _BITS * runs
    return bounds


def suits_from(goal: Goal, hand: Faces) -> Suit:
    """The chain of a hand's suits, clubs first."""
    hearts = Suit(goal, hand, 26, Suit(goal, hand, 39, None))
    return Suit(goal, hand, 0, Suit(goal, hand, 13, hearts))


@final
@mypyc_attr(acyclic=True)
class Chosen:
    """Runs chosen in a suit, after those chosen `before` in others; nothing chosen, where there is no suit.

    The numbers are sums over all of them, as in `Runs`; `loose` and `tight` have a bit for each face.
    """

    __slots__ = ("before", "first", "forced", "gaps", "lends", "loose", "room", "tight", "used", "way")

    def __init__(self, before: "Chosen | None", first: i64, way: Runs) -> None:
        self.before = before
        self.first = first
        self.way = way
        self.gaps = way.gaps
        self.room = way.room
        self.forced = way.forced
        self.used = way.used
        self.lends = way.lends
        self.loose = way.loose << first
        self.tight = way.tight << first
        if before is not None:
            self.gaps += before.gaps
            self.room += before.room
            self.forced += before.forced
            self.used += before.used
            self.lends += before.lends
            self.loose |= before.loose
            self.tight |= before.tight


NOTHING: Final = Chosen(None, 0, Runs(0, 0, 0, 0, 0, 0, 0))
"""No runs, chosen before any."""
