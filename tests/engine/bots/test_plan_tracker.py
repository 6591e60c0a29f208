"""Check a cached plan, after the hand has changed, against a new plan for the changed hand."""

from random import Random

import pytest

from engine.bots.table_play import CachedPlan
from engine.cards import FACE_BIT, Faces, parse_cards
from engine.rules import load_rules
from engine.solver import plan

PACKS, JOKERS = 2, 6


def changed(rng: Random, contract: str) -> tuple[CachedPlan, list[int], Faces]:
    """Return a plan for a random hand, the rest of the packs, and the hand after a few cards were lost and drawn."""
    pack = [*range(52)] * PACKS + [52] * JOKERS
    rng.shuffle(pack)
    held, rest = Faces(pack[:12]), pack[12:]
    rules = load_rules("oficial")
    cached = CachedPlan(plan(rules, contract, held, PACKS, JOKERS), held.copy())
    for _ in range(rng.randrange(3)):
        held.remove(rng.choice(held.cards()))
    for _ in range(rng.choice((0, 1, 1, 2))):
        held.add(rest.pop())
    return cached, rest, held


@pytest.mark.parametrize("contract", ["TT", "TE", "EE", "TTE", "EEE"])
def test_a_cached_plan_that_covers_a_hand_has_the_distance_of_a_new_plan(contract: str) -> None:
    """Check distance and kept cards in 600 hands; in more than 60 the plan covers a hand that has changed."""
    rng, covered = Random(f"stands {contract}"), 0
    for _ in range(600):
        cached, _rest, held = changed(rng, contract)
        if cached.covers(held):
            covered += held != cached.hand
            assert plan(load_rules("oficial"), contract, held, PACKS, JOKERS).distance == cached.plan.distance
            assert held.holds(cached.plan.keep)
    assert covered > 60


@pytest.mark.parametrize("contract", ["TT", "TE", "EE", "TTE", "EEE"])
def test_a_cached_plan_that_bounds_the_outs_has_all_cards_that_help(contract: str) -> None:
    """Check that the cards which help the hand, by a new plan, are among those of the cached plan."""
    rng, bounded = Random(f"bounds {contract}"), 0
    for _ in range(600):
        cached, rest, held = changed(rng, contract)
        if cached.bounds_outs(held):
            bounded += held != cached.hand
            helping_faces = plan(load_rules("oficial"), contract, held, PACKS, JOKERS).outs_mask
            assert all(cached.plan.outs_mask & FACE_BIT[face] for face in rest if helping_faces & FACE_BIT[face])
    assert bounded > 10


@pytest.mark.parametrize(
    ("drawn", "covers"),
    [("", True), ("Kc", True), ("7d", False), ("Jk", False), ("Kc Kc", False), ("Kc Qs", False)],
    ids=["nothing", "no help", "a third seven", "a joker", "a pair", "two cards"],
)
def test_a_plan_stops_covering_a_hand_that_may_have_come_nearer_to_the_contract(drawn: str, covers: bool) -> None:
    """Two trios need one more seven: the plan covers one useless card more, but no useful card and no two cards."""
    cards = parse_cards("7h 7c 8h 8d 8c 2s 4s")
    cached = CachedPlan(plan(load_rules("oficial"), "TT", Faces(cards), PACKS, JOKERS), Faces(cards))
    assert cached.covers(Faces((*cards, *parse_cards(drawn)))) is covers
