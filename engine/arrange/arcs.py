"""Arcs: places for runs, what they take of the cards held, and the cards that then lie in them.

An *arc* says where a run begins and how long it is.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from engine.arrange.runs import turned
from engine.arrange.spreads import SPREAD
from engine.arrange.trios import one_of_a_kind
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
        first: int = once & held.once
        second: int = twice & held.twice
        third: int = thrice & held.thrice
        fourth: int = four & held.four
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
