"""Check the built-in bots: legal, repeatable and fast."""

import os
import subprocess
import sys
from functools import partial
from statistics import median

import pytest

from engine.actions import CLAIM, DRAW_DISCARD, DRAW_STOCK, PASS, Action, Discard, LayDown
from engine.bots import BOTS, make_bot
from engine.cards import JOKER, parse_card
from engine.errors import EngineError, RulesError
from engine.games.contract_game import ContractGame
from engine.hand import Hand
from engine.play import play_game
from engine.records.record import read, write
from engine.records.replay import replay
from engine.state import Phase
from tests.harness.effort import effort
from tests.harness.engine.built_hands import built_hand
from tests.harness.engine.positions import OFICIAL, play, position, snapshot

NAMES = tuple(BOTS)


def test_the_actions_of_bots_are_legal() -> None:
    """Check 200 hands at tables of two to four, with random and greedy bots."""
    actions = 0
    for number in range(29):
        players = 2 + number % 3
        game = ContractGame(OFICIAL, players, f"lawful {number}")
        bots = [make_bot(NAMES[(seat + number) % 2], f"{number}/{seat}") for seat in range(players)]
        while not game.over:
            hand = game.next_hand()
            while not hand.over:
                action = bots[hand.actor].choose(hand.view(hand.actor), hand.legal)
                assert hand.is_legal(action), f"{action}: {hand.why_not(action)}"
                hand.apply(action)
                actions += 1
            assert hand.faults() == []
            assert hand.result is not None
            game.add_result(hand.result)
    assert actions > 5000


@pytest.mark.parametrize("name", [name for name in NAMES if name != "search"])
def test_bots_play_from_any_position_and_choosing_changes_nothing(name: str) -> None:
    """Check that bots finish built hands, with many jokers and nearly empty stocks, without an illegal action.

    `search`, which takes too long for so many hands, has tests of its own.
    """
    for number in range(60):
        hand = built_hand(f"bots {number}", 2 + number % 3)
        bots = [make_bot(name, f"{number}/{seat}") for seat in range(len(hand.view(0).sizes))]
        while not hand.over:
            before = snapshot(hand) if number < 6 else ()
            action = bots[hand.actor].choose(hand.view(hand.actor), hand.legal)
            assert number >= 6 or snapshot(hand) == before
            hand.apply(action)
        assert hand.faults() == []


@pytest.mark.parametrize("bots", [["greedy"] * 4, ["random"] * 3, ["greedy", "random"]])
def test_the_same_seed_gives_the_same_record(bots: list[str]) -> None:
    """The records agree byte for byte and replay; another seed gives another record."""
    first = write(play_game(OFICIAL, bots, "again").record)
    assert write(play_game(OFICIAL, bots, "again").record) == first
    assert write(play_game(OFICIAL, bots, "otherwise").record) != first
    record = read(first)
    assert replay(record).points == record.points


def test_a_process_with_another_hash_seed_gives_the_same_record() -> None:
    """The order of sets of strings does not matter: processes with two values of PYTHONHASHSEED agree with this one."""
    code = (
        "import sys; from engine.play import play_game; from engine.records.record import write; "
        "from engine.rules import load_rules; sys.stdout.buffer.write(write(play_game(load_rules('oficial'), "
        "['greedy', 'random', 'greedy'], 'processes').record).encode())"
    )
    expected = write(play_game(OFICIAL, ["greedy", "random", "greedy"], "processes").record)
    for hash_seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        assert run.stdout.decode() == expected


def test_the_deals_do_not_depend_on_the_bots() -> None:
    """Check that greedy and random bots are dealt the same cards from one seed."""
    game = ContractGame(OFICIAL, 2, "same deals")
    first = game.next_hand()._state.deal
    for bots in (["greedy"] * 2, ["random"] * 2):
        record = play_game(OFICIAL, bots, "same deals").record
        assert record.seed == "same deals"
        assert ContractGame(OFICIAL, 2, record.seed).next_hand()._state.deal == first


