"""Check document 002, Continental Rummy: aces high or low, two jokers, minimal contracts, jokers of own runs only."""

import pytest

from engine.cards import JOKER
from engine.deal import deal, draw_seats, seat_cards
from engine.hand import Hand
from engine.rules import load_rules
from tests.harness.engine.positions import (
    DOWN,
    TRIOS,
    asked,
    holds,
    listed,
    melds,
    play,
    play_dead,
    position,
    refused,
    sizes,
)
from tests.harness.engine.rule_texts import changed_rules

clause = pytest.mark.clause
RULES = load_rules("continental-rummy")


def rummy_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


# --- pack, players, values, contracts --------------------------------------------------------------------


# --- seats and deal --------------------------------------------------------------------------------------


@clause("002/1.4/seat-draw")
def test_the_lowest_card_deals_first() -> None:
    """Of two players the lower rank drawn deals, the ace low; by a rule that the highest deals, the other player."""
    high = changed_rules("continental-rummy", {"table.first_dealer": '"high card"'})
    for number in range(40):
        drawn = seat_cards(RULES, 2, f"s{number}")
        ranks = [[face % 13 for face in cards if face != JOKER] for cards in drawn]
        lowest, other = draw_seats(RULES, 2, f"s{number}")
        assert ranks[lowest] < ranks[other]
        assert draw_seats(high, 2, f"s{number}") == (other, lowest)


@clause("002/1.4/shuffle")
def test_the_cards_are_shuffled_before_the_deal() -> None:
    deals = {deal(RULES, 2, f"s{number}").hands for number in range(20)}
    assert len(deals) == 20


# --- melds -----------------------------------------------------------------------------------------------


@clause("002/1.7/ten-joker-joker")
def test_a_ten_and_two_jokers_are_a_trio_of_tens() -> None:
    """A ten may be laid off on the trio, a nine may not."""
    hand = rummy_position("TT", ["Th Jk Jk 9h 9d 9c Ts 9s 8s", "3d"])
    play(hand, "A take; A down T: Th Jk Jk / T: 9h 9d 9c")
    assert listed(hand, "off") == {"off Ts 1", "off 9s 2"}


# --- the turn and claims ---------------------------------------------------------------------------------

FOUR = ["3h 4h", "3d 4d", "3c 4c", "3s 4s"]


@clause("002/1.6/anyone-else", "002/1.6/penalty-card", "002/1.6/no-discard-owed")
def test_a_claim_takes_the_discard_and_the_top_of_the_stock_without_a_discard() -> None:
    hand = play(rummy_position("TT", FOUR, stock="9h Kd"), "A stock; B pass; C claim")
    assert holds(hand, "C", "3c 4c 2c Kd")
    assert (hand.actor, sizes(hand)) == (0, (3, 2, 4, 2))


@clause("002/1.6/before-discard")
def test_a_covered_discard_can_no_longer_be_claimed() -> None:
    hand = play(
        rummy_position("TT", FOUR, stock="9h"),
        "A stock; B pass; C pass; D pass; A discard 3h; B take; B discard 3d; C take",
    )
    assert holds(hand, "C", "3c 4c 3d")
    assert hand.actor == 2


@clause("002/1.6/closest-left", "002/1.6/own-discard")
def test_the_closest_to_the_left_is_asked_first_and_the_discarder_last() -> None:
    hand = play(rummy_position("TT", FOUR), "A take; A discard 3h; B stock")
    assert asked(hand) == [2, 3, 0]


# --- dropping the contract -------------------------------------------------------------------------------


@clause("002/1.8/own-turn", "002/1.8/only-the-contract", "002/1.8/then-lay-off")
def test_only_the_cards_of_the_contract_are_laid_down_and_more_are_laid_off_later() -> None:
    hand = rummy_position("TT", [f"{TRIOS} 7s Ks", TRIOS])
    play(hand, "A stock")
    assert refused(hand, "down T: 7h 7d 7c / T: 8h 8d 8c").startswith("002/")
    play(hand, "B pass")
    assert refused(hand, "down T: 7h 7d 7c 7s / T: 8h 8d 8c") == "002/1.8"
    play(hand, f"{DOWN}; A off 7s 1")
    assert melds(hand) == ["7h 7d 7c 7s", "8h 8d 8c"]


@clause("002/1.8/community", "002/1.8/not-before", "002/1.8/no-new-melds")
def test_melds_on_the_table_are_open_to_all_who_are_down() -> None:
    hand = rummy_position("TT", [f"{TRIOS} Ks", "9h 9d 9c Th Td Tc 7s Jh Jd Jc 2h"])
    play(hand, f"A take; {DOWN}; A discard Ks; B take")
    assert refused(hand, "off 7s 1") == "002/1.8"
    play(hand, "B down T: 9h 9d 9c / T: Th Td Tc; B off 7s 1")
    assert melds(hand)[0] == "7h 7d 7c 7s"
    assert refused(hand, "down T: Jh Jd Jc / T: Jh Jd Jc").startswith(("002/", "A-16"))


