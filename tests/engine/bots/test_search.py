"""The bot `search`: legal, repeatable, blind to hidden cards; its memory, its opponent model and its comparisons."""

from collections import Counter
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from engine.actions import CLAIM, PASS, Action
from engine.bots.greedy import GreedyBot
from engine.bots.opponent_model import DiscardTracker, DrawAndDiscardModel
from engine.bots.planner import PlannerBot
from engine.bots.search import Candidate, SearchBot, cheapest
from engine.cards import Faces, parse_cards
from engine.deal import deal
from engine.games.contract_game import Game
from engine.hand import Hand
from engine.rules import load_rules
from engine.seeds import Stream
from engine.solver import distance
from tests.harness.engine.built_hands import built_hand, shuffle_hidden_cards, some_hand
from tests.harness.engine.knock_positions import NO_MELD, knock_position
from tests.harness.engine.positions import OFICIAL, play, position, snapshot

FEW = 3
"""The deals tried for a decision where legality, not strength, is tested."""


def searcher(seed: str, deals: int = FEW) -> SearchBot:
    return SearchBot(Stream(seed), deals)


# --- what it does ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["oficial", "fournier", "continental-rummy", "zoliky"])
def test_it_plays_any_hand_legally_and_changes_nothing_by_searching(name: str) -> None:
    """Start from hands as dealt and well under way, beside greedy, for forty actions of each."""
    for number in range(4):
        hand, actions = some_hand(f"search {name}", number, load_rules(name)), 0
        seats = len(hand.view(0).laid)
        bots = [searcher(f"{seat}") if seat % 2 else GreedyBot() for seat in range(seats)]
        while not hand.over and actions < 40:
            before, actions = snapshot(hand), actions + 1
            action = bots[hand.actor].choose(hand.view(hand.actor), hand.legal)
            assert snapshot(hand) == before
            assert hand.is_legal(action), f"{action}: {hand.why_not(action)}"
            hand.apply(action)
        assert hand.faults() == []


def test_in_the_knock_game_it_plays_as_greedy_does() -> None:
    hand, bot, greedy = knock_position([NO_MELD, NO_MELD]), searcher("knock"), GreedyBot()
    while not hand.over and hand._state.turns < 30:
        action = bot.choose(hand.view(hand.actor), hand.legal)
        assert action == greedy.choose(hand.view(hand.actor), hand.legal)
        hand.apply(action)


