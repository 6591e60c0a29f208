"""Check document 003 on exchanging and moving the jokers of runs on the table."""

import pytest

from engine.cards import parse_cards
from engine.hand import Hand
from engine.melds import Meld, exchanged, swaps
from tests.harness.engine.positions import OFICIAL, held, holds, listed, melds, play, position, refused

clause = pytest.mark.clause


def runs(first: str, second: str, more: str, other: str = "Ah") -> Hand:
    """Return a hand in which A has laid down two runs in this turn and holds `more` and the two that A drew."""
    hand = position("EE", [f"{first} {second} {more}", other])
    return play(hand, f"A take; A down E: {first} / E: {second}")


def two_owners(first: str, second: str, third: str, fourth: str, more: str) -> Hand:
    """Return a hand in which A has laid the first two runs and B, in turn, the other two.

    B holds `more` and the nine of clubs that A discarded.
    """
    hand = position("EE", [f"{first} {second} 9c Kc", f"{third} {fourth} {more}"])
    play(hand, f"A take; A down E: {first} / E: {second}; A discard 9c")
    return play(hand, f"B take; B down E: {third} / E: {fourth}")


# --- exchanging ------------------------------------------------------------------------------------------


@clause("003/1.9/swap", "003/1.9/swap-same-run")
@pytest.mark.parametrize(("to", "run"), [("1 low", "Jk 5h 6h 7h 8h"), ("1", "5h 6h 7h 8h Jk")])
def test_a_joker_is_exchanged_for_the_card_it_stands_for(to: str, run: str) -> None:
    """A has laid 5h 6h Jk 8h and holds 7h: the joker goes to the 4h or the 9h end of that run."""
    hand = runs("5h 6h Jk 8h", "9s Ts Js Qs", "7h")
    assert {action for action in listed(hand, "swap") if " to 1" in action} == {
        "swap 7h 1.3 to 1 low",
        "swap 7h 1.3 to 1",
    }
    play(hand, f"A swap 7h 1.3 to {to}")
    assert melds(hand) == [run, "9s Ts Js Qs"]
    assert holds(hand, "A", "2c")


@clause("003/1.9/swap-other-run-of-owner")
def test_the_freed_joker_may_go_to_another_run_of_the_same_owner() -> None:
    """The joker may go to either end of A's other run."""
    hand = runs("5h 6h Jk 8h", "9s Ts Js Qs", "7h")
    assert {action for action in listed(hand, "swap") if " to 2" in action} == {
        "swap 7h 1.3 to 2 low",
        "swap 7h 1.3 to 2",
    }
    play(hand, "A swap 7h 1.3 to 2 low")
    assert melds(hand) == ["5h 6h 7h 8h", "Jk 9s Ts Js Qs"]


@clause("003/1.9/swap-what-it-stands-for")
@pytest.mark.parametrize("card", ["4h", "6h", "9h", "7d", "Jk", "Kd"])
def test_only_the_card_that_the_joker_stands_for_may_take_its_place(card: str) -> None:
    """Another rank, another suit, another joker, or a card that is not in the hand is refused."""
    hand = runs("5h 6h Jk 8h", "9s Ts Js Qs", "4h 6h 9h 7d Jk")
    assert listed(hand, "swap") == set()
    assert refused(hand, f"swap {card} 1.3 to 1") == "003/1.9"


@clause("003/1.9/swap-what-it-stands-for")
@pytest.mark.parametrize("place", ["1.1", "1.2", "1.4", "1.5", "2.3", "3.1"])
def test_a_card_is_exchanged_only_for_a_joker(place: str) -> None:
    """Naturals are not exchanged, and a place or meld that does not exist is refused."""
    hand = runs("5h 6h Jk 8h", "9s Ts Js Qs", "7h")
    assert refused(hand, f"swap 7h {place} to 1") == "003/1.9"


@clause("003/1.9/swap-end-joker")
@pytest.mark.parametrize(("to", "run"), [("1 low", "Jk 5h 6h 7h 8h"), ("1", "5h 6h 7h 8h Jk")])
def test_a_joker_at_an_end_may_be_exchanged(to: str, run: str) -> None:
    """The card takes the joker's place, and the joker may go beside it or to the other end."""
    hand = runs("5h 6h 7h Jk", "9s Ts Js Qs", "8h")
    play(hand, f"A swap 8h 1.4 to {to}")
    assert melds(hand)[0] == run


