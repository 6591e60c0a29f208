"""Check the bot `search`: legal, repeatable, blind to hidden cards; its memory, opponent model and comparisons."""

from collections import Counter
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from engine.actions import CLAIM, PASS, Action
from engine.bots.greedy import GreedyBot
from engine.bots.planner import PlannerBot
from engine.bots.search import Candidate, DiscardTracker, SearchBot, SearchOpponentModel, cheapest
from engine.cards import Faces, parse_cards
from engine.deal import deal
from engine.games.contract_game import ContractGame
from engine.hand import Hand
from engine.rules import load_rules
from engine.seeds import Stream
from engine.solver import distance
from tests.harness.engine.built_hands import built_hand, shuffle_hidden_cards, some_hand
from tests.harness.engine.knock_positions import NO_MELD, knock_position
from tests.harness.engine.positions import OFICIAL, play, position, snapshot

FEW_DEALS = 3
"""The deals tried for a decision in tests of legality, not of strength."""


def searcher(seed: str, deals: int = FEW_DEALS) -> SearchBot:
    return SearchBot(Stream(seed), deals)


# --- legality --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["oficial", "fournier", "continental-rummy", "zoliky"])
def test_search_plays_any_hand_legally_and_does_not_change_it_by_searching(name: str) -> None:
    """Play 40 actions of hands as dealt and of late ones, with greedy in every second seat."""
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


def test_search_plays_the_knock_game_as_greedy_does() -> None:
    hand, bot, greedy = knock_position([NO_MELD, NO_MELD]), searcher("knock"), GreedyBot()
    while not hand.over and hand._state.turns < 30:
        action = bot.choose(hand.view(hand.actor), hand.legal)
        assert action == greedy.choose(hand.view(hand.actor), hand.legal)
        hand.apply(action)


