"""Events that a bot sees, its answers, and games and duels of bots from Python."""

import random
from collections import Counter
from typing import Any

import pytest

from engine.actions import Action
from engine.errors import IllegalAction
from engine.games.knock_game import Offer as EngineOffer
from engine.play import play_game
from engine.records.record import read
from engine.records.replay import replay
from engine.rules import Rules, all_rules, load_rules
from tests.harness.engine.built_hands import built_hand
from tests.harness.engine.positions import OFICIAL, play, position
from tests.harness.slow import slow
from tourney.bots import Acted, Bot, Bought, Discard, HandBegan, Legal, Offer, Result, Shuffled, View, duel, parse_cards
from tourney.bots import play as play_bots
from tourney.bots.events import Event, TableEvents
from tourney.bots.faults import BotFault
from tourney.bots.seated import PythonSeat

watchers: list["Watcher"] = []


class Watcher(Bot):
    """A random player that follows its own cards, the melds' owners and the top discard by events alone."""

    def start(self, rules: Rules, seat: int, seed: str) -> None:
        """Begin without a card."""
        self.random, self.seat, self.counts = random.Random(seed), seat, Counter[str]()
        self.hand: Counter[int] = Counter()
        self.bought: list[int] = []
        watchers.append(self)

    def see(self, event: Event) -> None:
        """Follow the event."""
        self.counts[type(event).__name__] += 1
        if isinstance(event, HandBegan):
            self.hand = Counter(event.hand)
        elif isinstance(event, Bought):
            self.bought.append(event.seat)
        elif isinstance(event, Acted) and event.seat == self.seat:
            self._follow(event)
        elif isinstance(event, Acted):
            assert event.penalty is None
            assert (event.card is None) == (str(event.action) not in ("take", "claim"))

    def _follow(self, event: Acted) -> None:
        words = str(event.action).split()
        self.hand.update([card for card in (event.card, event.penalty) if card is not None])
        if words[0] in ("discard", "off", "close", "rummy", "color", "continental") and len(words) > 1:
            self.hand.subtract(parse_cards(words[1]))
        elif words[0] == "down":
            self.hand.subtract(card for meld in event.action.melds for card in meld.cards)

    def choose(self, view: View, legal: Legal) -> Action:
        """Check the cards, and return any action that is neither taken back nor moves a joker to the hand."""
        assert +self.hand == Counter(view.hand), (self.hand, view)
        plain = [action for action in legal if str(action).split()[0] not in ("back", "swap", "move")]
        return self.random.choice(plain)

    def answer(self, offer: Offer) -> bool:
        """Buy."""
        return True

    def finish(self, result: Result) -> None:
        """Keep the result."""
        self.result = result


@pytest.mark.parametrize("name", ["oficial", "knock", *slow(sorted(set(all_rules()) - {"oficial", "knock"}))])
def test_a_bot_can_follow_its_own_cards_by_events_alone(name: str) -> None:
    """The view is the second source, in every decision of games with draws, claims and shuffles."""
    rules = load_rules(name)
    watchers.clear()
    game = play_bots([Watcher] * 3, rules, seed="follow")
    for watcher in watchers:
        assert watcher.counts["HandBegan"] == watcher.counts["HandEnded"] == game.hands
        assert (watcher.result.points, watcher.result.places) == (game.points, game.places)
        assert watcher.counts["Acted"] > 20 * game.hands
        assert watcher.counts["Shuffled"] == watchers[0].counts["Shuffled"]
        assert watcher.bought == watchers[0].bought
    assert watchers[0].counts["Shuffled"] > 0
    assert (len(watchers[0].bought) > 0) == (name == "knock")


def test_shuffles_are_seen_when_the_engine_shuffles() -> None:
    """Late hands are built, in which most of the stock lies under the top discard."""
    shuffles = 0
    for number in range(30):
        hand = built_hand(f"shuffles {number}", 3)
        before, watched = hand.view(0).shuffles, list[Any]()
        table = TableEvents(hand.view(0), watched)
        seats = [PythonSeat(Watcher, OFICIAL, seat, f"{number}/{seat}") for seat in range(3)]
        watchers.clear()
        for seat in seats:
            seat.hand_begins(hand.view(seat.seat), table)
        for _ in range(60):
            if not hand.over:
                actor = hand.actor
                action = seats[actor].choose(hand.view(actor), hand.legal)
                hand.apply(action)
                watched.append((actor, action))
        for seat in seats:
            seat._note(())
        seen = [seat._bot.counts["Shuffled"] for seat in seats if seat._bot is not None]
        told = [seat._unseen.count(Shuffled()) for seat in seats if seat._bot is not None]
        done = hand.view(0).shuffles - before
        assert [some + more for some, more in zip(seen, told, strict=True)] == [done] * len(seen)
        shuffles += done
    assert shuffles > 10


