"""Check document 001 on one hand: the deal, the turn, melds, points, and the four ways to end it."""

import pytest

from engine.actions import parse_action
from engine.cards import JOKER
from engine.deal import draw_seats, pack_cards
from engine.errors import RulesError
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.scoring import HandResult
from tests.harness.engine.knock_positions import KNOCK, NO_MELD, NO_MELD_POINTS, ended, knock_game, knock_position
from tests.harness.engine.positions import held, holds, listed, play, refused, sizes
from tests.harness.engine.rule_texts import changed_rules
from tests.oracles.engine.deals_and_points import below, words

clause = pytest.mark.clause

RUMMY = "7h 7d 7c 2s 3s 4s 9d Td Jd Qd"
KNOCKABLE = "7h 7d 7c 2s 3s 4s 9d Td Jd 5c"
OTHER = "3c 4h 6c 8h Ts Qs Ac 3d 5d 9h"
"""Ten cards without a meld, none of them in NO_MELD: 3 + 4 + 6 + 8 + 10 + 10 + 15 + 3 + 5 + 9 = 73 points."""


def points(hand: Hand) -> tuple[int, ...]:
    """Return the points of a finished hand."""
    assert hand.over
    assert hand.result is not None
    return hand.result.points


# --- players, packs, deal -------------------------------------------------------------------------------


@clause("001/1.1/players", "001/1.1/least-players")
@pytest.mark.parametrize("players", [0, 1, 7, 8])
def test_two_to_six_may_play(players: int) -> None:
    for allowed in (2, 6):
        assert KnockGame(KNOCK, allowed, "1").active == tuple(range(allowed))
    with pytest.raises(RulesError, match=f"knock is for 2 to 6 players at a table, not {players}"):
        KnockGame(KNOCK, players, "1")


@clause("001/1.1/packs", "001/1.1/jokers")
@pytest.mark.parametrize(("players", "jokers"), [(2, 4), (3, 4), (4, 4), (5, 5), (6, 6)])
def test_two_packs_and_jokers_by_the_number_of_players(players: int, jokers: int) -> None:
    cards = pack_cards(KNOCK, players, 1)
    assert cards.count(JOKER) == jokers
    assert all(cards.count(face) == 2 for face in range(52))
    assert len(cards) == 104 + jokers


@clause("001/1.1/jokers-stay")
def test_the_jokers_of_a_game_stay_when_players_go_out() -> None:
    """In a game of six with three players out, the next hand has six jokers."""
    game = knock_game(6, ended("knock", 0, 0, 101, 101, 101, 20, 30))
    hand = game.next_hand()
    assert sizes(hand) == (10, 0, 0, 0, 10, 10)
    assert hand.faults() == []
    assert hand.view(0).stock == 104 + 6 - 30


def ranks_drawn(players: int, seed: str) -> list[int]:
    """Return the ranks that the seat draw gives the players, with the ace 0; jokers are replaced."""
    numbers = words(f"{seed}/seats")
    cards = [*range(52), *range(52), *[JOKER] * 4]
    ranks = []
    for _ in range(players):
        face = cards.pop(below(numbers, len(cards)))
        while face == JOKER:
            face = cards.pop(below(numbers, len(cards)))
        ranks.append(face % 13)
    return ranks


@clause("001/1.4/high-card-deals", "001/1.4/draw-ties")
def test_the_highest_card_of_the_draw_deals() -> None:
    """Check that the ace is low, that a second draw breaks ties, and that the players keep their order."""
    aces, ties = 0, set()
    for game in range(300):
        ranks = ranks_drawn(4, f"draw {game}")
        seats = draw_seats(KNOCK, 4, f"draw {game}")
        assert ranks[seats[0]] == max(ranks)
        assert [(seat - seats[0]) % 4 for seat in seats] == [0, 1, 2, 3]
        aces += 0 in ranks
        highest = [player for player in range(4) if ranks[player] == max(ranks)]
        ties |= {highest.index(seats[0])} if len(highest) == 2 else set()
    assert aces > 50
    assert ties == {0, 1}