# --- jokers ----------------------------------------------------------------------------------------------


def with_runs(first: str, second: str, more: str) -> Hand:
    """Return a hand in which A has laid down two runs and holds `more`."""
    hand = rummy_position("EE", [f"{first} {second} {more}", "9d 9c"])
    return play(hand, f"A take; A down E: {first} / E: {second}")


@clause("002/1.9/swap", "002/1.9/to-the-end")
def test_the_joker_of_the_document_s_example_goes_to_the_end_of_the_run() -> None:
    """A 2 3 Jk 5 and a 4 become A 2 3 4 5 Jk, since nothing goes before the ace."""
    hand = play(with_runs("Ah 2h 3h Jk", "8s 9s Ts Js", "4h 5h"), "A off 5h 1")
    assert listed(hand, "swap") == {"swap 4h 1.4 to 1"}
    assert melds(play(hand, "A swap 4h 1.4 to 1"))[0] == "Ah 2h 3h 4h 5h Jk"


@clause("002/1.9/middle-stays")
def test_a_joker_freed_from_the_middle_of_a_run_goes_to_an_end_of_that_run_only() -> None:
    """Check that the exchange allows no other place, and that the joker may then be moved to another run."""
    hand = with_runs("Ah 2h Jk 4h", "8s 9s Ts Js", "3h")
    assert listed(hand, "swap") == {"swap 3h 1.3 to 1"}
    assert refused(hand, "swap 3h 1.3 to 2") == refused(hand, "swap 3h 1.3 to 2 low") == "002/1.9"
    play(hand, "A swap 3h 1.3 to 1; A move 1 to 2")
    assert melds(hand) == ["Ah 2h 3h 4h", "8s 9s Ts Js Jk"]


@clause("002/1.9/move-to-another-run")
def test_a_joker_exchanged_at_an_end_may_go_to_another_run_in_that_action() -> None:
    hand = with_runs("Ah 2h 3h Jk", "8s 9s Ts Js", "4h")
    assert listed(hand, "swap") == {f"swap 4h 1.4 to {place}" for place in ("1", "2", "2 low")}


@clause("002/1.9/move-to-another-run", "002/1.9/keeps-four")
def test_a_joker_at_an_end_moves_to_another_run_if_four_cards_stay() -> None:
    hand = play(with_runs("3h 4h 5h 6h", "8s 9s Ts Js", "Jk"), "A off Jk 1")
    assert listed(hand, "move") == {f"move 1 to {place}" for place in ("1 low", "2", "2 low")}
    assert melds(play(hand, "A move 1 to 2 low")) == ["3h 4h 5h 6h", "Jk 8s 9s Ts Js"]
    four_cards = with_runs("3h 4h 5h Jk", "8s 9s Ts Js", "Kd")
    assert refused(four_cards, "move 1 to 2") == "002/1.9"


@clause("002/1.9/four-stay")
def test_in_a_run_of_four_a_joker_still_goes_from_one_end_to_the_other() -> None:
    hand = with_runs("3h 4h 5h Jk", "8s 9s Ts Js", "Kd")
    assert listed(hand, "move") == {"move 1 to 1 low"}
    assert melds(play(hand, "A move 1 to 1 low"))[0] == "Jk 3h 4h 5h"


@clause("002/1.9/own-runs")
def test_jokers_of_other_players_are_neither_exchanged_nor_moved() -> None:
    hand = rummy_position("EE", ["3h 4h Jk 6h 8s 9s Ts Jk Kd", "3d 4d 5d 6d 8c 9c Tc Jc 5h Js"])
    play(hand, "A take; A down E: 3h 4h Jk 6h / E: 8s 9s Ts Jk; A discard Kd")
    play(hand, "B take; B down E: 3d 4d 5d 6d / E: 8c 9c Tc Jc")
    assert listed(hand, "swap") | listed(hand, "move") == set()
    assert refused(hand, "swap 5h 1.3 to 1") == "A-18"
    assert refused(hand, "move 2 to 2 low") == "002/1.9"


@clause("002/1.9/trio-joker-fixed")
def test_jokers_of_trios_are_neither_exchanged_nor_moved() -> None:
    hand = rummy_position("TE", ["9d 9c Jk 3h 4h 5h 6h 9h", "3d"])
    play(hand, "A take; A down T: 9d 9c Jk / E: 3h 4h 5h 6h")
    assert refused(hand, "swap 9h 1.3 to 2") == "A-18"
    assert listed(hand, "move") == set()


# --- the end ---------------------------------------------------------------------------------------------


@clause("002/1.5/two-shuffles-then-void")
def test_a_stock_of_two_cards_lasts_six_turns_with_two_shuffles() -> None:
    hand = rummy_position("TT", ["3h Kh", "3d 4d"], stock="9h 9d", only=True)
    assert play_dead(hand) == [0, 0, 1, 1, 2, 2]
