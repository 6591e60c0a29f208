"""Check document 002, Continental Rummy: aces high or low, two jokers, minimal contracts, jokers of own runs only."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_cards
from engine.deal import deal, draw_seats, seat_cards
from engine.errors import RulesError
from engine.games.contract_game import ContractGame, game_result
from engine.hand import Hand
from engine.melds import Kind, is_meld
from engine.rules import load_rules
from engine.scoring import HandResult, points_of
from tests.harness.engine.positions import holds, listed, melds, play, position, refused, sizes
from tests.harness.engine.rule_texts import changed_rules

clause = pytest.mark.clause
RULES = load_rules("continental-rummy")
CONTRACTS = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]


def rummy_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


def points(hand: Hand) -> tuple[int, ...]:
    assert hand.result is not None
    return hand.result.points


# --- pack, players, values, contracts --------------------------------------------------------------------


@clause("002/1.1/two-packs", "002/1.1/two-jokers", "002/1.1/jokers-in-all")
@pytest.mark.parametrize("number", [1, 7])
def test_two_packs_and_two_jokers_in_every_hand(number: int) -> None:
    dealt = deal(RULES, 4, "seed", number)
    assert dealt.upcard is not None
    found = Counter([*(face for hand in dealt.hands for face in hand), dealt.upcard, *dealt.stock])
    assert found.pop(JOKER) == 2
    assert found == Counter(list(range(52)) * 2)


@clause("002/1.1/players")
@pytest.mark.parametrize("players", range(1, 8))
def test_two_to_six_may_play(players: int) -> None:
    if 2 <= players <= 6:
        assert len(deal(RULES, players, "seed", 7).hands) == players
    else:
        with pytest.raises(RulesError, match="2 to 6 players"):
            deal(RULES, players, "seed")


VALUES = [
    pytest.param("Jk", 50, marks=clause("002/1.2/joker")),
    pytest.param("Ks Qh Jd Tc", 40, marks=clause("002/1.2/tens")),
    pytest.param("9s 8h 7d 6c 5s 4h 3d 2c", 44, marks=clause("002/1.2/numbers")),
    pytest.param("As", 20, marks=clause("002/1.2/ace")),
]


@pytest.mark.parametrize(("cards", "value"), VALUES)
def test_cards_in_hand_count_their_values(cards: str, value: int) -> None:
    assert points_of(RULES, Faces(parse_cards(cards))) == value


@clause("002/1.3/seven-hands", "002/1.3/contracts", "002/1.3/cards-dealt")
def test_seven_hands_with_seven_to_thirteen_cards() -> None:
    deals = [deal(RULES, 2, "seed", number) for number in range(1, 8)]
    assert [(dealt.contract, len(dealt.hands[0])) for dealt in deals] == list(zip(CONTRACTS, range(7, 14), strict=True))
    with pytest.raises(RulesError, match="no hand 8"):
        deal(RULES, 2, "seed", 8)


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


@clause("002/1.4/upcard", "002/1.4/leader", "002/1.4/deal-passes-left")
def test_a_card_is_turned_the_next_player_leads_and_the_deal_passes_on() -> None:
    game = ContractGame(RULES, 3, "seed")
    for dealer in (0, 1, 2, 0):
        hand = game.next_hand()
        assert (hand.dealer, hand.actor) == (dealer, (dealer + 1) % 3)
        assert hand.view(0).top == deal(RULES, 3, "seed", len(game.results) + 1).upcard is not None
        game.add_result(HandResult("", (0, 0, 0), None))


# --- melds -----------------------------------------------------------------------------------------------

LOW = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
MELDS = [
    pytest.param("T", "3c 3d 3h", True, marks=clause("002/1.7/trio-three")),
    pytest.param("T", "3c 3d", False, marks=clause("002/1.7/trio-three")),
    pytest.param("T", "3c 3d 4h", False, marks=clause("002/1.7/trio-three")),
    pytest.param("T", "3c 3c 3h", True, marks=clause("002/1.7/one-suit-twice")),
    pytest.param("E", "Jh Qh Kh Ah", True, marks=clause("002/1.7/ace-high")),
    pytest.param("E", "Ah 2h 3h 4h", True, marks=clause("002/1.7/ace-low")),
    pytest.param("E", "Qh Kh Ah 2h 3h", False, marks=clause("002/1.7/not-round-the-corner")),
    pytest.param("E", "Kh Ah 2h 3h", False, marks=clause("002/1.7/not-round-the-corner")),
    pytest.param("E", "Kh Jk 2h 3h", False, marks=clause("002/1.7/not-round-the-corner")),
    pytest.param("T", "Th Jk Jk", True, marks=clause("002/1.7/several-jokers")),
    pytest.param("T", "Jk Jk Jk", False, marks=clause("002/1.7/no-trio-of-jokers")),
    pytest.param("E", "5h 6h 7h", False, marks=clause("002/1.7/run-four")),
    pytest.param("E", "5h 6h 7h 8h", True, marks=clause("002/1.7/run-four")),
    pytest.param("E", LOW, True, marks=clause("002/1.7/run-thirteen")),
    pytest.param("E", f"{LOW} Ah", False, marks=clause("002/1.7/run-thirteen")),
    pytest.param("E", "5h Jk Jk 8h", True, marks=clause("002/1.7/adjacent-jokers")),
]


@pytest.mark.parametrize(("kind", "cards", "legal"), MELDS)
def test_cards_are_a_trio_or_a_run_as_the_document_says(kind: Kind, cards: str, legal: bool) -> None:
    assert is_meld(RULES, kind, parse_cards(cards)) is legal


@clause("002/1.7/ten-joker-joker")
def test_a_ten_and_two_jokers_are_a_trio_of_tens() -> None:
    """A ten may be laid off on the trio, a nine may not."""
    hand = rummy_position("TT", ["Th Jk Jk 9h 9d 9c Ts 9s 8s", "3d"])
    play(hand, "A take; A down T: Th Jk Jk / T: 9h 9d 9c")
    assert listed(hand, "off") == {"off Ts 1", "off 9s 2"}


# --- the turn and claims ---------------------------------------------------------------------------------

FOUR = ["3h 4h", "3d 4d", "3c 4c", "3s 4s"]


@clause("002/1.5/draw", "002/1.5/discard")
def test_a_turn_is_a_draw_and_a_discard() -> None:
    hand = rummy_position("TT", FOUR, stock="9h")
    assert {str(action) for action in hand.legal} == {"stock", "take"}
    play(hand, "A stock; B pass; C pass; D pass; A discard 3h")
    assert (hand.actor, hand.view(2).top) == (1, parse_cards("3h")[0])


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
    asked = []
    while hand.actor != 1:
        asked.append(hand.actor)
        play(hand, f"{'ABCD'[hand.actor]} pass")
    assert asked == [2, 3, 0]


TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"


@clause("002/1.6/when-down")
def test_a_player_who_is_down_may_claim() -> None:
    hand = play(rummy_position("TT", [f"{TRIOS} Ks", "3d 4d"]), f"A take; {DOWN}; A discard Ks; B stock")
    assert hand.actor == 0
    assert listed(hand, "claim") == {"claim"}


@clause("002/1.5/discard-just-taken", "002/1.5/discard-joker")
def test_the_card_just_taken_and_jokers_may_be_discarded() -> None:
    hand = play(rummy_position("TT", ["3h Jk", "3d 4d"]), "A take")
    assert {"discard 2c", "discard Jk"} <= listed(hand, "discard")


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


@clause("002/1.8/take-back")
def test_a_lay_down_is_taken_back_in_its_turn() -> None:
    hand = play(rummy_position("TT", [f"{TRIOS} Ks", "3d"]), f"A take; {DOWN}; A back")
    assert melds(hand) == []
    assert holds(hand, "A", f"{TRIOS} Ks 2c")


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


@clause("002/1.10/last-card", "002/1.10/in-one-turn", "002/1.10/once", "002/1.10/either-close")
def test_laying_down_and_closing_in_one_turn_scores_minus_ten() -> None:
    placed = play(rummy_position("TT", [TRIOS, "Ah"], stock="7s"), f"A stock; B pass; {DOWN}; A off 7s 1; A close")
    discarded = play(rummy_position("TT", [TRIOS, "Ah"], stock="7s"), f"A stock; B pass; {DOWN}; A discard 7s")
    assert points(placed) == points(discarded) == (-10, 20)


@clause("002/1.10/zero")
def test_closing_after_an_earlier_lay_down_scores_zero() -> None:
    hand = play(
        rummy_position("TT", [f"{TRIOS} Ks", "Ah 3d"], stock="7s"),
        f"A take; {DOWN}; A discard Ks; B take; B discard Ks",
    )
    assert points(play(hand, "A stock; B pass; A off 7s 1; A discard 2c")) == (0, 23)


@clause("002/1.10/lowest-total", "002/1.10/tie-shared")
def test_the_lowest_total_wins_and_ties_share_the_place() -> None:
    result = game_result(RULES, 3, [HandResult("TT", (20, 0, 30), 1), HandResult("TE", (0, 20, 5), 0)])
    assert result.points == (20, 20, 35)
    assert result.places == (1, 1, 3)


@clause("002/1.10/dead-hand", "002/1.5/two-shuffles-then-void")
def test_after_two_shuffles_a_hand_without_stock_is_dead_and_all_players_count() -> None:
    """A stock of two cards, with two shuffles, lasts six turns."""
    hand = rummy_position("TT", ["3h Kh", "3d 4d"], stock="9h 9d", only=True)
    turns = 0
    while not hand.over:
        turns += 1
        seat = "AB"[hand.actor]
        play(hand, f"{seat} stock")
        while "AB"[hand.actor] != seat:
            play(hand, f"{'AB'[hand.actor]} pass")
        hand.apply(next(action for action in hand.legal if str(action).startswith("discard")))
    assert turns == 6
    assert hand.result is not None
    assert hand.result.closer is None
    assert points(hand) == tuple(points_of(RULES, hand.view(seat).hand) for seat in (0, 1))
