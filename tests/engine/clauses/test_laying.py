"""Check document 003 on laying down, taking back and laying off."""

import pytest

from engine.cards import parse_cards
from engine.hand import Hand
from tests.harness.engine.positions import held, holds, listed, melds, play, position, refused, sizes

clause = pytest.mark.clause

READY = "7h 7d 7c 8h 8d 8c Ks Qs 7s"
"""Two trios, two cards that fit nowhere, and a seven that fits on the first trio."""
DOWN = "down T: 7h 7d 7c / T: 8h 8d 8c"


def ready(contract: str = "TT", cards: str = READY, other: str = "9h 9d 9c Th Td Tc 8s 5s") -> Hand:
    """Return a hand in which A has drawn the upcard and may lay down; B could lay down too."""
    return play(position(contract, [cards, other]), "A take")


@clause("003/1.8/own-turn")
def test_players_lay_down_in_their_own_turn_only() -> None:
    """B holds the contract, but out of turn B may only claim or pass."""
    hand = play(position("TT", ["3h", "7h 7d 7c 8h 8d 8c Ks"]), "A stock")
    assert refused(hand, DOWN) == "003/1.6"


@clause("003/1.8/after-draw", "003/1.8/first-turn")
def test_players_lay_down_after_the_draw_even_in_their_first_turn() -> None:
    """Laying down is refused before the draw and legal after it, in the first turn of the hand."""
    hand = position("TT", [READY, "Ah"])
    assert refused(hand, DOWN) == "003/1.5"
    play(hand, f"A stock; B pass; A {DOWN}")
    assert melds(hand) == ["7h 7d 7c", "8h 8d 8c"]
    assert hand.view(1).owners == (0, 0)
    assert hand.view(1).down == (True, False)


@clause("003/1.8/claimed-card")
def test_a_card_claimed_before_can_be_laid_down() -> None:
    """Claimed cards and penalty cards belong to the hand like any other."""
    hand = position("TT", ["7h 7d 7c 8h 8d Ks", "Ah", "Ac"], upcard="8c", stock="5s 6s Ts", dealer=0)
    play(hand, "B stock; C pass; A claim; B discard 5s; C take; C discard 5s; A take")
    play(hand, f"A {DOWN}")


@clause("003/1.8/contract-whole")
@pytest.mark.parametrize(
    "melds",
    ["T: 7h 7d 7c", "T: 7h 7d 7c / T: 8h 8d 8c / T: 9h 9d 9c", "T: 7h 7d 7c / E: 5h 6h 7h 8h", "E: 5h 6h 7h 8h"],
)
def test_a_lay_down_has_exactly_the_melds_of_the_contract(melds: str) -> None:
    """For two trios, one trio, three, or a trio and a run are refused although all the cards are in the hand."""
    hand = ready(cards="7h 7d 7c 8h 8d 8c 9h 9d 9c 5h 6h 7h 8h")
    assert refused(hand, f"down {melds}") == "003/1.3"


@clause("003/1.8/contract-whole")
@pytest.mark.parametrize(
    ("contract", "cards", "order"),
    [
        ("TE", "7h 7d 7c 2s 3s 4s 5s", "E: 2s 3s 4s 5s / T: 7h 7d 7c"),
        ("TTE", "7h 7d 7c 9h 9d 9c 2s 3s 4s 5s", "T: 7h 7d 7c / E: 2s 3s 4s 5s / T: 9h 9d 9c"),
        ("TEE", "7h 7d 7c 9h Th Jh Qh 2s 3s 4s 5s", "E: 9h Th Jh Qh / T: 7h 7d 7c / E: 2s 3s 4s 5s"),
    ],
)
def test_the_order_of_the_melds_does_not_matter(contract: str, cards: str, order: str) -> None:
    """A run may be laid before a trio: TET is TTE."""
    hand = ready(contract, cards + " Ks")
    play(hand, f"A down {order}; A discard Ks")


@clause("003/1.8/each-meld-whole")
@pytest.mark.parametrize("bad", ["T: 7h 7d 8c / T: 8h 8d 7c", "T: 7h 7d / T: 8h 8d 8c", "T: 8h 8d 8c / T: 7h 7d Ks"])
def test_every_group_of_a_lay_down_must_be_a_meld(bad: str) -> None:
    """A lay-down with one group that is not a meld is refused."""
    assert refused(ready(), f"down {bad}") == "003/1.7"


