"""Check determinized hands: the view of their seat is unchanged, and the unseen cards are dealt at random."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, permutations
from random import Random

import pytest

from engine.actions import Action, Claim, DrawDiscard, LayDown, LayOff, MoveJoker, TakeBack
from engine.bots import make_bot
from engine.cards import Faces, parse_cards
from engine.errors import EngineError
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.rules import load_rules
from engine.seeds import Stream
from engine.state import Phase
from tests.harness.engine.built_hands import shuffle_hidden_cards, some_hand
from tests.harness.engine.knock_positions import KNOCK, ended
from tests.harness.engine.positions import play, position, snapshot
from tests.oracles.engine.bookkeeping import all_cards, cards_in_play

RULE_SETS = ("oficial", "fournier", "continental-rummy", "zoliky", "knock")
HANDS = 24
"""The number of hands that are played under each rule set, with at most `ACTIONS` actions each."""
ACTIONS = 30
Check = Callable[[Hand, int], None]


def knock_hands() -> Iterator[Hand]:
    """Yield hands of knock games of two to six players; in every second game of three or more a player is out."""
    for number in range(HANDS):
        players = 2 + number % 5
        game = KnockGame(KNOCK, players, f"guess {number}")
        if number % 2 and players > 2:
            points = [0] * players
            points[number % players] = KNOCK.knocking.survival.eliminated_above + 1
            game.add_result(ended("knock", (number + 1) % players, *points))
        yield game.next_hand()


def hands_of(name: str) -> Iterator[Hand]:
    """Return hands of the rule set, as dealt or late ones."""
    if name == "knock":
        return knock_hands()
    rules = load_rules(name)
    return (some_hand(f"guess {name}", number, rules) for number in range(HANDS))


def random_action(rng: Random, hand: Hand) -> Action:
    """Return a random legal action; half of the time one that moves open cards, if there is one."""
    listed = list(islice(hand.legal, 40))
    open_actions = [
        action for action in listed if isinstance(action, Claim | DrawDiscard | LayDown | LayOff | MoveJoker)
    ]
    return rng.choice(open_actions if open_actions and rng.random() < 0.5 else listed)


def at_every_state(name: str, check: Check) -> int:
    """Play hands at random, check every state for every seat, and return the number of checks."""
    rng, checks = Random(f"guess {name}"), 0
    for hand in hands_of(name):
        for _ in range(ACTIONS):
            if hand.over:
                break
            for seat in range(len(hand.view(0).laid)):
                check(hand, seat)
                checks += 1
            hand.apply(random_action(rng, hand))
    return checks


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_determinized_hand_is_sound_and_gives_its_seat_the_same_view(name: str) -> None:
    """Check every state of random play: the view, the cards of the packs, the seat to act, and its actions."""
    phases: Counter[Phase] = Counter()

    def check(hand: Hand, seat: int) -> None:
        view = hand.view(seat)
        guess = Hand.determinize(view, Stream(f"{hand._state.turns} {seat}"))
        assert guess.view(seat) == view
        assert guess.faults() == []
        assert sorted(all_cards(guess)) == cards_in_play(view.rules, len(view.laid), view.number)
        assert hand.phase == Phase.CLAIM or guess.actor == hand.actor
        assert seat != hand.actor or actions_of(guess) == actions_of(hand)
        phases[hand.phase] += 1

    assert at_every_state(name, check) > 1000
    claims = name in ("oficial", "fournier", "continental-rummy")
    assert set(phases) == {Phase.DRAW, Phase.PLAY, *([Phase.CLAIM] if claims else [])}


def actions_of(hand: Hand) -> list[Action]:
    """Return legal actions, except taking back and joker moves: these depend on earlier actions of the turn, which a
    view does not show.
    """
    return list(islice((action for action in hand.legal if not isinstance(action, TakeBack | MoveJoker)), 40))


@pytest.mark.parametrize("name", RULE_SETS)
def test_determinizing_does_not_depend_on_hidden_cards(name: str) -> None:
    """Check that the same stream gives the same hand, card by card, after the unseen cards are shuffled."""
    rng, differ = Random(f"hidden {name}"), 0

    def check(hand: Hand, seat: int) -> None:
        nonlocal differ
        if rng.random() < 0.2:
            copy = hand.clone()
            shuffle_hidden_cards(copy, seat, rng)
            seed = f"{rng.random()}"
            first, second = (Hand.determinize(source.view(seat), Stream(seed)) for source in (hand, copy))
            assert snapshot(first) == snapshot(second)
            differ += snapshot(copy) != snapshot(hand)

    at_every_state(name, check)
    assert differ > 200


def test_a_determinized_hand_can_be_played_to_its_end() -> None:
    """Let greedy bots finish 40 determinized hands: no card is lost, even in reshuffles."""
    shuffled = 0
    for number in range(40):
        hand = some_hand("to the end", number, load_rules("oficial"))
        guess = Hand.determinize(hand.view(hand.actor), Stream(f"{number}"))
        players = len(guess.view(0).laid)
        bots = [make_bot("greedy", "") for _ in range(players)]
        before = guess.view(0).shuffles
        while not guess.over:
            guess.apply(bots[guess.actor].choose(guess.view(guess.actor), guess.legal))
        assert guess.faults() == []
        shuffled += guess.view(0).shuffles > before
    assert shuffled > 5


def test_a_finished_hand_is_not_determinized() -> None:
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c", "Ah"], upcard="7s"), "A take; A down T: 7h 7d 7c / T: 8h 8d 8c")
    play(hand, "A discard 7s")
    with pytest.raises(EngineError, match="the hand is over"):
        Hand.determinize(hand.view(1), Stream("x"))


def test_cards_that_all_players_saw_enter_a_hand_stay_in_it() -> None:
    """B claimed a king: every determinized hand for A gives it to B, and some give B a queen of clubs too."""
    hand = position("TT", ["7h 7d 7c", "2s 3s 4s"], upcard="Kc", stock="5h")
    play(hand, "A stock; B claim")
    guesses = [Hand.determinize(hand.view(0), Stream(f"{number}"))._state.hands[1] for number in range(200)]
    king, queen = parse_cards("Kc Qc")
    assert all(king in cards for cards in guesses)
    assert 0 < sum(queen in cards for cards in guesses) < 50


def few_unseen() -> Hand:
    """Return a hand of two players in which A has seen all cards but five, two of them sevens of hearts."""
    hand = position("TT", ["2s", "3s"], upcard="2c", only=True)
    state = hand._state
    hidden, top = parse_cards("7h 7h 8c Jk 9d"), state.pile[-1]
    rest = Faces(cards_in_play(state.rules, 2, 1))
    for face in (*hidden, top):
        rest.remove(face)
    state.hands = [rest, Faces(hidden[:2])]
    state.stock, state.pile = list(hidden[2:4]), [hidden[4], top]
    assert hand.faults() == []
    return hand


def test_every_deal_of_the_unseen_cards_is_equally_likely() -> None:
    """Check chi-square over the 33 different deals of five unseen cards: two to B, two to the stock, one covered.

    Each deal is expected in proportion to its share of the 120 orders of the cards: 32 degrees of freedom, p = 0.001 at
    62.5.
    """
    hand, trials = few_unseen(), 6000
    weights = Counter(
        (tuple(sorted(order[:2])), order[2:4], order[4]) for order in permutations(parse_cards("7h 7h 8c Jk 9d"))
    )
    found: Counter[tuple[tuple[int, ...], tuple[int, ...], int]] = Counter()
    for number in range(trials):
        state = Hand.determinize(hand.view(0), Stream(f"{number}"))._state
        found[state.hands[1].cards(), tuple(state.stock), state.pile[0]] += 1
    assert set(found) == set(weights)
    assert len(weights) == 33
    expected = {deal: trials * weight / 120 for deal, weight in weights.items()}
    assert sum((found[deal] - mean) ** 2 / mean for deal, mean in expected.items()) < 62.5
