"""Check document 003 on what precedes play: players, packs, values, contracts, seats and deal."""

from collections import Counter
from itertools import permutations

import pytest

from engine.cards import JOKER, SUITS, Faces, parse_cards
from engine.deal import Deal, deal, deal_cards, draw_seats, pack_cards, seat_cards
from engine.errors import RulesError
from engine.games.contract_game import ContractGame
from engine.hand import Hand
from engine.scoring import points_of
from engine.seeds import Stream
from tests.harness.engine.positions import (
    CONTRACTS,
    OFICIAL,
    held,
    listed,
    play,
    play_dead,
    position,
    whole_pack,
)

clause = pytest.mark.clause


@clause("003/1.1/players")
@pytest.mark.parametrize("players", range(7))
def test_two_to_four_may_play(players: int) -> None:
    """Check that a deal for two, three or four is made, and for any other number refused."""
    if players in (2, 3, 4):
        assert len(deal(OFICIAL, players, "seed").hands) == players
        assert ContractGame(OFICIAL, players, "seed").players == players
    else:
        with pytest.raises(RulesError, match="2 to 4 players"):
            deal(OFICIAL, players, "seed")
        with pytest.raises(RulesError, match="2 to 4 players"):
            ContractGame(OFICIAL, players, "seed")


@clause("003/1.1/individually")
def test_all_players_play_for_themselves() -> None:
    """A closes and every other player, also the one opposite, counts their own cards."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c", "Ah", "Kd", "5c"], stock="Qs")
    play(hand, "A stock; B pass; C pass; D pass; A down T: 7h 7d 7c / T: 8h 8d 8c; A discard Qs")
    assert hand.result is not None
    assert hand.result.points == (-10, 20, 10, 5)


@clause("003/1.1/packs", "003/1.1/jokers")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(1, 8))
def test_two_packs_with_three_jokers_each(players: int, number: int) -> None:
    """Every hand is dealt from 110 cards: each card of the English pack twice, and six jokers."""
    dealt = deal(OFICIAL, players, "seed", number)
    cards = [*dealt.stock, dealt.upcard, *(face for cards in dealt.hands for face in cards)]
    assert len(cards) == 110
    assert Counter(cards) == Counter(whole_pack())
    assert sorted(pack_cards(OFICIAL, players, number)) == sorted(whole_pack())


VALUES = {
    "003/1.2/joker": {"Jk": 50},
    "003/1.2/ace": {"A": 20},
    "003/1.2/figures": {"K": 10, "Q": 10, "J": 10},
    "003/1.2/numbers": {"T": 10, "9": 9, "8": 8, "7": 7, "6": 6, "5": 5, "4": 4, "3": 3, "2": 2},
}


@pytest.mark.parametrize(
    ("card", "points"),
    [
        pytest.param(rank if rank == "Jk" else rank + suit, points, marks=clause(name))
        for name, row in VALUES.items()
        for rank, points in row.items()
        for suit in ([""] if rank == "Jk" else SUITS)
    ],
)
def test_a_card_counts_its_value(card: str, points: int) -> None:
    """A joker counts 50, an ace 20, court cards 10, other cards their number, in any suit; two cards twice that."""
    (face,) = parse_cards(card)
    assert OFICIAL.points(face) == points
    assert points_of(OFICIAL, Faces([face])) == points
    assert points_of(OFICIAL, Faces([face, face])) == 2 * points


@clause("003/1.2/joker", "003/1.2/ace", "003/1.2/figures", "003/1.2/numbers")
def test_the_value_of_every_rank_is_tested() -> None:
    """Check that the table of values has every rank once."""
    ranks = [rank for row in VALUES.values() for rank in row]
    assert sorted(ranks) == sorted([*"A23456789TJQK", "Jk"])


@clause("003/1.2/combined-cards-count")
def test_cards_in_hand_count_even_if_they_would_be_melds() -> None:
    """B holds two trios that could be laid down, and all of their cards count."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks", "Ah Ad Ac Jk Jk Jk 5s"], stock="7s")
    play(hand, "A stock; B pass; A down T: 7h 7d 7c / T: 8h 8d 8c; A off 7s 1; A discard Ks")
    assert hand.result is not None
    assert hand.result.points == (-10, 20 + 20 + 20 + 50 + 50 + 50 + 5)


