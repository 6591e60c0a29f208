"""Other engines, each playing whole games by random legal acts in the way its own manual drives it.

Every driver lists all legal acts, chooses one by `pick` and does it, until the engine says that the game is over.
A driver's maker raises ImportError where the engine is not installed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tests.benchmarks.harness.timing import demand

Act = TypeVar("Act")
Game = Callable[[int], int]
"""Plays the game of that seed; the acts that players did."""

CHIPS, SEATS = 200, 6
MOVES_WITHOUT_PAWN = 150
"""Half-moves without a pawn's move or a capture after which a game of chess is drawn (FIDE 9.6.2)."""


def pick(rng: random.Random, acts: Sequence[Act]) -> Act:
    """One of the acts, all equally likely; the same for every engine."""
    return acts[int(rng.random() * len(acts))]


def open_spiel() -> Game:
    """OpenSpiel's gin rummy, C++ inside; what chance does is drawn from its list too, and is no player's act."""
    import pyspiel

    rummy = pyspiel.load_game("gin_rummy")
    first = rummy.new_initial_state()
    demand(len({weight for _, weight in first.chance_outcomes()}) == 1, "OpenSpiel's cards are equally likely")

    def play(seed: int) -> int:
        rng, state, acts = random.Random(seed), rummy.new_initial_state(), 0
        while not state.is_terminal():
            acts += not state.is_chance_node()
            state.apply_action(pick(rng, state.legal_actions()))
        demand(sum(state.returns()) == 0, "a game of OpenSpiel's sums to nothing")
        return acts

    return play


def rlcard() -> Game:
    """RLCard's gin rummy."""
    from rlcard import make

    table = make("gin-rummy", config={"seed": 1})

    def play(seed: int) -> int:
        rng, acts = random.Random(seed), 0
        state, _player = table.reset()
        while not table.is_over():
            state, _player = table.step(pick(rng, list(state["legal_actions"])))
            acts += 1
        demand(len(table.get_payoffs()) == 2, "a game of RLCard's pays two players")
        return acts

    return play


def pettingzoo() -> Game:
    """PettingZoo's gin rummy."""
    from pettingzoo.classic import gin_rummy_v4

    table = gin_rummy_v4.env()

    def play(seed: int) -> int:
        rng, acts = random.Random(seed), 0
        table.reset(seed=seed)
        for _agent in table.agent_iter():
            seen, _reward, ended, cut, _more = table.last()
            if ended or cut:
                table.step(None)
                continue
            table.step(pick(rng, seen["action_mask"].nonzero()[0]))
            acts += 1
        demand(not table.agents, "a game of PettingZoo's ends for all")
        return acts

    return play


def pokerkit() -> Game:
    """PokerKit's no-limit hold'em for six: fold, check or call, raise by the least."""
    from pokerkit import Automation, NoLimitTexasHoldem

    def play(seed: int) -> int:
        rng, acts = random.Random(seed), 0
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, CHIPS, SEATS)
        while state.status:
            choices = (
                (state.can_fold, state.fold),
                (state.can_check_or_call, state.check_or_call),
                (state.can_complete_bet_or_raise_to, state.complete_bet_or_raise_to),
            )
            pick(rng, [act for can, act in choices if can()])()
            acts += 1
        demand(sum(state.stacks) == CHIPS * SEATS, "no chip of PokerKit's is lost")
        return acts

    return play


def python_chess() -> Game:
    """Chess by python-chess."""
    import chess

    def play(seed: int) -> int:
        rng, board, moves = random.Random(seed), chess.Board(), 0
        while board.halfmove_clock < MOVES_WITHOUT_PAWN and (legal := list(board.legal_moves)):
            board.push(pick(rng, legal))
            moves += 1
        demand(board.outcome() is not None, "a game of python-chess has an outcome")
        return moves

    return play


FIRST = "OpenSpiel gin_rummy"
"""The one that a target names."""

PEERS: Mapping[str, Callable[[], Game]] = {
    FIRST: open_spiel,
    "RLCard gin-rummy": rlcard,
    "PettingZoo gin_rummy_v4": pettingzoo,
    "PokerKit hold'em": pokerkit,
    "python-chess": python_chess,
}