class Answering(Bot):
    """A bot that answers what it is made with."""

    def __init__(self, answer: Any) -> None:
        self.given = answer

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the answer, whatever it is."""
        return self.given

    def answer(self, offer: Offer) -> bool:
        """Return the answer, whatever it is."""
        return self.given


class Sly:
    """A class that looks like a discard, and could answer differently each time it is asked."""

    face = 33


RUBBISH = {
    "None": None,
    "text": "discard 7h",
    "number": 3,
    "another class": Sly(),
    "a card beyond all": Discard(10**30),
    "a negative card": Discard(-1),
    "the class itself": Discard,
    "no bool": 1,
}


@pytest.mark.parametrize("name", RUBBISH)
def test_an_answer_that_is_no_action_is_a_fault(name: str) -> None:
    hand = play(position("TT", ["7h 7d 7c Ks", "3d 4d"]), "A stock; B pass")
    seat = PythonSeat(lambda: Answering(RUBBISH[name]), OFICIAL, 0, "x")
    with pytest.raises(BotFault) as caught:
        seat.choose(hand.view(0), hand.legal)
    assert caught.value.kind.name == "unreadable"


@pytest.mark.parametrize("name", RUBBISH)
def test_an_answer_to_an_offer_is_a_bool(name: str) -> None:
    rules = load_rules("knock")
    offer = EngineOffer(rules, 1, 200, 60, (20, 60, 40), (0, 1, 2), 300)
    with pytest.raises(BotFault) as caught:
        PythonSeat(lambda: Answering(RUBBISH[name]), rules, 0, "x").answer(offer)
    assert caught.value.kind.name == "unreadable"


def test_the_record_of_a_game_replays_to_its_points() -> None:
    game = play_bots([Watcher, "greedy", "planner?guarding=off"], seed="record", record=True)
    record = read(game.record)
    assert record.players == ("Watcher", "greedy", "planner?guarding=off")
    assert replay(record).points == game.points
    assert game.players[1] in str(game)


def test_built_in_bots_play_in_python_as_in_the_engine() -> None:
    bots = ("greedy", "random", "greedy")
    played = play_game(OFICIAL, bots, "same")
    game = play_bots(bots, seed="same")
    assert (game.points, game.places) == (played.result.points, played.result.places)
    knock = play_game(load_rules("knock"), bots, "same", stake=100)
    assert play_bots(bots, rules="knock", seed="same").money == knock.result.money


def test_the_same_seed_gives_the_same_game_and_another_seed_another_one() -> None:
    games = [play_bots([Watcher, "greedy"], seed=seed, record=True) for seed in ("1", "1", "2")]
    assert games[0] == games[1] != games[2]


def test_in_python_an_illegal_action_is_raised() -> None:
    with pytest.raises(IllegalAction):
        play_bots([lambda: Answering(Discard(0)), "greedy"])


class Pile(Bot):
    """A bot that draws from the stock, never lays down, and discards its first card."""

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the plainest action."""
        return next(action for action in legal if str(action).split()[0] in ("pass", "stock", "take", "discard"))


def test_a_duel_finds_the_better_bot_and_counts_its_points() -> None:
    """Greedy wins against a bot that never lays down; means and error are recomputed from the games."""
    found = duel("greedy", Pile, blocks=2, seed="duel", keep=True)
    assert found.lead > 20
    assert found.certainty > 0.95
    assert found.lead == pytest.approx(found.second_mean - found.first_mean)
    assert len(found.games) == 4
    points = Counter[str]()
    for game in found.games:
        for name, scored in zip(game.players, game.points, strict=True):
            points[name] += scored
    assert found.first_mean == pytest.approx(points["greedy"] / (2 * 7 * 4))
    assert found.second_mean == pytest.approx(points["Pile"] / (2 * 7 * 4))
    assert "greedy" in str(found)


def test_equal_bots_are_not_told_apart() -> None:
    """Both games of a block are then the same, so that every block is even."""
    found = duel("greedy", "greedy", blocks=2)
    assert (found.lead, found.error, found.certainty) == (0.0, 0.0, 0.5)


def test_a_duel_of_one_block_is_refused() -> None:
    with pytest.raises(ValueError, match="two blocks"):
        duel("greedy", "random", blocks=1)