@clause("003/1.9/swap-by-anyone-down", "003/1.9/swap-never-other-owner")
def test_anybody_who_is_down_may_exchange_and_the_joker_stays_with_the_owner() -> None:
    """B exchanges A's joker: it may go to A's runs, never to B's, and not to B's hand."""
    hand = two_owners("5h 6h Jk 8h", "9s Ts Js Qs", "2d 3d 4d 5d", "9d Td Jd Qd", "7h")
    assert listed(hand, "swap") == {f"swap 7h 1.3 to {to}" for to in ("1 low", "1", "2 low", "2")}
    for to in ("3 low", "3", "4 low", "4"):
        assert refused(hand, f"swap 7h 1.3 to {to}") == "003/1.9"
    play(hand, "B swap 7h 1.3 to 2")
    assert hand.view(0).owners == (0, 0, 1, 1)
    assert melds(hand)[1] == "9s Ts Js Qs Jk"
    assert "Jk" not in held(hand, "B")


@clause("003/1.9/only-when-down")
def test_a_player_who_is_not_down_may_neither_exchange_nor_move_jokers() -> None:
    """B holds the card, but has not laid down."""
    hand = position("EE", ["5h 6h Jk 8h Jk Ts Js Qs Kc", "7h 3d"])
    play(hand, "A take; A down E: 5h 6h Jk 8h / E: Jk Ts Js Qs; A discard Kc; B take")
    assert refused(hand, "swap 7h 1.3 to 1") == "003/1.8"
    assert refused(hand, "move 2 low to 2") == "003/1.8"
    assert listed(hand, "swap") | listed(hand, "move") == set()


@clause("003/1.9/own-turn")
def test_jokers_are_exchanged_and_moved_in_ones_own_turn_only() -> None:
    """A is down and may do neither when asked for a claim in B's turn, nor in A's own turn before the draw."""
    hand = runs("5h 6h Jk 8h", "Jk Ts Js Qs", "7h Kc")
    play(hand, "A discard Kc; B stock")
    for action in ("swap 7h 1.3 to 1", "move 2 low to 2"):
        assert refused(hand, action) == "003/1.6"
    play(hand, "A pass; B discard Ah")
    for action in ("swap 7h 1.3 to 1", "move 2 low to 2"):
        assert refused(hand, action) == "003/1.5"
    play(hand, "A take; A swap 7h 1.3 to 1; A move 2 low to 2")


@clause("003/1.9/swap-not-adjacent")
def test_the_freed_joker_may_not_stand_beside_a_joker() -> None:
    """The high end has a joker, so the freed joker may go to the low end only."""
    hand = runs("5h 6h Jk 8h Jk", "9s Ts Js Qs", "7h")
    assert refused(hand, "swap 7h 1.3 to 1") == "003/1.7"
    play(hand, "A swap 7h 1.3 to 1 low")
    assert melds(hand)[0] == "Jk 5h 6h 7h 8h Jk"


@clause("003/1.9/swap-no-place")
def test_without_a_legal_place_for_the_freed_joker_the_exchange_is_refused() -> None:
    """All ends of A's runs are jokers, and the joker may not go to B's runs: no exchange is listed."""
    hand = two_owners("Jk 6h Jk 8h Jk", "Jk Ts Js Qs Jk", "2d 3d 4d 5d", "9d Td Jd Qd", "7h 5h 9h 9s Ks")
    middle = {action for action in listed(hand, "swap") if "1.3" in action}
    assert middle == set()
    for to in ("1 low", "1", "2 low", "2"):
        assert refused(hand, f"swap 7h 1.3 to {to}") == "003/1.7"
    for to in ("3", "4 low"):
        assert refused(hand, f"swap 7h 1.3 to {to}") == "003/1.9"


@clause("003/1.9/swap-result-counts")
def test_an_exchange_is_checked_on_the_table_that_it_makes() -> None:
    """Once a card has taken the place of the joker at the end, the joker may go beside the card."""
    hand = runs("Jk 6h Jk 8h", "Jk Ts Js Qs Jk", "5h 7h")
    assert listed(hand, "swap") == {"swap 5h 1.1 to 1 low", "swap 5h 1.1 to 1", "swap 7h 1.3 to 1"}
    play(hand, "A swap 5h 1.1 to 1 low")
    assert melds(hand)[0] == "Jk 5h 6h Jk 8h"