@clause("001/1.3/ten-cards", "001/1.4/no-upcard", "001/1.4/leader")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_ten_cards_each_and_no_upcard(players: int) -> None:
    hand = KnockGame(KNOCK, players, "deal").next_hand()
    view = hand.view(0)
    assert view.sizes == (10,) * players
    assert (view.top, view.pile, view.stock) == (None, 0, len(pack_cards(KNOCK, players, 1)) - 10 * players)
    assert (hand.dealer, hand.actor) == (0, 1)


@clause("001/1.4/deal-to-the-left")
def test_the_deal_passes_to_the_next_player_still_in_the_game() -> None:
    game = knock_game(4, ended("knock", 0, 0, 101, 20, 30))
    second = game.next_hand()
    assert (second.dealer, second.actor) == (2, 3)
    game.add_result(ended("knock", 0, 0, 0, 5, 5))
    third = game.next_hand()
    assert (third.dealer, third.actor) == (3, 0)


# --- the turn -------------------------------------------------------------------------------------------


@clause("001/1.5/first-from-stock")
def test_the_first_card_comes_from_the_stock() -> None:
    hand = knock_position([NO_MELD, OTHER], stock="Kh")
    assert [str(action) for action in hand.legal] == ["stock"]
    assert refused(hand, "take") == "001/1.5"
    play(hand, "A stock")
    assert "Kh" in held(hand, "A")


@clause("001/1.5/draw-either", "001/1.5/discard")
def test_later_players_draw_the_top_discard_or_the_top_of_the_stock() -> None:
    hand = play(knock_position([NO_MELD, OTHER], stock="Kh 2d"), "A stock; A discard Kh")
    assert listed(hand, "stock") | listed(hand, "take") == {"stock", "take"}
    other = play(hand.clone(), "B take; B discard Kh")
    assert holds(other, "B", OTHER)
    play(hand, "B stock")
    assert holds(hand, "B", f"{OTHER} 2d")
    assert refused(hand, "take") == "001/1.5"
    assert listed(hand, "discard") == {f"discard {card}" for card in f"{OTHER} 2d".split()}
    assert refused(hand, "discard Kh") == "001/1.5"
    play(hand, "B discard 2d; A take")
    assert holds(hand, "A", f"{NO_MELD} 2d")


@clause("001/1.5/discard")
def test_actions_of_contract_games_are_refused() -> None:
    hand = knock_position([RUMMY, NO_MELD])
    assert refused(hand, "claim") == "001/1.5"
    play(hand, "A stock")
    for text in ("down T: 7h 7d 7c", "back", "close", "off 7s 1", "claim", "pass"):
        assert refused(hand, text) == "001/1.5"


@clause("001/1.5/stock-shuffled", "001/1.10/void", "001/1.11/jokers-of-the-ten")
def test_the_discards_are_shuffled_twice_and_then_the_hand_is_dead() -> None:
    """A stock of three cards lasts three turns, and each shuffle, which leaves the top discard, two more."""
    hand = knock_position([NO_MELD, OTHER], stock="Kh Kd Kc", only=True)
    seats, turns = "AB", 0
    shuffles = []
    while not hand.over:
        seat = seats[turns % 2]
        play(hand, f"{seat} stock")
        drawn = (set(held(hand, seat).split()) & {"Kh", "Kd", "Kc"}).pop()
        play(hand, f"{seat} discard {drawn}")
        turns += 1
        shuffles.append(hand.view(0).shuffles)
    assert (turns, shuffles[2], shuffles[3], shuffles[-1]) == (3 + 2 + 2, 0, 1, 2)
    assert hand.result == HandResult("", (NO_MELD_POINTS, 73), None)


# --- melds and points -----------------------------------------------------------------------------------


def caught(cards: str) -> int:
    """Return the points of a hand when another player ends with a rummy."""
    return points(play(knock_position([RUMMY, cards]), "A rummy"))[1]


