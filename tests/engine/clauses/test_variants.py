"""Document 003's optional variants, one by one and where two of them meet."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_cards
from engine.deal import Deal, deal, deal_cards
from engine.errors import RulesError
from engine.hand import Hand
from engine.rules import load_rules
from engine.scoring import closing_points, points_of
from tests.harness.engine.positions import held, holds, listed, melds, play, position, refused

clause = pytest.mark.clause
TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"


def at(variants: str, contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=load_rules(f"oficial+{variants}"), **more)


def points(hand: Hand) -> tuple[int, ...]:
    assert hand.result is not None
    return hand.result.points


def hands_of(variants: str) -> list[tuple[str, int]]:
    """Contracts and cards dealt of the whole game."""
    rules = load_rules(f"oficial+{variants}")
    found = [deal(rules, 4, "seed", number) for number in range(1, 1 + len(rules.contracts.hands.order))]
    return [(one.contract, len(one.hands[3])) for one in found]


# --- which hands are played ------------------------------------------------------------------------------

CLASSIC = [("TT", 7), ("TE", 8), ("EE", 9), ("TTT", 10), ("TTE", 11), ("TEE", 12), ("EEE", 13)]
SUPER = [("TTTT", 13), ("TTTE", 14), ("TTEE", 15), ("TEEE", 16), ("EEEE", 17)]
OPENERS = [("T", 4), ("E", 5)]


@clause("003/2.1/super")
def test_supercontinental_adds_five_hands() -> None:
    assert hands_of("super") == CLASSIC + SUPER


@clause("003/2.2/openers")
def test_a_trio_and_a_run_come_first() -> None:
    assert hands_of("openers") == OPENERS + CLASSIC
    assert hands_of("super+openers") == OPENERS + CLASSIC + SUPER


# --- closing with cards in hand --------------------------------------------------------------------------


@clause("003/2.3/close5")
@clause("003/2.3/after-discard")
@clause("003/2.3/own-score")
def test_one_closes_holding_five_points_after_the_discard() -> None:
    """Check that A, down since the first turn, discards the king, closes with a three and a two, and scores 0."""
    hand = at("close5", "TT", [f"{TRIOS} Ks 3d", "Ah 9d"], stock="2d")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A take")
    assert listed(hand, "close") == {"close 9d"}
    assert points(play(hand, "A close 9d"))[0] == 0


@clause("003/2.3/not-six")
def test_nobody_closes_holding_six_points() -> None:
    hand = at("close5", "TT", [f"{TRIOS} Ks 4d", "Ah 9d"], stock="2d")
    play(hand, f"A stock; B pass; {DOWN}")
    assert refused(hand, "close Ks") == "003/2.3"
    assert listed(hand, "close") == set()


@clause("003/2.3/after-discard")
def test_who_is_not_down_does_not_close_with_little() -> None:
    hand = play(at("close5", "TT", ["2h 2s Ks", "Ah 9d"]), "A take")
    assert refused(hand, "close Ks").startswith("003/")


@clause("003/2.3/own-score")
def test_laid_down_and_closed_with_four_points_in_hand_three_is_thirty_less() -> None:
    """The worked case: `close5` and `scaled`, EE, four points held: -30."""
    hand = at("close5+scaled", "EE", ["3h 4h 5h 6h 8s 9s Ts Js 4d", "Ah"], stock="Qd")
    play(hand, "A stock; B pass; A down E: 3h 4h 5h 6h / E: 8s 9s Ts Js; A close Qd")
    assert points(hand) == (-30, 20)


# --- closing in the turn of the lay-down alone ------------------------------------------------------------


@clause("003/2.4/only-minus10")
def test_the_one_way_to_close_is_in_the_turn_of_the_lay_down() -> None:
    closed = play(at("only-minus10", "TT", [TRIOS, "Ah"], stock="9d"), f"A stock; B pass; {DOWN}; A discard 9d")
    assert points(closed) == (-10, 20)


@clause("003/2.4/only-minus10")
@clause("003/2.4/may-lay-down")
@clause("003/2.4/keeps-a-card")
def test_who_lays_down_without_closing_keeps_a_card_after_every_discard() -> None:
    """Check that A, down with one card, draws a seven, may lay off neither card, and must discard one."""
    hand = at("only-minus10", "TT", [f"{TRIOS} Ks", "Ah 9d"], stock="Qs Jd 7s")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A stock; B pass")
    assert holds(hand, "A", "Qs 7s")
    assert refused(hand, "off 7s 1").startswith("003/2.4")
    assert {str(action) for action in hand.legal} == {"discard Qs", "discard 7s"}


@clause("003/2.4/last-minus10")
@pytest.mark.parametrize(("contract", "bound"), [("TEE", False), ("EEE", True)])
def test_or_in_the_last_hand_alone(contract: str, bound: bool) -> None:
    """One card in hand and a card that fits: in the last hand it stays in hand."""
    runs = "3h 4h 5h 6h 8s 9s Ts Js"
    first = {"TEE": "7h 7d 7c", "EEE": "3c 4c 5c 6c"}[contract]
    hand = at("last-minus10", contract, [f"{first} {runs} Kd", "Ah 9d"], stock="Qd Jd 7h")
    down = f"A down {contract[0]}: {first} / E: 3h 4h 5h 6h / E: 8s 9s Ts Js"
    play(hand, f"A stock; B pass; {down}; A discard Kd; B stock; A pass; B discard 9d; A stock; B pass")
    assert ("off 7h 2" in listed(hand, "off")) is not bound


# --- distinct melds --------------------------------------------------------------------------------------


@clause("003/2.5/distinct-ranks")
def test_trios_of_one_contract_are_of_different_ranks() -> None:
    hand = play(at("distinct", "TT", ["7h 7d 7c 7h 7d 7c Ks", "Ah"]), "A take")
    assert refused(hand, "down T: 7h 7d 7c / T: 7h 7d 7c") == "003/2.5"
    assert listed(hand, "down") == set()


@clause("003/2.5/distinct-suits")
def test_runs_of_one_contract_are_of_different_suits() -> None:
    hand = play(at("distinct", "EE", ["3h 4h 5h 6h 8h 9h Th Jh Ks", "Ah"]), "A take")
    assert refused(hand, "down E: 3h 4h 5h 6h / E: 8h 9h Th Jh") == "003/2.5"
    other = play(at("distinct", "EE", ["3h 4h 5h 6h 8s 9s Ts Js Ks", "Ah"]), "A take")
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
    """The document names two runs and a trio, and three runs: one suit twice is refused also beside another."""
    hand = play(at("distinct", contract, [f"{cards} Ks", "Ah"]), "A take")
    assert refused(hand, f"down {laid}") == "003/2.5"


@clause("003/2.5/trio-of-jokers")
def test_a_trio_of_jokers_is_laid_down_and_takes_no_rank_of_another_trio() -> None:
    hand = play(at("distinct", "TT", ["7h 7d 7c Jk Jk Jk 7s 9s Ks", "Ah"]), "A take")
    play(hand, "A down T: 7h 7d 7c / T: Jk Jk Jk")
    assert refused(hand, "off 7s 2") == "003/2.5"
    assert "off 9s 2" in listed(hand, "off")
    assert melds(play(hand, "A off 7s 1; A off 9s 2")) == ["7h 7d 7c 7s", "Jk Jk Jk 9s"]


@clause("003/2.5/more-melds")
def test_in_contracts_of_four_all_trios_differ_and_all_runs_differ() -> None:
    trios = "3h 3d 3c 5h 5d 5c 9h 9d 9c"
    hand = play(at("distinct+super", "TTTT", [f"{trios} 9s 9h 9d Jc Jd Jh", "Ah"]), "A take")
    head = "down T: 3h 3d 3c / T: 5h 5d 5c / T: 9h 9d 9c"
    assert refused(hand, f"{head} / T: 9s 9h 9d") == "003/2.5"
    play(hand, f"A {head} / T: Jc Jd Jh")


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
def test_what_laying_down_and_closing_in_one_turn_brings(variants: str, contract: str, bonus: int) -> None:
    rules = load_rules(f"oficial+{variants}")
    assert closing_points(rules, contract, at_once=True, all_placed=False) == bonus
    assert closing_points(rules, contract, at_once=False, all_placed=False) == 0


@clause("003/2.8/all-placed50")
@clause("003/2.8/laid-down-earlier")
def test_fifty_less_for_placing_every_card_also_when_down_before() -> None:
    hand = at("all-placed50", "TT", [f"{TRIOS} Ks", "Ah 9d"], stock="7s Jd 8s")
    play(hand, f"A stock; B pass; {DOWN}; A discard Ks; B stock; A pass; B discard 9d; A stock; B pass")
    play(hand, "A off 7s 1; A off 8s 2; A close")
    assert points(hand)[0] == -50


@clause("003/2.8/all-placed50")
def test_a_last_discard_brings_no_fifty() -> None:
    hand = play(at("all-placed50", "TT", [TRIOS, "Ah"], stock="9d"), f"A stock; B pass; {DOWN}; A discard 9d")
    assert points(hand) == (-10, 20)


@clause("003/2.8/most-favourable")
@pytest.mark.parametrize(("contract", "bonus"), [("TT", -50), ("TTE", -50), ("TEE", -60), ("EEE", -70)])
def test_bonuses_do_not_add_up_the_best_one_counts(contract: str, bonus: int) -> None:
    rules = load_rules("oficial+scaled+all-placed50")
    assert closing_points(rules, contract, at_once=True, all_placed=True) == bonus


# --- values, claims, upcard ------------------------------------------------------------------------------


@clause("003/2.9/round-values")
def test_other_values() -> None:
    rules = load_rules("oficial+round-values")
    for cards, value in (("2c 3d 4h 5s 6c 7d", 30), ("8c 9d Th Js Qc Kd", 60), ("Ah", 20), ("Jk", 50)):
        assert points_of(rules, Faces(parse_cards(cards))) == value


@clause("003/2.10/claims3")
@clause("003/2.10/counts-own")
def test_nobody_claims_a_fourth_time_ones_own_discard_included() -> None:
    """Check that A claims A's own discard three times running, and that the fourth time A is not asked."""
    hand = at("claims3", "TT", ["3h 4h 5h 6h 9c", "3d"], stock="Tc Td Jc Jd Qc Qd Kc Kd", upcard="2c")
    play(hand, "A take; A discard 9c; B stock; A claim; B discard 3d")
    for thrown in ("3h", "4h"):
        play(hand, f"A take; A discard {thrown}; B stock; A claim")
        play(hand, f"B discard {held(hand, 'B').split()[0]}")
    play(hand, "A take; A discard 5h; B stock")
    assert hand.actor == 1
    assert hand.view(0).claims == (3, 0)


