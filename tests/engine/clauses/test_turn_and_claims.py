"""Check document 003 on the turn: draw, claims out of turn, discard, and an empty stock."""

import pytest

from engine.cards import Faces, cards_text, parse_cards
from engine.hand import Hand
from engine.state import Phase
from tests.harness.engine.positions import (
    SEATS,
    asked,
    held,
    holds,
    listed,
    play,
    play_dead,
    position,
    refused,
    sizes,
)
from tests.oracles.engine.deals_and_points import shuffled

clause = pytest.mark.clause

LOW = ("3h 4h 6h", "3d 4d 6d", "3c 4c 6c", "3s 4s 6s")
"""Four hands without melds."""


def four(upcard: str = "2c", stock: str = "9h 9d 9c 9s Th Td", **more: bool) -> Hand:
    """Return a hand of four players without melds; A leads."""
    return position("TT", LOW, upcard=upcard, stock=stock, **more)


# --- the turn --------------------------------------------------------------------------------------------


@clause("003/1.5/draw-first")
@pytest.mark.parametrize("action", ["discard 3h", "claim", "pass", "close", "back", "off 3h 1", "down T: 3h 3h 3h"])
def test_a_turn_begins_with_a_draw(action: str) -> None:
    """Check that other actions are refused before a card has been drawn."""
    assert refused(four(), action) == "003/1.5"


@clause("003/1.5/draw-one")
@pytest.mark.parametrize("first", ["A stock; B pass; C pass; D pass", "A take"])
@pytest.mark.parametrize("second", ["stock", "take"])
def test_a_player_draws_one_card_in_a_turn(first: str, second: str) -> None:
    """After a draw a second one is refused, from the stock or the discards."""
    hand = play(four(), first)
    assert sizes(hand) == (4, 3, 3, 3)
    assert refused(hand, second) == "003/1.5"


@clause("003/1.5/draw-one")
def test_the_draw_takes_the_top_card() -> None:
    """Check the top card of the stock and the top discard."""
    assert holds(play(four(), "A stock"), "A", "3h 4h 6h 9h")
    assert holds(play(four(), "A take"), "A", "2c 3h 4h 6h")


@clause("003/1.5/discard-ends-turn")
def test_the_discard_ends_the_turn() -> None:
    """After the discard the next player draws, and may take the card."""
    hand = play(four(), "A take; A discard 6h")
    assert (SEATS[hand.actor], hand.phase) == ("B", Phase.DRAW)
    assert str(hand.view(1).top) == str(hand._state.pile[-1])
    play(hand, "B take")
    assert "6h" in held(hand, "B")


@clause("003/1.5/discard-stays")
def test_a_card_on_the_discards_stays_there() -> None:
    """Check that no action takes a discard back: the turn is the next player's."""
    hand = play(four(), "A take; A discard 6h")
    assert refused(hand, "back") == "003/1.5"
    assert {str(action) for action in hand.legal} == {"stock", "take"}
    assert SEATS[hand.actor] == "B"


@clause("003/1.5/discard-held")
@pytest.mark.parametrize("card", ["Kh", "Jk", "9d"])
def test_only_a_card_in_hand_is_discarded(card: str) -> None:
    """A card that is not in the hand is refused."""
    assert refused(play(four(), "A take"), f"discard {card}") == "003/1.5"


@clause("003/1.5/top-only")
def test_of_the_discards_only_the_top_one_is_visible() -> None:
    """Views of two piles that differ below the top discard are equal."""
    first = play(four("2c"), "A stock; B pass; C pass; D pass; A discard 6h")
    second = play(four("2d"), "A stock; B pass; C pass; D pass; A discard 6h")
    assert [first.view(seat) for seat in (1, 2, 3)] == [second.view(seat) for seat in (1, 2, 3)]
    assert (first.view(1).pile, first.view(1).top) == (2, first._state.pile[-1])


@clause("003/1.5/sizes")
def test_all_players_see_how_many_cards_each_holds() -> None:
    """Check that every seat sees the true number of cards in each hand."""
    hand = play(four(), "A stock; B pass; C claim; A discard 6h")
    for seat in range(4):
        assert hand.view(seat).sizes == (3, 3, 5, 3)