@pytest.mark.parametrize(
    ("cards", "count"),
    [
        pytest.param("8h 8d 8c 2c 4d Qh Ks 6c 3h 9s", 44, marks=clause("001/1.7/same-rank"), id="three of a rank"),
        pytest.param("8h 8h 8d 2c 4d Qh Ks 6c 3h 9s", 44, marks=clause("001/1.7/same-rank"), id="a card twice"),
        pytest.param("8h 8d 8c 8s 4d Qh Ks 6c 3h 9s", 42, marks=clause("001/1.7/same-rank"), id="four of a rank"),
        pytest.param("8h 8d 9c 2c 4d Qh Ks 6c 3h 5s", 65, marks=clause("001/1.7/same-rank"), id="two are no meld"),
        pytest.param("8h 9h Th 2c 4d Qs Ks 6c 3d 5s", 40, marks=clause("001/1.7/consecutive"), id="three in order"),
        pytest.param("8h 9h Td 2c 4d Qs Ks 6c 3d 5s", 67, marks=clause("001/1.7/consecutive"), id="two suits"),
        pytest.param("Ah 2h 3h 8c 4d Qs Ks 6c Td 5s", 53, marks=clause("001/1.7/ace-at-an-end"), id="low ace"),
        pytest.param("Qh Kh Ah 8c 4d 2s 9s 6c Td 5s", 44, marks=clause("001/1.7/ace-at-an-end"), id="high ace"),
        pytest.param("Kh Ah 2h 8c 4d 3s 9s 6c Td 5s", 72, marks=clause("001/1.7/ace-at-an-end"), id="corner"),
        pytest.param("Jk 8h 8d 2c 4s Qd Kc 6c 3h 5s", 40, marks=clause("001/1.7/jokers-wild"), id="joker in a trio"),
        pytest.param("Jk 8h Th 2c 4s Qd Kc 6c 3d 5s", 40, marks=clause("001/1.7/jokers-wild"), id="joker in a run"),
        pytest.param("Jk Jk Qh 8h 4h Kc 9c 5c 7s 3s", 46, marks=clause("001/1.7/one-natural"), id="one natural"),
        pytest.param("5h Jk Jk 8h 2c 4d Qs Kc 7d 3s", 36, marks=clause("001/1.7/adjacent-jokers"), id="side by side"),
        pytest.param("8h 8d 8c 9h Th 2c 4d Qs Ks 6c", 48, marks=clause("001/1.10/least-deadwood"), id="run or trio"),
        pytest.param("8h 8d 8c 9h Th 8s 4d Qs Ks 6c", 30, marks=clause("001/1.10/least-deadwood"), id="run and trio"),
        pytest.param("8h 8d 8c 2h 3h 4h 9s Ts Js Qs", 0, marks=clause("001/1.10/lays-count-nothing"), id="all laid"),
        pytest.param("Kc Qd Jh 2s 3h 4d 6c 8s 5d 9h", 67, marks=clause("001/1.2/figures"), id="figures"),
        pytest.param("Jk 5h 8h Jh 2c 6c Qc 4s 7s Ts", 82, marks=clause("001/1.2/joker"), id="a joker in no meld"),
        pytest.param("2c 3d 4h 5s 6c 7d 8h 9s Tc Jd", 64, marks=clause("001/1.2/index"), id="index"),
        pytest.param("Ac 3d 4h 5s 6c 7d 8h 9s Tc Jd", 77, marks=clause("001/1.2/ace-caught"), id="an ace"),
    ],
)
def test_a_hand_counts_its_deadwood(cards: str, count: int) -> None:
    """Compare with points that were added up by hand."""
    assert caught(cards) == count


# --- the knock ------------------------------------------------------------------------------------------


@clause("001/1.10/knock-at-five", "001/1.10/all-count", "001/1.5/knock-in-the-first-turn")
def test_a_player_knocks_with_five_points_and_all_players_count() -> None:
    hand = play(knock_position([KNOCKABLE, NO_MELD, OTHER]), "A knock")
    assert hand.result == HandResult("", (5, NO_MELD_POINTS, 73), 0, ending="knock")
    assert refused(hand, "stock") == "001/1.10"


@clause("001/1.10/knock-at-five")
def test_six_points_are_too_many() -> None:
    hand = knock_position([KNOCKABLE.replace("5c", "6c"), NO_MELD])
    assert refused(hand, "knock") == "001/1.10"
    assert listed(hand, "knock") == set()


