"""Check document 001 on the whole game: bonuses, elimination, buys, splits, and the winner of the pot."""

import pytest

from engine.actions import BUY, DECLINE
from engine.errors import RulesError
from engine.games.knock_game import KnockGame
from engine.knock.pot import POT, Payment
from tests.harness.engine.knock_positions import KNOCK, balanced, ended, knock_game
from tests.harness.engine.rule_texts import changed_rules

clause = pytest.mark.clause

A, B, C, D = range(4)


# --- antes and bonuses ----------------------------------------------------------------------------------


@clause("001/1.11/antes")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_player_puts_the_stake_into_the_pot(players: int) -> None:
    pot = KnockGame(KNOCK, players, "1", 50).pot
    assert (pot.amount, pot.paid, pot.received) == (50 * players, (50,) * players, (0,) * players)


@clause("001/1.11/one-pays-the-pot", "001/1.11/pot-payer", "001/1.11/knock-bonus")
def test_the_worked_example_of_a_knock() -> None:
    """With a stake of 50 A knocks: B pays 10 to the pot, C and D pay A: the pot has 210, A +20."""
    game = knock_game(4, ended("knock", A, 5, 20, 30, 40))
    assert game.payments[0] == (Payment(B, POT, 10), Payment(C, A, 10), Payment(D, A, 10))
    assert (game.pot.amount, game.pot.received) == (210, (20, 0, 0, 0))
    assert game.pot.net == (-30, -60, -60, -60)


@clause("001/1.11/joker-bonus", "001/1.11/rummy-bonus")
def test_the_worked_example_of_a_rummy_with_three_jokers() -> None:
    """Each owes 20 + 3 × 10 = 50: the pot has 250, A +100 and -10 points."""
    game = knock_game(4, ended("rummy", A, -10, 20, 30, 40, jokers=3))
    assert (game.pot.amount, game.pot.received) == (250, (100, 0, 0, 0))
    assert game.totals == (-10, 20, 30, 40)


@pytest.mark.parametrize(
    ("ending", "jokers", "each"),
    [
        pytest.param("knock", 0, 10, marks=clause("001/1.11/knock-bonus"), id="knock"),
        pytest.param("rummy", 0, 20, marks=clause("001/1.11/rummy-bonus"), id="rummy"),
        pytest.param("rummy", 2, 20, marks=clause("001/1.11/joker-bonus"), id="two jokers bring nothing"),
        pytest.param("rummy", 3, 50, marks=clause("001/1.11/joker-bonus"), id="three jokers"),
        pytest.param("rummy", 4, 60, marks=clause("001/1.11/joker-bonus"), id="four jokers"),
        pytest.param("color", 0, 40, marks=clause("001/1.11/color-bonus"), id="color"),
        pytest.param("continental", 0, 0, marks=clause("001/1.11/continental-no-bonus"), id="continental"),
    ],
)
def test_each_other_player_owes_the_bonus_of_the_ending(ending: str, jokers: int, each: int) -> None:
    """Check a stake of 50, and one of 100, which doubles the bonus [A-23]."""
    for stake, times in ((50, 1), (100, 2)):
        game = knock_game(3, ended(ending, B, 20, 0, 30, jokers=jokers), stake=stake)
        assert [payment.amount for payment in game.payments[0]] == ([each * times] * 2 if each else [])


@clause("001/1.11/proportion")
@pytest.mark.parametrize(("stake", "knock"), [(5, 1), (10, 2), (50, 10), (125, 25), (0, 0)])
def test_bonuses_are_in_proportion_to_the_stake(stake: int, knock: int) -> None:
    assert knock_game(3, ended("knock", A, 0, 20, 30), stake=stake).pot.received[A] == knock


