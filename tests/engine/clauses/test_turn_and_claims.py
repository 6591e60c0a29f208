"""Document 003 on the turn: draw, claims out of turn, discard, and the stock that runs out."""

import pytest

from engine.cards import Faces, cards_text, parse_cards
from engine.hand import Hand
from engine.state import Phase
from tests.harness.engine.positions import SEATS, held, holds, listed, play, position, refused, sizes
from tests.oracles.engine.deals_and_points import shuffled

clause = pytest.mark.clause

LOW = ("3h 4h 6h", "3d 4d 6d", "3c 4c 6c", "3s 4s 6s")
"""Four hands that make nothing."""


def four(upcard: str = "2c", stock: str = "9h 9d 9c 9s Th Td", **more: bool) -> Hand:
    """Four players with hands that make nothing; A leads."""
    return position("TT", LOW, upcard=upcard, stock=stock, **more)


# --- the turn --------------------------------------------------------------------------------------------


@clause("003/1.5/draw-first")
@pytest.mark.parametrize("action", ["discard 3h", "claim", "pass", "close", "back", "off 3h 1", "down T: 3h 3h 3h"])
def test_a_turn_begins_with_a_draw(action: str) -> None:
    """Nothing else may be done before a card has been drawn."""
    assert refused(four(), action) == "003/1.5"


@clause("003/1.5/draw-one")
@pytest.mark.parametrize("first", ["A stock; B pass; C pass; D pass", "A take"])
@pytest.mark.parametrize("second", ["stock", "take"])
def test_one_card_is_drawn_not_two(first: str, second: str) -> None:
    """After one draw there is no other, from wherever."""
    hand = play(four(), first)
    assert sizes(hand) == (4, 3, 3, 3)
    assert refused(hand, second) == "003/1.5"


@clause("003/1.5/draw-one")
def test_the_draw_takes_the_top_card() -> None:
    """From the stock its top card, from the discards theirs."""
    assert holds(play(four(), "A stock"), "A", "3h 4h 6h 9h")
    assert holds(play(four(), "A take"), "A", "2c 3h 4h 6h")


@clause("003/1.5/discard-ends-turn")
def test_the_discard_ends_the_turn() -> None:
    """After the discard the next player draws, and the card lies on top of the discards."""
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
def test_of_the_discards_only_the_top_is_seen() -> None:
    """Two piles that differ below their top look alike, and no view holds another card of the pile."""
    one = play(four("2c"), "A stock; B pass; C pass; D pass; A discard 6h")
    other = play(four("2d"), "A stock; B pass; C pass; D pass; A discard 6h")
    assert [one.view(seat) for seat in (1, 2, 3)] == [other.view(seat) for seat in (1, 2, 3)]
    assert (one.view(1).pile, one.view(1).top) == (2, one._state.pile[-1])


@clause("003/1.5/sizes")
def test_everybody_knows_how_many_cards_each_holds() -> None:
    """Check that every seat sees the true number of cards in each hand."""
    hand = play(four(), "A stock; B pass; C claim; A discard 6h")
    for seat in range(4):
        assert hand.view(seat).sizes == (3, 3, 5, 3)


@clause("003/1.5/discard-just-drawn")
def test_the_card_just_taken_may_be_discarded() -> None:
    """A player may take the discard and discard it again, and discard the card of the stock."""
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
    """Discarding a placed card is a permitted strategy: every card held is listed."""
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
def test_the_player_in_turn_does_not_claim() -> None:
    """Check that a player who drew from the stock is not asked for a claim, and may not take the discard [A-12b]."""
    hand = play(four(), "A stock; B pass; C pass; D pass")
    assert (hand.phase, SEATS[hand.actor]) == (Phase.PLAY, "A")
    assert refused(hand, "claim") == "003/1.5"
    assert refused(hand, "take") == "003/1.5"


@clause("003/1.6/turn-order")
@clause("003/1.6/any-following")
@pytest.mark.parametrize("leader", range(4))
def test_the_seats_are_asked_in_turn_order(leader: int) -> None:
    """After the player in turn the next is asked first, and everybody once."""
    hand = position("TT", LOW, stock="9h 9d", dealer=(leader - 1) % 4)
    play(hand, f"{SEATS[leader]} stock")
    asked = []
    while hand.phase == Phase.CLAIM:
        asked.append(hand.actor)
        play(hand, f"{SEATS[hand.actor]} pass")
    assert asked == [(leader + step) % 4 for step in (1, 2, 3)]


@clause("003/1.6/turn-order")
def test_of_two_who_want_it_the_earlier_turn_has_it() -> None:
    """A draws, B and C want the discard, which was C's: B has it, and the top card of the stock."""
    hand = position("TT", LOW[:3], upcard="2c", stock="9h 9d 9c", dealer=1)
    play(hand, "C take; C discard 6c; A stock; B claim")
    assert holds(hand, "B", "3d 4d 6c 6d 9d")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    assert sizes(hand) == (4, 5, 3)


