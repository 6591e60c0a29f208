"""Random play over every rule set of contracts, every variant and every pair, two to eight players, everything
checked at every state.

Fails when, under a rule set, any kind of action, phase, refusal or reshuffle occurred fewer than 200 times, or a
refusal that it does not have occurred at all; and when under a variant what it brings did not happen. The knock
game has its own in `test_knock_play`.
"""

from random import Random

import pytest

from engine.actions import Action, Discard, LayDown, LayOff, MoveJoker, SwapJoker
from engine.deal import deal
from engine.hand import Hand
from engine.melds import Meld
from engine.rules import load_rules
from tests.harness.engine import faults
from tests.harness.engine import random_play_plan as plan
from tests.harness.engine.built_hands import built_hand, shuffle_hidden_cards
from tests.harness.engine.contract_play import Harness, refusal_message, run
from tests.harness.engine.occurrences import (
    BROUGHT,
    CONTRACTS,
    ENDS,
    MIN_SEEN,
    MIN_SEEN_OF_VARIANT,
    REMOVED,
    missing,
    positions,
)
from tests.harness.engine.positions import OFICIAL, play, position, snapshot
from tests.oracles.engine.bookkeeping import all_cards, cards_in_play


def count(request: pytest.FixtureRequest, harness: Harness) -> None:
    """Count the actions, which the end of the test run adds up."""
    request.node.user_properties.append(("actions", harness.actions))


