"""Check document 004, which has twelve cards in every hand and no claims; where it is silent, our decisions."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_cards
from engine.deal import deal
from engine.errors import RulesError
from engine.games.contract_game import ContractGame, game_result
from engine.hand import Hand
from engine.melds import Kind, is_meld
from engine.rules import load_rules
from engine.scoring import HandResult, points_of
from tests.harness.engine.positions import holds, listed, melds, play, position, refused

clause = pytest.mark.clause
RULES = load_rules("zoliky")
CONTRACTS = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]


def zoliky_position(contract: str, hands: list[str], **more: object) -> Hand:
    return position(contract, hands, rules=RULES, **more)


@clause("004/1.1/players")
@pytest.mark.parametrize("players", range(1, 10))
def test_two_to_eight_may_play(players: int) -> None:
    if 2 <= players <= 8:
        assert len(deal(RULES, players, "seed").hands) == players
    else:
        with pytest.raises(RulesError, match="2 to 8 players"):
            deal(RULES, players, "seed")


@clause("004/1.1/packs", "004/1.1/jokers")
@pytest.mark.parametrize(("players", "packs"), [(2, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
@pytest.mark.parametrize("number", [1, 7])
def test_the_packs_depend_on_the_players_and_have_two_jokers_each(players: int, packs: int, number: int) -> None:
    dealt = deal(RULES, players, "seed", number)
    assert dealt.upcard is not None
    found = Counter([*(face for hand in dealt.hands for face in hand), dealt.upcard, *dealt.stock])
    assert found.pop(JOKER) == 2 * packs
    assert found == Counter(list(range(52)) * packs)


@clause("004/1.3/seven-hands", "004/1.3/twelve-cards", "004/1.3/contracts")
def test_seven_hands_of_twelve_cards() -> None:
    deals = [deal(RULES, 3, "seed", number) for number in range(1, 8)]
    assert [dealt.contract for dealt in deals] == CONTRACTS
    assert {len(hand) for dealt in deals for hand in dealt.hands} == {12}
    with pytest.raises(RulesError, match="no hand 8"):
        deal(RULES, 3, "seed", 8)


@clause("004/1.2/values")
def test_cards_in_hand_count_their_values() -> None:
    for cards, value in (("Jk", 50), ("Ah", 20), ("Ks Qh Jd Tc", 40), ("9s 8h 7d 6c 5s 4h 3d 2c", 44)):
        assert points_of(RULES, Faces(parse_cards(cards))) == value


MELDS = [
    pytest.param("T", "Qh Qd Qc", True, marks=clause("004/1.7/trio-three-or-more")),
    pytest.param("T", "Ah Ad Ac As", True, marks=clause("004/1.7/trio-three-or-more")),
    pytest.param("T", "7h 7d", False, marks=clause("004/1.7/trio-three-or-more")),
    pytest.param("T", "7h 7d Ah", False, marks=clause("004/1.1/red-aces")),
    pytest.param("E", "5h 6h 7h 8h", True, marks=clause("004/1.7/run-four")),
    pytest.param("E", "5h 6h 7h", False, marks=clause("004/1.7/run-four")),
    pytest.param("E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", False, marks=clause("004/1.7/run-four")),
    pytest.param("E", "Jh Qh Kh Ah", True, marks=clause("004/1.7/ace-at-an-end")),
    pytest.param("E", "Ah 2h 3h 4h", True, marks=clause("004/1.7/ace-at-an-end")),
    pytest.param("E", "Kh Ah 2h 3h", False, marks=clause("004/1.7/ace-at-an-end")),
    pytest.param("T", "Jk Jk Jk", False, marks=clause("004/1.7/no-trio-of-jokers")),
    pytest.param("E", "5h Jk Jk 8h", True, marks=clause("004/1.7/adjacent-jokers")),
]


@pytest.mark.parametrize(("kind", "cards", "legal"), MELDS)
def test_cards_are_a_trio_or_a_run_as_the_document_says(kind: Kind, cards: str, legal: bool) -> None:
    assert is_meld(RULES, kind, parse_cards(cards)) is legal


@clause("004/1.4/leader", "004/1.4/clockwise")
def test_the_player_after_the_dealer_begins_and_turns_pass_in_order() -> None:
    hand = ContractGame(RULES, 3, "seed").next_hand()
    order = []
    for _turn in range(4):
        order.append(hand.actor)
        play(hand, f"{'ABC'[hand.actor]} stock")
        hand.apply(next(action for action in hand.legal if str(action).startswith("discard")))
    assert order == [1, 2, 0, 1]


@clause("004/1.5/draw")
def test_a_turn_begins_by_drawing_from_the_stock_or_the_discards() -> None:
    hand = zoliky_position("TT", ["3h 4h", "3d 4d"], stock="9h")
    assert {str(action) for action in hand.legal} == {"stock", "take"}
    assert holds(play(hand, "A stock"), "A", "3h 4h 9h")


@clause("004/1.6/no-claims")
def test_nobody_is_asked_for_a_claim() -> None:
    hand = play(zoliky_position("TT", ["3h 4h", "3d 4d", "3c 4c"]), "A stock")
    assert hand.actor == 0
    assert listed(hand, "discard")


TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"


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


@clause("004/1.10/in-one-turn")
def test_laying_down_and_closing_in_one_turn_scores_minus_ten() -> None:
    hand = play(zoliky_position("TT", [TRIOS, "Ah"], stock="7s"), f"A stock; {DOWN}; A discard 7s")
    assert hand.result is not None
    assert hand.result.points == (-10, 20)


@clause("004/1.10/zero")
def test_closing_after_an_earlier_lay_down_scores_zero() -> None:
    hand = play(
        zoliky_position("TT", [f"{TRIOS} Ks", "Ah 3d"], stock="7s"),
        f"A take; {DOWN}; A discard Ks; B take; B discard Ks",
    )
    play(hand, "A stock; A off 7s 1; A discard 2c")
    assert hand.result is not None
    assert hand.result.points == (0, 23)


@clause("004/1.10/fewest-points", "004/1.10/tie-shared")
def test_the_fewest_points_win_and_ties_share_the_place() -> None:
    result = game_result(RULES, 3, [HandResult("TT", (20, 0, 30), 1), HandResult("TE", (0, 20, 5), 0)])
    assert result.places == (1, 1, 3)


@clause("004/1.10/dead-hand")
def test_in_a_dead_hand_all_players_count() -> None:
    hand = zoliky_position("TT", ["3h Kh", "3d 4d"], stock="9h 9d", only=True)
    while not hand.over:
        play(hand, f"{'AB'[hand.actor]} stock")
        hand.apply(next(action for action in hand.legal if str(action).startswith("discard")))
    assert hand.result is not None
    assert hand.result.closer is None
    assert hand.result.points == tuple(points_of(RULES, hand.view(seat).hand) for seat in (0, 1))
