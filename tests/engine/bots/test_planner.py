"""The bot `planner`: legal under every rule set, repeatable, and the effect of each of its abilities."""

from collections.abc import Iterator

import pytest

from engine.actions import CLAIM, PASS, Action, Discard
from engine.bots import make_bot
from engine.bots.planner import ABILITIES, Ability, PlannerBot
from engine.cards import parse_card
from engine.games.contract_game import Game
from engine.hand import Hand
from engine.play import play_game
from engine.records.record import read, write
from engine.records.replay import replay
from engine.rules import Rules, all_rules, load_rules, variants_of
from tests.benchmarks.ablations import builtin, measure_gain, without
from tests.harness.engine.positions import OFICIAL, play, position

STAKE = 50
"""The stake of a knock game; there is no other."""


def tables() -> Iterator[tuple[str, int]]:
    """Yield each rule set with the fewest and the most players, each of its variants with the most."""
    for name in all_rules():
        players = load_rules(name).players
        yield from ((name, number) for number in (players.least, players.most))
        for variant in variants_of(name):
            yield f"{name}+{variant}", load_rules(f"{name}+{variant}").players.most


def stake(rules: Rules) -> int:
    return STAKE if rules.kind == "knock" else 0


@pytest.mark.parametrize(("name", "players"), list(tables()))
def test_a_game_among_greedy_bots_is_played_to_its_end_and_replays(name: str, players: int) -> None:
    """Check that every action is legal, that the text replays to the same outcome, and that a second game is the
    same.
    """
    rules = load_rules(name)
    bots = [("planner", "planner", "greedy")[seat % 3] for seat in range(players)]
    played = play_game(rules, bots, f"planners of {players}", stake=stake(rules))
    assert replay(read(write(played.record))) == played.result
    assert play_game(rules, bots, f"planners of {players}", stake=stake(rules)) == played


# --- how strong it is -----------------------------------------------------------------------------------


def test_it_beats_greedy_at_tables_of_four() -> None:
    """Play 420 pairs of hands: planner wins by more than chance would allow once in two hundred times."""
    found = measure_gain(OFICIAL, builtin("planner"), builtin("greedy"), 420, "stronger")
    assert found.points > found.error


@pytest.mark.soak
@pytest.mark.parametrize("ability", sorted(ABILITIES))
def test_every_ability_gains_points(ability: Ability) -> None:
    """Play 28,000 pairs of hands against planner without it; some five minutes each in plain Python."""
    found = measure_gain(OFICIAL, builtin("planner"), without(ability), 28_000, f"gains {ability}")
    assert found.points > found.error


def test_a_bot_gains_nothing_on_itself() -> None:
    """Check that with the same bot in all seats, exchanging the seats changes no points, so that every block is
    even.
    """
    found = measure_gain(OFICIAL, builtin("greedy"), builtin("greedy"), 14, "even")
    assert (found.points, found.error) == (0, 0)


# --- what its abilities do ------------------------------------------------------------------------------


def chosen(hand: Hand, *missing: Ability) -> Action:
    """Return the action that planner chooses for the seat in turn, without the abilities named."""
    return PlannerBot(ABILITIES - set(missing)).choose(hand.view(hand.actor), hand.legal)


def offered(contract: str, cards: str, upcard: str, players: int = 4, rules: Rules = OFICIAL) -> Hand:
    """Return a hand in which B, who holds these cards, is asked whether to claim A's discard."""
    hands = ["2s 4s 6s", cards, "3h 5h", "3d 5d"][:players]
    return play(position(contract, hands, upcard=upcard, rules=rules), "A stock")


SHORT = {
    "TT": "7h 7d 9c 9s 2d 5s Kd",
    "TE": "7h 7d 7c 3c 4c 5c Kd Jd",
    "TEE": "7h 7d 7c 3c 4c 5c Td Jd Qd Ah 9s Ks",
    "EEE": "3c 4c 5c Td Jd Qd 6h 7h 8h Ah 9s Ks Ac",
}


