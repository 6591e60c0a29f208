"""Check every state of random play under every contract rule set, every variant and every pair of variants.

The tests fail if a kind of action, phase, refusal or reshuffle occurs fewer than 200 times under a rule set, if a
refusal occurs that the rule set does not have, or if the events that only a variant brings do not occur under it. The
knock game has its own random play in `tests/engine/knock`.
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
from tests.harness.engine.checked_play import refusal_message
from tests.harness.engine.contract_play import Harness, run
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
from tests.harness.slow import slow
from tests.oracles.engine.bookkeeping import all_cards, cards_in_play


def count(request: pytest.FixtureRequest, harness: Harness) -> None:
    """Record the number of actions, which the test run adds up at its end."""
    request.node.user_properties.append(("actions", harness.actions))


def assert_everything_seen(harness: Harness, name: str, least: int = MIN_SEEN) -> None:
    """Check that every event of the rule set happened often, and that every refusal is one of its list."""
    rules, expected = load_rules(name), CONTRACTS[name]
    seen = harness.seen + harness.refused
    assert missing(seen, expected, least) == {}
    assert missing(seen, ENDS, least // 4) == {}
    assert missing(seen, (f"{contract} laid" for contract, _dealt in rules.contracts.hands.order), least // 10) == {}
    assert missing(seen, positions(rules), least // 4) == {}
    assert set(harness.refused) - set(expected) == set()


def assert_variant_seen(harness: Harness, name: str, least: int) -> None:
    """Check that events of the variant happened and removed ones did not, and that every refusal is in the lists."""
    base, variant = name.split("+")
    seen = harness.seen + harness.refused
    brought, removed = BROUGHT[variant], REMOVED.get(variant, ())
    assert missing(seen, brought, least) == {}
    assert [event for event in removed if seen[event]] == []
    assert set(harness.refused) - {*CONTRACTS[base], *brought} == set()


@pytest.mark.parametrize("part", [plan.SHORT_PART, *slow([1])])
@pytest.mark.parametrize("name", plan.RULE_SETS)
def test_random_play_holds_in_every_state(name: str, part: int, request: pytest.FixtureRequest) -> None:
    """Check that no card is lost, that exactly the legal actions are listed, and that texts, copies, views and records
    agree.
    """
    harness = run(plan.RULE_SETS[name] // part, "random play", load_rules(name))
    count(request, harness)
    assert_everything_seen(harness, name, MIN_SEEN // part)


SOME_VARIANTS = list(plan.VARIANTS)[:: plan.SHORT_PART]


@pytest.mark.parametrize("name", [*SOME_VARIANTS, *slow(name for name in plan.VARIANTS if name not in SOME_VARIANTS)])
def test_random_play_holds_under_every_variant(name: str, request: pytest.FixtureRequest) -> None:
    """Check a short run of each variant, and that the events that only the variant brings happen."""
    harness = run(plan.VARIANTS[name], f"variant {name}", load_rules(name))
    count(request, harness)
    assert_variant_seen(harness, name, MIN_SEEN_OF_VARIANT)


SOME_PAIRS = [*list(plan.PAIRS)[:: plan.SHORT_PART], *plan.COMBINED]


@pytest.mark.parametrize("name", [*SOME_PAIRS, *slow(name for name in plan.PAIRS if name not in SOME_PAIRS)])
def test_random_play_holds_under_every_pair_of_variants(name: str, request: pytest.FixtureRequest) -> None:
    """Check every state under each pair and some triples of variants."""
    actions = (plan.PAIRS | plan.COMBINED)[name]
    harness = run(actions, f"pair {name}", load_rules(name))
    count(request, harness)
    assert harness.actions >= actions


def test_the_plan_has_a_hundred_thousand_actions() -> None:
    """The slow tests take them all, the long run ten times as many: a million."""
    assert plan.planned_actions() >= plan.MIN_ACTIONS == 100_000
    assert plan.planned_actions() * plan.LONG_FACTOR >= 1_000_000


# --- the long run ---------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("part", range(plan.LONG_FACTOR))
@pytest.mark.parametrize("name", plan.RULE_SETS)
def test_random_play_holds_in_the_long_run(name: str, part: int, request: pytest.FixtureRequest) -> None:
    """Check ten parts, each as long as the short run, with other hands."""
    harness = run(plan.RULE_SETS[name], f"soak {part}", load_rules(name))
    count(request, harness)
    assert_everything_seen(harness, name)


@pytest.mark.soak
@pytest.mark.parametrize("name", plan.VARIANTS)
def test_random_play_holds_under_every_variant_in_the_long_run(name: str, request: pytest.FixtureRequest) -> None:
    harness = run(plan.LONG_FACTOR * plan.VARIANTS[name], f"long variant {name}", load_rules(name))
    count(request, harness)
    assert_variant_seen(harness, name, plan.LONG_FACTOR * MIN_SEEN_OF_VARIANT)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*plan.PAIRS, *plan.COMBINED])
def test_random_play_holds_under_every_pair_of_variants_in_the_long_run(
    name: str, request: pytest.FixtureRequest
) -> None:
    actions = plan.LONG_FACTOR * (plan.PAIRS | plan.COMBINED)[name]
    harness = run(actions, f"long pair {name}", load_rules(name))
    count(request, harness)
    assert harness.actions >= actions


# --- the harness itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [None, *faults.FAULTS])
def test_random_play_notices_a_fault_of_the_engine(fault: str | None) -> None:
    """Check that a short random play fails with each fault, and not without one."""
    assert faults.random_play_fails(fault) is (fault is not None)


def test_the_harness_finds_a_lost_card() -> None:
    """A state that lost a card, or has a known card that is not in the hand, is reported."""
    hand = built_hand("lost", 2)
    assert hand.faults() == []
    hand._state.pile.pop()
    assert hand.faults() != []
    assert sorted(all_cards(hand)) != cards_in_play(OFICIAL, 2, 1)
    hand = built_hand("known", 2)
    hand._state.known[0].add(next(face for face in range(52) if face not in hand._state.hands[0]))
    assert hand.faults() != []


def test_the_harness_finds_a_leak() -> None:
    """Check that shuffling the cards hidden from A changes what B sees: a leak into A's view would show."""
    hand, rng = built_hand("leak", 3), Random("leak")
    differ = 0
    for _ in range(20):
        copy = hand.clone()
        shuffle_hidden_cards(copy, 0, rng)
        differ += snapshot(copy) != snapshot(hand) and copy.view(1) != hand.view(1)
        assert sorted(all_cards(copy)) == cards_in_play(OFICIAL, 3, hand.view(0).number)
    assert differ == 20