DEALS = {"TT": 7, "TE": 8, "EE": 9, "TTT": 10, "TTE": 11, "TEE": 12, "EEE": 13}


@clause("003/1.3/seven-hands", "003/1.3/contracts")
def test_a_game_has_seven_hands_in_the_order_of_the_contracts() -> None:
    """The game has seven hands, each with its own contract, from two trios to three runs."""
    game = ContractGame(OFICIAL, 2, "seed")
    found = []
    while not game.over:
        hand = game.next_hand()
        found.append(hand.view(0).contract)
        play_dead(hand)
        assert hand.result is not None
        game.add_result(hand.result)
    assert found == list(DEALS) == list(CONTRACTS)


@clause("003/1.3/cards-dealt", "003/1.3/one-card-more")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("contract", DEALS)
def test_each_player_is_dealt_one_card_more_than_the_contract_needs(contract: str, players: int) -> None:
    """Check the deals from seven cards for two trios to thirteen for three runs."""
    dealt = deal(OFICIAL, players, "seed", CONTRACTS.index(contract) + 1)
    assert dealt.contract == contract
    assert {len(cards) for cards in dealt.hands} == {DEALS[contract]}
    assert DEALS[contract] == sum(3 if kind == "T" else 4 for kind in contract) + 1


# --- the seat draw ---------------------------------------------------------------------------------------


def _first_draws(players: int, seed: str) -> list[int]:
    """Return the first card that each player draws for seats, jokers replaced, as the engine's docstring says."""
    stream, cards, shown = Stream(f"{seed}/seats"), whole_pack(), []
    for _ in range(players):
        face = cards.pop(stream.below(len(cards)))
        while face == JOKER:
            face = cards.pop(stream.below(len(cards)))
        shown.append(face)
    return shown


SEEDS = [f"seats {number}" for number in range(400)]


@clause("003/1.4/seat-draw", "003/1.4/highest-deals", "003/1.4/draw-ace-low")
def test_the_highest_card_deals_and_the_other_players_follow_in_descending_order() -> None:
    """Without ties the seats are in descending order of the ranks drawn, with the ace below the two."""
    aces = 0
    for seed in SEEDS:
        ranks = [face % 13 for face in _first_draws(4, seed)]
        if len(set(ranks)) == 4:
            expected = sorted(range(4), key=lambda player: -ranks[player])
            assert draw_seats(OFICIAL, 4, seed) == tuple(expected)
            aces += 0 in ranks
    assert aces >= 20


@clause("003/1.4/draw-ties")
def test_players_who_draw_the_same_rank_draw_again_among_themselves() -> None:
    """Tied players share the places that their rank gives them, in either order."""
    orders = Counter()
    for seed in SEEDS:
        ranks = [face % 13 for face in _first_draws(3, seed)]
        if len(set(ranks)) == 2:
            seats = draw_seats(OFICIAL, 3, seed)
            assert [ranks[player] for player in seats] == sorted(ranks, reverse=True)
            tied = [player for player in seats if ranks.count(ranks[player]) == 2]
            orders[tied == sorted(tied)] += 1
    assert min(orders[True], orders[False]) >= 15


@clause("003/1.4/draw-joker")
def test_a_joker_is_drawn_again() -> None:
    """The last card that a player draws is no joker, and the first that is none gives the seat.

    Six of 110 cards are jokers, so with about 80 of 400 seeds one of four players draws a joker first.
    """
    jokers = 0
    for seed in SEEDS:
        drawn, seats = seat_cards(OFICIAL, 4, seed), draw_seats(OFICIAL, 4, seed)
        assert sorted(seats) == [0, 1, 2, 3]
        assert JOKER not in [cards[-1] for cards in drawn]
        ranks = [next(face % 13 for face in cards if face != JOKER) for cards in drawn]
        assert [ranks[player] for player in seats] == sorted(ranks, reverse=True)
        jokers += JOKER in [cards[0] for cards in drawn]
    assert jokers >= 40


@clause("003/1.4/seat-draw")
def test_every_seating_is_drawn_about_equally_often() -> None:
    """Check that each of the six orders of three players has at least half its share of the draws."""
    found = Counter(draw_seats(OFICIAL, 3, seed) for seed in SEEDS)
    assert set(found) == set(permutations(range(3)))
    assert min(found.values()) > len(SEEDS) / 6 / 2