@pytest.mark.parametrize(("contract", "wanted"), [("TT", PASS), ("TE", PASS), ("TEE", CLAIM), ("EEE", CLAIM)])
def test_it_buys_cards_that_do_not_help_for_long_contracts_only(contract: str, wanted: Action) -> None:
    """A lone five of spades makes nothing shorter; greedy, and planner without this ability, leave it.

    By hand, of the 140 that two cards more must be worth: for `TEE` eleven cards asked for, 15 each, are 165; for
    `TE` seven are 105.
    """
    hand = offered(contract, SHORT[contract], "5s")
    assert chosen(hand) == wanted
    assert chosen(hand, "buying") == PASS


@pytest.mark.parametrize(("upcard", "wanted"), [("Ks", CLAIM), ("5s", PASS)])
def test_it_buys_what_makes_more_cards_help(upcard: str, wanted: Action) -> None:
    """For `TTT` nine cards asked for, 15 each, are 135 of the 140 that two cards more must be worth.

    By hand: six more of the eight nines help, and jokers. With a second king the six kings left do too, 3 each; with a
    lone five nothing more does.
    """
    assert chosen(offered("TTT", "7h 7d 7c 8h 8d 8c 9h 9d Kd 2c", upcard)) == wanted


@pytest.mark.parametrize(("players", "variant"), [(2, "oficial"), (3, "oficial"), (4, "oficial+claims3")])
def test_it_buys_nothing_where_few_discard_or_claims_are_limited(players: int, variant: str) -> None:
    """The twelve cards of `EEE`, 180, are worth two thirds with two others, 120, and a third with one, 60, of 140."""
    assert chosen(offered("EEE", SHORT["EEE"], "5s", players, load_rules(variant))) == PASS


def test_it_claims_what_helps_as_greedy_does() -> None:
    hand = offered("TT", SHORT["TT"], "7s")
    assert chosen(hand, *ABILITIES) == chosen(hand) == CLAIM


def test_it_keeps_what_most_cards_help() -> None:
    """One card short of a trio and a run. With both runs of three 3h, 7h, 9s and Ks help, two copies each, and six
    jokers: 14; without a queen the spades lead nowhere, and 10 are left. So the two goes, which greedy would keep.
    """
    hand = play(position("TE", ["7c 7d 7s 4h 5h 6h Ts Js Qs", "9d"], upcard="2d"), "A take")
    assert chosen(hand) == Discard(parse_card("2d"))
    assert make_bot("greedy", "x").choose(hand.view(0), hand.legal) != Discard(parse_card("2d"))


def test_it_keeps_from_the_next_player_what_they_could_lay_off() -> None:
    """B is down with kings and nines: of king and queen, equal in cost, A discards the queen; otherwise the king."""
    hands = ["7h 7d 8h 8d Ks Qs 4c", "Kh Kd Kc 9h 9d 9c 2s"]
    hand = position("TT", hands, upcard="3c", stock="3d 5c Jh")
    play(hand, "A stock; B pass; A discard 3d; B stock; A pass")
    play(hand, "B down T: Kh Kd Kc / T: 9h 9d 9c; B discard 5c; A stock; B pass")
    assert chosen(hand, "guarding") == Discard(parse_card("Ks"))
    assert chosen(hand) == Discard(parse_card("Qs"))


def test_without_its_abilities_it_plays_as_greedy_does() -> None:
    """Compare two games action by action."""
    plain, greedy, actions = PlannerBot(frozenset()), make_bot("greedy", "x"), 0
    for number in range(2):
        game = Game(OFICIAL, 4, f"plain {number}")
        while not game.over:
            hand = game.next_hand()
            while not hand.over:
                view = hand.view(hand.actor)
                action = plain.choose(view, hand.legal)
                assert action == greedy.choose(view, hand.legal)
                hand.apply(action)
                actions += 1
            assert hand.result is not None
            game.add_result(hand.result)
    assert actions > 1000


def test_it_plays_the_knock_game_as_greedy_does() -> None:
    """Check that the records of whole games differ in nothing but the names, action by action."""
    rules = load_rules("knock")
    games = [play_game(rules, [name] * 3, "knock", ["A", "B", "C"], STAKE) for name in ("greedy", "planner")]
    assert games[0] == games[1]