@clause("001/1.11/proportion")
@pytest.mark.parametrize(
    ("stake", "says"),
    [
        (7, "a stake of 7 makes the bonus of a knock 70/50, not a whole number; a multiple of 50"),
        (-5, "is negative"),
    ],
)
def test_a_stake_whose_bonuses_are_not_whole_is_refused(stake: int, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        KnockGame(KNOCK, 3, "1", stake)


@clause("001/1.11/pot-payer")
@pytest.mark.parametrize(("closer", "payer"), [(A, B), (B, C), (C, D), (D, A)])
def test_the_player_at_the_closers_left_pays_into_the_pot(closer: int, payer: int) -> None:
    points = [20, 30, 40, 10]
    points[closer] = 0
    game = knock_game(4, ended("knock", closer, *points))
    assert [payment.payer for payment in game.payments[0] if payment.receiver == POT] == [payer]


@clause("001/1.11/pot-payer")
def test_a_club_may_let_the_lowest_score_pay_into_the_pot() -> None:
    """The lowest score before the hand counts; the money in the pot and of the players is the same."""
    rules = changed_rules("knock", {"bonuses.pot_payer": '"lowest score"'})
    hands = (ended("knock", A, 0, 20, 30, 10), ended("knock", A, 0, 30, 2, 30))
    game, ours = knock_game(4, *hands, rules=rules), knock_game(4, *hands)
    assert game.payments[1] == (Payment(B, A, 10), Payment(C, A, 10), Payment(D, POT, 10))
    assert game.pot == ours.pot


@clause("001/1.11/pot-payer-heads-up")
def test_with_two_players_the_only_payer_pays_into_the_pot() -> None:
    game = knock_game(2, ended("knock", B, 20, 0))
    assert game.payments[0] == (Payment(A, POT, 10),)
    assert (game.pot.amount, game.pot.received) == (110, (0, 0))


@clause("001/1.11/passing-100-pays", "001/1.11/who-is-out-does-not-pay")
def test_a_player_who_passes_100_pays_this_bonus_and_no_later_one() -> None:
    """B passes 100 in the first hand; the bonus of the second is paid by C, into the pot, and D."""
    game = knock_game(4, ended("knock", A, 0, 101, 20, 40), ended("knock", A, 0, 0, 20, 20))
    assert [payment.payer for payment in game.payments[0]] == [B, C, D]
    assert game.payments[1] == (Payment(C, POT, 10), Payment(D, A, 10))


@clause("001/1.10/void")
def test_a_dead_hand_brings_no_bonus() -> None:
    game = knock_game(3, ended(None, None, 20, 30, 40))
    assert (game.payments, game.pot.amount, game.totals) == ([()], 150, (20, 30, 40))


# --- out, and the end -----------------------------------------------------------------------------------


@clause("001/1.11/out-above-100")
def test_a_player_with_100_stays_and_one_with_101_is_out() -> None:
    game = knock_game(4, ended("knock", A, 0, 100, 101, 5))
    assert game.active == (A, B, D)
    assert not game.over


@clause("001/1.11/last-one-wins")
def test_the_last_player_in_the_game_wins_the_pot() -> None:
    """The pot has 150 and a bonus of 10; the winner receives the other bonus too."""
    game = knock_game(3, ended("knock", A, 0, 101, 102))
    assert (game.over, game.winners, game.pot.amount) == (True, (A,), 0)
    assert game.pot.net == (160 + 10 - 50, -60, -60)
    result = game.result()
    assert (result.places, result.money, result.points) == ((1, 2, 3), (120, -60, -60), (0, 101, 102))
    assert result.why[A] == "0 points, the last one in the game"
    assert result.why[B] == "101 points, out in hand 1"


@clause("001/1.11/continental-wins", "001/1.11/continental-no-bonus")
def test_a_continental_wins_the_game_and_the_pot() -> None:
    game = knock_game(4, ended("knock", A, 0, 60, 10, 20), ended("continental", B, 20, 0, 10, 95))
    assert (game.winners, game.pot.net) == ((B,), (20 - 50, 210 - 60, -60, -60))
    assert game.result().places == (2, 1, 2, 4)
    assert game.result().why[B] == "continental in hand 2"


@clause("001/1.11/winner-deals")
def test_the_winner_or_after_a_split_the_lower_score_deals_the_next_game() -> None:
    """The first of `winners` is the next game's dealer."""
    assert knock_game(3, ended("knock", C, 101, 102, 0)).winners == (C,)
    assert knock_game(3, ended("knock", C, 101, 9, 2)).winners == (C, B)


@clause("001/1.11/all-out")
def test_when_all_pass_100_in_one_hand_the_lowest_total_wins() -> None:
    """Three players with 90 each are out after a dead hand of 12, 11 and 30."""
    game = knock_game(3, ended(None, None, 90, 90, 90), ended(None, None, 12, 11, 30))
    assert (game.winners, game.active) == ((B,), ())
    assert game.pot.net == (-50, 100, -50)
    assert game.result().places == (2, 1, 3)
    assert game.result().why[B] == "101 points, out in hand 2, the lowest of all who went out in that hand"


@clause("001/1.11/all-out")
def test_when_all_pass_100_players_with_equal_totals_split_the_pot() -> None:
    """The first player at the dealer's left gets the odd unit: B dealt hand 2, so C comes before A."""
    game = knock_game(3, ended(None, None, 90, 90, 90), ended(None, None, 11, 12, 11), stake=5)
    assert (game.winners, game.pot.received) == ((C, A), (7, 0, 8))
    assert game.result().places == (1, 3, 1)
    club = changed_rules("knock", {"survival.all_out": '"split"'})
    everybody = knock_game(3, ended(None, None, 90, 90, 90), ended(None, None, 11, 12, 11), rules=club)
    assert everybody.winners == (C, A, B)


@clause("001/1.11/most-hands")
def test_after_the_last_hand_that_a_game_may_have_the_lowest_total_wins() -> None:
    """Players who always knock with 0 points would play for ever; a club may limit the hands."""
    club = changed_rules("knock", {"survival.most_hands": "3"})
    game = knock_game(3, ended("knock", A, 3, 8, 0), ended("knock", B, 3, 0, 0), ended("knock", A, 0, 0, 9), rules=club)
    assert (game.winners, len(game.results)) == ((A,), 3)
    assert game.result().why == (
        "6 points, the lowest when the game was stopped",
        "8 points, still in the game",
        "9 points, still in the game",
    )


@clause("001/1.11/most-hands")
def test_a_game_has_500_hands_at_most() -> None:
    """Three players have 0 points; B deals hand 500, so C comes first."""
    game = KnockGame(KNOCK, 3, "1", 50)
    for number in range(1, 501):
        assert not game.over, number
        game.add_result(ended("knock", A, 0, 0, 0))
    assert game.winners == (C, A, B)


@clause("001/1.11/places")
def test_places_are_in_the_order_of_survival() -> None:
    """D is out first, then B and C in one hand, where the lower total has the better place; A is left."""
    hands = (ended("knock", A, 0, 60, 70, 101), ended("knock", A, 0, 50, 60, 0))
    assert knock_game(4, *hands).result().places == (1, 2, 3, 4)
    assert knock_game(4, *hands[:1], ended("knock", A, 0, 60, 50, 0)).result().places == (1, 2, 2, 4)


# --- buying ---------------------------------------------------------------------------------------------


def offered(*scores: int) -> KnockGame:
    """Return a game after one dead hand with these points, with no offer answered."""
    game = KnockGame(KNOCK, len(scores), "1", 50)
    game.add_result(ended(None, None, *scores))
    return game


@clause("001/1.11/buy-above-80")
@pytest.mark.parametrize(("score", "may"), [(80, False), (81, True), (100, True), (101, False)])
def test_a_player_with_more_than_80_may_buy(score: int, may: bool) -> None:
    assert (offered(10, 20, 30, score).offer is not None) == may


@clause("001/1.11/buy-to-second-lowest", "001/1.11/buy-price")
def test_a_buy_costs_the_stake_and_leads_to_the_second_lowest_score() -> None:
    game = offered(10, 20, 30, 90)
    offer = game.offer
    assert offer is not None
    assert (offer.seat, offer.price, offer.to, offer.pot) == (D, 50, 20, 200)
    game.answer(BUY)
    assert (game.totals, game.pot.amount, game.pot.paid[D]) == ((10, 20, 30, 20), 250, 100)
    assert game.results[0].off == (0, 0, 0, 70)
    assert balanced(game)


@clause("001/1.11/buy-above-80")
def test_an_offer_may_be_declined() -> None:
    game = offered(10, 20, 30, 90)
    game.answer(DECLINE)
    assert (game.totals, game.pot.amount, game.results[0].off, game.offer) == ((10, 20, 30, 90), 200, (), None)


@clause("001/1.11/second-lowest-by-position")
def test_the_second_lowest_score_may_equal_the_lowest() -> None:
    """Of the scores 10, 10 and 85 the second lowest is 10."""
    game = offered(10, 10, 85)
    assert game.offer is not None
    assert game.offer.to == 10


@clause("001/1.11/nothing-to-gain")
def test_a_player_with_the_second_lowest_score_may_not_buy() -> None:
    """Of 10, 85 and 90 only the third player may buy, down to 85; of 10, 85 and 85 no player may."""
    game = offered(10, 85, 90)
    assert game.offer is not None
    assert (game.offer.seat, game.offer.to) == (C, 85)
    game.answer(BUY)
    assert (game.offer, game.no_offer[B].clause) == (None, "A-25c")


@clause("001/1.11/offers-in-turn")
def test_offers_begin_at_the_dealers_left_and_each_uses_the_current_scores() -> None:
    """A deals: B is asked first, then C, then A; a buy changes the second lowest score for the next offer."""
    game = offered(88, 85, 90, 40)
    asked = []
    while game.offer is not None:
        asked.append((game.offer.seat, game.offer.to))
        game.answer(BUY if game.offer.seat == C else DECLINE)
    assert asked == [(C, 85), (A, 85)]
    second = offered(95, 90, 92, 20, 30)
    asked = []
    while second.offer is not None:
        asked.append((second.offer.seat, second.offer.to))
        second.answer(BUY)
    assert asked == [(B, 30), (C, 30), (A, 30)]
    lower = offered(95, 90, 92, 96, 10)
    asked = []
    while lower.offer is not None:
        asked.append((lower.offer.seat, lower.offer.to))
        lower.answer(BUY)
    assert asked == [(C, 90), (D, 90), (A, 90)]


@clause("001/1.11/price-doubles", "001/1.11/doubling-leaves-bonuses")
def test_a_players_price_doubles_with_every_buy() -> None:
    """D buys for 50, 100 and 200, then C for 50; the bonus of a knock stays 10."""
    game = KnockGame(KNOCK, 4, "1", 50)
    prices = []
    for _ in range(3):
        game.add_result(ended("knock", A, 0, 5, 5, 95 - game.totals[D]))
        assert game.offer is not None
        prices.append(game.offer.price)
        game.answer(BUY)
    game.add_result(ended("knock", A, 0, 5, 81, 5))
    assert game.offer is not None
    assert (prices, game.offer.seat, game.offer.price) == ([50, 100, 200], C, 50)
    assert {payment.amount for hand in game.payments for payment in hand} == {10}


@clause("001/1.11/buy-two-others")
def test_a_player_may_buy_only_while_two_other_players_are_in() -> None:
    """Of three players A is out in this hand; B and C continue without a buy."""
    game = offered(101, 95, 20)
    assert (game.offer, game.active) == (None, (B, C))
    assert game.no_offer[B].clause == "001/1.11"
    assert "2 others" in game.no_offer[B].reason
    assert offered(60, 95, 20).offer is not None


@clause("001/1.11/no-buy-heads-up")
def test_no_player_may_buy_in_a_hand_that_began_with_two() -> None:
    """Check a game of two, and the last two of three."""
    reason = "may not buy in a hand that began heads-up"
    two = offered(20, 95)
    assert (two.offer, two.no_offer[B].reason) == (None, reason)
    game = knock_game(3, ended("knock", A, 0, 60, 101), ended("knock", A, 0, 30, 0))
    assert (game.offer, game.no_offer[B].reason) == (None, reason)


@clause("001/1.11/no-buy-after-continental")
def test_no_player_may_buy_after_a_continental() -> None:
    game = KnockGame(KNOCK, 4, "1", 50)
    game.add_result(ended("continental", A, 0, 20, 30, 95))
    assert (game.offer, game.over, game.no_offer[D].reason) == (None, True, "may not buy after a continental")


@clause("001/1.11/out-does-not-buy")
def test_a_player_who_is_out_may_not_buy() -> None:
    game = offered(10, 20, 30, 101)
    assert (game.offer, game.no_offer[D].reason) == (None, "is out of the game, with 101 points")
    assert game.next_hand().view(0).sizes == (10, 10, 10, 0)


# --- splitting ------------------------------------------------------------------------------------------


@clause("001/1.11/split", "001/1.11/split-of-more")
@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((60, 70, 101), (A, B)),
        ((70, 60, 101), (B, A)),
        ((60, 71, 101), ()),
        ((0, 0, 101), (B, A)),
        ((99, 101, 101), (A,)),
    ],
)
def test_the_last_two_of_three_split_the_pot_within_ten_points(
    scores: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """Both must still be in: 99 against 101 is a win. At 0 each the player at the dealer's left comes first."""
    game = knock_game(3, ended(None, None, *scores))
    assert game.winners == winners
    if len(winners) == 2:
        assert game.result().places == (1, 1, 3)
        assert game.pot.net == (25, 25, -50)
        assert game.result().why[A] == f"{scores[A]} points, the pot is split"


@clause("001/1.11/split-of-more")
def test_the_last_two_of_three_split_the_pot_after_any_later_hand() -> None:
    game = knock_game(3, ended("knock", A, 0, 30, 101), ended("knock", B, 15, 0, 0))
    assert not game.over
    game.add_result(ended("knock", B, 5, 0, 0))
    assert game.winners == (A, B)


@clause("001/1.11/split-of-two")
@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((60, 70), ()),
        ((95, 101), (A, B)),
        ((91, 101), (A, B)),
        ((90, 101), (A,)),
        ((103, 101), (B, A)),
        ((120, 101), (B,)),
    ],
)
def test_in_a_game_of_two_the_players_split_only_when_one_passes_100(
    scores: tuple[int, int], winners: tuple[int, ...]
) -> None:
    assert knock_game(2, ended(None, None, *scores)).winners == winners


@clause("001/1.11/odd-unit")
def test_the_odd_unit_goes_to_the_lower_score() -> None:
    """With three stakes of 5 the pot is 15, or 16 with a bonus of C's knock; C receives the other bonus."""
    even = knock_game(3, ended("knock", C, 101, 9, 2), stake=5)
    assert even.pot.received == (0, 8, 8 + 1)
    odd = knock_game(3, ended(None, None, 101, 9, 2), stake=5)
    assert odd.pot.received == (0, 7, 8)


@clause("001/1.11/split")
def test_a_club_may_never_split() -> None:
    club = changed_rules("knock", {"survival.split_when": '"never"'})
    assert not knock_game(3, ended(None, None, 60, 70, 101), rules=club).over
    assert knock_game(2, ended(None, None, 95, 101), rules=club).winners == (A,)
