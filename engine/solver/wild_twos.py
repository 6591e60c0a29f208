"""Wild red twos: a *reading* of a hand takes each as a natural or as a joker, and every reading is searched.

`engine.melds.roles` decides in which role a red two of a trio is laid, whatever its reading.
"""

from collections.abc import Iterator

from mypy_extensions import i64

from engine.cards import BIT, FACE_BIT, JOKER, RED_TWOS, Faces
from engine.solver.contract import Goal
from engine.solver.distance_search import Plan, plan_for, unseen_mask


def readings(hand: Faces) -> list[Faces]:
    """Return the hand in every reading; the first has all red twos as jokers."""
    low, high = RED_TWOS
    naturals = [(lows, highs) for lows in range(hand.count(low) + 1) for highs in range(hand.count(high) + 1)]
    return [_reading(hand, counts) for counts in naturals]


def _reading(hand: Faces, naturals: tuple[int, ...]) -> Faces:
    """Return the hand with these numbers of red twos natural, the others as jokers."""
    reading = hand.copy()
    for face, natural in zip(RED_TWOS, naturals, strict=True):
        for _ in range(hand.count(face) - natural):
            reading.remove(face)
            reading.add(JOKER)
    return reading


def wild_cards(hand: Faces, reading: Faces) -> Iterator[int]:
    """Yield the cards that are jokers in the reading; real jokers come first, so they are laid first."""
    yield from [JOKER] * hand.jokers
    for face in RED_TWOS:
        yield from [face] * (hand.count(face) - reading.count(face))


def plan_over_readings(goal: Goal, hand: Faces) -> Plan | None:
    """Return one plan for all readings; None if no reading has one.

    Its cards are those of the first reading whose plan is shortest, its outs those of all such readings.
    """
    most = goal.most_distance
    shortest: list[Plan] = []
    for reading in readings(hand):
        found = plan_for(goal, reading, most)
        if found is not None:
            if found.distance < most:
                most = found.distance
                shortest = []
            shortest.append(_in_cards_of_hand(goal, found, hand, reading))
    if not shortest:
        return None
    outs: i64 = 0
    for plan in shortest:
        outs |= plan.outs_mask
    return Plan(most, shortest[0].keep, outs)


def _in_cards_of_hand(goal: Goal, plan: Plan, hand: Faces, reading: Faces) -> Plan:
    """Return the plan of a reading with the cards of the hand; where a joker helps, so does a red two."""
    wilds = wild_cards(hand, reading)
    keep = sorted([next(wilds) if face == JOKER else face for face in plan.keep])
    unseen = unseen_mask(hand, goal.packs)
    if hand.jokers < goal.jokers:
        unseen |= FACE_BIT[JOKER]
    outs = plan.outs_mask
    if outs & FACE_BIT[JOKER]:
        outs |= BIT[RED_TWOS[0]] | BIT[RED_TWOS[1]]
    return Plan(plan.distance, tuple(keep), outs & unseen)
