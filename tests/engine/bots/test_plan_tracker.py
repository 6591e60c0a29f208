"""Check that a cached plan says of a changed hand what a plan made for that hand says."""

from random import Random

import pytest

from engine.bots.plan_tracker import CachedPlan
from engine.cards import FACE_BIT, Faces, parse_cards
from engine.rules import load_rules
from engine.solver import plan

PACKS, JOKERS = 2, 6


def changed(rng: Random, contract: str) -> tuple[CachedPlan, list[int], Faces]:
    """Return a plan for some dealt hand, the rest of the packs, and that hand after it lost and drew a card or two."""
    pack = [*range(52)] * PACKS + [52] * JOKERS
    rng.shuffle(pack)
    held, rest = Faces(pack[:12]), pack[12:]
    rules = load_rules("oficial")
    way = CachedPlan(plan(rules, contract, held, PACKS, JOKERS), held.copy())
    for _ in range(rng.randrange(3)):
        held.remove(rng.choice(held.cards()))
    for _ in range(rng.choice((0, 1, 1, 2))):
        held.add(rest.pop())
    return way, rest, held


@pytest.mark.parametrize("contract", ["TT", "TE", "EE", "TTE", "EEE"])
def test_a_plan_that_covers_a_hand_is_as_short_as_a_new_one_and_its_cards_are_held(contract: str) -> None:
    """Check 600 hands; some hundred times the plan still covers the hand although cards have come or gone."""
    rng, stood = Random(f"stands {contract}"), 0
    for _ in range(600):
        way, _rest, held = changed(rng, contract)
        if way.covers(held):
            stood += held != way.hand
            assert plan(load_rules("oficial"), contract, held, PACKS, JOKERS).distance == way.plan.distance
            assert held.holds(way.plan.keep)
    assert stood > 60


@pytest.mark.parametrize("contract", ["TT", "TE", "EE", "TTE", "EEE"])
def test_where_a_plan_bounds_the_outs_nothing_helps_that_did_not_help_before(contract: str) -> None:
    """The cards that help the hand, by a plan of its own, are among those of the cached one."""
    rng, bound = Random(f"bounds {contract}"), 0
    for _ in range(600):
        way, rest, held = changed(rng, contract)
        if way.bounds_outs(held):
            bound += held != way.hand
            helping = plan(load_rules("oficial"), contract, held, PACKS, JOKERS).outs_mask
            assert all(way.plan.outs_mask & FACE_BIT[face] for face in rest if helping & FACE_BIT[face])
    assert bound > 10


@pytest.mark.parametrize(
    ("more", "stands"),
    [("", True), ("Kc", True), ("7d", False), ("Jk", False), ("Kc Kc", False), ("Kc Qs", False)],
    ids=["nothing", "no help", "a third seven", "a joker", "a pair", "two cards"],
)
def test_a_hand_of_one_seven_short_is_planned_again_when_it_may_be_nearer(more: str, stands: bool) -> None:
    """Two trios want one seven more: one card that does not help changes nothing, any other pair of cards may."""
    cards = parse_cards("7h 7c 8h 8d 8c 2s 4s")
    way = CachedPlan(plan(load_rules("oficial"), "TT", Faces(cards), PACKS, JOKERS), Faces(cards))
    assert way.covers(Faces((*cards, *parse_cards(more)))) is stands
