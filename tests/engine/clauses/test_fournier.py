"""Check document 000, Fournier's rules: more packs in later hands, two stocks, runs of thirteen, jokers for all."""

import pytest

from engine.cards import JOKER, parse_cards
from engine.deal import deal, deal_cards, draw_seats
from engine.errors import RulesError
from engine.hand import Hand
from engine.melds import is_meld
from engine.rules import load_rules
from tests.harness.engine.positions import (
    DOWN,
    TRIOS,
    asked,
    holds,
    listed,
    melds,
    play,
    points,
    position,
    refused,
    sizes,
)
from tests.harness.engine.rule_texts import changed_rules

clause = pytest.mark.clause
RULES = load_rules("fournier")


def fournier_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


# --- players, packs, values ------------------------------------------------------------------------------


# --- the deal --------------------------------------------------------------------------------------------


@clause("000/1.4/first-dealer")
def test_the_first_dealer_is_random_and_the_players_keep_their_order() -> None:
    drawn = [draw_seats(RULES, 5, f"seed {number}") for number in range(100)]
    assert {seats[0] for seats in drawn} == set(range(5))
    for seats in drawn:
        assert [(seat - seats[0]) % 5 for seat in seats] == [0, 1, 2, 3, 4]
    by_card = changed_rules("fournier", {"table.first_dealer": '"high card"'})
    assert drawn != [draw_seats(by_card, 5, f"seed {number}") for number in range(100)]


@clause("000/1.4/cut")
def test_the_shuffled_pack_is_cut_before_the_deal() -> None:
    """Check that the deal differs from that of an uncut pack."""
    uncut = changed_rules("fournier", {"table.cut": '"none"'})
    assert deal(RULES, 4, "seed").hands != deal(uncut, 4, "seed").hands


@clause(
    "000/1.4/one-by-one", "000/1.4/two-stocks", "000/1.4/turn-stock-larger", "000/1.4/penalty-share", "000/1.4/upcard"
)
@pytest.mark.parametrize("players", [2, 4, 7])
def test_cards_are_dealt_one_by_one_then_upcard_and_two_stocks(players: int) -> None:
    """Deal 108 cards in order: six to each player, the rest in two stocks, the top of the larger one turned."""
    deck = [*range(52), *range(52), *[JOKER] * 4]
    dealt = deal_cards(RULES, players, deck, "seed", 1)
    for seat in range(players):
        turn = (seat - 1) % players
        assert list(dealt.hands[seat]) == deck[turn : 6 * players : players]
    undealt = 108 - 6 * players
    assert len(dealt.penalty) == undealt // 3
    assert 1 + len(dealt.stock) == undealt - undealt // 3 > len(dealt.penalty)
    assert [dealt.upcard, *dealt.stock, *dealt.penalty] == deck[6 * players :]


@clause("000/1.3/no-spare-card")
@pytest.mark.parametrize("number", range(1, 8))
def test_each_player_is_dealt_exactly_the_cards_of_the_contract(number: int) -> None:
    dealt = deal(RULES, 4, "seed", number)
    assert len(dealt.hands[0]) == 3 * dealt.contract.count("T") + 4 * dealt.contract.count("E")


@clause("000/1.3/extended", "000/1.3/extended-order")
def test_the_extended_game_continues_to_sixteen_cards() -> None:
    extended = load_rules("fournier+extended")
    deals = [deal(extended, 3, "seed", number) for number in range(8, 13)]
    expected = [("TTTT", 12), ("TTTE", 13), ("TTEE", 14), ("TEEE", 15), ("EEEE", 16)]
    assert [(dealt.contract, len(dealt.hands[0])) for dealt in deals] == expected


@clause("000/1.3/extended-players")
@pytest.mark.parametrize("players", [2, 5])
def test_only_three_or_four_play_the_extended_game(players: int) -> None:
    with pytest.raises(RulesError, match="3 to 4 players"):
        deal(load_rules("fournier+extended"), players, "seed")


# --- melds -----------------------------------------------------------------------------------------------


@clause("000/1.7/run-any-start")
@pytest.mark.parametrize("start", range(13))
def test_a_run_begins_and_ends_with_any_card(start: int) -> None:
    assert is_meld(RULES, "E", [26 + (start + place) % 13 for place in range(4)])


# --- penalty cards ---------------------------------------------------------------------------------------

FOUR = ["3h 4h", "3d 4d", "3c 4c", "3s 4s"]


@clause("000/1.6/in-turn-free")
def test_a_discard_taken_in_turn_brings_no_penalty_card() -> None:
    hand = play(fournier_position("TT", FOUR, penalty="Kd"), "A take")
    assert sizes(hand) == (3, 2, 2, 2)
    assert holds(hand, "A", "3h 4h 2c")