@clause("001/1.2/ace-of-the-knocker")
@pytest.mark.parametrize(("last", "score"), [("Ac", 1), ("4c", 4)])
def test_an_ace_counts_one_in_the_knockers_hand(last: str, score: int) -> None:
    assert points(play(knock_position([KNOCKABLE.replace("5c", last), NO_MELD]), "A knock"))[0] == score


@clause("001/1.2/ace-of-the-knocker", "001/1.2/ace-caught")
def test_aces_count_one_for_the_knocker_and_fifteen_for_other_players() -> None:
    """Two aces are 2 in the knocker's hand, and 30 in another's with the same cards."""
    knocker, other = "2s 3s 4s 5s 9d Td Jd Qd Ac Ah", "2h 3h 4h 5h 9c Tc Jc Qc Ad As"
    assert points(play(knock_position([knocker, other]), "A knock")) == (2, 30)


@clause("001/1.5/knock-instead-of-drawing")
def test_a_player_knocks_instead_of_drawing_and_only_in_turn() -> None:
    hand = play(knock_position([NO_MELD, KNOCKABLE], stock="Kh"), "A stock")
    assert refused(hand, "knock") == "001/1.10"
    play(hand, "A discard Kh; B knock")
    other = play(knock_position([KNOCKABLE, NO_MELD], stock="Kh"), "A stock")
    assert refused(other, "knock") == "001/1.10"
    assert points(hand) == (NO_MELD_POINTS, 5)


@clause("001/1.10/no-undercut")
def test_a_player_with_less_than_the_knocker_does_not_win_the_hand() -> None:
    hand = play(knock_position([KNOCKABLE, "8h 8d 8c 2h 3h 4h 9s Ts Js Qs"]), "A knock")
    assert hand.result == HandResult("", (5, 0), 0, ending="knock")


# --- rummy, color, continental --------------------------------------------------------------------------


@clause("001/1.10/rummy", "001/1.10/rummy-others", "001/1.10/declared-before-drawing")
def test_ten_cards_in_melds_are_a_rummy() -> None:
    hand = play(knock_position([RUMMY, NO_MELD, OTHER]), "A rummy")
    assert hand.result == HandResult("", (-10, NO_MELD_POINTS, 73), 0, ending="rummy")


@clause("001/1.10/rummy")
def test_nine_cards_in_melds_are_not_a_rummy() -> None:
    hand = knock_position([KNOCKABLE, NO_MELD])
    assert refused(hand, "rummy") == "001/1.10"
    assert listed(hand, "rummy") == set()
    play(hand, "A stock")
    assert refused(hand, "rummy 5c") == "001/1.10"


@clause("001/1.10/declared-with-a-discard", "001/1.11/jokers-of-the-ten")
def test_ten_of_eleven_cards_are_declared_with_a_discard() -> None:
    """A discarded joker is not counted among the jokers of the rummy."""
    hand = play(knock_position([RUMMY, NO_MELD], stock="Jk"), "A stock")
    assert {"rummy Jk", "rummy Qd", "rummy 9d"} <= listed(hand, "rummy")
    assert refused(hand, "rummy") == "A-30"
    assert refused(hand, "rummy Kc") == "001/1.5"
    with_joker, without = play(hand.clone(), "A rummy 9d"), play(hand, "A rummy Jk")
    assert without.result == HandResult("", (-10, NO_MELD_POINTS), 0, ending="rummy")
    assert with_joker.result == HandResult("", (-10, NO_MELD_POINTS), 0, ending="rummy", jokers=1)


@clause("001/1.10/declared-before-drawing")
def test_before_the_draw_a_player_declares_without_a_discard() -> None:
    """A club may require a draw first."""
    assert refused(knock_position([RUMMY, NO_MELD]), "rummy Qd") == "A-30"
    late = knock_position([RUMMY, NO_MELD], rules=changed_rules("knock", {"hand.declare": '"after drawing"'}))
    assert refused(late, "rummy") == "A-30"
    play(late, "A stock")
    assert late.is_legal(parse_action(f"rummy {(set(held(late, 'A').split()) - set(RUMMY.split())).pop()}"))


