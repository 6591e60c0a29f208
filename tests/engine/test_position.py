"""A position decides as its hand does, and a hand survives copying and pickling, in every state of random play."""

import copy
import pickle
from itertools import islice
from random import Random

import pytest

from engine.actions import Action
from engine.cards import JOKER
from engine.hand import Hand, legal_at
from engine.rules import all_rules, load_rules
from engine.state import CLAIM
from tests.harness.engine import attempted_actions, built_hands, knock_play
from tests.harness.engine.positions import snapshot

NAMES = (*all_rules(), "oficial+red-twos+close5", "oficial+distinct")
LISTED = 30
"""The most legal actions that are compared in a state."""


def some_hand(name: str, number: int) -> Hand:
    """Return a hand, dealt or built, so that players hold contracts, jokers, and cards that fit on melds."""
    rules = load_rules(name)
    if rules.kind == "knock":
        return knock_play.some_hand("positions", number)
    return built_hands.some_hand(name, number, rules)


def attempts(rng: Random, hand: Hand) -> list[Action]:
    """Return a few actions of every kind, legal or not."""
    knock = hand.view(0).rules.kind == "knock"
    return knock_play.attempts(rng, hand) if knock else attempted_actions.attempts(rng, hand)


@pytest.mark.parametrize("name", NAMES)
def test_a_position_lists_and_refuses_what_its_hand_does(name: str) -> None:
    """The position knows no hidden card, so that the hand is a second source for each of its answers."""
    rng, states = Random(f"position {name}"), 0
    for number in range(6):
        hand = some_hand(name, number)
        while not hand.over and states < 60 * (number + 1):
            states += 1
            legal = legal_at(hand.view(0).rules, pickle.loads(pickle.dumps(hand.legal.position())))
            listed = list(islice(hand.legal, LISTED))
            assert list(islice(legal, LISTED)) == listed
            for action in [*listed, *attempts(rng, hand)]:
                assert legal.why_not(action) == hand.why_not(action), str(action)
            hand.apply(rng.choice(listed))


@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_a_position_does_not_depend_on_cards_that_the_seat_cannot_see(name: str) -> None:
    """Each hand is changed by exchanging cards of the stock with cards of another hand."""
    for number in range(10):
        hand = some_hand(name, number)
        other = next(seat for seat in range(len(hand.totals)) if seat != hand.actor)
        state, before = hand._state, hand.legal.position()
        held, state.stock[:] = state.hands[other].cards(), [JOKER for _card in state.stock]
        for card in held:
            state.hands[other].remove(card)
            state.hands[other].add(JOKER)
        assert hand.legal.position() == before


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda hand: pickle.loads(pickle.dumps(hand))}


@pytest.mark.parametrize("method", COPIES)
@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_a_copied_hand_is_equal_and_continues_alike_and_alone(name: str, method: str) -> None:
    """Copies are made at several moments, the claim window and after a lay-down among them, and played by a bot."""
    rng = Random(f"copies {name}")
    for number in range(6):
        hand = some_hand(name, number)
        for _ in range(rng.randrange(12)):
            if not hand.over:
                hand.apply(rng.choice(list(islice(hand.legal, LISTED))))
        copied = COPIES[method](hand)
        before = snapshot(hand)
        assert (snapshot(copied), copied.totals, copied.faults()) == (before, hand.totals, [])
        assert [str(action) for action in islice(copied.legal, LISTED)] == [
            str(action) for action in islice(hand.legal, LISTED)
        ]
        while not copied.over:
            copied.apply(next(iter(copied.legal)))
        assert snapshot(hand) == before


def test_a_copied_hand_shuffles_as_the_hand_does() -> None:
    """The deal's seed travels with the copy; the first legal action is taken until the stock has been shuffled."""
    for number in range(20):
        hand = some_hand("oficial", number)
        copied = copy.deepcopy(hand)
        while not hand.over and hand.phase != CLAIM:
            action = next(iter(hand.legal))
            hand.apply(action)
            copied.apply(action)
        assert snapshot(copied) == snapshot(hand)


def test_legal_actions_can_be_copied_too() -> None:
    hand = some_hand("oficial", 3)
    assert list(islice(copy.deepcopy(hand.legal), LISTED)) == list(islice(hand.legal, LISTED))