@clause("003/1.8/cards-of-ones-own")
@pytest.mark.parametrize("bad", ["T: 7h 7d 7s / T: 8h 8d 8s", "T: 7h 7d 7d / T: 8h 8d 8c", "T: 7h 7d Jk / T: 8h 8d 8c"])
def test_the_cards_laid_must_be_in_the_hand(bad: str) -> None:
    """Cards of other players, and a copy or a joker that is not in the hand, cannot be laid down."""
    assert refused(ready(cards="7h 7d 7c 7s 8h 8d 8c Ks"), f"down {bad}") == "003/1.8"


@clause("003/1.8/cards-of-ones-own")
def test_a_card_cannot_be_in_two_melds() -> None:
    """One seven of hearts cannot be in a trio and a run; with two copies the lay-down is legal."""
    cards = "7h 7d 7c 5h 6h 8h Ks Qs"
    assert refused(ready("TE", cards), "down T: 7h 7d 7c / E: 5h 6h 7h 8h") == "003/1.8"
    play(ready("TE", cards + " 7h"), "A down T: 7h 7d 7c / E: 5h 6h 7h 8h; A discard Qs")


@clause("003/1.8/longer-melds")
def test_melds_may_be_longer_than_the_minimum() -> None:
    """Check a trio of four and a run of six, laid in one action; only the minimal melds are listed."""
    hand = play(position("TE", ["7h 7d 7c 7s 2s 3s 4s 5s 6s Jk Ks", "Ah"]), "A take")
    text = "down T: 7h 7d 7c 7s / E: 2s 3s 4s 5s 6s Jk"
    assert text not in listed(hand, "down")
    assert all(len(action) == len("down T: 7h 7d 7c / E: 2s 3s 4s 5s") for action in listed(hand, "down"))
    play(hand, f"A {text}; A discard 2c")
    assert melds(hand) == ["7h 7d 7c 7s", "2s 3s 4s 5s 6s Jk"]


@clause("003/1.8/optional")
def test_laying_down_is_optional() -> None:
    """Check that a player who could lay down may discard instead, any number of times."""
    hand = ready()
    assert len(listed(hand, "down")) > 0
    play(hand, f"A discard Ks; B take; B discard Ks; A take; A discard Ks; B take; B discard Ks; A take; A {DOWN}")


@clause("003/1.8/once", "003/1.8/no-new-melds")
def test_players_lay_down_once_and_no_new_melds_later() -> None:
    """Check that a player who has laid down lays no other meld, neither in that turn nor in a later one."""
    hand = ready(cards="7h 7d 7c 8h 8d 8c 9h 9d 9c Th Td Tc Ks", other="Ah Ad")
    play(hand, f"A {DOWN}")
    for later in ("down T: 9h 9d 9c / T: Th Td Tc", "down T: 9h 9d 9c"):
        assert refused(hand, later) == "003/1.8"
    play(hand, "A discard Ks; B take; B discard Ad; A take")
    for later in ("down T: 9h 9d 9c / T: Th Td Tc", "down T: 9h 9d 9c"):
        assert refused(hand, later) == "003/1.8"
    assert listed(hand, "down") == set()


@clause("003/1.8/laid-cards-free")
def test_cards_laid_down_do_not_count() -> None:
    """B closes; A counts the cards in hand and not the trios on the table."""
    hand = play(ready(other="9h 9d 9c Th Td Tc"), f"A {DOWN}; A discard Ks; B take; B down T: 9h 9d 9c / T: Th Td Tc")
    play(hand, "B discard Ks")
    assert hand.result is not None
    assert hand.result.points == (10 + 7 + 2, -10)


# --- laying off ------------------------------------------------------------------------------------------


@clause("003/1.8/lay-off-when-down")
def test_only_a_player_who_is_down_lays_off() -> None:
    """B holds the fourth eight, but has not laid down."""
    hand = play(ready(), f"A {DOWN}; A discard Ks; B take")
    assert refused(hand, "off 8s 2") == "003/1.8"
    assert listed(hand, "off") == set()
    play(hand, "B down T: 9h 9d 9c / T: Th Td Tc; B off 8s 2")


@clause("003/1.8/lay-off-same-turn")
def test_players_lay_off_in_the_turn_of_their_lay_down() -> None:
    """A lays off a seven in the turn of laying down."""
    hand = play(ready(), f"A {DOWN}; A off 7s 1; A discard Ks; B take; B discard Ks; A take")
    assert melds(hand)[0] == "7h 7d 7c 7s"


@clause("003/1.8/lay-off-own-turn")
def test_players_lay_off_in_their_own_turn_only() -> None:
    """A is down and may not lay off when asked for a claim, nor before the draw of A's next turn."""
    hand = play(ready(), f"A {DOWN}; A discard Ks; B stock")
    assert refused(hand, "off 7s 1") == "003/1.6"
    play(hand, "A pass; B discard 5s")
    assert refused(hand, "off 7s 1") == "003/1.5"
    play(hand, "A take; A off 7s 1")


