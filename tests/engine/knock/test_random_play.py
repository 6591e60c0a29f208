"""Random play of the knock game: everything checked at every state, money after every hand and every answer.

Fails when any kind of action, phase, ending, refusal or reshuffle occurred fewer than 200 times.
"""

from collections import Counter

import pytest

from engine.actions import BUY, DECLINE, Action, Answer, parse_answer
from engine.bots import Bot, make_bot
from engine.errors import NotationError
from engine.games.knock_game import KnockGame
from engine.play import play_game, play_hand
from engine.records.record import read, write
from engine.records.replay import replay
from engine.scoring import HandResult
from tests.harness.engine import random_play_plan as plan
from tests.harness.engine.knock_play import run
from tests.harness.engine.knock_positions import KNOCK, balanced
from tests.harness.engine.occurrences import KNOCK as EVERYTHING
from tests.harness.engine.occurrences import KNOCK_ENDS, MIN_SEEN, missing, positions


def assert_random_play(seed: str, request: pytest.FixtureRequest) -> None:
    """Every state holds, everything in the list happened, and nothing was refused for an unknown reason."""
    harness = run(plan.KNOCK, seed)
    request.node.user_properties.append(("actions", harness.actions))
    seen = harness.seen + harness.refused
    assert missing(seen, EVERYTHING, MIN_SEEN) == {}
    assert missing(seen, KNOCK_ENDS, MIN_SEEN // 4) == {}
    assert missing(seen, positions(KNOCK), MIN_SEEN) == {}
    assert set(harness.refused) - set(EVERYTHING) == set()


def test_random_play_keeps_every_promise(request: pytest.FixtureRequest) -> None:
    assert_random_play("random play", request)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(plan.LONG_FACTOR))
def test_random_play_keeps_every_promise_in_the_long_run(part: int, request: pytest.FixtureRequest) -> None:
    assert_random_play(f"soak {part}", request)


# --- games ----------------------------------------------------------------------------------------------

MIXES = ("random", "greedy", "greedy,random")


STAKE = 50
OWED = {"knock": 10, "rummy": 20, "color": 40, "continental": 0}
"""The debt of each other player to the closer at that stake; a rummy with three jokers or more, 10 for each besides."""


class Ledger:
    """The gains of each seat and the amount of the pot, kept as 001/1.11 says, at a stake of 50."""

    def __init__(self, players: int) -> None:
        self.net = [-STAKE] * players
        self.pot = STAKE * players
        self.buys = [0] * players

    def bonuses(self, result: HandResult, in_play: tuple[int, ...]) -> None:
        """All who were in the hand owe the closer; the first at the closer's left pays the pot instead."""
        if result.closer is None:
            return
        each = OWED[str(result.ending)] + (10 * result.jokers if result.jokers >= 3 else 0)
        seats = [(result.closer + step) % len(self.net) for step in range(1, len(self.net))]
        for place, seat in enumerate(one for one in seats if one in in_play):
            self.net[seat] -= each
            if place == 0:
                self.pot += each
            else:
                self.net[result.closer] += each

    def buy(self, seat: int) -> None:
        """The stake goes into the pot, doubled for every time that the seat has bought."""
        price = STAKE * 2 ** self.buys[seat]
        self.buys[seat] += 1
        self.net[seat] -= price
        self.pot += price

    def award_pot(self, winners: tuple[int, ...]) -> None:
        """The pot is shared evenly, the odd units to the first."""
        for place, seat in enumerate(winners):
            self.net[seat] += self.pot // len(winners) + (self.pot % len(winners) if place == 0 else 0)
        self.pot = 0 if winners else self.pot

    def agrees(self, game: KnockGame) -> bool:
        """Compare the money with the game's; the pot goes to its winners first, if there are any."""
        self.award_pot(game.winners)
        return (tuple(self.net), self.pot) == (game.pot.net, game.pot.amount) and balanced(game)


def play_out(game: KnockGame, bots: str) -> Counter[str]:
    """Plays the game with these bots; after every hand and every answer the money is that of the ledger."""
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
        assert {seat for seat, _act in actions} <= set(in_play)
        while game.offer is not None:
            seen[answer(game, seated[game.offer.seat], ledger)] += 1
    return seen


def answer(game: KnockGame, bot: Bot, ledger: Ledger) -> str:
    """The bot answers the offer: it may bring its score down to the second lowest."""
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
    """Plays so many games of every mix and size; counts what happened."""
    seen: Counter[str] = Counter()
    for count in range(number):
        game = KnockGame(KNOCK, 2 + count % 5, f"{seed}/{count}", STAKE)
        seen += play_out(game, MIXES[count % 3])
        result = game.result()
        assert game.pot.amount == 0
        assert sum(result.money) == 0
        assert sorted(place == 1 for place in result.places).count(True) == len(game.winners) in (1, 2, 3)
        seen["split"] += len(game.winners) > 1
        seen["all out"] += not game.active
        seen["hands"] += len(result.hands)
    return seen


def test_money_adds_up_after_every_hand_and_every_answer() -> None:
    seen = games(60, "money")
    assert min(seen["buy"], seen["decline"], seen["split"]) >= 5
    assert seen["hands"] >= 250


@pytest.mark.soak
def test_money_is_whole_through_two_thousand_games() -> None:
    seen = games(2_000, "long money")
    assert min(seen["buy"], seen["decline"], seen["split"], seen["all out"]) >= 20


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", MIXES)
def test_a_game_of_bots_replays_from_its_record(players: int, bots: str) -> None:
    """The record's text read back gives the same points, places and money, and the same seed the same game."""
    names = (bots.split(",") * 6)[:players]
    played = play_game(KNOCK, names, f"replay {players}", stake=50)
    assert read(write(played.record)) == played.record
    assert replay(played.record) == played.result
    assert play_game(KNOCK, names, f"replay {players}", stake=50) == played


def test_greedy_is_better_than_random() -> None:
    """Of sixty games with two seats each, greedy has the pot alone in nearly all."""
    won = Counter()
    for number in range(60):
        names = ("greedy", "random", "greedy", "random")
        result = play_game(KNOCK, names, f"better {number}", stake=50).result
        won.update({names[seat] for seat in range(4) if result.places[seat] == 1})
    assert won["greedy"] >= 55


def test_greedy_buys_while_the_price_is_an_even_share_of_the_pot() -> None:
    """Four play: at 50 of 200 it buys; at 100 of 250 it does not."""
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
def test_answers_survive_their_text(answer: Answer) -> None:
    assert parse_answer(str(answer)) == answer


@pytest.mark.parametrize("text", ["", "buys", "buy 7h", "knock"])
def test_what_is_no_answer(text: str) -> None:
    with pytest.raises(NotationError, match="is not an answer to an offer"):
        parse_answer(text)
