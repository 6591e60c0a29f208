"""Wild red twos: questions are asked of every *reading* of a hand, in which each of them is natural or a joker.

A red two that a trio takes counts as a joker, since a trio takes both alike.
"""

from collections.abc import Iterator

from mypy_extensions import i64

from engine.cards import BIT, FACE_BIT, JOKER, RED_TWOS, Faces
from engine.solver.contract import Goal
from engine.solver.distance_search import Plan, plan_for, unseen_mask


def readings(hand: Faces) -> list[Faces]:
    """Return the hand in every reading, red twos wild first."""
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


def wild_cards(hand: Faces, reading: Faces) -> Iterator[int]:
    """Yield the cards that are the reading's jokers: jokers first, so that they stay in the hand last."""
    yield from [JOKER] * hand.jokers
    for face in RED_TWOS:
        yield from [face] * (hand.count(face) - reading.count(face))


def plan_over_readings(goal: Goal, hand: Faces) -> Plan | None:
    """Return the plans of all readings as one: the cards that the first shortest keeps, and all cards that help."""
    most = goal.most_distance
    short: list[Plan] = []
    for reading in readings(hand):
        found = plan_for(goal, reading, most)
        if found is not None:
            if found.distance < most:
                most = found.distance
                short = []
            short.append(_in_cards_of_hand(goal, found, hand, reading))
    if not short:
        return None
    outs: i64 = 0
    for plan in short:
        outs |= plan.outs_mask
    return Plan(most, short[0].keep, outs)


def _in_cards_of_hand(goal: Goal, plan: Plan, hand: Faces, reading: Faces) -> Plan:
    """Return a reading's plan in the cards of the hand; where a joker helps, so does a red two."""
    wilds = wild_cards(hand, reading)
    keep = sorted([next(wilds) if face == JOKER else face for face in plan.keep])
    unseen = unseen_mask(hand, goal.packs)
    if hand.jokers < goal.jokers:
        unseen |= FACE_BIT[JOKER]
    outs = plan.outs_mask
    if outs & FACE_BIT[JOKER]:
        outs |= BIT[RED_TWOS[0]] | BIT[RED_TWOS[1]]
    return Plan(plan.distance, tuple(keep), outs & unseen)