@clause("003/1.8/lay-off-any-meld", "003/1.8/lay-off-not-own-cards")
def test_players_lay_off_on_any_meld() -> None:
    """Cards go on melds of any player, which keep their owner; cards not in the hand are refused."""
    hand = play(ready(), f"A {DOWN}; A discard Ks; B take; B down T: 9h 9d 9c / T: Th Td Tc")
    assert listed(hand, "off") == {"off 8s 2"}
    assert refused(hand, "off 7s 1") == "003/1.8"
    play(hand, "B off 8s 2; B discard 5s; A take; A off 7s 1")
    assert melds(hand) == ["7h 7d 7c 7s", "8h 8d 8c 8s", "9h 9d 9c", "Th Td Tc"]
    assert hand.view(0).owners == (0, 0, 1, 1)


@clause("003/1.8/lay-off-fits")
@pytest.mark.parametrize("bad", ["Ks 1", "8s 1", "7s 2", "7s 3", "7s 1 low"])
def test_a_card_must_fit_where_it_is_laid(bad: str) -> None:
    """A king fits on no sevens, a seven on no eights, and there is no third meld."""
    hand = play(ready(cards=READY + " 8s"), f"A {DOWN}")
    assert refused(hand, f"off {bad}") == "003/1.8"


@clause("003/1.8/lay-off-both-ends")
def test_a_run_takes_cards_at_its_two_ends_only() -> None:
    """Of thirteen hearts and a joker, the run 5-8 of hearts takes the 4 low, the 9 high, and the joker at both ends."""
    run, others = "5h 6h 7h 8h", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Jk 4d 9d"
    hand = play(position("TE", [f"{run} Kd Kc Ks {others}", "As"]), f"A take; A down T: Kd Kc Ks / E: {run}")
    on_the_run = {action for action in listed(hand, "off") if " 2" in action}
    assert on_the_run == {"off 4h 2 low", "off 9h 2", "off Jk 2 low", "off Jk 2"}
    for bad in ("4h 2", "9h 2 low", "5h 2", "6h 2", "8h 2", "4d 2 low", "9d 2"):
        assert refused(hand, f"off {bad}") == "003/1.8"
    play(hand, "A off 4h 2 low; A off Jk 2 low; A off 2h 2 low; A off 9h 2")
    assert melds(hand)[1] == "2h Jk 4h 5h 6h 7h 8h 9h"


@clause("003/1.7/no-adjacent-jokers")
def test_a_joker_is_not_laid_off_beside_a_joker() -> None:
    """An end of a run that is a joker takes a natural but no second joker."""
    hand = position("TE", ["5h 6h 7h Jk Kd Kc Ks Jk 9h", "As"])
    play(hand, "A take; A down T: Kd Kc Ks / E: 5h 6h 7h Jk")
    assert refused(hand, "off Jk 2") == "003/1.8"
    play(hand, "A off 9h 2; A off Jk 2")
    assert melds(hand)[1] == "5h 6h 7h Jk 9h Jk"


@clause("003/1.7/run-laps")
def test_a_whole_suit_takes_an_ace_after_the_king_or_a_king_before_the_ace() -> None:
    """A run from ace to king takes an ace after the king, a king before the ace, and no other card."""
    suit = [rank + "h" for rank in "A23456789TJQK"]
    hand = position("TE", [f"{' '.join(suit)} 9d 9c 9s Ah 2h Kh Qh", "As"])
    play(hand, f"A take; A down T: 9d 9c 9s / E: {' '.join(suit)}")
    assert listed(hand, "off") == {"off Ah 2", "off Kh 2 low"}
    play(hand, "A off Ah 2; A off 2h 2; A off Kh 2 low; A off Qh 2 low")
    assert melds(hand)[1] == " ".join(["Qh", "Kh", *suit, "Ah", "2h"])


@clause("003/1.8/lay-off-optional")
def test_laying_off_is_optional() -> None:
    """Check that a player may keep cards that fit and place them all at once later: a permitted strategy."""
    hand = play(ready(), f"A {DOWN}; A discard Ks; B take; B discard Ks; A take; A discard Ks")
    assert "7s" in held(hand, "A")


@clause("003/1.8/laid-cards-stay")
@pytest.mark.parametrize("bad", ["move 1 to 2", "move 1 low to 2 low", "swap 7s 1.1 to 1", "swap 7s 2.1 to 2 low"])
def test_naturals_on_the_table_never_move(bad: str) -> None:
    """Check that no action moves or exchanges a natural card that has been laid."""
    hand = play(ready(), f"A {DOWN}")
    assert refused(hand, bad) == "003/1.9"


