"""Check deals against a second program, written from the documentation alone."""

import pytest

from engine.cards import JOKER
from engine.deal import deal, draw_seats, pack_cards, seat_cards
from engine.rules import load_rules
from tests.harness.engine.positions import CONTRACTS, OFICIAL
from tests.oracles.engine.deals_and_points import dealt, pack


def test_the_unshuffled_pack_is_the_documented_one() -> None:
    """The order is pack after pack, clubs to spades, ace to king, and jokers last."""
    assert pack_cards(OFICIAL, 4, 1) == pack()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("seed", ["", "club 7", "Beñat/日本"])
def test_the_second_program_deals_the_same(players: int, number: int, seed: str) -> None:
    """Check that hands, upcard and stock agree card by card."""
    hands, upcard, stock = dealt(seed, players, number)
    found = deal(OFICIAL, players, seed, number)
    assert found.hands == tuple(map(tuple, hands))
    assert (found.upcard, found.stock) == (upcard, tuple(stock))
    assert (found.number, found.contract, found.dealer) == (number, CONTRACTS[number - 1], (number - 1) % players)


def test_the_hands_of_a_game_are_dealt_independently() -> None:
    """Check that the seven stocks of each of two seeds are all different."""
    decks = {(deal(OFICIAL, 2, seed, number).stock[:40]) for number in range(1, 8) for seed in ("a", "b")}
    assert len(decks) == 14


def test_a_deal_is_a_value() -> None:
    """Deals are equal for equal seeds, different for others, and can be keys of a dict."""
    assert {deal(OFICIAL, 3, "s", 2): 1}[deal(OFICIAL, 3, "s", 2)] == 1
    assert deal(OFICIAL, 3, "s", 2) != deal(OFICIAL, 3, "t", 2)


@pytest.mark.parametrize("rules_id", ["oficial", "continental-rummy", "knock"])
def test_the_cards_of_the_seat_draw_decide_who_deals(rules_id: str) -> None:
    """The last cards decide, the ace low (A-08); 003 and 001 let the highest deal, 002 the lowest. Jokers count for
    nothing, and a card that another player of the group equalled is followed by one more."""
    rules = load_rules(rules_id)
    again = 0
    for number in range(60):
        drawn = seat_cards(rules, 4, f"seat {number}")
        decided = [[face % 13 for face in cards if face != JOKER] for cards in drawn]
        best = (min if rules_id == "continental-rummy" else max)(decided)
        assert decided[draw_seats(rules, 4, f"seat {number}")[0]] == best
        assert len({tuple(ranks) for ranks in decided}) == 4
        again += any(len(cards) > 1 for cards in drawn)
    assert again > 5


def test_where_chance_chooses_the_dealer_no_cards_are_drawn() -> None:
    assert seat_cards(load_rules("fournier"), 5, "seat") == ((),) * 5