@clause("003/2.11/no-joker-upcard")
@clause("003/2.11/not-a-shuffle")
def test_a_joker_on_top_is_changed_for_another_card_and_no_shuffle_is_used() -> None:
    rules = load_rules("oficial+no-joker-upcard")
    deck = [*range(14), JOKER, *range(14, 52), *range(52), *[JOKER] * 5]
    dealt = deal_cards(rules, 2, deck, "seed", 1)
    assert dealt.upcard not in (JOKER, None)
    assert Counter([*dealt.stock, dealt.upcard]) == Counter(deck[14:])
    assert Hand(rules, dealt).view(0).shuffles == 0
    naturals = [face for face in (dealt.upcard, *dealt.stock) if face != JOKER]
    assert naturals != [face for face in deck[14:] if face != JOKER], "the stock is shuffled"
    plain = deal_cards(load_rules("oficial"), 2, deck, "seed", 1)
    assert plain.upcard == JOKER


# --- jokers ----------------------------------------------------------------------------------------------


def jokers_of(dealt: Deal) -> int:
    assert dealt.upcard is not None
    return [*(face for hand in dealt.hands for face in hand), dealt.upcard, *dealt.stock].count(JOKER)


@clause("003/2.12/no-jokers")
def test_one_plays_without_jokers() -> None:
    assert jokers_of(deal(load_rules("oficial+no-jokers"), 3, "seed")) == 0