@clause("003/1.5/discard-just-drawn")
def test_the_card_just_taken_may_be_discarded() -> None:
    """A discards the card taken from the discards, B the one drawn from the stock."""
    hand = play(four(), "A take; A discard 2c; B stock; C pass; D pass; A pass; B discard 9h")
    assert sizes(hand) == (3, 3, 3, 3)


@clause("003/1.5/discard-jokers")
def test_a_joker_may_be_discarded_even_if_it_completes_a_trio() -> None:
    """Discarding jokers is a permitted strategy."""
    hand = position("TT", ["7h 7d Jk 8h 8d 8c Ks", "Ah", "Ad"])
    play(hand, "A take; A discard Jk; B take")
    assert holds(hand, "B", "Ah Jk")


@clause("003/1.5/discard-melded")
def test_a_card_that_would_complete_the_contract_may_be_discarded() -> None:
    """Every card in hand is listed as a discard: discarding from a complete contract is a permitted strategy."""
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c Ks", "Ah"]), "A take")
    assert listed(hand, "discard") == {f"discard {card}" for card in held(hand, "A").split()}


# --- claims ----------------------------------------------------------------------------------------------


@clause("003/1.6/left-by-the-player-in-turn")
def test_a_discard_can_be_claimed_once_the_player_in_turn_has_left_it() -> None:
    """A draw from the stock opens the claims; a draw of the discard leaves nothing to claim."""
    hand = play(four(), "A stock")
    assert (hand.phase, SEATS[hand.actor]) == (Phase.CLAIM, "B")
    hand = play(four(), "A take")
    assert (hand.phase, SEATS[hand.actor]) == (Phase.PLAY, "A")


@clause("003/1.6/in-turn-may-not")
def test_the_player_in_turn_may_not_claim() -> None:
    """Check that a player who drew from the stock is not asked for a claim, and may not take the discard [A-12b]."""
    hand = play(four(), "A stock; B pass; C pass; D pass")
    assert (hand.phase, SEATS[hand.actor]) == (Phase.PLAY, "A")
    assert refused(hand, "claim") == "003/1.5"
    assert refused(hand, "take") == "003/1.5"


@clause("003/1.6/turn-order", "003/1.6/any-following")
@pytest.mark.parametrize("leader", range(4))
def test_the_seats_are_asked_in_turn_order(leader: int) -> None:
    """The player after the one in turn is asked first, and each other player once."""
    hand = position("TT", LOW, stock="9h 9d", dealer=(leader - 1) % 4)
    play(hand, f"{SEATS[leader]} stock")
    assert asked(hand) == [(leader + step) % 4 for step in (1, 2, 3)]


@clause("003/1.6/turn-order")
def test_of_two_who_want_a_discard_the_one_whose_turn_is_earlier_gets_it() -> None:
    """A has drawn; B claims C's discard before C is asked, and gets the top card of the stock with it."""
    hand = position("TT", LOW[:3], upcard="2c", stock="9h 9d 9c", dealer=1)
    play(hand, "C take; C discard 6c; A stock; B claim")
    assert holds(hand, "B", "3d 4d 6c 6d 9d")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    assert sizes(hand) == (4, 5, 3)


@clause("003/1.6/own-discard", "003/1.6/discarder-last")
def test_the_discarder_is_asked_last_and_may_claim_the_card() -> None:
    """A discards a card, B leaves it, C and D pass: A may claim it for a penalty card."""
    hand = play(four(), "A take; A discard 6h; B stock; C pass; D pass")
    assert SEATS[hand.actor] == "A"
    play(hand, "A claim")
    assert holds(hand, "A", "2c 3h 4h 6h 9d")


@clause("003/1.6/own-discard")
def test_with_two_players_only_the_discarder_is_asked() -> None:
    """At a table of two the only other player is the one who discarded the card."""
    hand = position("TT", LOW[:2], stock="9h 9d")
    play(hand, "A take; A discard 2c; B stock; A claim; B discard 9h; A stock; B pass")
    assert sizes(hand) == (6, 3)


