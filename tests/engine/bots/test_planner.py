"""Check the bot `planner`: its strength, and the effect of each ability."""

import pytest

from engine.actions import CLAIM, PASS, Action, Discard
from engine.bots import make_bot
from engine.bots.planner import ABILITIES, Ability, PlannerBot
from engine.cards import parse_card
from engine.games.contract_game import ContractGame
from engine.hand import Hand
from engine.play import play_game
from engine.rules import Rules, load_rules
from tests.benchmarks.bots import measure_gain
from tests.harness.engine.positions import OFICIAL, play, position

STAKE = 50
"""The stake of a knock game; other games have none."""


# --- strength -----------------------------------------------------------------------------------------


def test_planner_beats_greedy_at_tables_of_four() -> None:
    """Play 60 games twice, 420 pairs of hands: the gain is above its error, which chance exceeds once in 200 times."""
    gain = measure_gain(OFICIAL, "planner", "greedy", 60, "stronger")
    assert gain.points > gain.error


@pytest.mark.soak
@pytest.mark.parametrize("ability", sorted(ABILITIES))
def test_every_ability_gains_points(ability: Ability) -> None:
    """Play 28,000 pairs of hands against planner without the ability, some five minutes in plain Python."""
    gain = measure_gain(OFICIAL, "planner", f"planner?{ability}=off", 4_000, f"gains {ability}")
    assert gain.points > gain.error


def test_a_bot_gains_nothing_over_itself() -> None:
    """With the same bot in all seats, exchanging seats changes no points: gain and error are 0."""
    gain = measure_gain(OFICIAL, "greedy", "greedy", 2, "even")
    assert (gain.points, gain.error) == (0, 0)


# --- abilities -----------------------------------------------------------------------------------------


def chosen(hand: Hand, *missing: Ability) -> Action:
    """Return the action that planner, without the `missing` abilities, chooses for the seat in turn."""
    return PlannerBot(ABILITIES - set(missing)).choose(hand.view(hand.actor), hand.legal)


def offered(contract: str, cards: str, upcard: str, players: int = 4, rules: Rules = OFICIAL) -> Hand:
    """Return a hand in which B, who holds `cards`, is asked whether to claim the upcard."""
    hands = ["2s 4s 6s", cards, "3h 5h", "3d 5d"][:players]
    return play(position(contract, hands, upcard=upcard, rules=rules), "A stock")


NEARLY_COMPLETE = {
    "TT": "7h 7d 9c 9s 2d 5s Kd",
    "TE": "7h 7d 7c 3c 4c 5c Kd Jd",
    "TEE": "7h 7d 7c 3c 4c 5c Td Jd Qd Ah 9s Ks",
    "EEE": "3c 4c 5c Td Jd Qd 6h 7h 8h Ah 9s Ks Ac",
}


@pytest.mark.parametrize(("contract", "expected"), [("TT", PASS), ("TE", PASS), ("TEE", CLAIM), ("EEE", CLAIM)])
def test_planner_claims_a_card_that_does_not_help_for_long_contracts_only(contract: str, expected: Action) -> None:
    """The five of spades does not bring the hand nearer to its contract; planner without `buying` passes.

    By hand: two more cards must be worth 140. At 15 for each card of the contract, `TEE` (eleven cards) makes them
    worth 165, `TE` (seven) 105.
    """
    hand = offered(contract, NEARLY_COMPLETE[contract], "5s")
    assert chosen(hand) == expected
    assert chosen(hand, "buying") == PASS


@pytest.mark.parametrize(("upcard", "expected"), [("Ks", CLAIM), ("5s", PASS)])
def test_planner_claims_a_card_that_makes_more_cards_help(upcard: str, expected: Action) -> None:
    """For `TTT`, nine cards at 15 each make a claim worth 135 of the 140 required.

    By hand: six nines help, and jokers. With a second king six more kings help, at 3 each; with a lone five no more
    cards do.
    """
    assert chosen(offered("TTT", "7h 7d 7c 8h 8d 8c 9h 9d Kd 2c", upcard)) == expected


@pytest.mark.parametrize(("players", "variant"), [(2, "oficial"), (3, "oficial"), (4, "oficial+claims3")])
def test_planner_claims_no_useless_card_with_few_opponents_or_limited_claims(players: int, variant: str) -> None:
    """The twelve cards of `EEE` are worth 180; with two opponents two thirds, 120, with one a third, 60, of the 140."""
    assert chosen(offered("EEE", NEARLY_COMPLETE["EEE"], "5s", players, load_rules(variant))) == PASS


def test_planner_claims_a_card_that_helps_with_and_without_its_abilities() -> None:
    hand = offered("TT", NEARLY_COMPLETE["TT"], "7s")
    assert chosen(hand, *ABILITIES) == chosen(hand) == CLAIM


def test_planner_keeps_the_cards_that_most_unseen_cards_help() -> None:
    """A needs one card more for a trio and a run. If both runs of three are kept, 3h, 7h, 9s and Ks help, two copies
    each, and six jokers: 14 cards; without the queen of spades only 10. Planner discards the two, which greedy keeps.
    """
    hand = play(position("TE", ["7c 7d 7s 4h 5h 6h Ts Js Qs", "9d"], upcard="2d"), "A take")
    assert chosen(hand) == Discard(parse_card("2d"))
    assert make_bot("greedy", "x").choose(hand.view(0), hand.legal) != Discard(parse_card("2d"))


def test_planner_does_not_discard_a_card_that_the_next_player_could_lay_off() -> None:
    """B is down with kings and nines. Of king and queen A discards the queen; without `guarding` the king."""
    hands = ["7h 7d 8h 8d Ks Qs 4c", "Kh Kd Kc 9h 9d 9c 2s"]
    hand = position("TT", hands, upcard="3c", stock="3d 5c Jh")
    play(hand, "A stock; B pass; A discard 3d; B stock; A pass")
    play(hand, "B down T: Kh Kd Kc / T: 9h 9d 9c; B discard 5c; A stock; B pass")
    assert chosen(hand, "guarding") == Discard(parse_card("Ks"))
    assert chosen(hand) == Discard(parse_card("Qs"))


def test_planner_without_its_abilities_plays_as_greedy_does() -> None:
    """Check that both bots choose the same action in each state of two games."""
    planner, greedy, actions = PlannerBot(frozenset()), make_bot("greedy", "x"), 0
    for number in range(2):
        game = ContractGame(OFICIAL, 4, f"plain {number}")
        while not game.over:
            hand = game.next_hand()
            while not hand.over:
                view = hand.view(hand.actor)
                action = planner.choose(view, hand.legal)
                assert action == greedy.choose(view, hand.legal)
                hand.apply(action)
                actions += 1
            assert hand.result is not None
            game.add_result(hand.result)
    assert actions > 1000


def test_planner_plays_the_knock_game_as_greedy_does() -> None:
    """Check that games of three planners and of three greedy bots from one seed are equal."""
    rules = load_rules("knock")
    games = [play_game(rules, [name] * 3, "knock", ["A", "B", "C"], STAKE) for name in ("greedy", "planner")]
    assert games[0] == games[1]
