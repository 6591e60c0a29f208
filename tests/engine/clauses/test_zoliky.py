"""Check document 004, which has twelve cards in every hand and no claims; where it is silent, our decisions."""

import pytest

from engine.games.contract_game import ContractGame
from engine.hand import Hand
from engine.rules import load_rules
from tests.harness.engine.positions import listed, melds, play, position, refused

clause = pytest.mark.clause
RULES = load_rules("zoliky")


def zoliky_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


@clause("004/1.4/clockwise")
def test_turns_pass_in_order() -> None:
    hand = ContractGame(RULES, 3, "seed").next_hand()
    order = []
    for _turn in range(4):
        order.append(hand.actor)
        play(hand, f"{'ABC'[hand.actor]} stock")
        hand.apply(next(action for action in hand.legal if str(action).startswith("discard")))
    assert order == [1, 2, 0, 1]


@clause("004/1.6/no-claims")
def test_nobody_is_asked_for_a_claim() -> None:
    hand = play(zoliky_position("TT", ["3h 4h", "3d 4d", "3c 4c"]), "A stock")
    assert hand.actor == 0
    assert listed(hand, "discard")


@clause("004/1.8/onto-melds-only", "004/1.7/several-trios-of-a-rank")
def test_cards_left_are_laid_off_on_melds_of_the_table() -> None:
    """A lays two trios of sevens; the four nines may not be laid down as more trios."""
    hand = play(
        zoliky_position("TT", ["7h 7d 7c 7h 7d 7c 7s 9h 9d 9c 9s", "3d"]), "A take; A down T: 7h 7d 7c / T: 7h 7d 7c"
    )
    assert refused(hand, "down T: 9h 9d 9c / T: 9h 9d 9c").startswith(("004/", "A-16", "5."))
    assert listed(hand, "off") == {"off 7s 1", "off 7s 2"}
    assert melds(play(hand, "A off 7s 2")) == ["7h 7d 7c", "7h 7d 7c 7s"]


@clause("004/1.7/longer-trio")
def test_longer_trios_are_laid_down_at_once() -> None:
    """The document's set is of three or more cards: two sevens more than three, and a joker with the eights."""
    hand = zoliky_position("TT", ["7h 7d 7c 7s 7h 8h 8d 8c Jk Ks", "3d"])
    play(hand, "A take; A down T: 7h 7d 7c 7s 7h / T: 8h 8d 8c Jk")
    assert melds(hand) == ["7h 7d 7c 7s 7h", "8h 8d 8c Jk"]


@clause("004/1.7/shortest-runs")
def test_runs_are_laid_down_with_four_cards_and_grow_afterwards() -> None:
    hand = play(zoliky_position("TE", ["7h 7d 7c 7s 3h 4h 5h 6h 7h Ks", "3d"]), "A take")
    assert refused(hand, "down T: 7h 7d 7c 7s / E: 3h 4h 5h 6h 7h").startswith("004/1.7, 5.11")
    play(hand, "A down T: 7h 7d 7c 7s / E: 3h 4h 5h 6h; A off 7h 2")
    assert melds(hand) == ["7h 7d 7c 7s", "3h 4h 5h 6h 7h"]


@clause("004/1.9/no-joker-acts")
def test_jokers_on_the_table_are_neither_exchanged_nor_moved() -> None:
    hand = zoliky_position("EE", ["3h 4h Jk 6h 8s 9s Ts Js Jk 5h", "3d"])
    play(hand, "A take; A down E: 3h 4h Jk 6h / E: 8s 9s Ts Js; A off Jk 2")
    assert listed(hand, "swap") | listed(hand, "move") == set()
    assert refused(hand, "swap 5h 1.3 to 1").startswith("5.11")
    assert refused(hand, "move 2 to 2 low").startswith("5.11")
