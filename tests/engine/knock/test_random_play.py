"""Check every state of random play of the knock game, and the money after every hand and every answer.

The tests fail if a kind of action, phase, refusal or reshuffle occurs fewer than 200 times, or an ending fewer than 50.
"""

from collections import Counter

import pytest

from engine.actions import BUY, DECLINE, Action, Answer, parse_answer
from engine.bots import Bot, make_bot
from engine.errors import NotationError
from engine.games.knock_game import KnockGame
from engine.play import play_hand
from engine.scoring import HandResult
from tests.harness.engine import random_play_plan as plan
from tests.harness.engine.knock_play import run
from tests.harness.engine.knock_positions import KNOCK, balanced
from tests.harness.engine.occurrences import KNOCK as EVERYTHING
from tests.harness.engine.occurrences import KNOCK_ENDS, MIN_SEEN, missing, positions
from tests.harness.slow import slow


def assert_random_play(seed: str, request: pytest.FixtureRequest, part: int = 1) -> None:
    """Check random play of `seed`: every event of the list happens often, and every refusal is in the list."""
    harness = run(plan.KNOCK // part, seed)
    request.node.user_properties.append(("actions", harness.actions))
    seen, least = harness.seen + harness.refused, MIN_SEEN // part
    assert missing(seen, EVERYTHING, least) == {}
    assert missing(seen, KNOCK_ENDS, least // 4) == {}
    assert missing(seen, positions(KNOCK), least) == {}
    assert set(harness.refused) - set(EVERYTHING) == set()


@pytest.mark.parametrize("part", [plan.SHORT_PART, *slow([1])])
def test_random_play_of_knock_holds_in_every_state(part: int, request: pytest.FixtureRequest) -> None:
    assert_random_play("random play", request, part)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(plan.LONG_FACTOR))
def test_random_play_of_knock_holds_in_the_long_run(part: int, request: pytest.FixtureRequest) -> None:
    assert_random_play(f"soak {part}", request)


# --- games ----------------------------------------------------------------------------------------------

MIXES = ("random", "greedy", "greedy,random")


STAKE = 50
OWED = {"knock": 10, "rummy": 20, "color": 40, "continental": 0}
"""The debt of each player to the closer at this stake; for a rummy with 3 jokers or more, 10 more for each."""


class Ledger:
    """The net gain of each seat and the amount of the pot by 001/1.11, at a stake of 50."""

    def __init__(self, players: int) -> None:
        self.net = [-STAKE] * players
        self.pot = STAKE * players
        self.buys = [0] * players

    def bonuses(self, result: HandResult, in_play: tuple[int, ...]) -> None:
        """Book the bonuses: each other player of the hand pays the closer, the first at the closer's left the pot."""
        if result.closer is None:
            return
        each = OWED[str(result.ending)] + (10 * result.jokers if result.jokers >= 3 else 0)
        seats = [(result.closer + step) % len(self.net) for step in range(1, len(self.net))]
        for place, seat in enumerate(payer for payer in seats if payer in in_play):
            self.net[seat] -= each
            if place == 0:
                self.pot += each
            else:
                self.net[result.closer] += each

    def buy(self, seat: int) -> None:
        """Book a buy: the seat pays the stake into the pot, doubled for each earlier buy."""
        price = STAKE * 2 ** self.buys[seat]
        self.buys[seat] += 1
        self.net[seat] -= price
        self.pot += price

    def award_pot(self, winners: tuple[int, ...]) -> None:
        """Share the pot evenly; the first winner gets the units that do not divide."""
        for place, seat in enumerate(winners):
            self.net[seat] += self.pot // len(winners) + (self.pot % len(winners) if place == 0 else 0)
        self.pot = 0 if winners else self.pot

    def agrees(self, game: KnockGame) -> bool:
        """Award the pot if the game has winners; return whether money and pot are those of the game."""
        self.award_pot(game.winners)
        return (tuple(self.net), self.pot) == (game.pot.net, game.pot.amount) and balanced(game)


def play_out(game: KnockGame, bots: str) -> Counter[str]:
    """Play the game with these bots, check the money after every hand and answer, and return the counted answers."""
    names = bots.split(",")
    seated = [make_bot(names[seat % len(names)], f"{game.seed}/{seat}") for seat in range(game.players)]
    seen: Counter[str] = Counter()
    ledger = Ledger(game.players)
    while not game.over:
        actions: list[tuple[int, Action | Answer]] = []
        in_play = game.active
        result = play_hand(game.next_hand(), seated, actions)
        game.add_result(result)
        ledger.bonuses(result, in_play)
        assert ledger.agrees(game)
        assert {seat for seat, _action in actions} <= set(in_play)
        while game.offer is not None:
            seen[answer(game, seated[game.offer.seat], ledger)] += 1
    return seen


def answer(game: KnockGame, bot: Bot, ledger: Ledger) -> str:
    """Let the bot answer the offer to come down to the second lowest score; return the answer as text."""
    offer = game.offer
    assert offer is not None
    assert 80 < offer.scores[offer.seat] <= 100
    assert offer.to == sorted(offer.scores[seat] for seat in offer.active)[1]
    reply = bot.answer(offer)
    game.answer(reply)
    if reply == BUY:
        ledger.buy(offer.seat)
        assert game.totals[offer.seat] == offer.to
    assert ledger.agrees(game)
    return str(reply)


def games(number: int, seed: str) -> Counter[str]:
    """Play `number` games of all mixes and sizes, check their results, and return the counted events."""
    seen: Counter[str] = Counter()
    for game_number in range(number):
        game = KnockGame(KNOCK, 2 + game_number % 5, f"{seed}/{game_number}", STAKE)
        seen += play_out(game, MIXES[game_number % 3])
        result = game.result()
        assert game.pot.amount == 0
        assert sum(result.money) == 0
        assert sorted(place == 1 for place in result.places).count(True) == len(game.winners) in (1, 2, 3)
        seen["split"] += len(game.winners) > 1
        seen["all out"] += not game.active
        seen["hands"] += len(result.hands)
    return seen


@pytest.mark.parametrize(("number", "least"), [(20, 1), *slow([(60, 5)])])
def test_money_adds_up_after_every_hand_and_every_answer(number: int, least: int) -> None:
    seen = games(number, "money")
    assert min(seen["buy"], seen["decline"], seen["split"]) >= least
    assert seen["hands"] >= 4 * number


@pytest.mark.soak
def test_money_adds_up_in_two_thousand_games() -> None:
    seen = games(2_000, "long money")
    assert min(seen["buy"], seen["decline"], seen["split"], seen["all out"]) >= 20


def test_greedy_buys_while_the_price_is_an_even_share_of_the_pot() -> None:
    """With four players greedy buys for 50 with 200 in the pot, but not for 100 with 250."""
    bot = make_bot("greedy", "1")
    game = KnockGame(KNOCK, 4, "1", 50)
    game.add_result(HandResult("", (10, 20, 30, 90), None))
    assert game.offer is not None
    assert bot.answer(game.offer) == BUY
    game.answer(BUY)
    game.add_result(HandResult("", (0, 0, 0, 70), None))
    assert game.offer is not None
    assert (game.offer.price, game.offer.pot) == (100, 250)
    assert bot.answer(game.offer) == DECLINE


@pytest.mark.parametrize("answer", [BUY, DECLINE])
def test_an_answer_read_from_its_text_is_equal(answer: Answer) -> None:
    assert parse_answer(str(answer)) == answer


@pytest.mark.parametrize("text", ["", "buys", "buy 7h", "knock"])
def test_a_text_that_is_not_an_answer_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not an answer to an offer"):
        parse_answer(text)
