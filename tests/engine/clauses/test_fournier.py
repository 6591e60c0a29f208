"""Check document 000, Fournier's rules: more packs in later hands, two stocks, runs of thirteen, jokers for all."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_cards
from engine.deal import Deal, deal, deal_cards, draw_seats
from engine.errors import RulesError
from engine.games.contract_game import ContractGame, game_result
from engine.hand import Hand
from engine.melds import Kind, is_meld
from engine.rules import load_rules
from engine.scoring import HandResult, points_of
from tests.harness.engine.positions import holds, listed, melds, play, position, refused, sizes
from tests.harness.engine.rule_texts import changed_rules

clause = pytest.mark.clause
RULES = load_rules("fournier")
CONTRACTS = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]


def fournier_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


def cards_of(dealt: Deal) -> Counter[int]:
    """Return the numbers of all faces of a deal."""
    cards = [face for hand in dealt.hands for face in hand] + [*dealt.stock, *dealt.penalty]
    return Counter(cards if dealt.upcard is None else [*cards, dealt.upcard])


def points(hand: Hand) -> tuple[int, ...]:
    assert hand.result is not None
    return hand.result.points


# --- players, packs, values ------------------------------------------------------------------------------

PACKS = [
    pytest.param(2, [2, 2, 3, 3, 3, 3, 3], marks=clause("000/1.1/two-packs-first")),
    pytest.param(4, [2, 2, 3, 3, 3, 3, 3], marks=clause("000/1.1/up-to-four-end-with-three")),
    pytest.param(3, [2, 2, 3, 3, 3, 3, 3], marks=clause("000/1.1/third-pack-when")),
    pytest.param(5, [2, 2, 3, 3, 4, 4, 4], marks=clause("000/1.1/five-to-eight-third-pack")),
    pytest.param(8, [2, 2, 3, 3, 4, 4, 4], marks=clause("000/1.1/five-to-eight-fourth-pack")),
]


@clause("000/1.1/joker-share", "000/1.1/jokers-grow")
@pytest.mark.parametrize(("players", "packs"), PACKS)
def test_later_hands_have_more_packs_with_two_jokers_each(players: int, packs: list[int]) -> None:
    for number, count in enumerate(packs, 1):
        found = cards_of(deal(RULES, players, "seed", number))
        assert found.pop(JOKER) == 2 * count
        assert len(found) == 52
        assert set(found.values()) == {count}


@clause("000/1.1/players")
@pytest.mark.parametrize("players", range(1, 10))
def test_two_to_eight_may_play(players: int) -> None:
    if 2 <= players <= 8:
        assert len(deal(RULES, players, "seed").hands) == players
    else:
        with pytest.raises(RulesError, match="2 to 8 players"):
            deal(RULES, players, "seed")


@clause("000/1.1/individually", "000/1.10/lowest-total")
def test_every_player_has_a_total_and_the_lowest_wins() -> None:
    result = game_result(RULES, 3, [HandResult("TT", (30, 0, 12), 1), HandResult("TE", (0, 25, 20), 0)])
    assert result.points == (30, 25, 32)
    assert result.places == (2, 1, 3)


@clause("000/1.10/tie-shared")
def test_equal_totals_share_the_place_regardless_of_hands_won() -> None:
    result = game_result(RULES, 3, [HandResult("TT", (20, 0, 30), 1), HandResult("TE", (0, 20, 30), 0)])
    assert result.places == (1, 1, 3)


VALUES = [
    pytest.param("Jk", 50, marks=clause("000/1.2/joker")),
    pytest.param("As Ah", 40, marks=clause("000/1.2/ace")),
    pytest.param("Kc Qd Jh Ts 9c 8d", 60, marks=clause("000/1.2/high-cards")),
    pytest.param("7c 6d 5h 4s 3c 2d", 30, marks=clause("000/1.2/low-cards")),
    pytest.param("7c 7d 7h Jk", 65, marks=clause("000/1.2/melded-count")),
]


@pytest.mark.parametrize(("cards", "value"), VALUES)
def test_cards_in_hand_count_their_values(cards: str, value: int) -> None:
    assert points_of(RULES, Faces(parse_cards(cards))) == value


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


@clause("000/1.4/leader", "000/1.4/next-dealer")
def test_the_player_after_the_dealer_leads_and_the_deal_passes_on() -> None:
    game = ContractGame(RULES, 3, "seed")
    for dealer in (0, 1, 2, 0):
        hand = game.next_hand()
        assert (hand.dealer, hand.actor) == (dealer, (dealer + 1) % 3)
        game.add_result(HandResult("", (0, 0, 0), None))


@clause("000/1.3/contracts", "000/1.3/cards-dealt", "000/1.3/no-spare-card")
@pytest.mark.parametrize(("number", "contract"), list(enumerate(CONTRACTS, 1)))
def test_each_player_is_dealt_exactly_the_cards_of_the_contract(number: int, contract: str) -> None:
    dealt = deal(RULES, 4, "seed", number)
    assert dealt.contract == contract
    needed = 3 * contract.count("T") + 4 * contract.count("E")
    assert {len(hand) for hand in dealt.hands} == {needed} == {5 + number}


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

SPADES = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
MELDS = [
    pytest.param("T", "7h 7d 7c", True, marks=clause("000/1.7/trio")),
    pytest.param("T", "7h 7d", False, marks=clause("000/1.7/trio")),
    pytest.param("T", "7h 7d 8c", False, marks=clause("000/1.7/trio")),
    pytest.param("T", "7h 7h 7h 7d 7c", True, marks=clause("000/1.7/trio-three-or-more")),
    pytest.param("E", "5h 6h 7h 8h", True, marks=clause("000/1.7/run")),
    pytest.param("E", "5h 6h 7h", False, marks=clause("000/1.7/run")),
    pytest.param("E", "5h 6h 7h 8d", False, marks=clause("000/1.7/run")),
    pytest.param("E", "5h 6h 8h 9h", False, marks=clause("000/1.7/run")),
    pytest.param("E", "5h Jk 7h 8h", True, marks=clause("000/1.7/joker-any")),
    pytest.param("T", "7h Jk 7d", True, marks=clause("000/1.7/joker-any")),
    pytest.param("T", "7h Jk Jk", True, marks=clause("000/1.7/two-jokers-and-a-natural")),
    pytest.param("T", "Jk Jk Jk", False, marks=clause("000/1.7/no-trio-of-jokers")),
    pytest.param("T", "7h 7d 7c 7s " * 3 + "Jk " * 6, True, marks=clause("000/1.7/trio-most")),
    pytest.param("E", SPADES, True, marks=clause("000/1.7/run-thirteen")),
    pytest.param("E", f"{SPADES} As", False, marks=clause("000/1.7/run-thirteen")),
    pytest.param("E", f"{SPADES} Jk", False, marks=clause("000/1.7/run-thirteen")),
    pytest.param("E", SPADES.replace("5s 6s", "Jk Jk"), True, marks=clause("000/1.7/run-thirteen-with-jokers")),
    pytest.param("E", "Ks As 2s 3s", True, marks=clause("000/1.7/ace-between")),
    pytest.param("E", "5h Jk Jk 8h", True, marks=clause("000/1.7/adjacent-jokers")),
    pytest.param("E", "Jk Jk Jk Jk", False, marks=clause("000/1.7/natural-in-a-run")),
    pytest.param("E", "Jk Jk 7h Jk", True, marks=clause("000/1.7/natural-in-a-run")),
]


@pytest.mark.parametrize(("kind", "cards", "legal"), MELDS)
def test_cards_are_a_trio_or_a_run_as_the_document_says(kind: Kind, cards: str, legal: bool) -> None:
    assert is_meld(RULES, kind, parse_cards(cards)) is legal


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
    asked = []
    while hand.actor != 0:
        asked.append(hand.actor)
        play(hand, f"{'ABCD'[hand.actor]} pass")
    assert asked == [1, 2, 3]


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


@clause("000/1.6/when-down")
def test_a_player_who_is_down_may_claim() -> None:
    hand = play(
        fournier_position("TT", ["7h 7d 7c 8h 8d 8c Ks", "3d 4d"]),
        "A take; A down T: 7h 7d 7c / T: 8h 8d 8c; A discard Ks",
    )
    assert play(hand, "B stock").actor == 0
    assert listed(hand, "claim") == {"claim"}


# --- the play --------------------------------------------------------------------------------------------


@clause("000/1.5/draw", "000/1.5/discard")
def test_a_turn_is_a_draw_and_a_discard() -> None:
    hand = fournier_position("TT", FOUR, stock="9h 9d")
    assert {str(action) for action in hand.legal} == {"stock", "take"}
    play(hand, "A stock; B pass; C pass; D pass")
    assert holds(hand, "A", "3h 4h 9h")
    play(hand, "A discard 9h")
    assert (hand.actor, hand.view(2).top) == (1, parse_cards("9h")[0])


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


@clause("000/1.5/discard-just-taken", "000/1.5/discard-joker")
def test_the_card_just_taken_and_jokers_may_be_discarded() -> None:
    hand = play(fournier_position("TT", ["3h Jk", "3d 4d"]), "A take")
    assert {"discard 2c", "discard Jk"} <= listed(hand, "discard")


TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"


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


@clause("000/1.10/either-close")
def test_a_player_closes_by_laying_off_every_card_or_by_the_last_discard() -> None:
    placed = play(fournier_position("TT", [TRIOS, "3d"], stock="7s"), f"A stock; B pass; {DOWN}; A off 7s 1; A close")
    discarded = play(fournier_position("TT", [TRIOS, "3d"], stock="7s"), f"A stock; B pass; {DOWN}; A discard 7s")
    assert points(placed) == points(discarded) == (0, 5)


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


@clause("000/1.8/take-back")
def test_a_lay_down_is_taken_back_in_its_turn() -> None:
    hand = play(fournier_position("TT", [f"{TRIOS} Ks", "3d"]), f"A take; {DOWN}; A back")
    assert melds(hand) == []
    assert holds(hand, "A", f"{TRIOS} Ks 2c")


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


@clause("000/1.10/dead-hand")
def test_in_a_dead_hand_all_players_count() -> None:
    """A stock of two cards, with two shuffles, lasts until no player can draw; then nobody has won."""
    hand = fournier_position("TT", ["3h Kh", "3d 4d"], stock="9h 9d", only=True)
    while not hand.over:
        seat = "AB"[hand.actor]
        play(hand, f"{seat} stock")
        while "AB"[hand.actor] != seat:
            play(hand, f"{'AB'[hand.actor]} pass")
        hand.apply(next(action for action in hand.legal if str(action).startswith("discard")))
    assert hand.result is not None
    assert hand.result.closer is None
    assert points(hand) == tuple(points_of(RULES, hand.view(seat).hand) for seat in (0, 1))
