"""Values given to a bot have no road back to the hand: by references, attributes, pickles and copies."""

import copy
import pickle
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine.actions import Action
from engine.bots import make_bot
from engine.cards import JOKER, Faces
from engine.deal import Deal
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.hand import Legal as EngineLegal
from engine.play import play_hand
from engine.rules import Rules, load_rules
from engine.state import State
from engine.view import View as EngineView
from tests.harness.bots.snooping import frames, reachable, spoil
from tests.harness.engine.built_hands import built_hand
from tests.harness.engine.positions import OFICIAL, play, position
from tourney.bots import Bot, HandBegan, LayDown, Legal, View, parse_action
from tourney.bots.events import Event, TableEvents
from tourney.bots.seated import PythonSeat

INSIDE = (State, Hand, EngineLegal, EngineView, Deal, Faces)
"""The types that hold or lead to hidden cards."""


class Collector(Bot):
    """A bot that keeps whatever it is given, and plays at random."""

    given: list[Any]

    def start(self, rules: Rules, seat: int, seed: str) -> None:
        """Keep the rules."""
        self.random, self.given = random.Random(seed), [rules]
        kept.append(self)

    def see(self, event: Event) -> None:
        """Keep the event."""
        self.given.append(event)

    def choose(self, view: View, legal: Legal) -> Action:
        """Keep view and actions, and the iterator over these, half used."""
        iterator = iter(legal)
        next(iterator)
        self.given += [view, legal, iterator]
        return self.random.choice(legal)


kept: list[Collector] = []


def collect(rules: Rules) -> Iterator[tuple[Hand, PythonSeat, Any]]:
    """Play hands of collecting bots; yield after some actions the hand, a seat, and what its bot has been given."""
    hand = (
        KnockGame(rules, 3, "x", 50).next_hand() if rules.kind == "knock" else ContractGame(rules, 3, "x").next_hand()
    )
    kept.clear()
    seats, actions = [PythonSeat(Collector, rules, seat, f"{seat}") for seat in range(3)], list[Any]()
    table = TableEvents(hand.view(0), actions)
    for seat in seats:
        seat.hand_begins(hand.view(seat.seat), table)
    for number in range(40):
        actor = hand.actor
        action = seats[actor].choose(hand.view(actor), hand.legal)
        hand.apply(action)
        actions.append((actor, action))
        if number in (5, 20, 39):
            yield hand, seats[actor], next(bot for bot in kept if bot.given[1].hand == first_cards(bot))


def first_cards(bot: Collector) -> tuple[int, ...]:
    """Return the cards that the bot was dealt."""
    began = bot.given[1]
    assert isinstance(began, HandBegan)
    return began.hand


@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_nothing_given_leads_to_the_hand_or_to_cards_of_others(name: str) -> None:
    for hand, _seat, bot in collect(load_rules(name)):
        hidden = {id(hand), id(hand.legal), id(hand._state), id(hand._state.hands), id(hand._state.stock)}
        for found in reachable(bot.given):
            assert not isinstance(found, INSIDE), type(found)
            assert id(found) not in hidden
        assert not [frame for frame in frames(bot.given) if not frame.f_code.co_filename.endswith("values.py")]