def test_greedy_closes_most_hands() -> None:
    """Check that fewer than one in ten hands of four greedy bots are dead."""
    hands = [hand for number in range(10) for hand in play_game(OFICIAL, ["greedy"] * 4, f"dead {number}").result.hands]
    assert sum(hand.closer is None for hand in hands) < len(hands) / 10


# --- greedy ----------------------------------------------------------------------------------------------


def chosen(hand: Hand) -> Action:
    """Return the action that greedy chooses for the seat in turn."""
    return make_bot("greedy", "x").choose(hand.view(hand.actor), hand.legal)


def test_greedy_lays_down_when_it_can() -> None:
    """With two trios in hand greedy lays down, even in its first turn."""
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs", "Ah"]), "A take")
    assert isinstance(chosen(hand), LayDown)


def test_greedy_takes_and_claims_only_cards_that_help() -> None:
    """Greedy draws the third seven and not a king, and out of turn claims the one and not the other."""
    cards = ["7h 7d 8h 8d 2s 4s Js", "7s 7c 9h 9d 3s 5s Jd", "3c"]
    assert chosen(position("TT", cards, upcard="7c")) == DRAW_DISCARD
    assert chosen(position("TT", cards, upcard="Kc")) == DRAW_STOCK
    for upcard, expected in (("7d", CLAIM), ("Kc", PASS)):
        hand = position("TT", [cards[2], cards[1]], upcard=upcard, stock="Ts")
        assert hand.phase == Phase.DRAW
        play(hand, "A stock")
        assert chosen(hand) == expected


def test_greedy_discards_the_card_that_costs_most_and_helps_least() -> None:
    """Greedy discards a lone ace rather than a lone two or a card of a pair, and no joker while it has another card."""
    hand = play(position("TT", ["7h 7d 8h 8d 2s As Jk", "3c"], upcard="4s"), "A take")
    assert chosen(hand) == Discard(parse_card("As"))
    hand = play(position("TT", ["Jk Jk Jk Jk 3s", "3c"], upcard="4s"), "A take")
    action = chosen(hand)
    assert not (isinstance(action, Discard) and action.face == JOKER)


def test_greedy_lays_off_and_closes() -> None:
    """Greedy, with two trios and a seven that fits on one of them, closes in one turn."""
    hand = play(position("TT", ["7h 7d 7c 8h 8d 8c", "Ah"], upcard="7s"), "A take")
    actions = []
    while not hand.over:
        actions.append(str(chosen(hand)).split()[0])
        hand.apply(chosen(hand))
    assert actions[-1] in ("close", "discard")
    assert hand.result is not None
    assert hand.result.points == (-10, 20)


# --- faults and time -------------------------------------------------------------------------------------


def test_unknown_bots_and_wrong_numbers_of_players_are_refused() -> None:
    """The error names the bots, or the numbers of players that may play."""
    with pytest.raises(EngineError, match="there is no bot 'greedier'; the bots are random, greedy"):
        make_bot("greedier", "x")
    with pytest.raises(EngineError, match=f"there is no bot '{'x' * 40}'; the bots"):
        make_bot("x" * 40_000, "x")
    for number in (0, 1, 5):
        with pytest.raises(RulesError, match="2 to 4 players"):
            play_game(OFICIAL, ["random"] * number, "x")


def test_a_game_of_four_greedy_bots_takes_the_time_of_12_million_passes_at_most() -> None:
    """Measure seven hands and writing their record: the median over nine seeds of the better of two times."""
    play_game(OFICIAL, ["greedy"] * 4, "warm")

    def played(number: int) -> str:
        return write(play_game(OFICIAL, ["greedy"] * 4, f"time {number}").record)

    assert median(effort(partial(played, number), turns=2) for number in range(9)) < 12