# --- taking back -----------------------------------------------------------------------------------------


@clause("003/1.8/take-back", "003/1.8/take-back-draw-stands")
def test_a_lay_down_may_be_taken_back_in_its_turn() -> None:
    """The cards go back to the hand; the card drawn stays there, and the turn still needs a discard."""
    hand = ready()
    before = (held(hand, "A"), listed(hand, "down"), listed(hand, "discard"))
    play(hand, f"A {DOWN}; A back")
    assert (held(hand, "A"), listed(hand, "down"), listed(hand, "discard")) == before
    assert (melds(hand), hand.view(1).down, hand.view(1).owners) == ([], (False, False), ())
    assert "2c" in held(hand, "A")
    assert refused(hand, "stock") == "003/1.5"
    assert refused(hand, "off 7s 1") == "003/1.8"


@clause("003/1.8/take-back-all")
def test_taking_back_undoes_lay_offs_and_joker_actions_of_the_turn() -> None:
    """Lay-offs on other players' melds, an exchange and a move go back with the lay-down."""
    hand = position("TE", ["9d 9c 9s 2h 3h 4h Jk Ks", "Td Tc Ts 5s 6s 7s Jk 5h 8s Ah 9h"])
    play(hand, "A take; A down T: 9d 9c 9s / E: 2h 3h 4h Jk; A discard Ks; B stock; A pass")
    cards, table = held(hand, "B"), melds(hand)
    play(hand, "B down T: Td Tc Ts / E: 5s 6s 7s Jk; B swap 5h 2.4 to 2 low; B off 9h 1; B move 4 to 4 low")
    assert melds(hand) == ["9d 9c 9s 9h", "Jk 2h 3h 4h 5h", "Td Tc Ts", "Jk 5s 6s 7s"]
    play(hand, "B back")
    assert (held(hand, "B"), melds(hand)) == (cards, table)
    assert hand.faults() == []


@clause("003/1.8/take-back-all")
def test_a_lay_down_may_be_taken_back_with_no_card_left_in_hand() -> None:
    """Check that a player who has placed every card may still take the cards back before closing."""
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c", "Ah"], stock="7s"), f"A stock; B pass; A {DOWN}; A off 7s 1")
    assert sizes(hand) == (0, 1)
    assert {str(action) for action in hand.legal} == {"back", "close"}
    play(hand, "A back")
    assert sizes(hand) == (7, 1)


@clause("003/1.8/take-back-same-turn-only")
def test_a_lay_down_cannot_be_taken_back_after_its_turn() -> None:
    """Neither the next player nor, in a later turn, the owner may take it back."""
    hand = play(ready(), f"A {DOWN}; A discard Ks; B take")
    assert refused(hand, "back") == "003/1.8"
    play(hand, "B discard 5s; A take; A off 7s 1")
    assert refused(hand, "back") == "003/1.8"


@clause("003/1.8/take-back-same-turn-only")
def test_without_a_lay_down_nothing_is_taken_back() -> None:
    """A draw cannot be taken back, nor a lay-down twice."""
    hand = ready()
    assert refused(hand, "back") == "003/1.8"
    play(hand, f"A {DOWN}; A back")
    assert refused(hand, "back") == "003/1.8"


@clause("003/1.8/take-back-shows")
def test_cards_taken_back_are_known_to_all_players() -> None:
    """The cards laid down and laid off are known, and no others; a card known before is known once."""
    hand = position("TT", ["7h 7d 7c 8h 8d Ks Qs 7s", "Ah"], upcard="8c")
    play(hand, f"A take; A {DOWN}; A off 7s 1; A back")
    assert sorted(hand.view(1).known[0]) == sorted(parse_cards("7h 7d 7c 8h 8d 8c 7s"))
    play(hand, "A discard 7s")
    assert sorted(hand.view(1).known[0]) == sorted(parse_cards("7h 7d 7c 8h 8d 8c"))


@clause("003/1.8/lay-down-again")
def test_after_taking_back_a_player_may_lay_down_again() -> None:
    """A lays down other melds in the same turn, takes them back too, and lays down in a later turn."""
    hand = ready()
    play(hand, f"A {DOWN}; A back; A down T: 7h 7d 7s / T: 8h 8d 8c; A back; A discard Ks")
    play(hand, f"B take; B discard Ks; A take; A {DOWN}")
    assert holds(hand, "A", "7s Qs 2c Ks")