@clause("003/1.9/swap-one-joker")
def test_of_two_jokers_for_the_same_card_the_named_one_is_exchanged() -> None:
    """In a run of more than thirteen cards two jokers stand for the seven of hearts."""
    lap = "6h Jk 8h 9h Th Jh Qh Kh Ah 2h 3h 4h 5h 6h Jk 8h"
    hand = play(position("EE", [f"{lap} 9s Ts Js Qs 7h", "Ac"]), f"A take; A down E: {lap} / E: 9s Ts Js Qs")
    other = hand.clone()
    play(hand, "A swap 7h 1.2 to 2")
    play(other, "A swap 7h 1.15 to 2")
    assert melds(hand)[0] == lap.replace("Jk", "7h", 1)
    assert melds(other)[0] == "7h".join(lap.rsplit("Jk", 1))


@clause("003/1.9/trio-joker-fixed", "003/1.9/swap-never-into-trio")
def test_jokers_of_trios_are_fixed_and_no_joker_moves_into_a_trio() -> None:
    """The joker of a trio is neither exchanged nor moved; a freed one goes to runs only."""
    hand = position("TE", ["7h 7d Jk 5h 6h Jk 8h 7c 7h", "As"])
    play(hand, "A take; A down T: 7h 7d Jk / E: 5h 6h Jk 8h")
    for place in ("1.1", "1.2", "1.3"):
        assert refused(hand, f"swap 7c {place} to 2") == "003/1.9"
    for action in ("move 1 to 2", "move 1 low to 2 low", "swap 7h 2.3 to 1", "swap 7h 2.3 to 1 low"):
        assert refused(hand, action) == "003/1.9"
    assert listed(hand, "swap") == {"swap 7h 2.3 to 2", "swap 7h 2.3 to 2 low"}


@clause("003/1.9/no-joker-to-hand")
def test_no_action_brings_a_joker_from_the_table_to_the_hand() -> None:
    """The number of jokers in hand stays the same through every exchange and move."""
    hand = runs("5h 6h Jk 8h", "Jk Ts Js Qs", "7h 9s")
    for action in list(hand.legal):
        if str(action).split()[0] in ("swap", "move"):
            copy = hand.clone()
            copy.apply(action)
            assert "Jk" not in held(copy, "A")
            assert sum(text.count("Jk") for text in melds(copy)) == 2


# --- moving ----------------------------------------------------------------------------------------------


@clause("003/1.9/move-within", "003/1.9/move-four-card-run")
def test_a_joker_moves_from_one_end_to_the_other_even_in_a_run_of_four() -> None:
    """The run still has four cards after the move."""
    hand = runs("Jk 6h 7h 8h", "9s Ts Js Qs", "4d")
    assert listed(hand, "move") == {"move 1 low to 1"}
    play(hand, "A move 1 low to 1")
    assert melds(hand)[0] == "6h 7h 8h Jk"


@clause("003/1.9/move-keeps-four")
def test_a_joker_leaves_a_run_only_if_four_cards_stay() -> None:
    """From a run of four no joker goes to another run; from one of five it does, to either end."""
    hand = runs("Jk 6h 7h 8h", "9s Ts Js Qs", "9h")
    assert refused(hand, "move 1 low to 2") == "003/1.9"
    play(hand, "A off 9h 1")
    assert listed(hand, "move") == {"move 1 low to 1", "move 1 low to 2 low", "move 1 low to 2"}
    play(hand, "A move 1 low to 2 low")
    assert melds(hand) == ["6h 7h 8h 9h", "Jk 9s Ts Js Qs"]


@clause("003/1.9/move-to-other-run", "003/1.9/move-same-owner", "003/1.9/move-by-anyone-down")
def test_a_joker_moves_to_another_run_of_its_owner_never_to_another_player_s() -> None:
    """B may move A's joker to A's other run but not to B's runs."""
    hand = two_owners("Jk 6h 7h 8h 9h", "9s Ts Js Qs", "2d 3d 4d 5d", "9d Td Jd Qd", "Kc")
    assert listed(hand, "move") == {"move 1 low to 1", "move 1 low to 2", "move 1 low to 2 low"}
    for to in ("3", "3 low", "4", "4 low"):
        assert refused(hand, f"move 1 low to {to}") == "003/1.9"
    play(hand, "B move 1 low to 2")
    assert melds(hand)[:2] == ["6h 7h 8h 9h", "9s Ts Js Qs Jk"]


