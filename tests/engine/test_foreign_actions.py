"""Check that a hand answers every action at every moment, also actions of the other family of games."""

import pytest

from engine.actions import parse_action
from engine.bots import make_bot
from engine.errors import IllegalAction
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.rules import all_rules, load_rules
from tests.harness.engine.positions import play, position, snapshot

ACTIONS = (
    *("stock", "take", "claim", "pass", "back", "close", "knock", "rummy", "color", "continental"),
    *("rummy 7h", "color Jk", "continental 2c", "close 7h", "discard Jk", "off 7h 1", "off Jk 99 low"),
    *("swap 7h 1.1 to 1", "swap Jk 2.9 to 9 low", "move 1 to 2", "move 99 low to 1", "down T:", "down T: 7h 7d 7c"),
)
KNOCK_ONLY = ("knock", "rummy", "color", "continental")


def first_hand(rules_id: str, seed: str) -> Hand:
    rules = load_rules(rules_id)
    game = KnockGame(rules, 3, seed, 50) if rules.kind == "knock" else ContractGame(rules, 3, seed)
    return game.next_hand()


@pytest.mark.parametrize("rules_id", [*all_rules(), "oficial+red-twos+close5", "oficial+distinct"])
def test_every_action_is_legal_or_refused_with_its_clause_at_every_moment(rules_id: str) -> None:
    """Greedy players play a hand to its end; before each action all kinds of actions are asked about."""
    document = load_rules(rules_id).document
    actions = {text: parse_action(text) for text in ACTIONS}
    for seed in ("Ana", "Carla"):
        hand = first_hand(rules_id, seed)
        bots = [make_bot("greedy", f"{seed}/{seat}") for seat in range(3)]
        while True:
            refused = {text: hand.why_not(action) for text, action in actions.items()}
            for text, refusal in refused.items():
                assert refusal is None or (refusal.reason and refusal.clause), text
                foreign = text.split()[0] in KNOCK_ONLY and document != "001"
                assert refusal is not None or not foreign, text
            if hand.over:
                break
            hand.apply(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))


def test_knocking_after_a_lay_down_is_refused_and_changes_nothing() -> None:
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs", "3d"]), "A take; A down T: 7h 7d 7c / T: 8h 8d 8c")
    before = snapshot(hand)
    for text in ("knock", "rummy Ks", "continental"):
        with pytest.raises(IllegalAction, match="nobody knocks or declares"):
            hand.apply(parse_action(text))
    assert snapshot(hand) == before