def actions_of(hand: Hand, seed: str) -> list[Action]:
    """Return the first actions of bots with that seed in a copy of the hand."""
    hand, actions = hand.clone(), list[Action]()
    bots = [searcher(f"{seed} {seat}") for seat in range(len(hand.view(0).laid))]
    while not hand.over and len(actions) < 12:
        actions.append(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
        hand.apply(actions[-1])
    return actions


def test_the_same_seed_chooses_the_same() -> None:
    """Compare action by action; another seed, which tries other deals, gives other actions."""
    hand = Game(OFICIAL, 3, "search again").next_hand()
    assert actions_of(hand, "one") == actions_of(hand, "one")
    assert actions_of(hand, "one") != actions_of(hand, "two")


def test_its_choice_does_not_depend_on_what_it_has_not_seen() -> None:
    """Check that the bot chooses the same action when all cards that the seat has not seen are exchanged."""
    rng, differ = Random("blind"), 0
    for number in range(16):
        hand = built_hand(f"blind {number}", 3)
        other, seat = hand.clone(), hand.actor
        shuffle_hidden_cards(other, seat, rng)
        differ += snapshot(other) != snapshot(hand)
        chosen = [searcher("blind").choose(each.view(seat), each.legal) for each in (hand, other)]
        assert chosen[0] == chosen[1]
    assert differ == 16


# --- what it understands --------------------------------------------------------------------------------


def test_it_does_not_take_two_more_cards_when_another_is_about_to_close() -> None:
    """The queen would bring A nearer to two trios, and planner claims it; but C is down and has two cards to play."""
    hands = ["Qh Qc 9h 4d 3s 5s Ac", "Qd 4s 6d 8c Jh Ks Td", "7h 7d 7c 8h 8d 8s 2d"]
    hand = position("TT", hands, upcard="2c", stock="2h 3h Kd 4h 6h 2s")
    play(hand, "A stock; B pass; C pass; A discard 3s; B stock; C pass; A pass; B discard 4s; C stock; A pass; B pass")
    play(hand, "C down T: 7h 7d 7c / T: 8h 8d 8s; C discard Kd; A stock; B pass; C pass; A discard 5s")
    play(hand, "B stock; C pass; A pass; B discard Qd; C stock")
    assert PlannerBot().choose(hand.view(0), hand.legal) == CLAIM
    assert searcher("close", 60).choose(hand.view(0), hand.legal) == PASS


# --- what it remembers ----------------------------------------------------------------------------------


def test_it_remembers_the_discards_that_still_lie_there() -> None:
    """In games of greedy bots every covered discard is remembered at every decision, and nothing else is."""
    looks = 0
    for number in range(3):
        game = Game(OFICIAL, 4, f"memory {number}")
        while not game.over:
            hand, memories = game.next_hand(), [DiscardTracker() for _ in range(4)]
            bots = [GreedyBot() for _ in range(4)]
            while not hand.over:
                view = hand.view(hand.actor)
                memories[hand.actor].see(view)
                if not view.shuffles:
                    assert Counter(memories[hand.actor].covered()) == Counter(hand._state.pile[:-1])
                    looks += view.pile > 5
                hand.apply(bots[hand.actor].choose(view, hand.legal))
            assert hand.result is not None
            game.add_result(hand.result)
    assert looks > 200


def test_it_never_remembers_what_has_left_the_pile() -> None:
    """Start in the middle of hands, their pile unseen, and go through shuffles and into the next hand."""
    shuffled, memories = 0, [DiscardTracker() for _ in range(4)]
    for number in range(30):
        hand, bots = built_hand(f"forget {number}", 4), [GreedyBot() for _ in range(4)]
        before = hand.view(0).shuffles
        while not hand.over:
            view = hand.view(hand.actor)
            memories[hand.actor].see(view)
            assert Counter(memories[hand.actor].covered()) <= Counter(hand._state.pile[:-1])
            hand.apply(bots[hand.actor].choose(view, hand.legal))
        shuffled += hand.view(0).shuffles > before
    assert shuffled > 5


def test_a_remembered_discard_is_dealt_to_nobody() -> None:
    """Both queens of spades are remembered in the pile: no deal gives one to B or to the stock."""
    hand = position("TT", ["7h 7d 7c", "2s 3s 4s"], upcard="Kc", stock="5h")
    queens = parse_cards("Qs Qs")
    hand._state.stock = [face for face in hand._state.stock if face != queens[0]]
    hand._state.pile = [*queens, *hand._state.pile]
    assert hand.faults() == []
    for number in range(50):
        guess = Hand.determinize(hand.view(0), Stream(f"{number}"), queens)
        assert guess._state.pile[:-1] == list(queens)
        assert guess.faults() == []
        assert guess.view(0) == hand.view(0)


def test_remembered_cards_that_cannot_be_in_the_pile_are_ignored() -> None:
    """A third king, and more cards than the pile has: the hand is sound without them."""
    hand = position("TT", ["Kh Kh 7c", "2s 3s 4s"], upcard="Kc", stock="5h")
    hand._state.pile = [hand._state.stock.pop(), *hand._state.pile]
    guess = Hand.determinize(hand.view(0), Stream("x"), parse_cards("Kh Qs Qs"))
    assert guess.faults() == []
    assert guess.view(0) == hand.view(0)
    assert guess._state.pile[:-1] == list(parse_cards("Qs"))


# --- how it thinks others play --------------------------------------------------------------------------


def test_hands_dealt_by_the_opponent_model_look_like_the_hand_and_lose_no_card() -> None:
    """At every state of greedy play by four, the others are nearer to the contract than in a random deal."""
    short, plain = 0, 0
    hand, bots = Hand(OFICIAL, deal(OFICIAL, 4, "habits", 7)), [GreedyBot() for _ in range(4)]
    while not hand.over:
        for seat in (0, 2):
            view, seed = hand.view(seat), f"{hand._state.turns} {seat}"
            guess = Hand.determinize(view, Stream(seed), (), DrawAndDiscardModel(view))
            assert guess.view(seat) == view
            assert guess.faults() == []
            short += distance_of_others(guess, seat)
            plain += distance_of_others(Hand.determinize(view, Stream(seed)), seat)
        hand.apply(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
    assert short < 0.95 * plain


def distance_of_others(hand: Hand, seat: int) -> int:
    """Return how many cards the other players together are short of the contract."""
    held = [cards for other, cards in enumerate(hand._state.hands) if other != seat]
    return sum(distance(OFICIAL, hand._state.deal.contract, cards) for cards in held)


def test_the_opponent_model_discards_costly_cards_that_do_not_help_and_never_known_ones() -> None:
    """One card short of two trios, a king and a queen go, unless everybody saw the king enter the hand."""
    hand = position("TT", ["2c", "3c"], upcard="4s")
    habits = DrawAndDiscardModel(hand.view(0))
    cards = Faces(parse_cards("7h 7d 7c 8h 8d Ks Qd"))
    assert sorted(habits.discards(Faces(), cards, 2)) == sorted(parse_cards("Ks Qd"))
    thrown = habits.discards(Faces(parse_cards("Ks")), cards, 2)
    assert parse_cards("Ks")[0] not in thrown
    assert parse_cards("Qd")[0] in thrown


# --- how it compares ------------------------------------------------------------------------------------


def tried(*costs: int) -> Candidate:
    trial = Candidate(PASS)
    for cost in costs:
        trial.add(cost)
    return trial


def test_an_action_costs_more_by_the_t_of_paired_differences() -> None:
    """Compare with the statistics of the standard library, over 300 pairs of rows, at one and two standard errors."""
    rng, agreed = Random("t"), Counter[bool]()
    for _ in range(300):
        one = [rng.randrange(-50, 100) for _ in range(12)]
        two = [cost - rng.randrange(-40, 60) for cost in one]
        differences = [first - second for first, second in zip(one, two, strict=True)]
        t = mean(differences) / (stdev(differences) / sqrt(len(differences)))
        for errors in (10, 20):
            costs_more = tried(*one).costs_more(tried(*two), errors)
            assert costs_more == (t > errors / 10)
            agreed[costs_more] += 1
    assert min(agreed.values()) > 100


def test_of_actions_that_cost_the_same_the_first_is_taken() -> None:
    one, two, three = tried(5, 7), tried(2, 3), tried(3, 2)
    assert cheapest([one, two, three]) is two
    assert not two.costs_more(three, 0)