@clause("003/1.1/two-jokers")
def test_two_jokers_to_each_of_two_packs() -> None:
    assert jokers_of(deal(load_rules("oficial+two-jokers"), 3, "seed")) == 4


@clause("003/2.13/red-twos")
@clause("003/2.13/role-fixed")
@clause("003/2.13/in-a-trio")
def test_a_red_two_is_wild_in_a_trio_of_another_rank_and_shown_so() -> None:
    hand = play(at("red-twos", "TT", ["7h 7d 2h 9h 9d 2d Ks 7c 9c", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 7h 7d 2h* / T: 9h 9d 2d*; A off 7c 1")
    assert melds(hand) == ["7h 7d 2h* 7c", "9h 9d 2d*"]


@clause("003/2.13/role-fixed")
def test_a_red_two_written_without_its_role_is_laid_in_it() -> None:
    """Wild beside two fives, natural beside two black twos, whether or not the lay-down says so."""
    hand = play(at("red-twos", "TT", ["5h 5d 2h 2c 2s 2d Ks 9c", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 5h 5d 2h / T: 2c 2s 2d")
    assert melds(hand) == ["5h 5d 2h*", "2c 2s 2d"]


@clause("003/2.13/in-a-trio")
def test_beside_a_black_two_a_red_one_is_natural_and_three_red_ones_have_no_rank() -> None:
    hand = play(at("red-twos", "TT", ["2c 2h 2d 2h 2d Jk 9s Ks", "Ah"], upcard="3c"), "A take")
    play(hand, "A down T: 2c 2h* 2d / T: 2h 2d Jk; A off 9s 2")
    assert melds(hand) == ["2c 2h 2d", "2h* 2d* Jk 9s"]


@clause("003/2.13/natural-in-its-place")
@clause("003/2.13/counts-as-joker")
def test_in_its_own_place_in_a_run_it_is_natural_and_may_stand_beside_a_joker() -> None:
    hand = play(at("red-twos", "EE", ["Ah 2h Jk 4h 2d 5s 6s 7s Ks", "Ac"], upcard="3c"), "A take")
    play(hand, "A down E: Ah 2h Jk 4h / E: 2d* 5s 6s 7s")
    assert melds(hand) == ["Ah 2h Jk 4h", "2d* 5s 6s 7s"]
    wild = play(at("red-twos", "EE", ["4s 2d Jk 7s Ah 2h 3h 4h Ks", "Ac"], upcard="3c"), "A take")
    assert refused(wild, "down E: 4s 2d* Jk 7s / E: Ah 2h 3h 4h") == "003/1.7"


@clause("003/2.13/counts-as-joker")
@clause("003/2.13/role-fixed")
def test_a_wild_two_in_a_run_is_exchanged_and_moved_and_stays_wild() -> None:
    hand = at("red-twos", "EE", ["5s 2d 7s 8s Th Jh Qh Kh 6s Kc Kd", "Ac"], upcard="3c")
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
def test_jokers_are_not_discarded() -> None:
    hand = play(at("no-joker-discard", "TT", ["3h Jk", "3d"]), "A take")
    assert refused(hand, "discard Jk") == "003/2.14"
    assert listed(hand, "discard") == {"discard 3h", "discard 2c"}


@clause("003/2.14/only-jokers")
def test_but_by_who_holds_nothing_else_or_to_close() -> None:
    only = play(at("no-joker-discard", "TT", ["Jk", "3d"], upcard="Jk"), "A take")
    assert listed(only, "discard") == {"discard Jk"}
    closing = play(at("no-joker-discard", "TT", [TRIOS, "Ah"], stock="Jk"), f"A stock; B pass; {DOWN}; A discard Jk")
    assert points(closing) == (-10, 20)


@clause("003/2.14/no-own-claim")
def test_a_player_may_not_claim_their_own_discard() -> None:
    hand = play(at("no-own-claim", "TT", ["3h 4h", "3d", "3c"]), "A take; A discard 3h; B stock")
    assert hand.actor == 2
    assert play(hand, "C pass").actor == 1


# --- combinations ----------------------------------------------------------------------------------------

CONTRADICTIONS = [
    ("minus50", "scaled"),
    ("no-jokers", "two-jokers"),
    ("no-jokers", "red-twos"),
    ("only-minus10", "last-minus10"),
    ("claims3", "claims3"),
]


@clause("003/2/contradictions")
@pytest.mark.parametrize(("one", "other"), [pair[::turn] for pair in CONTRADICTIONS for turn in (1, -1)])
def test_what_contradicts_itself_is_refused_by_name(one: str, other: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(f"oficial+{one}+{other}")
    assert one in caught.value.reason
    assert other in caught.value.reason