@clause("003/1.6/penalty-card", "003/1.6/no-discard-owed")
def test_a_claim_costs_the_top_card_of_the_stock_and_no_discard() -> None:
    """B takes the discard and the top card of the stock and discards nothing; A is still in turn."""
    hand = play(four(), "A stock; B claim")
    assert holds(hand, "B", "2c 3d 4d 6d 9d")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    assert hand.view(0).stock == 110 - 12 - 1 - 2


@clause("003/1.6/penalty-unseen")
def test_the_claimed_card_is_known_and_the_penalty_card_is_not() -> None:
    """Check that views have the claimed card, and not the penalty card, as known in B's hand."""
    hand = play(four(), "A stock; B claim")
    for seat in range(4):
        assert [len(cards) for cards in hand.view(seat).known] == [0, 1, 0, 0]
        assert hand.view(seat).known[1] == (hand._state.deal.upcard,)


@clause("003/1.6/one-claim")
def test_only_one_discard_can_be_claimed_in_a_turn() -> None:
    """After D's claim no player is asked for the card under the claimed one."""
    hand = play(four(), "A take; A discard 6h; B stock; C pass; D pass; A pass; B discard 9h; C stock; D claim")
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)
    view = hand.view(0)
    assert holds(hand, "D", "3s 4s 6s 9h 9c")
    assert (view.top is not None, view.fresh) == (True, False)


@clause("003/1.6/before-discard")
def test_a_discard_cannot_be_claimed_once_another_covers_it() -> None:
    """After A's discard no player can get the card under it."""
    hand = play(four(), "A stock; B pass; C pass; D pass; A discard 6h")
    play(hand, "B take")
    assert "6h" in held(hand, "B")
    assert "2c" not in held(hand, "B")


@clause("003/1.6/covered")
def test_a_discard_uncovered_by_a_draw_can_be_neither_taken_nor_claimed() -> None:
    """B's discard covers the upcard and C takes it: the upcard is visible again, and no player may have it."""
    hand = play(four(), "A take; A discard 2c; B stock; C pass; D pass; A pass; B discard 9h; C take")
    assert (hand.view(3).top, hand.view(3).fresh) == (hand._state.deal.upcard, False)
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)
    assert refused(hand, "take") == "003/1.5"
    play(hand, "C discard 6c; D take; D discard 6s")
    assert hand._state.pile.count(hand._state.deal.upcard) == 1


@clause("003/1.6/claimer-only-claims")
@pytest.mark.parametrize("action", ["discard 3d", "stock", "take", "close", "back", "off 3d 1", "move 1 to 1 low"])
def test_out_of_turn_a_player_may_only_claim_or_pass(action: str) -> None:
    """Check that B, asked for a claim, is refused any other action."""
    assert refused(play(four(), "A stock"), action) == "003/1.6"


@clause("003/1.6/no-limit")
def test_the_number_of_claims_is_not_limited() -> None:
    """B claims in ten turns of A, which is a permitted strategy."""
    hand = position("TT", LOW[:2], stock="9h 9d 9c 9s Th Td Tc Ts Jh Jd Jc Js Qh Qd Qc Qs Kh Kd Kc Ks Ah Ad As Ac")
    for turn in range(10):
        play(hand, "A stock; B claim")
        assert hand.view(0).claims == (0, turn + 1)
        play(hand, f"A discard {held(hand, 'A').split()[0]}; B take; B discard {held(hand, 'B').split()[0]}")
    assert sizes(hand) == (3, 3 + 20)