def test_the_harness_shuffles_the_cards_of_the_penalty_stock_too() -> None:
    """Check that most cards of the penalty stock change places, and the seat's cards and the discards do not."""
    rules = load_rules("fournier")
    hand, rng = Hand(rules, deal(rules, 5, "penalty", 5)), Random("penalty")
    copy = hand.clone()
    shuffle_hidden_cards(copy, 2, rng)
    assert sorted(all_cards(copy)) == cards_in_play(rules, 5, 5)
    assert len(copy._state.penalty) == len(hand._state.penalty) > 30
    assert sum(after != before for after, before in zip(copy._state.penalty, hand._state.penalty, strict=True)) > 20
    assert copy._state.hands[2].key() == hand._state.hands[2].key()
    assert copy._state.pile == hand._state.pile


def test_actions_with_impossible_numbers_are_refused() -> None:
    """Check numbers of melds and places below the first, and ends and faces that do not exist."""
    hand = position("EE", ["5h 6h 7h Jk Jk Ts Js Qs 9s 4h 8h Ks", "Ah"])
    play(hand, "A take; A down E: 5h 6h 7h Jk / E: Jk Ts Js Qs")
    impossible: list[Action] = [MoveJoker(-1, 0, -1, 1), MoveJoker(-2, 1, -2, 0), MoveJoker(0, 1, -2, 0)]
    impossible += [MoveJoker(0, 2, 0, 0), MoveJoker(0, 1, 0, 2), MoveJoker(0, -1, 0, 0)]
    for face in (*hand.view(0).hand.distinct(), -1, 53, 104):
        for end in (-1, 2):
            impossible += [LayOff(face, 0, end), LayOff(face, 1, end), SwapJoker(face, 0, 3, 0, end)]
        for low in (-1, -2):
            impossible += [
                LayOff(face, low, 0),
                LayOff(face, low, 1),
                SwapJoker(face, low, 3, 0),
                SwapJoker(face, 0, 3, low),
            ]
            impossible += [SwapJoker(face, 0, low, 0), SwapJoker(face, 1, -4, 0)]
    impossible += [Discard(face) for face in (-1, -10, 53, 104)]
    impossible += [LayDown(()), LayDown((Meld("T", (-1, -1, -1)), Meld("T", (99, 99, 99))))]
    before = snapshot(hand)
    for action in impossible:
        assert not hand.is_legal(action), action
        assert refusal_message(hand, action) != "nothing"
    assert snapshot(hand) == before