@clause("000/1.6/any-player", "000/1.6/penalty-card", "000/1.6/more-cards", "000/1.6/first-upcard")
def test_a_claim_brings_the_top_of_the_penalty_stock() -> None:
    """C gets the first upcard, which the leader left, and the king on top of the penalty stock."""
    hand = play(fournier_position("TT", FOUR, stock="9h", penalty="Kd Qd"), "A stock; B pass; C claim")
    assert holds(hand, "C", "3c 4c 2c Kd")
    assert holds(hand, "A", "3h 4h 9h")
    assert hand.actor == 0


@clause("000/1.6/following-the-turn")
def test_players_are_asked_for_claims_in_turn_order() -> None:
    hand = play(fournier_position("TT", FOUR, penalty="Kd"), "A stock")
    assert asked(hand) == [1, 2, 3]


@clause("000/1.6/own-discard", "000/1.6/own-discard-penalty")
def test_a_player_may_claim_their_own_discard_if_no_other_player_does() -> None:
    hand = play(fournier_position("TT", FOUR, penalty="Kd"), "A take; A discard 3h; B stock; C pass; D pass; A claim")
    assert holds(hand, "A", "3h 4h 2c Kd")


@clause("000/1.6/lapses")
def test_a_claim_lapses_at_the_discard_of_the_player_in_turn() -> None:
    """C takes B's discard, which covered A's; D cannot get A's."""
    script = "A take; A discard 3h; B stock; C pass; D pass; A pass; B discard 3d; C take; C discard 3c; D take"
    hand = play(fournier_position("TT", FOUR), script)
    assert holds(hand, "D", "3s 4s 3c")
    hand = play(fournier_position("TT", FOUR), script.rpartition("; ")[0].replace("C discard 3c", "C discard 4c"))
    assert listed(hand, "take") == {"take"}
    assert "3h" not in listed(play(hand, "D take"), "discard")


# --- the play --------------------------------------------------------------------------------------------


@clause("000/1.5/either-stock-serves")
def test_when_one_stock_is_empty_the_other_serves_for_both() -> None:
    hand = fournier_position("TT", FOUR, stock="9h", penalty="Kd Qd", only=True)
    play(hand, "A stock; B pass; C pass; D pass; A discard 3h; B stock")
    assert holds(hand, "B", "3d 4d Kd")
    hand = play(fournier_position("TT", FOUR, stock="9h 9d", only=True), "A stock; B claim")
    assert holds(hand, "B", "3d 4d 2c 9d")


@clause("000/1.5/both-empty")
def test_when_both_are_empty_the_discards_but_the_top_one_become_one_stock() -> None:
    hand = fournier_position("TT", FOUR, stock="9h", penalty="Kd", only=True)
    play(hand, "A stock; B pass; C pass; D pass; A discard 3h; B stock; C pass; D pass; A pass; B discard 4d")
    assert hand.view(0).stock == 0
    play(hand, "C stock")
    assert set(hand.view(2).hand.cards()) & set(parse_cards("2c 3h"))
    assert hand.view(2).top == parse_cards("4d")[0]


@clause("000/1.8/own-turn", "000/1.8/hold-the-rest", "000/1.8/optional")
def test_a_player_may_lay_down_in_their_own_turn_and_hold_the_other_cards() -> None:
    hand = fournier_position("TT", [f"{TRIOS} Ks Qs", f"{TRIOS} Kd"])
    play(hand, "A stock")
    assert refused(hand, "down T: 7h 7d 7c / T: 8h 8d 8c").startswith("000/")
    play(hand, "B pass")
    assert "discard Ks" in listed(hand, "discard")
    play(hand, f"{DOWN}; A discard Ks")
    assert not hand.over
    assert sizes(hand)[0] == 2


@clause("000/1.8/laid-cards-free", "000/1.10/others-count", "000/1.10/whole-hand", "000/1.10/closer-nothing")
def test_a_player_who_has_melded_the_whole_hand_ends_it_and_scores_nothing() -> None:
    """A closes in the turn of laying down: 0. B, who is down, holds a two: 5. C holds three sevens: 15."""
    hand = fournier_position("TT", ["9h 9d 9c 9s Th Td Tc Ts", f"{TRIOS} Kd", "7s 7h 7d"], stock="2d", dealer=0)
    play(hand, "B take; B down T: 7h 7d 7c / T: 8h 8d 8c; B discard Kd; C stock; A pass; B pass; C discard 2d")
    play(hand, "A take; A down T: 9h 9d 9c 9s / T: Th Td Tc Ts; A discard 2d")
    assert points(hand) == (0, 5, 15)


@clause("000/1.8/exactly-the-contract")
def test_only_the_melds_of_the_contract_are_laid_down_in_any_length() -> None:
    hand = play(fournier_position("TT", [f"{TRIOS} 7s 9h 9d 9c Ks", "3d"]), "A take")
    assert refused(hand, "down T: 7h 7d 7c / T: 8h 8d 8c / T: 9h 9d 9c") == "000/1.3"
    play(hand, "A down T: 7h 7d 7c 7s / T: 8h 8d 8c")
    assert refused(hand, "down T: 9h 9d 9c / T: 9h 9d 9c").startswith(("000/1.8", "A-16"))


