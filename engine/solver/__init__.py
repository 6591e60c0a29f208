"""The solver: whether a hand meets its contract, its best melds, its distance, and the cards that help.

A contract is a text of `T` (trio) and `E` (run), in any order. `packs` and `jokers` are the numbers in play; without
them, the most that the rule set ever has with that contract (`supply`). All answers are exact. `README.md` in this
folder has a picture of the modules, and the reasons for their design.
"""

from typing import Final

from engine.cards import FACE_OF, JOKER, Faces
from engine.errors import RulesError
from engine.rules import Rules
from engine.solver.contract import goal_for, supply
from engine.solver.distance_search import Plan, meets, plan_for, refuse_beyond_packs
from engine.solver.leftovers import Arrangement, best_arrangement
from engine.solver.wild_twos import plan_over_readings, readings

__all__ = ["Arrangement", "Plan", "best", "distance", "outs", "plan", "possible", "supply"]

_MAX_PACKS: Final = 4
_MAX_JOKERS: Final = 16
"""Enough packs and jokers for any hand: what its cards can make does not depend on the numbers in play."""


def best(rules: Rules, contract: str, hand: Faces) -> Arrangement | None:
    """Return the contract's melds with the least points left over; None if the hand does not meet the contract.

    The same cards always give the same arrangement. Melds may be longer than minimal even where rules let only minimal
    melds be laid down: the rest is laid off in the same turn. Raises RulesError for a text that is not a contract.

    Of arrangements with equal points the first is returned, in the order of the runs: most points covered, then suit
    and rank. In the compiled build an ordinary hand takes about 0.7 µs if it does not meet the contract, and 3 to 9 µs
    if it does. Where a club's trios have a `most`, every run is tried, which is slow beyond some 13 cards.
    """
    goal = goal_for(rules, contract, _MAX_PACKS, _MAX_JOKERS)
    if not goal.wild_twos:
        return best_arrangement(goal, hand, hand, None)
    best_so_far: Arrangement | None = None
    for reading in readings(hand):
        if best_so_far is not None and best_so_far.points == 0:
            break
        under = None if best_so_far is None else best_so_far.points
        best_so_far = best_arrangement(goal, hand, reading, under) or best_so_far
    return best_so_far


def possible(rules: Rules, contract: str, hand: Faces) -> bool:
    """Return whether the hand meets the contract; RulesError for a text that is not a contract."""
    goal = goal_for(rules, contract, _MAX_PACKS, _MAX_JOKERS)
    return any(meets(goal, reading) for reading in readings(hand)) if goal.wild_twos else meets(goal, hand)


def plan(rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None) -> Plan:
    """Return the hand's distance to the contract, the cards that one shortest way uses, and the cards that help.

    Raises RulesError for a text that is not a contract, and for a hand that the packs cannot hold.
    """
    goal = goal_for(rules, contract, packs, jokers)
    refuse_beyond_packs(hand, goal.packs, goal.jokers)
    shortest = plan_over_readings(goal, hand) if goal.wild_twos else plan_for(goal, hand, goal.most_distance)
    if shortest is None:
        raise RulesError(
            "{packs} packs and {jokers} jokers cannot meet {contract}",
            packs=goal.packs,
            jokers=goal.jokers,
            contract=contract,
        )
    return shortest


def distance(rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None) -> int:
    """Return how many more cards of the packs the hand needs to meet the contract; 0 if it meets it.

    Raises RulesError as `plan` does.
    """
    return plan(rules, contract, hand, packs, jokers).distance


def outs(
    rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None
) -> dict[int, int]:
    """Return the faces, perhaps the joker, that shorten the distance, with the number of copies outside the hand.

    Faces ascend; the result is empty if the hand meets the contract. Raises RulesError as `plan` does.
    """
    goal = goal_for(rules, contract, packs, jokers)
    shortest = plan(rules, contract, hand, goal.packs, goal.jokers)
    helping: dict[int, int] = {}
    rest = shortest.outs_mask
    while rest:
        low = rest & -rest
        face = FACE_OF[low % 67]
        helping[face] = (goal.jokers if face == JOKER else goal.packs) - hand.count(face)
        rest ^= low
    return helping