@pytest.mark.parametrize("name", ["oficial", "knock"])
@pytest.mark.parametrize("method", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_views_and_legal_actions_can_be_copied_and_judge_as_before(name: str, method: Any) -> None:
    for _hand, _seat, bot in collect(load_rules(name)):
        for given in bot.given:
            if isinstance(given, View):
                assert method(given) == given
            if isinstance(given, Legal):
                copied = method(given)
                assert list(copied) == list(given)
                assert all(action in copied for action in islice(given, 10))


def test_nothing_given_holds_a_card_that_the_seat_has_not_seen() -> None:
    """All hidden cards are made jokers, of which the seat sees none: no card of what it is given is one."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs 2d 3d", "4s 4h"], upcard="9c", stock="5s")
    state = hand._state
    state.hands[1], state.stock[:] = Faces([JOKER] * 2), [JOKER] * (len(state.stock) - 1) + state.stock[-1:]
    kept.clear()
    seat = PythonSeat(Collector, OFICIAL, 0, "x")
    seat.hand_begins(hand.view(0), TableEvents(hand.view(0), []))
    play(hand, "A stock; B pass")
    seat.choose(hand.view(0), hand.legal)
    view, legal = (next(value for value in kept[0].given if isinstance(value, cls)) for cls in (View, Legal))
    for cards in (view.hand, *view.known, *[meld.cards for meld in view.melds], legal._position.hand):
        assert JOKER not in cards
    assert "Jk" not in " ".join(map(str, legal))
    assert JOKER not in (view.top, legal._position.top, legal._position.taken)


class Spoiler(Bot):
    """A greedy player that, before it answers, changes all that it was given, if it is to."""

    spoils = False

    def start(self, rules: Rules, seat: int, seed: str) -> None:
        """Keep the rules, to spoil them."""
        self.rules, self.random = rules, random.Random(seed)

    def see(self, event: Event) -> None:
        """Spoil the event."""
        if self.spoils:
            spoil(event)

    def choose(self, view: View, legal: Legal) -> Action:
        """Return an action by its number, and spoil everything."""
        action = parse_action(str(self.random.choice(legal)))
        if self.spoils:
            assert spoil((view, legal, self.rules)) > 20
        return action


class Honest(Spoiler):
    """A spoiler that changes nothing."""


class Vandal(Spoiler):
    """A spoiler that changes everything."""

    spoils = True


@pytest.mark.parametrize("name", ["oficial", "oficial+close5", "knock"])
def test_a_bot_that_changes_all_that_it_gets_changes_nothing(name: str) -> None:
    rules, results = load_rules(name), []
    for kind in (Honest, Vandal, Honest):
        game = KnockGame(rules, 3, "spoiled", 50) if rules.kind == "knock" else ContractGame(rules, 3, "spoiled")
        hand, actions = game.next_hand(), list[Any]()
        bots = [PythonSeat(kind, rules, 0, "a"), make_bot("greedy", "b"), PythonSeat(Honest, rules, 2, "c")]
        table = TableEvents(hand.view(0), actions)
        for seat in (0, 2):
            bots[seat].hand_begins(hand.view(seat), table)
        results.append((play_hand(hand, bots, actions), list(map(str, actions)), hand.faults()))
    assert results[0] == results[1] == results[2]


def test_legal_lists_what_the_engine_lists_and_judges_longer_lay_downs() -> None:
    """A longer lay-down is never listed; it is legal where its cards are held (003/1.8)."""
    hand = play(position("TT", ["7h 7d 7c 7s 8h 8d 8c Ks Qs", "3d 4d 5d"]), "A stock; B pass")
    kept.clear()
    seat = PythonSeat(Collector, OFICIAL, 0, "x")
    seat.choose(hand.view(0), hand.legal)
    legal = next(value for value in kept[-1].given if isinstance(value, Legal))
    assert [str(action) for action in legal] == [str(action) for action in hand.legal]
    longer = parse_action("down T: 7h 7d 7c 7s / T: 8h 8d 8c")
    assert isinstance(longer, LayDown)
    assert longer not in list(legal)
    assert longer in legal
    assert legal.why_not(longer) is None
    refusal = legal.why_not(parse_action("discard 2c"))
    assert refusal is not None
    assert refusal.endswith("[003/1.5]")
    assert "discard 2c" not in legal
    assert len(legal) == len(list(hand.legal))


def test_lay_downs_are_listed_up_to_a_limit() -> None:
    """Hands with many jokers have very many lay-downs, of which a list has a hundred."""
    hands = (built_hand(f"many {number}", 3) for number in range(400))
    most = 0
    for hand in hands:
        hand.apply(next(iter(hand.legal)))
        while not hand.over and hand.phase == 1:
            hand.apply(parse_action("pass"))
        every = sum(isinstance(action, LayDown) for action in islice(hand.legal, 300))
        if every > 100:
            seat = PythonSeat(Collector, OFICIAL, hand.actor, "x")
            kept.clear()
            seat.choose(hand.view(hand.actor), hand.legal)
            legal = next(value for value in kept[-1].given if isinstance(value, Legal))
            most = sum(isinstance(action, LayDown) for action in legal)
            break
    assert most == 100