@clause("000/1.8/two-runs-of-a-suit")
def test_two_runs_of_one_suit_may_follow_each_other() -> None:
    hand = play(
        fournier_position("EE", ["3h 4h 5h 6h 7h 8h 9h Th Ks", "3d"]), "A take; A down E: 3h 4h 5h 6h / E: 7h 8h 9h Th"
    )
    assert melds(hand) == ["3h 4h 5h 6h", "7h 8h 9h Th"]


@clause("000/1.8/lay-off", "000/1.8/lay-off-when-down", "000/1.8/lay-off-own")
def test_a_player_who_is_down_lays_off_on_any_meld_even_in_that_turn() -> None:
    hand = fournier_position("TT", [f"{TRIOS} Ks", "9h 9d 9c Th Td Tc 7s 9s"])
    play(hand, f"A take; {DOWN}; A discard Ks; B take")
    assert refused(hand, "off 7s 1") == "000/1.8"
    play(hand, "B down T: 9h 9d 9c / T: Th Td Tc; B off 7s 1; B off 9s 3")
    assert melds(hand) == ["7h 7d 7c 7s", "8h 8d 8c", "9h 9d 9c 9s", "Th Td Tc"]


@clause("000/1.8/no-division", "000/1.8/no-repeated-card")
def test_a_run_is_neither_divided_nor_given_a_card_twice() -> None:
    """A second six does not go into a run from five to eight; a run of a whole suit takes no card, not even a joker."""
    hand = play(
        fournier_position("EE", ["5h 6h 7h 8h 5s 6s 7s 8s 6h Jk", "3d"]),
        "A take; A down E: 5h 6h 7h 8h / E: 5s 6s 7s 8s",
    )
    assert not {action for action in listed(hand, "off") if "6h" in action}
    assert refused(hand, "off 6h 1") == refused(hand, "off 6h 2 low") == "000/1.8"
    whole = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    hand = play(
        fournier_position("EE", [f"{whole} 5h 6h 7h 8h As Jk", "3d"]), f"A take; A down E: {whole} / E: 5h 6h 7h 8h"
    )
    assert {action for action in listed(hand, "off") if action.endswith((" 1", " 1 low"))} == set()


# --- jokers ----------------------------------------------------------------------------------------------


def two_down() -> Hand:
    """Return a hand in which A has a trio and a run with a joker each; B is down with both and holds 4h and 9h."""
    hand = fournier_position("TE", ["9d 9c Jk 2h 3h Jk 5h Kd Ks", "Ts Js Qs Ks 7h 7d 7c 4h 9h"])
    play(hand, "A take; A down T: 9d 9c Jk / E: 2h 3h Jk 5h; A discard Kd")
    return play(hand, "B take; B down T: 7h 7d 7c / E: Ts Js Qs Ks")


@clause("000/1.9/swap", "000/1.9/swap-any-owner", "000/1.9/freed-to-other-run")
@pytest.mark.parametrize(("to", "run"), [("4", "Ts Js Qs Ks Jk"), ("4 low", "Jk Ts Js Qs Ks")])
def test_a_joker_freed_from_any_run_may_go_to_any_other_run(to: str, run: str) -> None:
    hand = play(two_down(), f"B swap 4h 2.3 to {to}")
    assert melds(hand) == ["9d 9c Jk", "2h 3h 4h 5h", "7h 7d 7c", run]


@clause("000/1.9/locked-in-trio")
@pytest.mark.parametrize(("to", "place"), [("1", 0), ("3", 2)])
def test_a_freed_joker_may_go_to_any_trio_and_stays_there(to: str, place: int) -> None:
    hand = play(two_down(), f"B swap 4h 2.3 to {to}")
    assert melds(hand)[1] == "2h 3h 4h 5h"
    assert melds(hand)[place].count("Jk") == [2, 0, 1][place]


@clause("000/1.9/trio-joker-fixed")
def test_a_joker_in_a_trio_is_never_exchanged() -> None:
    hand = two_down()
    assert refused(hand, "swap 9h 1.3 to 4") == "000/1.9"


@clause("000/1.9/not-the-same-run", "000/1.9/not-to-the-hand")
def test_a_freed_joker_goes_neither_to_its_own_run_nor_to_a_hand() -> None:
    hand = two_down()
    assert refused(hand, "swap 4h 2.3 to 2") == "A-19"
    assert listed(hand, "swap") == {f"swap 4h 2.3 to {place}" for place in ("1", "3", "4", "4 low")}
    assert JOKER not in play(hand, "B swap 4h 2.3 to 4").view(1).hand.cards()


@clause("000/1.9/no-moves")
def test_a_joker_moves_only_by_an_exchange() -> None:
    hand = fournier_position("EE", ["2h 3h 4h 5h Jk 8s 9s Ts Js Ks", "3d"])
    play(hand, "A take; A down E: 2h 3h 4h 5h Jk / E: 8s 9s Ts Js")
    assert listed(hand, "move") == set()
    assert refused(hand, "move 1 to 2") == "A-19"