@clause("003/1.6/when-down")
def test_a_player_who_is_down_may_claim() -> None:
    """A, who has laid down, claims a discard."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs", *LOW[1:3]], stock="9h 9d 9c")
    play(hand, "A stock; B pass; C pass; A down T: 7h 7d 7c / T: 8h 8d 8c; A discard Ks; B stock; C pass; A claim")
    assert holds(hand, "A", "9c 9h Qs Ks")


@clause("003/1.6/first-upcard")
def test_the_first_upcard_can_be_claimed() -> None:
    """If the leader leaves the first upcard, all other players are asked, the dealer last."""
    hand = play(four(upcard="Jk"), "A stock; B pass; C pass; D claim")
    assert holds(hand, "D", "3s 4s 6s 9d Jk")


# --- the stock runs out ----------------------------------------------------------------------------------


def short_stock(stock: str, players: int = 3, upcard: str = "2c") -> Hand:
    """Return a hand whose stock has only these cards."""
    return position("TT", LOW[:players], upcard=upcard, stock=stock, only=True)


@clause("003/1.5/shuffle")
def test_the_discards_but_the_top_one_become_the_stock() -> None:
    """A draw from an empty stock shuffles the discards; the top one stays."""
    hand = play(short_stock("9h 9d"), "A stock; B pass; C pass; A discard 9h; B stock; C pass; A pass; B discard 9d")
    view = hand.view(2)
    assert (view.stock, view.pile, view.shuffles) == (0, 3, 0)
    play(hand, "C stock")
    view = hand.view(2)
    assert (view.stock, view.pile, view.shuffles) == (1, 1, 1)
    drawn = Faces(parse_cards("2c 9h 3c 4c 6c"))
    assert Faces([*hand.view(2).hand, *hand._state.stock]) == drawn  # the two discards under the top one
    assert cards_text(hand._state.pile) == "9d"
    assert (hand.phase, SEATS[hand.actor], view.fresh) == (Phase.CLAIM, "A", True)


@clause("003/1.5/shuffle")
def test_the_shuffle_depends_on_the_seed_of_the_deal() -> None:
    """Check the order of the new stock, by the deal's seed and the shuffle's number, against a second program."""
    cards = "9h 9d 9c 9s Th Td Tc Ts"
    hand = short_stock(cards)
    for card, seat in zip(cards.split(), "ABCABCAB", strict=True):
        others = [SEATS[("ABC".index(seat) + step) % 3] for step in (1, 2)]
        play(hand, f"{seat} stock; {others[0]} pass; {others[1]} pass; {seat} discard {card}")
    play(hand, "C stock")
    order = shuffled("a position/shuffle/1", list(parse_cards(f"2c {cards}")[:-1]))
    assert hand._state.stock == order[:-1]
    assert order[-1] in hand.view(2).hand


@clause("003/1.5/two-shuffles-then-void")
def test_after_the_second_shuffle_the_hand_is_dead_when_the_stock_is_empty() -> None:
    """A stock of three cards, then three discards shuffled twice, make nine draws; there is no tenth turn."""
    hand = short_stock("9h 9d 9c")
    assert play_dead(hand) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert hand.result is not None
    assert hand.result.closer is None
    assert refused(hand, "stock") == "003/1.10"
    assert refused(hand, "take") == "003/1.10"
    assert list(hand.legal) == []


@clause("003/1.6/penalty-after-shuffle")
def test_a_claim_may_shuffle_for_its_penalty_card() -> None:
    """With an empty stock the penalty card comes from the discards under the claimed one, which are shuffled."""
    hand = play(short_stock("9h 9d"), "A stock; B pass; C pass; A discard 9h; B stock")
    assert (hand.view(0).stock, hand.view(0).pile) == (0, 2)
    play(hand, "C claim")
    assert holds(hand, "C", "2c 3c 4c 6c 9h")
    view = hand.view(0)
    assert (view.shuffles, view.stock, view.pile, view.top, view.fresh) == (1, 0, 0, None, False)
    play(hand, "B discard 9d")
    assert not hand.over  # a shuffle is left, with nothing to shuffle: the discard is the only card to draw
    assert [str(action) for action in hand.legal] == ["take"]


@clause("003/1.6/no-penalty-no-claim")
def test_no_player_is_asked_when_there_is_no_penalty_card() -> None:
    """The last card of the stock is drawn and there is one discard: no player may claim it."""
    hand = play(short_stock("9h"), "A stock")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    hand = short_stock("9h 9d 9c")
    hand._state.shuffles = 2
    play(hand, "A stock; B pass; C pass; A discard 9h; B stock; C pass; A pass; B discard 9d; C stock")
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)  # no stock, and both shuffles are used


@clause("003/1.6/penalty-card")
def test_claims_in_successive_turns_take_successive_penalty_cards() -> None:
    """In each turn the card drawn comes first, then the penalty card."""
    hand = play(four(), "A stock; B claim; A discard 6h; B stock; C claim; B discard 6d")
    assert holds(hand, "B", "2c 3d 4d 9c 9d")
    assert holds(hand, "C", "3c 4c 6c 6h 9s")
