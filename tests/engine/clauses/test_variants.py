"""Check the optional variants of document 003, one by one and in combinations."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_cards
from engine.deal import Deal, deal, deal_cards
from engine.errors import RulesError
from engine.hand import Hand
from engine.rules import load_rules
from engine.scoring import closing_points, points_of
from tests.harness.engine.positions import (
    DOWN,
    TRIOS,
    held,
    holds,
    listed,
    melds,
    play,
    points,
    position,
    refused,
)
from tests.harness.engine.rule_texts import CONTRADICTIONS

clause = pytest.mark.clause


def position_with(variants: str, contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=load_rules(f"oficial+{variants}"), **more)


def hands_of(variants: str) -> list[tuple[str, int]]:
    """Return the contract and the number of cards dealt of each hand."""
    rules = load_rules(f"oficial+{variants}")
    deals = [deal(rules, 4, "seed", number) for number in range(1, 1 + len(rules.contracts.hands.order))]
    return [(dealt.contract, len(dealt.hands[3])) for dealt in deals]


# --- the hands -----------------------------------------------------------------------------------------

CLASSIC = [("TT", 7), ("TE", 8), ("EE", 9), ("TTT", 10), ("TTE", 11), ("TEE", 12), ("EEE", 13)]
SUPER = [("TTTT", 13), ("TTTE", 14), ("TTEE", 15), ("TEEE", 16), ("EEEE", 17)]
OPENERS = [("T", 4), ("E", 5)]


@clause("003/2.1/super")
def test_supercontinental_adds_five_hands() -> None:
    assert hands_of("super") == CLASSIC + SUPER


@clause("003/2.2/openers")
def test_openers_adds_a_trio_and_a_run_before_the_other_hands() -> None:
    assert hands_of("openers") == OPENERS + CLASSIC
    assert hands_of("super+openers") == OPENERS + CLASSIC + SUPER


# --- closing with cards in hand --------------------------------------------------------------------------


@clause("003/2.3/close5", "003/2.3/after-discard", "003/2.3/own-score")
def test_a_player_may_close_with_five_points_in_hand_after_the_discard() -> None:
    """Check that A, down since the first turn, discards the king, closes with a three and a two, and scores 0."""
    hand = position_with("close5", "TT", [f"{TRIOS} Ks 3d", "Ah 9d"], stock="2d")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A take")
    assert listed(hand, "close") == {"close 9d"}
    assert points(play(hand, "A close 9d"))[0] == 0


@clause("003/2.3/not-six")
def test_no_player_may_close_with_six_points_in_hand() -> None:
    hand = position_with("close5", "TT", [f"{TRIOS} Ks 4d", "Ah 9d"], stock="2d")
    play(hand, f"A stock; B pass; {DOWN}")
    assert refused(hand, "close Ks") == "003/2.3"
    assert listed(hand, "close") == set()


@clause("003/2.3/after-discard")
def test_a_player_who_is_not_down_may_not_close_with_cards_in_hand() -> None:
    hand = play(position_with("close5", "TT", ["2h 2s Ks", "Ah 9d"]), "A take")
    assert refused(hand, "close Ks").startswith("003/")


@clause("003/2.3/own-score")
def test_closing_hand_three_in_one_turn_with_four_points_held_scores_minus_thirty() -> None:
    """Under `close5` and `scaled` the bonus of EE is -30, and the four points held do not count."""
    hand = position_with("close5+scaled", "EE", ["3h 4h 5h 6h 8s 9s Ts Js 4d", "Ah"], stock="Qd")
    play(hand, "A stock; B pass; A down E: 3h 4h 5h 6h / E: 8s 9s Ts Js; A close Qd")
    assert points(hand) == (-30, 20)


# --- closing in the turn of the lay-down only -------------------------------------------------------------


@clause("003/2.4/only-minus10")
def test_a_player_may_close_in_the_turn_of_the_lay_down() -> None:
    closed = play(
        position_with("only-minus10", "TT", [TRIOS, "Ah"], stock="9d"), f"A stock; B pass; {DOWN}; A discard 9d"
    )
    assert points(closed) == (-10, 20)


@clause("003/2.4/only-minus10", "003/2.4/may-lay-down", "003/2.4/keeps-a-card")
def test_a_player_who_lays_down_without_closing_keeps_a_card_after_every_discard() -> None:
    """Check that A, down with one card, draws a seven, may lay off neither card, and must discard one."""
    hand = position_with("only-minus10", "TT", [f"{TRIOS} Ks", "Ah 9d"], stock="Qs Jd 7s")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A stock; B pass")
    assert holds(hand, "A", "Qs 7s")
    assert refused(hand, "off 7s 1").startswith("003/2.4")
    assert {str(action) for action in hand.legal} == {"discard Qs", "discard 7s"}


@clause("003/2.4/last-minus10")
@pytest.mark.parametrize(("contract", "restricted"), [("TEE", False), ("EEE", True)])
def test_last_minus10_restricts_closing_in_the_last_hand_only(contract: str, restricted: bool) -> None:
    """A is down with one card and draws one that fits: in the last hand it may not be laid off."""
    runs = "3h 4h 5h 6h 8s 9s Ts Js"
    first = {"TEE": "7h 7d 7c", "EEE": "3c 4c 5c 6c"}[contract]
    hand = position_with("last-minus10", contract, [f"{first} {runs} Kd", "Ah 9d"], stock="Qd Jd 7h")
    down = f"A down {contract[0]}: {first} / E: 3h 4h 5h 6h / E: 8s 9s Ts Js"
    play(hand, f"A stock; B pass; {down}; A discard Kd; B stock; A pass; B discard 9d; A stock; B pass")
    assert ("off 7h 2" in listed(hand, "off")) is not restricted


# --- distinct melds --------------------------------------------------------------------------------------


@clause("003/2.5/distinct-ranks")
def test_trios_of_one_contract_are_of_different_ranks() -> None:
    hand = play(position_with("distinct", "TT", ["7h 7d 7c 7h 7d 7c Ks", "Ah"]), "A take")
    assert refused(hand, "down T: 7h 7d 7c / T: 7h 7d 7c") == "003/2.5"
    assert listed(hand, "down") == set()


@clause("003/2.5/distinct-suits")
def test_runs_of_one_contract_are_of_different_suits() -> None:
    hand = play(position_with("distinct", "EE", ["3h 4h 5h 6h 8h 9h Th Jh Ks", "Ah"]), "A take")
    assert refused(hand, "down E: 3h 4h 5h 6h / E: 8h 9h Th Jh") == "003/2.5"
    other = play(position_with("distinct", "EE", ["3h 4h 5h 6h 8s 9s Ts Js Ks", "Ah"]), "A take")
    play(other, "A down E: 3h 4h 5h 6h / E: 8s 9s Ts Js")


@clause("003/2.5/distinct-suits")
@pytest.mark.parametrize(
    ("contract", "cards", "laid"),
    [
        ("TEE", "7h 7d 7c 3h 4h 5h 6h 9h Th Jh Qh", "T: 7h 7d 7c / E: 3h 4h 5h 6h / E: 9h Th Jh Qh"),
        ("EEE", "3h 4h 5h 6h 9h Th Jh Qh 3s 4s 5s 6s", "E: 3h 4h 5h 6h / E: 9h Th Jh Qh / E: 3s 4s 5s 6s"),
        ("EEE", "3h 4h 5h 6h 3s 4s 5s 6s 9s Ts Js Qs", "E: 3h 4h 5h 6h / E: 3s 4s 5s 6s / E: 9s Ts Js Qs"),
    ],
)
def test_no_two_of_several_runs_are_of_one_suit(contract: str, cards: str, laid: str) -> None:
    """Check TEE and EEE with two runs of one suit in each pair of places."""
    hand = play(position_with("distinct", contract, [f"{cards} Ks", "Ah"]), "A take")
    assert refused(hand, f"down {laid}") == "003/2.5"


@clause("003/2.5/trio-of-jokers")
def test_a_trio_of_jokers_is_laid_down_and_takes_no_rank_of_another_trio() -> None:
    hand = play(position_with("distinct", "TT", ["7h 7d 7c Jk Jk Jk 7s 9s Ks", "Ah"]), "A take")
    play(hand, "A down T: 7h 7d 7c / T: Jk Jk Jk")
    assert refused(hand, "off 7s 2") == "003/2.5"
    assert "off 9s 2" in listed(hand, "off")
    assert melds(play(hand, "A off 7s 1; A off 9s 2")) == ["7h 7d 7c 7s", "Jk Jk Jk 9s"]


@clause("003/2.5/more-melds")
def test_in_contracts_of_four_all_trios_differ_and_all_runs_differ() -> None:
    trios = "3h 3d 3c 5h 5d 5c 9h 9d 9c"
    hand = play(position_with("distinct+super", "TTTT", [f"{trios} 9s 9h 9d Jc Jd Jh", "Ah"]), "A take")
    three_trios = "down T: 3h 3d 3c / T: 5h 5d 5c / T: 9h 9d 9c"
    assert refused(hand, f"{three_trios} / T: 9s 9h 9d") == "003/2.5"
    play(hand, f"A {three_trios} / T: Jc Jd Jh")


# --- bonuses ---------------------------------------------------------------------------------------------

AT_ONCE = [
    *[
        pytest.param("scaled", contract, -10 * place, marks=clause("003/2.6/scaled"))
        for place, (contract, _dealt) in enumerate(CLASSIC, 1)
    ],
    *[pytest.param("scaled+openers", contract, -10, marks=clause("003/2.6/other-hands")) for contract in ("T", "E")],
    *[
        pytest.param("scaled+super", contract, -80 - 10 * place, marks=clause("003/2.6/other-hands"))
        for place, (contract, _dealt) in enumerate(SUPER)
    ],
    pytest.param("minus50", "TT", -50, marks=clause("003/2.7/minus50")),
    pytest.param("minus50", "EEE", -50, marks=clause("003/2.7/minus50")),
]


@pytest.mark.parametrize(("variants", "contract", "bonus"), AT_ONCE)
def test_laying_down_and_closing_in_one_turn_scores_the_bonus_of_the_contract(
    variants: str, contract: str, bonus: int
) -> None:
    rules = load_rules(f"oficial+{variants}")
    assert closing_points(rules, contract, at_once=True, all_placed=False) == bonus
    assert closing_points(rules, contract, at_once=False, all_placed=False) == 0


@clause("003/2.8/all-placed50", "003/2.8/laid-down-earlier")
def test_placing_every_card_scores_minus_fifty_even_after_an_earlier_lay_down() -> None:
    hand = position_with("all-placed50", "TT", [f"{TRIOS} Ks", "Ah 9d"], stock="7s Jd 8s")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A stock; B pass")
    play(hand, "A off 7s 1; A off 8s 2; A close")
    assert points(hand)[0] == -50


@clause("003/2.8/all-placed50")
def test_closing_with_a_discard_does_not_score_minus_fifty() -> None:
    hand = play(
        position_with("all-placed50", "TT", [TRIOS, "Ah"], stock="9d"), f"A stock; B pass; {DOWN}; A discard 9d"
    )
    assert points(hand) == (-10, 20)


@clause("003/2.8/most-favourable")
@pytest.mark.parametrize(("contract", "bonus"), [("TT", -50), ("TTE", -50), ("TEE", -60), ("EEE", -70)])
def test_of_several_bonuses_only_the_best_counts(contract: str, bonus: int) -> None:
    rules = load_rules("oficial+scaled+all-placed50")
    assert closing_points(rules, contract, at_once=True, all_placed=True) == bonus


# --- values, claims, upcard ------------------------------------------------------------------------------


@clause("003/2.9/round-values")
def test_round_values_are_five_and_ten_points() -> None:
    rules = load_rules("oficial+round-values")
    for cards, value in (("2c 3d 4h 5s 6c 7d", 30), ("8c 9d Th Js Qc Kd", 60), ("Ah", 20), ("Jk", 50)):
        assert points_of(rules, Faces(parse_cards(cards))) == value


@clause("003/2.10/claims3", "003/2.10/counts-own")
def test_a_fourth_claim_is_not_offered_and_own_discards_count() -> None:
    """A claims their own discard three times and is not asked a fourth time."""
    hand = position_with("claims3", "TT", ["3h 4h 5h 6h 9c", "3d"], stock="Tc Td Jc Jd Qc Qd Kc Kd", upcard="2c")
    play(hand, "A take; A discard 9c; B stock; A claim; B discard 3d")
    for discarded in ("3h", "4h"):
        play(hand, f"A take; A discard {discarded}; B stock; A claim")
        play(hand, f"B discard {held(hand, 'B').split()[0]}")
    play(hand, "A take; A discard 5h; B stock")
    assert hand.actor == 1
    assert hand.view(0).claims == (3, 0)


@clause("003/2.10/passes-free")
def test_passes_are_no_claims_and_leave_all_three() -> None:
    """A passes three times, is asked a fourth time, and the claim that A makes then is the first."""
    hand = position_with("claims3", "TT", ["3h 4h 5h 6h 9c", "3d 4d 5d 6d"], stock="Tc Td Jc Jd Qc Qd Kc Kd")
    for discarded in ("3", "4", "5"):
        play(hand, f"A take; A discard {discarded}h; B stock; A pass; B discard {discarded}d")
    assert hand.view(0).claims == (0, 0)
    play(hand, "A take; A discard 6h; B stock; A claim")
    assert hand.view(0).claims == (1, 0)


@clause("003/2.11/no-joker-upcard", "003/2.11/not-a-shuffle")
def test_a_joker_is_not_the_first_upcard_and_putting_it_back_uses_no_shuffle() -> None:
    rules = load_rules("oficial+no-joker-upcard")
    deck = [*range(14), JOKER, *range(14, 52), *range(52), *[JOKER] * 5]
    dealt = deal_cards(rules, 2, deck, "seed", 1)
    assert dealt.upcard not in (JOKER, None)
    assert Counter([*dealt.stock, dealt.upcard]) == Counter(deck[14:])
    assert Hand(rules, dealt).view(0).shuffles == 0
    naturals = [face for face in (dealt.upcard, *dealt.stock) if face != JOKER]
    assert naturals != [face for face in deck[14:] if face != JOKER], "the stock is shuffled"
    official = deal_cards(load_rules("oficial"), 2, deck, "seed", 1)
    assert official.upcard == JOKER


# --- jokers ----------------------------------------------------------------------------------------------


def count_jokers(dealt: Deal) -> int:
    assert dealt.upcard is not None
    return [*(face for hand in dealt.hands for face in hand), dealt.upcard, *dealt.stock].count(JOKER)


@clause("003/2.12/no-jokers")
def test_no_jokers_removes_all_jokers() -> None:
    assert count_jokers(deal(load_rules("oficial+no-jokers"), 3, "seed")) == 0


@clause("003/1.1/two-jokers")
def test_two_jokers_gives_each_pack_two_jokers() -> None:
    assert count_jokers(deal(load_rules("oficial+two-jokers"), 3, "seed")) == 4


@clause("003/2.13/red-twos", "003/2.13/role-fixed", "003/2.13/in-a-trio")
def test_a_red_two_is_wild_in_a_trio_of_another_rank() -> None:
    hand = play(position_with("red-twos", "TT", ["7h 7d 2h 9h 9d 2d Ks 7c 9c", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 7h 7d 2h* / T: 9h 9d 2d*; A off 7c 1")
    assert melds(hand) == ["7h 7d 2h* 7c", "9h 9d 2d*"]


@clause("003/2.13/role-fixed")
def test_a_red_two_written_without_its_mark_is_laid_with_it() -> None:
    """A red two beside two fives is wild and one beside two black twos natural, even if the lay-down has no mark."""
    hand = play(position_with("red-twos", "TT", ["5h 5d 2h 2c 2s 2d Ks 9c", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 5h 5d 2h / T: 2c 2s 2d")
    assert melds(hand) == ["5h 5d 2h*", "2c 2s 2d"]


@clause("003/2.13/in-a-trio")
def test_a_red_two_beside_a_black_two_is_natural_and_red_twos_alone_have_no_rank() -> None:
    hand = play(position_with("red-twos", "TT", ["2c 2h 2d 2h 2d Jk 9s Ks", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 2c 2h* 2d / T: 2h 2d Jk; A off 9s 2")
    assert melds(hand) == ["2c 2h 2d", "2h* 2d* Jk 9s"]


@clause("003/2.13/natural-in-its-place", "003/2.13/counts-as-joker")
def test_a_red_two_in_its_own_place_of_a_run_is_natural_and_may_be_beside_a_joker() -> None:
    hand = play(position_with("red-twos", "EE", ["Ah 2h Jk 4h 2d 5s 6s 7s Ks", "Ac"], upcard="3c"), "A take")
    play(hand, "A down E: Ah 2h Jk 4h / E: 2d* 5s 6s 7s")
    assert melds(hand) == ["Ah 2h Jk 4h", "2d* 5s 6s 7s"]
    wild = play(position_with("red-twos", "EE", ["4s 2d Jk 7s Ah 2h 3h 4h Ks", "Ac"], upcard="3c"), "A take")
    assert refused(wild, "down E: 4s 2d* Jk 7s / E: Ah 2h 3h 4h") == "003/1.7"


@clause("003/2.13/counts-as-joker", "003/2.13/role-fixed")
def test_a_wild_two_in_a_run_is_exchanged_and_moved_and_stays_wild() -> None:
    hand = position_with("red-twos", "EE", ["5s 2d 7s 8s Th Jh Qh Kh 6s Kc Kd", "Ac"], upcard="3c")
    play(hand, "A take; A down E: 5s 2d* 7s 8s / E: Th Jh Qh Kh")
    play(hand, "A swap 6s 1.2 to 1 low")
    assert melds(hand)[0] == "2d* 5s 6s 7s 8s"
    play(hand, "A move 1 low to 2")
    assert melds(hand) == ["5s 6s 7s 8s", "Th Jh Qh Kh 2d*"]


@clause("003/2.13/fifty")
def test_a_red_two_left_in_a_hand_counts_fifty() -> None:
    rules = load_rules("oficial+red-twos")
    assert points_of(rules, Faces(parse_cards("2h 2d 2c 2s"))) == 104


@clause("003/2.14/no-joker-discard")
def test_a_joker_may_not_be_discarded_beside_other_cards() -> None:
    hand = play(position_with("no-joker-discard", "TT", ["3h Jk", "3d"]), "A take")
    assert refused(hand, "discard Jk") == "003/2.14"
    assert listed(hand, "discard") == {"discard 3h", "discard 2c"}


@clause("003/2.14/only-jokers")
def test_a_joker_may_be_discarded_if_only_jokers_are_held_or_to_close() -> None:
    only = play(position_with("no-joker-discard", "TT", ["Jk", "3d"], upcard="Jk"), "A take")
    assert listed(only, "discard") == {"discard Jk"}
    closing = play(
        position_with("no-joker-discard", "TT", [TRIOS, "Ah"], stock="Jk"), f"A stock; B pass; {DOWN}; A discard Jk"
    )
    assert points(closing) == (-10, 20)


@clause("003/2.14/no-own-claim")
def test_a_player_may_not_claim_their_own_discard() -> None:
    hand = play(position_with("no-own-claim", "TT", ["3h 4h", "3d", "3c"]), "A take; A discard 3h; B stock")
    assert hand.actor == 2
    assert play(hand, "C pass").actor == 1


# --- combinations ----------------------------------------------------------------------------------------


@clause("003/2/contradictions")
@pytest.mark.parametrize(
    ("first", "second"), [*CONTRADICTIONS, *[pair[::-1] for pair in CONTRADICTIONS], ("claims3", "claims3")]
)
def test_contradicting_variants_are_refused_by_name(first: str, second: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(f"oficial+{first}+{second}")
    assert first in caught.value.reason
    assert second in caught.value.reason
