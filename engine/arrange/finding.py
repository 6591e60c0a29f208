"""Finding arcs: every place in a suit that a run may have."""

from typing import Final

from mypy_extensions import i64

from engine.arrange.arcs import Arc, Holding
from engine.arrange.fillings import fits
from engine.arrange.goal import Goal
from engine.arrange.spreads import NUMBER
from engine.cards import BIT

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
