"""Arcs: places for runs, and what they take of the cards held. An *arc* says where a run begins and how long it is."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import NUMBER, RANKS, SPREAD, SuitCards


@mypyc_attr(acyclic=True)
class Taken:
    """What arcs of one suit cover, each rank once, twice, …, and what they use of the cards held.

    `missing` are the jokers that they need, `points` what the naturals count and `used` their spread.
    """

    __slots__ = ("four", "length", "missing", "once", "points", "thrice", "twice", "used")

    def __init__(self, once: i64, twice: i64, thrice: i64, four: i64, length: i64, holding: "Holding") -> None:
        held, worth = holding.cards, holding.worth
        first, second = once & held.once, twice & held.twice
        points: i64 = worth[first]
        used: i64 = SPREAD[first]
        missing: i64 = length - NUMBER[first]
        if second:
            third, fourth = thrice & held.thrice, four & held.four
            points += worth[second] + worth[third] + worth[fourth]
            used += SPREAD[second] + SPREAD[third] + SPREAD[fourth]
            missing -= NUMBER[second] + NUMBER[third] + NUMBER[fourth]
        self.once = once
        self.twice = twice
        self.thrice = thrice
        self.four = four
        self.length = length
        self.points = points
        self.used = used
        self.missing = missing


@final
@mypyc_attr(acyclic=True)
class Arc(Taken):
    """A place for a run, and what it takes if it is the only one of its suit.

    Arcs are tried in `order`: most points first, then by suit, start and length. `first` is the suit's ace.
    """

    __slots__ = ("first", "order", "start", "suit")

    def __init__(self, holding: "Holding", start: i64, once: i64, twice: i64, thrice: i64, length: i64) -> None:
        super().__init__(once, twice, thrice, 0, length, holding)
        self.suit: i64 = holding.suit
        self.first: i64 = 13 * holding.suit
        self.start = start
        self.order: i64 = ((self.suit - 4 * self.points) * 16 + start) * 64 + length

    def next(self, face: i64) -> i64:
        """The natural that stands after that one."""
        if face == self.first + 12:
            return self.first
        return face + 1


@final
@mypyc_attr(acyclic=True)
class Holding:
    """The cards held of a suit, what they count, and what the arcs chosen so far take of them.

    `free` are the ranks of which more copies are held than are taken. `hoped` is what one more run may cover at the
    most, `spare` what any number may (both set by `hope`).
    """

    __slots__ = ("cards", "free", "hoped", "points", "spare", "suit", "taken", "worth")

    def __init__(self, suit: i64, cards: SuitCards, worth: list[int]) -> None:
        self.suit = suit
        self.cards = cards
        self.worth = worth
        self.points = self.within(RANKS)
        self.taken: Taken | None = None
        self.free: i64 = cards.once
        self.spare: i64 = 0
        self.hoped: i64 = 0

    def take(self, taken: Taken | None) -> None:
        """Lets the arcs chosen take that; nothing if there are none."""
        held = self.cards
        self.taken = taken
        self.free = held.once
        if taken is not None:
            self.free &= ~taken.once
            if held.twice:
                self.free |= held.twice & ~taken.twice | held.thrice & ~taken.thrice | held.four & ~taken.four

    def contested(self, taken: Taken) -> i64:
        """The ranks that arcs want more often than they are held, if they are held at all."""
        return self.cards.contested(taken.once, taken.twice, taken.thrice, taken.four)

    def within(self, ranks: i64) -> i64:
        """What the cards of these ranks count, all copies."""
        held, worth = self.cards, self.worth
        points: i64 = worth[held.once & ranks]
        if held.twice & ranks:
            points += worth[held.twice & ranks] + worth[held.thrice & ranks] + worth[held.four & ranks]
        return points


def joined(before: Taken, other: Arc, holding: Holding) -> Taken:
    """What these arcs and one more take (what five arcs cover a fifth time is always missing)."""
    return Taken(
        before.once | other.once,
        before.twice | other.twice | before.once & other.once,
        before.thrice | other.thrice | before.once & other.twice | before.twice & other.once,
        before.four | before.once & other.thrice | before.twice & other.twice | before.thrice & other.once,
        before.length + other.length,
        holding,
    )