@clause("003/1.9/move-contiguous")
@pytest.mark.parametrize("action", ["move 1 to 1 low", "move 1 low to 1", "move 1 to 2", "move 1 low to 2 low"])
def test_a_joker_inside_a_run_does_not_move(action: str) -> None:
    """Check that only a joker at an end is free: moving one inside would split the run."""
    hand = runs("4h 5h Jk 7h 8h", "9s Ts Js Qs", "Kc")
    assert listed(hand, "move") == set()
    assert refused(hand, action) == "003/1.9"


@clause("003/1.9/move-not-adjacent")
def test_a_joker_does_not_move_beside_a_joker() -> None:
    """The joker moves neither to the other end of its run nor to an end of another run, where a joker lies."""
    hand = runs("Jk 6h 7h 8h Jk", "9s Ts Js Qs Jk", "Kc")
    assert refused(hand, "move 1 low to 1") == "003/1.7"
    assert refused(hand, "move 1 low to 2") == "003/1.7"
    play(hand, "A move 1 low to 2 low")
    assert melds(hand) == ["6h 7h 8h Jk", "Jk 9s Ts Js Qs Jk"]


@clause("003/1.9/move-not-repeated")
def test_no_move_brings_back_an_earlier_table_of_the_turn() -> None:
    """After a move to the other end the move back is refused, until a lay-off has changed the table."""
    hand = runs("Jk 6h 7h 8h", "9s Ts Js Qs", "Ks Kc")
    play(hand, "A move 1 low to 1")
    assert refused(hand, "move 1 to 1 low") == "003/1.9"
    assert listed(hand, "move") == set()
    play(hand, "A off Ks 2; A move 1 to 1 low")
    assert melds(hand)[0] == "Jk 6h 7h 8h"
    assert refused(hand, "move 1 low to 1") == "003/1.9"


@clause("003/1.9/move-not-repeated")
def test_a_chain_of_moves_never_returns_to_an_earlier_table() -> None:
    """Check that the moves of one joker between two runs end."""
    hand = runs("Jk 6h 7h 8h 9h", "9s Ts Js Qs", "Kc")
    seen = [melds(hand)]
    while listed(hand, "move"):
        play(hand, f"A {max(listed(hand, 'move'))}")
        assert melds(hand) not in seen
        seen.append(melds(hand))
    assert 2 <= len(seen) <= 4  # two ends in each of the two runs


@clause("003/1.9/move-not-repeated")
def test_a_move_may_be_reversed_in_the_next_turn() -> None:
    """Check that a joker moved in one turn may be moved back in the next."""
    hand = runs("Jk 6h 7h 8h", "9s Ts Js Qs", "Kc Kd")
    play(hand, "A move 1 low to 1; A discard Kd; B take; B discard Kd; A take; A move 1 to 1 low; A discard Kc")
    assert melds(hand)[0] == "Jk 6h 7h 8h"


@clause("003/1.9/move-nowhere")
@pytest.mark.parametrize("action", ["move 1 low to 1 low", "move 3 to 1", "move 1 low to 3", "move 2 to 2 low"])
def test_impossible_moves_are_refused(action: str) -> None:
    """Check a move to the joker's own place, from or to a meld that does not exist, and from an end with a natural."""
    hand = runs("Jk 6h 7h 8h", "9s Ts Js Qs", "Kc")
    assert refused(hand, action) == "003/1.9"


@clause("003/1.9/naturals-fixed")
def test_only_jokers_move() -> None:
    """Check that runs without a joker allow no exchange of any card and no move."""
    for text in ("5h 6h 7h 8h", "Qh Kh Ah 2h"):
        assert listed(runs(text, "9s Ts Js Qs", "Kc"), "move") == set()
        run = Meld("E", parse_cards(text))
        assert [face for face in range(53) if exchanged(run, face) or swaps(OFICIAL, run, face)] == []


@clause("003/1.9/laps")
@pytest.mark.parametrize(
    ("run", "card", "place", "after"),
    [
        ("Qh Kh Jk 2h", "Ah", 3, "Qh Kh Ah 2h Jk"),
        ("Jk Ah 2h 3h", "Kh", 1, "Kh Ah 2h 3h Jk"),
        ("Jh Qh Kh Jk", "Ah", 4, "Jh Qh Kh Ah Jk"),
    ],
)
def test_a_joker_round_the_corner_stands_for_the_card_of_its_place(run: str, card: str, place: int, after: str) -> None:
    """Between king and two a joker stands for the ace, before the ace for the king."""
    hand = runs(run, "9s Ts Js Qs", card)
    play(hand, f"A swap {card} 1.{place} to 1")
    assert melds(hand)[0] == after