@clause("003/1.6/own-discard")
@clause("003/1.6/discarder-last")
def test_the_discarder_is_asked_last_and_may_have_it_back() -> None:
    """A discards a card, B leaves it, C and D pass: A may claim it, and pays like anybody."""
    hand = play(four(), "A take; A discard 6h; B stock; C pass; D pass")
    assert SEATS[hand.actor] == "A"
    play(hand, "A claim")
    assert holds(hand, "A", "2c 3h 4h 6h 9d")


@clause("003/1.6/own-discard")
def test_with_two_players_the_discarder_alone_is_asked() -> None:
    """At a table of two the only other player is the one who discarded the card."""
    hand = position("TT", LOW[:2], stock="9h 9d")
    play(hand, "A take; A discard 2c; B stock; A claim; B discard 9h; A stock; B pass")
    assert sizes(hand) == (6, 3)


@clause("003/1.6/penalty-card")
@clause("003/1.6/no-discard-owed")
def test_a_claim_costs_the_top_card_of_the_stock_and_no_discard() -> None:
    """The claimer takes discard and top card and discards nothing; the turn stays where it was."""
    hand = play(four(), "A stock; B claim")
    assert holds(hand, "B", "2c 3d 4d 6d 9d")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    assert hand.view(0).stock == 110 - 12 - 1 - 2


@clause("003/1.6/penalty-unseen")
def test_the_penalty_card_is_not_seen_and_the_claimed_card_is() -> None:
    """Everybody knows the claimed card; the penalty card comes face down."""
    hand = play(four(), "A stock; B claim")
    for seat in range(4):
        assert [len(cards) for cards in hand.view(seat).known] == [0, 1, 0, 0]
        assert hand.view(seat).known[1] == (hand._state.deal.upcard,)


@clause("003/1.6/one-claim")
def test_a_claimed_discard_is_gone_and_the_card_under_it_is_covered() -> None:
    """After one claim nobody else is asked in that turn, though there is a card under the claimed one."""
    hand = play(four(), "A take; A discard 6h; B stock; C pass; D pass; A pass; B discard 9h; C stock; D claim")
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)
    view = hand.view(0)
    assert holds(hand, "D", "3s 4s 6s 9h 9c")
    assert (view.top is not None, view.fresh) == (True, False)


@clause("003/1.6/before-discard")
def test_the_discard_ends_the_time_for_claims() -> None:
    """Once the player in turn has discarded, the card under it can be had by nobody."""
    hand = play(four(), "A stock; B pass; C pass; D pass; A discard 6h")
    play(hand, "B take")
    assert "6h" in held(hand, "B")
    assert "2c" not in held(hand, "B")


@clause("003/1.6/covered")
def test_a_covered_card_stays_covered_when_the_covering_card_is_taken() -> None:
    """B covers the upcard, C takes B's card: the upcard lies open again and nobody may have it."""
    hand = play(four(), "A take; A discard 2c; B stock; C pass; D pass; A pass; B discard 9h; C take")
    assert (hand.view(3).top, hand.view(3).fresh) == (hand._state.deal.upcard, False)
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)
    assert refused(hand, "take") == "003/1.5"
    play(hand, "C discard 6c; D take; D discard 6s")
    assert hand._state.pile.count(hand._state.deal.upcard) == 1


@clause("003/1.6/claimer-only-claims")
@pytest.mark.parametrize("action", ["discard 3d", "stock", "take", "close", "back", "off 3d 1", "move 1 to 1 low"])
def test_out_of_turn_one_claims_or_passes(action: str) -> None:
    """Nothing else may be done out of turn, not even by who is down."""
    assert refused(play(four(), "A stock"), action) == "003/1.6"


@clause("003/1.6/no-limit")
def test_one_may_claim_as_often_as_one_likes() -> None:
    """B claims in ten turns of others, the permitted strategy of robbing a lot."""
    hand = position("TT", LOW[:2], stock="9h 9d 9c 9s Th Td Tc Ts Jh Jd Jc Js Qh Qd Qc Qs Kh Kd Kc Ks Ah Ad As Ac")
    for turn in range(10):
        play(hand, "A stock; B claim")
        assert hand.view(0).claims == (0, turn + 1)
        play(hand, f"A discard {held(hand, 'A').split()[0]}; B take; B discard {held(hand, 'B').split()[0]}")
    assert sizes(hand) == (3, 3 + 20)


