"""Play whole games by random legal actions with other engines, each driven as in its own manual.

Every driver lists all legal actions (of raises in PokerKit only the least) and plays one chosen by `pick`, until the
engine reports the end of the game. The function that makes a driver raises ImportError if the engine is not installed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tests.benchmarks.harness.timing import check

Action = TypeVar("Action")
Game = Callable[[int], int]
"""A driver: plays the game of a seed and returns the number of players' actions."""

CHIPS, SEATS = 200, 6
MOVES_WITHOUT_PAWN = 150
"""Half-moves without a pawn move or a capture after which a game of chess is drawn (FIDE 9.6.2)."""


def pick(rng: random.Random, actions: Sequence[Action]) -> Action:
    """Return a random action, all equally likely; every driver chooses with this function."""
    return actions[int(rng.random() * len(actions))]


def open_spiel() -> Game:
    """Return a driver of OpenSpiel's gin rummy, written in C++; its chance nodes are sampled but not counted."""
    import pyspiel

    rummy = pyspiel.load_game("gin_rummy")
    initial = rummy.new_initial_state()
    check(len({weight for _, weight in initial.chance_outcomes()}) == 1, "OpenSpiel's cards are equally likely")

    def play(seed: int) -> int:
        rng, state, actions = random.Random(seed), rummy.new_initial_state(), 0
        while not state.is_terminal():
            actions += not state.is_chance_node()
            state.apply_action(pick(rng, state.legal_actions()))
        check(sum(state.returns()) == 0, "returns of a game of OpenSpiel sum to zero")
        return actions

    return play


def rlcard() -> Game:
    """Return a driver of RLCard's gin rummy."""
    from rlcard import make

    table = make("gin-rummy", config={"seed": 1})

    def play(seed: int) -> int:
        rng, actions = random.Random(seed), 0
        state, _player = table.reset()
        while not table.is_over():
            state, _player = table.step(pick(rng, list(state["legal_actions"])))
            actions += 1
        check(len(table.get_payoffs()) == 2, "a game of RLCard pays two players")
        return actions

    return play


def pettingzoo() -> Game:
    """Return a driver of PettingZoo's gin rummy."""
    from pettingzoo.classic import gin_rummy_v4

    table = gin_rummy_v4.env()

    def play(seed: int) -> int:
        rng, actions = random.Random(seed), 0
        table.reset(seed=seed)
        for _agent in table.agent_iter():
            observation, _reward, terminated, truncated, _info = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            table.step(pick(rng, observation["action_mask"].nonzero()[0]))
            actions += 1
        check(not table.agents, "a game of PettingZoo ends for all players")
        return actions

    return play


def pokerkit() -> Game:
    """Return a driver of PokerKit's no-limit hold'em for six; players fold, check, call, or raise by the minimum."""
    from pokerkit import Automation, NoLimitTexasHoldem

    def play(seed: int) -> int:
        rng, actions = random.Random(seed), 0
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, CHIPS, SEATS)
        while state.status:
            choices = (
                (state.can_fold, state.fold),
                (state.can_check_or_call, state.check_or_call),
                (state.can_complete_bet_or_raise_to, state.complete_bet_or_raise_to),
            )
            pick(rng, [action for is_legal, action in choices if is_legal()])()
            actions += 1
        check(sum(state.stacks) == CHIPS * SEATS, "no chip of PokerKit is lost")
        return actions

    return play


def python_chess() -> Game:
    """Return a driver of chess in python-chess."""
    import chess

    def play(seed: int) -> int:
        rng, board, moves = random.Random(seed), chess.Board(), 0
        while board.halfmove_clock < MOVES_WITHOUT_PAWN and (legal := list(board.legal_moves)):
            board.push(pick(rng, legal))
            moves += 1
        check(board.outcome() is not None, "a game of python-chess has an outcome")
        return moves

    return play


FIRST = "OpenSpiel gin_rummy"
"""The peer that the target compares with."""

PEERS: Mapping[str, Callable[[], Game]] = {
    FIRST: open_spiel,
    "RLCard gin-rummy": rlcard,
    "PettingZoo gin_rummy_v4": pettingzoo,
    "PokerKit hold'em": pokerkit,
    "python-chess": python_chess,
}
