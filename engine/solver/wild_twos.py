"""Red twos that may be wild: the solver asks its questions of every *reading* of a hand.

In a reading each red two is either the natural card or one joker more. A red two that a trio takes counts as a
joker: to the trio it is all the same.
"""

from collections.abc import Iterator

from mypy_extensions import i64

from engine.cards import BIT, FACE_BIT, JOKER, RED_TWOS, Faces
from engine.solver.contract import Goal
from engine.solver.distance_search import Plan, plan_for, unseen_mask


def readings(hand: Faces) -> list[Faces]:
    """The hand in every reading, red twos wild first."""
    low, high = RED_TWOS
    naturals = [(lows, highs) for lows in range(hand.count(low) + 1) for highs in range(hand.count(high) + 1)]
    return [_reading(hand, some) for some in naturals]


def _reading(hand: Faces, naturals: tuple[int, ...]) -> Faces:
    reading = hand.copy()
    for face, natural in zip(RED_TWOS, naturals, strict=True):
        for _ in range(hand.count(face) - natural):
            reading.remove(face)
            reading.add(JOKER)
    return reading


def own_wilds(hand: Faces, reading: Faces) -> Iterator[int]:
    """The cards that are the reading's jokers: jokers first, so that they stay in the hand least."""
    yield from [JOKER] * hand.jokers
    for face in RED_TWOS:
        yield from [face] * (hand.count(face) - reading.count(face))


def shortest_of_readings(goal: Goal, hand: Faces) -> Plan | None:
    """The plans of all readings as one: the cards that the first shortest keeps, all that help."""
    most = goal.most
    short: list[Plan] = []
    for reading in readings(hand):
        found = plan_for(goal, reading, most)
        if found is not None:
            if found.distance < most:
                most = found.distance
                short = []
            short.append(_own_plan(goal, found, hand, reading))
    if not short:
        return None
    outs: i64 = 0
    for plan in short:
        outs |= plan.outs_mask
    return Plan(most, short[0].keep, outs)


def _own_plan(goal: Goal, plan: Plan, hand: Faces, reading: Faces) -> Plan:
    """A reading's plan in the cards of the hand; what helps as a joker does, a red two does as well."""
    wilds = own_wilds(hand, reading)
    keep = sorted([next(wilds) if face == JOKER else face for face in plan.keep])
    unseen = unseen_mask(hand, goal.packs)
    if hand.jokers < goal.jokers:
        unseen |= FACE_BIT[JOKER]
    outs = plan.outs_mask
    if outs & FACE_BIT[JOKER]:
        outs |= BIT[RED_TWOS[0]] | BIT[RED_TWOS[1]]
    return Plan(plan.distance, tuple(keep), outs & unseen)