@clause("003/1.6/when-down")
def test_who_is_down_may_claim() -> None:
    """Any of the following players may claim, one who has laid down as well."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs", *LOW[1:3]], stock="9h 9d 9c")
    play(hand, "A stock; B pass; C pass; A down T: 7h 7d 7c / T: 8h 8d 8c; A discard Ks; B stock; C pass; A claim")
    assert holds(hand, "A", "9c 9h Qs Ks")


@clause("003/1.6/first-upcard")
def test_the_first_upcard_can_be_claimed() -> None:
    """If the leader leaves the first upcard, all others are asked, the dealer last."""
    hand = play(four(upcard="Jk"), "A stock; B pass; C pass; D claim")
    assert holds(hand, "D", "3s 4s 6s 9d Jk")


# --- the stock runs out ----------------------------------------------------------------------------------


def short(stock: str, players: int = 3, upcard: str = "2c") -> Hand:
    """A hand whose stock has these cards only."""
    return position("TT", LOW[:players], upcard=upcard, stock=stock, only=True)


@clause("003/1.5/shuffle")
def test_the_discards_but_the_top_one_become_the_stock() -> None:
    """The shuffle happens when a card is needed and none is there; the top discard stays."""
    hand = play(short("9h 9d"), "A stock; B pass; C pass; A discard 9h; B stock; C pass; A pass; B discard 9d")
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
    """The new stock is in the order that the deal's seed and the number of the shuffle give, worked out apart."""
    cards = "9h 9d 9c 9s Th Td Tc Ts"
    hand = short(cards)
    for card, seat in zip(cards.split(), "ABCABCAB", strict=True):
        others = [SEATS[("ABC".index(seat) + step) % 3] for step in (1, 2)]
        play(hand, f"{seat} stock; {others[0]} pass; {others[1]} pass; {seat} discard {card}")
    play(hand, "C stock")
    order = shuffled("a position/shuffle/1", list(parse_cards(f"2c {cards}")[:-1]))
    assert hand._state.stock == order[:-1]
    assert order[-1] in hand.view(2).hand


def _throw_until_void(hand: Hand) -> list[int]:
    """Have everybody draw from the stock and discard the card drawn; return the shuffles counted at each draw."""
    shuffles = []
    while not hand.over:
        seat = hand.actor
        before = hand._state.hands[seat].copy()
        play(hand, f"{SEATS[seat]} stock")
        shuffles.append(hand.view(0).shuffles)
        while hand.phase == Phase.CLAIM:
            play(hand, f"{SEATS[hand.actor]} pass")
        (drawn,) = [face for face in hand._state.hands[seat].distinct() if face not in before]
        hand.apply(next(action for action in hand.legal if getattr(action, "face", None) == drawn))
    return shuffles


@clause("003/1.5/two-shuffles-then-void")
def test_after_the_second_shuffle_the_hand_is_void_when_the_stock_is_empty() -> None:
    """Three cards of stock, then three discards shuffled twice: nine draws, and the tenth turn does not begin."""
    hand = short("9h 9d 9c")
    assert _throw_until_void(hand) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert hand.result is not None
    assert hand.result.closer is None
    assert refused(hand, "stock") == "003/1.10"
    assert refused(hand, "take") == "003/1.10"
    assert list(hand.legal) == []


@clause("003/1.6/penalty-after-shuffle")
def test_a_claim_may_shuffle_for_its_penalty_card() -> None:
    """The stock is empty: the claimed card is lifted, and the discards under it give the penalty card."""
    hand = play(short("9h 9d"), "A stock; B pass; C pass; A discard 9h; B stock")
    assert (hand.view(0).stock, hand.view(0).pile) == (0, 2)
    play(hand, "C claim")
    assert holds(hand, "C", "2c 3c 4c 6c 9h")
    view = hand.view(0)
    assert (view.shuffles, view.stock, view.pile, view.top, view.fresh) == (1, 0, 0, None, False)
    play(hand, "B discard 9d")
    assert not hand.over  # a shuffle is left, with nothing to shuffle: the discard is the only card to draw
    assert [str(action) for action in hand.legal] == ["take"]


@clause("003/1.6/no-penalty-no-claim")
def test_nobody_is_asked_when_no_penalty_card_can_be_had() -> None:
    """The last card of the stock is drawn with one card on the discards: nobody may claim it."""
    hand = play(short("9h"), "A stock")
    assert (SEATS[hand.actor], hand.phase) == ("A", Phase.PLAY)
    hand = short("9h 9d 9c")
    hand._state.shuffles = 2
    play(hand, "A stock; B pass; C pass; A discard 9h; B stock; C pass; A pass; B discard 9d; C stock")
    assert (SEATS[hand.actor], hand.phase) == ("C", Phase.PLAY)  # no stock, and both shuffles are used


@clause("003/1.6/penalty-card")
def test_two_claims_in_turn_each_take_their_own_penalty_card() -> None:
    """Claims in successive turns take successive cards of the stock, after the card drawn."""
    hand = play(four(), "A stock; B claim; A discard 6h; B stock; C claim; B discard 6d")
    assert holds(hand, "B", "2c 3d 4d 9c 9d")
    assert holds(hand, "C", "3c 4c 6c 6h 9s")
