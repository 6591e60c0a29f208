"""The solver: does a hand meet its contract, which melds leave the least points, how far is it, which cards help.

A contract is a text of `T` (trio) and `E` (run), in any order. Packs and jokers are those in play; left out, they are
the most that the rule set ever has with that contract (`supply`). All answers are exact. `engine/README.md` has a
picture of the modules, and why they are as they are.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import FACE_OF, JOKER, Faces
from engine.errors import RulesError
from engine.melds import Meld
from engine.rules import Rules
from engine.solver.contract import goal_for, supply
from engine.solver.distance_search import Plan, meets, plan_for, refuse_beyond_packs
from engine.solver.leftovers import Arrangement, best_arrangement
from engine.solver.minimal_melds import LayDowns
from engine.solver.wild_twos import plan_over_readings, readings

__all__ = ["Arrangement", "Plan", "best", "distance", "lay_downs", "outs", "plan", "possible", "supply"]

_PACKS: Final = 4
_JOKERS: Final = 16
"""More packs and jokers than are ever in play."""


def best(rules: Rules, contract: str, hand: Faces) -> Arrangement | None:
    """Return the contract's melds with the least points left over, as long as that takes; None if impossible.

    The same cards always give the same arrangement. Melds may be longer than minimal also where rules let only minimal
    melds be laid down: the rest is laid off in the same turn. Raises RulesError for a text that is not a contract.

    Of arrangements that leave the same points the first is taken: runs that cover the most points, then by suit and
    rank. Compiled, an ordinary hand takes some 0.7 µs where the contract is not met and 3 to 9 µs where it is. Where a
    club's trios have a `most`, every run is tried, which is slow beyond some 13 cards.
    """
    goal = goal_for(rules, contract, _PACKS, _JOKERS)
    if not goal.wild_twos:
        return best_arrangement(goal, hand, hand, None)
    found: Arrangement | None = None
    for reading in readings(hand):
        if found is not None and found.points == 0:
            break
        found = best_arrangement(goal, hand, reading, None if found is None else found.points) or found
    return found


def possible(rules: Rules, contract: str, hand: Faces) -> bool:
    """Return whether these cards alone meet the contract."""
    goal = goal_for(rules, contract, _PACKS, _JOKERS)
    return any(meets(goal, reading) for reading in readings(hand)) if goal.wild_twos else meets(goal, hand)


def plan(rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None) -> Plan:
    """Return the shortest ways to the contract: their length, the cards that one of them uses, and those that help.

    Raises RulesError for a text that is not a contract, and for a hand that the packs cannot hold.
    """
    goal = goal_for(rules, contract, packs, jokers)
    refuse_beyond_packs(hand, goal.packs, goal.jokers)
    found = plan_over_readings(goal, hand) if goal.wild_twos else plan_for(goal, hand, goal.most_distance)
    if found is None:
        raise RulesError(f"{goal.packs} packs and {goal.jokers} jokers cannot meet {contract}")
    return found


def distance(rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None) -> int:
    """Return how many cards, drawn from the rest of the packs, the hand lacks for the contract; 0 if it meets it.

    Raises RulesError as `plan` does.
    """
    return plan(rules, contract, hand, packs, jokers).distance


def outs(
    rules: Rules, contract: str, hand: Faces, packs: int | None = None, jokers: int | None = None
) -> dict[int, int]:
    """Return the faces, the joker among them, that bring the contract one card nearer, and how many are unseen of each.

    Faces ascend; none when the hand meets the contract. Raises RulesError as `plan` does.
    """
    goal = goal_for(rules, contract, packs, jokers)
    found = plan(rules, contract, hand, goal.packs, goal.jokers)
    helping: dict[int, int] = {}
    rest = found.outs_mask
    while rest:
        low = rest & -rest
        face = FACE_OF[low % 67]
        helping[face] = (goal.jokers if face == JOKER else goal.packs) - hand.count(face)
        rest ^= low
    return helping


def lay_downs(rules: Rules, contract: str, hand: Faces) -> Iterator[tuple[Meld, ...]]:
    """Return every way to lay the contract with minimal melds, each once, trios first, in a fixed order.

    Melds of one kind ascend. Raises RulesError for a text that is not a contract.
    """
    return LayDowns(rules, contract, hand) if possible(rules, contract, hand) else iter(())