# --- the deal --------------------------------------------------------------------------------------------


@clause("003/1.4/one-by-one", "003/1.4/dealer-last", "003/1.4/direction")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(1, 8))
def test_cards_are_dealt_one_by_one_to_the_dealer_last(players: int, number: int) -> None:
    """The top card goes to the seat after the dealer, the next to the seat after that, and the dealer's is the last."""
    cards = whole_pack()
    dealt = deal_cards(OFICIAL, players, cards, "seed", number)
    dealer = dealt.dealer
    for order in range(1, players + 1):
        seat = (dealer + order) % players
        assert dealt.hands[seat] == tuple(cards[order - 1 : players * len(dealt.hands[seat]) : players])


@clause("003/1.4/upcard")
def test_the_card_after_the_deal_is_turned_up_and_the_rest_is_the_stock() -> None:
    """After the last card dealt comes the upcard, then the stock from its top."""
    cards = whole_pack()
    dealt = deal_cards(OFICIAL, 3, cards, "seed", 1)
    assert dealt.upcard == cards[21]
    assert dealt.stock == tuple(cards[22:])


@clause("003/1.4/upcard", "003/1.4/upcard-joker")
def test_the_first_upcard_may_be_a_joker_and_be_taken() -> None:
    """Check that about 33 of 600 upcards are jokers, and that the leader may take one."""
    jokers = sum(deal(OFICIAL, 4, f"upcard {number}").upcard == JOKER for number in range(600))
    assert 15 <= jokers <= 60  # 600 × 6/110 is 33
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks", "Ah"], upcard="Jk")
    play(hand, "A take")
    assert "Jk" in held(hand, "A")


@clause("003/1.4/cut")
def test_the_pack_is_shuffled_and_then_cut() -> None:
    """Check that the cards of a deal are the shuffled pack with at least one card moved from top to bottom."""
    for number in range(20):
        dealt = deal(OFICIAL, 2, f"cut {number}", 1)
        stream, cards = Stream(f"cut {number}/hand/1"), whole_pack()
        stream.shuffle(cards)
        pack = _pack_of(dealt)
        assert pack != cards
        doubled = cards + cards
        assert any(pack == doubled[place : place + 110] for place in range(1, 110))


def _pack_of(dealt: Deal) -> list[int]:
    """Return the cards of a deal in the order in which they were dealt."""
    players = len(dealt.hands)
    order = [(dealt.dealer + 1 + place) % players for place in range(players)]
    dealt_out = [dealt.hands[seat][turn] for turn in range(len(dealt.hands[0])) for seat in order]
    return [*dealt_out, dealt.upcard, *dealt.stock]


@clause("003/1.4/leader")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(1, 8))
def test_the_seat_after_the_dealer_leads(players: int, number: int) -> None:
    """The player next in turn after the dealer, who cut the pack, plays first."""
    dealt = deal(OFICIAL, players, "seed", number)
    hand = Hand(OFICIAL, dealt)
    assert hand.actor == (dealt.dealer + 1) % players
    assert hand.dealer == dealt.dealer


@clause("003/1.4/direction")
def test_the_turn_passes_seat_by_seat() -> None:
    """After A come B, C and D, then A again."""
    hand = position("TT", ["3h", "3d", "3c", "3s"])
    play(hand, "A take; A discard 2c; B take; B discard 2c; C take; C discard 2c; D take; D discard 2c; A take")


@clause("003/1.4/dealer-rotation")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_passes_on_after_every_hand_even_a_dead_one(players: int) -> None:
    """Check that the first seat deals the first hand and the next seat the next, although all hands are dead."""
    game = ContractGame(OFICIAL, players, "seed")
    dealers = []
    while not game.over:
        hand = game.next_hand()
        dealers.append(hand.dealer)
        play_dead(hand)
        assert hand.result is not None
        assert hand.result.closer is None
        game.add_result(hand.result)
    assert dealers == [number % players for number in range(7)]


@clause("003/1.5/draw-first")
def test_a_turn_begins_with_a_draw() -> None:
    """Check that at the start of a turn the two draws are listed and no other action."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks", "Ah"])
    assert [str(action) for action in hand.legal] == ["stock", "take"]
    assert listed(hand, "discard") == set()