def actions_of(hand: Hand, seed: str) -> list[Action]:
    """Return the first twelve actions of search bots with the seed in a copy of the hand."""
    hand, actions = hand.clone(), list[Action]()
    bots = [searcher(f"{seed} {seat}") for seat in range(len(hand.view(0).laid))]
    while not hand.over and len(actions) < 12:
        actions.append(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
        hand.apply(actions[-1])
    return actions


def test_the_same_seed_chooses_the_same_actions() -> None:
    """Compare twelve actions; another seed, which tries other deals, gives other actions."""
    hand = ContractGame(OFICIAL, 3, "search again").next_hand()
    assert actions_of(hand, "one") == actions_of(hand, "one")
    assert actions_of(hand, "one") != actions_of(hand, "two")


def test_the_choice_of_search_does_not_depend_on_hidden_cards() -> None:
    """Check that the bot chooses the same action after the cards that its seat has not seen are shuffled."""
    rng, differ = Random("blind"), 0
    for number in range(16):
        hand = built_hand(f"blind {number}", 3)
        copy, seat = hand.clone(), hand.actor
        shuffle_hidden_cards(copy, seat, rng)
        differ += snapshot(copy) != snapshot(hand)
        chosen = [searcher("blind").choose(source.view(seat), source.legal) for source in (hand, copy)]
        assert chosen[0] == chosen[1]
    assert differ == 16


# --- decisions ------------------------------------------------------------------------------------------


def test_search_does_not_claim_when_an_opponent_is_about_to_close() -> None:
    """The queen would bring A nearer to two trios, and planner claims it; but C is down and holds two cards."""
    hands = ["Qh Qc 9h 4d 3s 5s Ac", "Qd 4s 6d 8c Jh Ks Td", "7h 7d 7c 8h 8d 8s 2d"]
    hand = position("TT", hands, upcard="2c", stock="2h 3h Kd 4h 6h 2s")
    play(hand, "A stock; B pass; C pass; A discard 3s; B stock; C pass; A pass; B discard 4s; C stock; A pass; B pass")
    play(hand, "C down T: 7h 7d 7c / T: 8h 8d 8s; C discard Kd; A stock; B pass; C pass; A discard 5s")
    play(hand, "B stock; C pass; A pass; B discard Qd; C stock")
    assert PlannerBot().choose(hand.view(0), hand.legal) == CLAIM
    assert searcher("close", 60).choose(hand.view(0), hand.legal) == PASS


# --- memory ---------------------------------------------------------------------------------------------


def test_search_remembers_every_covered_discard() -> None:
    """Check at each decision of greedy bots, before any reshuffle, that the tracker has the covered discards only."""
    checks = 0
    for number in range(3):
        game = ContractGame(OFICIAL, 4, f"memory {number}")
        while not game.over:
            hand, memories = game.next_hand(), [DiscardTracker() for _ in range(4)]
            bots = [GreedyBot() for _ in range(4)]
            while not hand.over:
                view = hand.view(hand.actor)
                memories[hand.actor].see(view)
                if not view.shuffles:
                    assert Counter(memories[hand.actor].covered()) == Counter(hand._state.pile[:-1])
                    checks += view.pile > 5
                hand.apply(bots[hand.actor].choose(view, hand.legal))
            assert hand.result is not None
            game.add_result(hand.result)
    assert checks > 200


def test_search_remembers_no_card_that_has_left_the_pile() -> None:
    """Check trackers from the middle of hands, with a pile they have not seen, through shuffles into the next hand."""
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


def test_a_remembered_discard_stays_in_the_pile_of_a_determinized_hand() -> None:
    """Both queens of spades are remembered: no deal gives one to B or to the stock."""
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
    """Of a third king of hearts and two queens only one queen can be in the pile: the hand is sound."""
    hand = position("TT", ["Kh Kh 7c", "2s 3s 4s"], upcard="Kc", stock="5h")
    hand._state.pile = [hand._state.stock.pop(), *hand._state.pile]
    guess = Hand.determinize(hand.view(0), Stream("x"), parse_cards("Kh Qs Qs"))
    assert guess.faults() == []
    assert guess.view(0) == hand.view(0)
    assert guess._state.pile[:-1] == list(parse_cards("Qs"))


# --- opponent model -------------------------------------------------------------------------------------


def test_the_opponent_model_deals_sound_hands_that_are_nearer_to_the_contract() -> None:
    """Check every state of a hand of four greedy bots: opponents lack fewer cards than in a random deal."""
    by_model, at_random = 0, 0
    hand, bots = Hand(OFICIAL, deal(OFICIAL, 4, "habits", 7)), [GreedyBot() for _ in range(4)]
    while not hand.over:
        for seat in (0, 2):
            view, seed = hand.view(seat), f"{hand._state.turns} {seat}"
            guess = Hand.determinize(view, Stream(seed), (), SearchOpponentModel(view))
            assert guess.view(seat) == view
            assert guess.faults() == []
            by_model += distance_of_others(guess, seat)
            at_random += distance_of_others(Hand.determinize(view, Stream(seed)), seat)
        hand.apply(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
    assert by_model < 0.95 * at_random


def distance_of_others(hand: Hand, seat: int) -> int:
    """Return how many cards the hands of all other seats lack for the contract, in total."""
    held = [cards for other, cards in enumerate(hand._state.hands) if other != seat]
    return sum(distance(OFICIAL, hand._state.deal.contract, cards) for cards in held)


def test_the_opponent_model_discards_costly_cards_that_do_not_help_and_never_known_ones() -> None:
    """The hand lacks one card for two trios: king and queen are discarded, but not a king that is known to be held."""
    hand = position("TT", ["2c", "3c"], upcard="4s")
    model = SearchOpponentModel(hand.view(0))
    cards = Faces(parse_cards("7h 7d 7c 8h 8d Ks Qd"))
    assert sorted(model.discards(Faces(), cards, 2)) == sorted(parse_cards("Ks Qd"))
    discarded = model.discards(Faces(parse_cards("Ks")), cards, 2)
    assert parse_cards("Ks")[0] not in discarded
    assert parse_cards("Qd")[0] in discarded


# --- comparison -----------------------------------------------------------------------------------------


def candidate_costing(*costs: int) -> Candidate:
    candidate = Candidate(PASS)
    for cost in costs:
        candidate.add(cost)
    return candidate


def test_costs_more_agrees_with_the_t_statistic_of_paired_differences() -> None:
    """Compare 300 random pairs with t by the `statistics` module, at one and two standard errors."""
    rng, agreed = Random("t"), Counter[bool]()
    for _ in range(300):
        costs = [rng.randrange(-50, 100) for _ in range(12)]
        other_costs = [cost - rng.randrange(-40, 60) for cost in costs]
        differences = [first - second for first, second in zip(costs, other_costs, strict=True)]
        t = mean(differences) / (stdev(differences) / sqrt(len(differences)))
        for errors in (10, 20):
            costs_more = candidate_costing(*costs).costs_more(candidate_costing(*other_costs), errors)
            assert costs_more == (t > errors / 10)
            agreed[costs_more] += 1
    assert min(agreed.values()) > 100


def test_the_first_of_the_cheapest_actions_is_taken() -> None:
    costly, first, second = candidate_costing(5, 7), candidate_costing(2, 3), candidate_costing(3, 2)
    assert cheapest([costly, first, second]) is first
    assert not first.costs_more(second, 0)
