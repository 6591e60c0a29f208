"""Arcs: places for runs, what they take of the cards held, and the cards that then lie in them.

An *arc* says where a run begins and how long it is.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.goal import Goal
from engine.arrange.spreads import NUMBER, SPREAD
from engine.arrange.suit_cards import SuitCards
from engine.cards import BIT, JOKER
from engine.melds import RUN, is_meld

Cards = tuple[int, ...]


@final
@mypyc_attr(acyclic=True)
class Taken:
    """What arcs of one suit cover, each rank once, twice, …, and what they use of the cards held.

    `missing` are the jokers that they need, `points` what the naturals count and `used` their spread.
    """

    __slots__ = ("four", "length", "missing", "once", "points", "thrice", "twice", "used")

    def __init__(
        self, once: i64, twice: i64, thrice: i64, four: i64, length: i64, held: SuitCards, worth: list[int]
    ) -> None:
        first, second = once & held.once, twice & held.twice
        third, fourth = thrice & held.thrice, four & held.four
        points: i64 = worth[first]
        used: i64 = SPREAD[first]
        missing: i64 = length - NUMBER[first]
        if second:
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
class Arc:
    """A place for a run, and what it takes if it is the only one of its suit."""

    __slots__ = ("length", "missing", "once", "order", "points", "start", "suit", "taken", "twice")

    def __init__(self, suit: i64, start: i64, taken: Taken) -> None:
        self.suit = suit
        self.start = start
        self.length = taken.length
        self.once = taken.once
        self.twice = taken.twice
        self.points = taken.points
        self.missing = taken.missing
        self.taken = taken
        self.order: i64 = ((suit - 4 * taken.points) * 16 + start) * 64 + taken.length


def joined(before: Taken, arc: Arc, held: SuitCards, worth: list[int]) -> Taken:
    """What these arcs and one more take (what five arcs cover a fifth time is always missing)."""
    other = arc.taken
    return Taken(
        before.once | other.once,
        before.twice | other.twice | before.once & other.once,
        before.thrice | other.thrice | before.once & other.twice | before.twice & other.once,
        before.four | before.once & other.thrice | before.twice & other.twice | before.thrice & other.once,
        before.length + other.length,
        held,
        worth,
    )


def arcs_of(goal: Goal, suit: i64, held: SuitCards, jokers: i64, found: list[Arc]) -> None:
    """Puts among those found the arcs of a suit that so many jokers can fill.

    They are of the least length, or longer with naturals at both ends.
    """
    shape = goal.table.shape
    for start in range(shape.starts):
        window: i64 = shape.windows[start]
        if goal.least - NUMBER[window & held.once] <= jokers:
            _arcs_from(goal, suit, start, held, jokers, found)


def _arcs_from(goal: Goal, suit: i64, start: i64, held: SuitCards, jokers: i64, found: list[Arc]) -> None:
    """Adds the arcs that begin at that rank."""
    once: i64 = 0
    twice: i64 = 0
    thrice: i64 = 0
    missing: i64 = 0
    gap_before = False
    first: i64 = BIT[start]
    begins = first & held.once != 0
    most = goal.run_most if goal.turns else min(goal.run_most, 14 - start)
    for length in range(1, most + 1):
        rank: i64 = BIT[(start + length - 1) % 13]
        if not once & rank:
            once |= rank
            missing += 0 if held.once & rank else 1
        elif not twice & rank:
            twice |= rank
            missing += 0 if held.twice & rank else 1
        else:
            thrice |= rank
            missing += 0 if held.thrice & rank else 1
        gap = held.once & rank == 0
        if missing > jokers or (gap and gap_before and goal.jokers_apart):
            return
        gap_before = gap
        if length == goal.least or (length > goal.least and begins and not gap):
            taken = Taken(once, twice, thrice, 0, length, held, goal.worth[suit])
            arc = Arc(suit, start, taken)
            if (length <= 13 and goal.run_naturals == 1) or fits(goal, held, taken, [arc]):
                _insert(found, arc)


def _insert(arcs: list[Arc], arc: Arc) -> None:
    """Puts the arc into its place: most points first, then by suit, start and length."""
    place = len(arcs)
    while place and arcs[place - 1].order > arc.order:
        place -= 1
    arcs.insert(place, arc)


def fits(goal: Goal, held: SuitCards, taken: Taken, arcs: list[Arc]) -> bool:
    """Whether the arcs of one suit, which take so much, can be filled; a full trial only where they want one card."""
    contested = held.contested(taken.once, taken.twice, taken.thrice, taken.four)
    if not contested or not goal.jokers_apart:
        own = held.once & ~contested
        if all(NUMBER[arc.once & own] >= goal.run_naturals for arc in arcs):
            return True
    return next(fillings(goal, arcs, held), None) is not None


def fillings(goal: Goal, arcs: list[Arc], held: SuitCards) -> Iterator[list[Cards]]:
    """The arcs of one suit with their cards, for every choice of who has a card that two want."""
    wanting: dict[int, list[tuple[int, int]]] = {}
    for number, arc in enumerate(arcs):
        for place in range(arc.length):
            wanting.setdefault((arc.start + place) % 13, []).append((number, place))
    choices: list[list[tuple[tuple[int, int], ...]]] = []
    for rank, places in wanting.items():
        jokers = max(0, len(places) - (held.spread >> (4 * rank) & 15))
        if jokers:
            choices.append(list(combinations(places, jokers)))
    for choice in product(*choices):
        jokers_at = {spot for spots in choice for spot in spots}
        if _fair(goal, arcs, jokers_at):
            yield [
                tuple(
                    [
                        JOKER if (number, place) in jokers_at else 13 * arc.suit + (arc.start + place) % 13
                        for place in range(arc.length)
                    ]
                )
                for number, arc in enumerate(arcs)
            ]


def filled(goal: Goal, arcs: list[Arc], held: SuitCards) -> list[Cards]:
    """The first of `fillings`."""
    return next(fillings(goal, arcs, held))


def alone(arc: Arc, held: SuitCards) -> Cards:
    """The cards of an arc that wants no card for which it has too few copies but some."""
    cards: list[int] = []
    rank, first = arc.start, 13 * arc.suit
    for _ in range(arc.length):
        cards.append(first + rank if held.once & BIT[rank] else JOKER)
        rank = 0 if rank == 12 else rank + 1
    return tuple(cards)


def lend(goal: Goal, runs: list[Cards], number: int, ranks: set[int]) -> list[int] | None:
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
            if is_meld(goal.rules, RUN, runs[which]):
                others = lend(goal, runs, number - 1, {*ranks, face % 13} if goal.distinct else ranks)
                if others is not None:
                    return [face, *others]
            runs[which] = run
    return None


def _fair(goal: Goal, arcs: list[Arc], jokers_at: set[tuple[int, int]]) -> bool:
    if goal.jokers_apart and any((number, place + 1) in jokers_at for number, place in jokers_at):
        return False
    naturals = [arc.length for arc in arcs]
    for number, _ in jokers_at:
        naturals[number] -= 1
    return all(count >= goal.run_naturals for count in naturals)