def assert_everything_seen(harness: Harness, name: str, times: int = 1) -> None:
    """Under that rule set everything happened often, and nothing was refused for a reason that it does not have."""
    rules, wanted = load_rules(name), CONTRACTS[name]
    seen = harness.seen + harness.refused
    assert missing(seen, wanted, MIN_SEEN * times) == {}
    assert missing(seen, ENDS, MIN_SEEN * times // 4) == {}
    assert missing(seen, (f"{contract} laid" for contract, _dealt in rules.contracts.hands.order), MIN_SEEN // 10) == {}
    assert missing(seen, positions(rules), MIN_SEEN // 4) == {}
    assert set(harness.refused) - set(wanted) == set()


def assert_variant_seen(harness: Harness, name: str, least: int) -> None:
    """Check that what the variant brings happened, that what it removes did not, and that the rest of its rule set
    did.
    """
    base, variant = name.split("+")
    seen = harness.seen + harness.refused
    brought, taken = BROUGHT[variant], REMOVED.get(variant, ())
    assert missing(seen, brought, least) == {}
    assert [one for one in taken if seen[one]] == []
    assert set(harness.refused) - {*CONTRACTS[base], *brought} == set()


@pytest.mark.parametrize("name", plan.RULE_SETS)
def test_random_play_holds_in_every_state(name: str, request: pytest.FixtureRequest) -> None:
    """Check that cards are conserved, that listed actions are the legal ones, and that texts, copies, views and
    records agree.
    """
    harness = run(plan.RULE_SETS[name], "random play", load_rules(name))
    count(request, harness)
    assert_everything_seen(harness, name)


@pytest.mark.parametrize("name", plan.VARIANTS)
def test_random_play_holds_under_every_variant(name: str, request: pytest.FixtureRequest) -> None:
    """Check a short random run of each variant, and that what only the variant brings happens."""
    harness = run(plan.VARIANTS[name], f"variant {name}", load_rules(name))
    count(request, harness)
    assert_variant_seen(harness, name, MIN_SEEN_OF_VARIANT)


@pytest.mark.parametrize("name", [*plan.PAIRS, *plan.COMBINED])
def test_random_play_holds_under_every_pair_of_variants(name: str, request: pytest.FixtureRequest) -> None:
    """Whatever two variants make of each other, every state holds."""
    actions = (plan.PAIRS | plan.COMBINED)[name]
    harness = run(actions, f"pair {name}", load_rules(name))
    count(request, harness)
    assert harness.actions >= actions


def test_the_plan_has_a_hundred_thousand_actions() -> None:
    """And the long run ten times as many: a million."""
    assert plan.planned_actions() >= plan.MIN_ACTIONS == 100_000
    assert plan.planned_actions() * plan.LONG_FACTOR >= 1_000_000


# --- the long run ---------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("part", range(plan.LONG_FACTOR))
@pytest.mark.parametrize("name", plan.RULE_SETS)
def test_random_play_for_long(name: str, part: int, request: pytest.FixtureRequest) -> None:
    """Other hands, ten times as many."""
    harness = run(plan.RULE_SETS[name], f"soak {part}", load_rules(name))
    count(request, harness)
    assert_everything_seen(harness, name)


@pytest.mark.soak
@pytest.mark.parametrize("name", plan.VARIANTS)
def test_random_play_under_every_variant_for_long(name: str, request: pytest.FixtureRequest) -> None:
    harness = run(plan.LONG_FACTOR * plan.VARIANTS[name], f"long variant {name}", load_rules(name))
    count(request, harness)
    assert_variant_seen(harness, name, plan.LONG_FACTOR * MIN_SEEN_OF_VARIANT)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*plan.PAIRS, *plan.COMBINED])
def test_random_play_under_every_pair_of_variants_for_long(name: str, request: pytest.FixtureRequest) -> None:
    actions = plan.LONG_FACTOR * (plan.PAIRS | plan.COMBINED)[name]
    harness = run(actions, f"long pair {name}", load_rules(name))
    count(request, harness)
    assert harness.actions >= actions


# --- the harness itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [None, *faults.FAULTS])
def test_random_play_notices_a_fault_of_the_engine(fault: str | None) -> None:
    """With the fault in the engine a short random play fails, and without one it does not."""
    assert faults.random_play_fails(fault) is (fault is not None)


def test_the_harness_finds_a_lost_card() -> None:
    """A state that lost a card, or knows too much, is reported."""
    hand = built_hand("lost", 2)
    assert hand.faults() == []
    hand._state.pile.pop()
    assert hand.faults() != []
    assert sorted(all_cards(hand)) != cards_in_play(OFICIAL, 2, 1)
    hand = built_hand("known", 2)
    hand._state.known[0].add(next(face for face in range(52) if face not in hand._state.hands[0]))
    assert hand.faults() != []


def test_the_harness_finds_a_leak() -> None:
    """A view that depended on a hidden card would differ once the hidden cards are exchanged."""
    hand, rng = built_hand("leak", 3), Random("leak")
    differ = 0
    for _ in range(20):
        other = hand.clone()
        shuffle_hidden_cards(other, 0, rng)
        differ += snapshot(other) != snapshot(hand) and other.view(1) != hand.view(1)
        assert sorted(all_cards(other)) == cards_in_play(OFICIAL, 3, hand.view(0).number)
    assert differ == 20


def test_the_harness_exchanges_the_cards_of_the_penalty_stock_too() -> None:
    """Check that the cards in the penalty stock are hidden from every seat."""
    rules = load_rules("fournier")
    hand, rng = Hand(rules, deal(rules, 5, "penalty", 5)), Random("penalty")
    other = hand.clone()
    shuffle_hidden_cards(other, 2, rng)
    assert sorted(all_cards(other)) == cards_in_play(rules, 5, 5)
    assert len(other._state.penalty) == len(hand._state.penalty) > 30
    assert sum(one != two for one, two in zip(other._state.penalty, hand._state.penalty, strict=True)) > 20
    assert other._state.hands[2].key() == hand._state.hands[2].key()
    assert other._state.pile == hand._state.pile


def test_actions_that_no_text_can_write_are_refused() -> None:
    """Places below the first meld or the first card, ends that are none, faces that are none."""
    hand = position("EE", ["5h 6h 7h Jk Jk Ts Js Qs 9s 4h 8h Ks", "Ah"])
    play(hand, "A take; A down E: 5h 6h 7h Jk / E: Jk Ts Js Qs")
    odd: list[Action] = [MoveJoker(-1, 0, -1, 1), MoveJoker(-2, 1, -2, 0), MoveJoker(0, 1, -2, 0)]
    odd += [MoveJoker(0, 2, 0, 0), MoveJoker(0, 1, 0, 2), MoveJoker(0, -1, 0, 0)]
    for face in (*hand.view(0).hand.distinct(), -1, 53, 104):
        for end in (-1, 2):
            odd += [LayOff(face, 0, end), LayOff(face, 1, end), SwapJoker(face, 0, 3, 0, end)]
        for low in (-1, -2):
            odd += [LayOff(face, low, 0), LayOff(face, low, 1), SwapJoker(face, low, 3, 0), SwapJoker(face, 0, 3, low)]
            odd += [SwapJoker(face, 0, low, 0), SwapJoker(face, 1, -4, 0)]
    odd += [Discard(face) for face in (-1, -10, 53, 104)]
    odd += [LayDown(()), LayDown((Meld("T", (-1, -1, -1)), Meld("T", (99, 99, 99))))]
    before = snapshot(hand)
    for action in odd:
        assert not hand.is_legal(action), action
        assert refusal_message(hand, action) != "nothing"
    assert snapshot(hand) == before