@clause("001/1.10/color", "001/1.10/color-others")
def test_ten_cards_of_one_suit_are_a_color() -> None:
    hand = play(knock_position(["Ah 2h 2h 4h 5h 7h 9h Th Qh Kh", NO_MELD.replace("6h", "6s")]), "A color")
    assert hand.result == HandResult("", (-25, NO_MELD_POINTS), 0, ending="color")
    other = knock_position(["Ah 2h 2h 4h 5h 7h 9h Th Qh Kc", NO_MELD])
    assert refused(other, "color") == "001/1.10"
    assert listed(other, "color") == set()


@clause("001/1.10/color-jokers")
def test_a_joker_takes_the_suit_of_a_color() -> None:
    """A club may forbid jokers in a color."""
    cards = ["Jk 2h 2h 4h 5h 7h 9h Th Qh Jk", NO_MELD]
    assert points(play(knock_position(cards), "A color"))[0] == -25
    strict = knock_position(cards, rules=changed_rules("knock", {"hand.color_jokers": '"forbidden"'}))
    assert refused(strict, "color") == "A-30b"


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        pytest.param("2s 3s 4s 5s 6s 7s 8s 9s Ts Js", True, marks=clause("001/1.11/straight-flush"), id="a run"),
        pytest.param("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", True, marks=clause("001/1.11/straight-flush"), id="low ace"),
        pytest.param("5s 6s 7s 8s 9s Ts Js Qs Ks As", True, marks=clause("001/1.11/straight-flush"), id="high ace"),
        pytest.param("2s Jk 4s 5s Jk 7s 8s 9s Ts Js", True, marks=clause("001/1.11/straight-flush"), id="jokers"),
        pytest.param("7s Jk Jk Jk Jk Qs Ks As 8s 6s", True, marks=clause("001/1.11/straight-flush"), id="four jokers"),
        pytest.param("2s 2s 4s 5s 6s 7s 8s 9s Ts Js", False, marks=clause("001/1.11/straight-flush"), id="one twice"),
        pytest.param("2s 3s 4s 5s 6s 7s 8s 9s Ts Jd", False, marks=clause("001/1.11/straight-flush"), id="two suits"),
        pytest.param("2s 3s 4s 5s 6s 7s 8s 9s Ts Qs", False, marks=clause("001/1.11/straight-flush"), id="a gap"),
        pytest.param("As 2s 3s 4s 5s 6s 7s 8s Qs Ks", False, marks=clause("001/1.11/straight-flush"), id="corner"),
        pytest.param("9h 9d 9c 9s 9h 9d 9c 9s Jk Jk", True, marks=clause("001/1.11/ten-of-a-kind"), id="ten nines"),
        pytest.param("9h 9d 9c 9s 9h 9d 9c Jk Jk Jk", True, marks=clause("001/1.11/ten-of-a-kind"), id="seven nines"),
        pytest.param("9h 9d 9c 9s 9h 9d 9c 9s Jk 8d", False, marks=clause("001/1.11/ten-of-a-kind"), id="an eight"),
    ],
)
def test_a_continental_is_ten_in_order_or_ten_of_a_rank(cards: str, legal: bool) -> None:
    hand = knock_position([cards, "3c 4h 6c 8h Tc Qd Ac 3d 5d Kh"])
    assert hand.is_legal(parse_action("continental")) == legal
    if not legal:
        assert refused(hand, "continental") == "001/1.11"


@clause("001/1.11/straight-flush")
def test_a_continental_may_be_declared_after_the_draw() -> None:
    hand = play(knock_position(["2s 3s 4s 5s 6s 7s 8s 9s Ts Kd", NO_MELD], stock="Js"), "A stock; A continental Kd")
    assert hand.result == HandResult("", (0, NO_MELD_POINTS), 0, ending="continental")


@clause("001/1.10/choice-of-claims")
def test_a_player_chooses_among_several_endings() -> None:
    """Ten spades in order are a continental, a color and a rummy, and have few enough points to knock."""
    hand = knock_position(["2s 3s 4s 5s 6s 7s 8s 9s Ts Js", NO_MELD.replace("s", "h")])
    assert [str(action) for action in hand.legal] == ["continental", "color", "rummy", "knock", "stock"]
    assert [points(play(hand.clone(), f"A {text}"))[0] for text in ("continental", "color", "rummy", "knock")] == [
        0,
        -25,
        -10,
        0,
    ]
