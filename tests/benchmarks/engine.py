"""The engine: random legal actions beside other engines, the bot `greedy`, the solver, memory after many hands."""

import random
from collections.abc import Mapping
from itertools import starmap

from engine.games.contract_game import ContractGame
from engine.play import play_results
from engine.rules import load_rules
from engine.solver import plan
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import in_processes, resident_bytes
from tests.benchmarks.harness.report import Row, Target, installed, rate_row, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, Work, WrongAnswer, check, side_by_side
from tests.benchmarks.harness.workloads import JOKERS, PACKS, solver_workload
from tests.benchmarks.peers import engines

RULES = load_rules("oficial")
PLAYERS = 4

RANDOM: Mapping[Build, Target] = {"compiled": Target("at least", 5, " ×", goal=10)}
GREEDY: Mapping[Build, Target] = {
    "compiled": Target("at least", 5_000, goal=10_000),
    "plain": Target("at least", 150),
}
SOLVER: Mapping[Build, Target] = {"compiled": Target("at most", 3, " µs")}
MEMORY = Target("at most", 1.05, " ×")

HANDS: Mapping[tuple[Build, Effort], tuple[int, int]] = {
    ("compiled", "full"): (20_000, 200_000),
    ("plain", "full"): (2_000, 20_000),
    ("compiled", "quick"): (7, 14),
    ("plain", "quick"): (7, 14),
}
"""Numbers of hands after which memory is read; at full effort the plain build plays a tenth as many."""


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of the engine. Raises WrongAnswer if a game is not played to its end."""
    return [*_random_actions(build, effort), _greedy(build, effort), _solver(build, effort), _memory(build, effort)]


def random_game(seed: int) -> int:
    """Play a game of all seven contracts by random legal actions; return the number of actions."""
    rng, actions = random.Random(seed), 0
    game = ContractGame(RULES, PLAYERS, f"random acts {seed}")
    while not game.over:
        hand = game.next_hand()
        while not hand.over:
            hand.apply(engines.pick(rng, list(hand.legal)))
            actions += 1
        result = hand.result
        if result is None:
            raise WrongAnswer("a hand that is over has no result")
        game.add_result(result)
    return actions


def greedy_game(seed: int) -> int:
    """Play a game of all seven contracts by greedy bots and keep every result; return the number of hands."""
    played = play_results(RULES, ("greedy",) * PLAYERS, f"greedy {seed}")
    check(any(hand.closer is not None for hand in played.hands), "greedy bots close some hand of a game")
    return len(played.hands)


def resident_after(hands: tuple[int, int]) -> tuple[int, int]:
    """Return the resident memory in bytes after each of two numbers of greedy hands."""
    played, memory = 0, []
    for bound in hands:
        while played < bound:
            played += greedy_game(played)
        memory.append(resident_bytes())
    return memory[0], memory[1]


def _random_actions(build: Build, effort: Effort) -> list[Row]:
    title = "random legal actions a second"
    shares, missing = installed(title, engines.PEERS)
    ours, *theirs = side_by_side([Work("tourney", random_game), *starmap(Work, shares.items())], effort)
    targets = {engines.FIRST: RANDOM.get(build)}
    return [*(rate_row(title, ours, rate, "", targets.get(rate.name)) for rate in theirs), *missing]


def _greedy(build: Build, effort: Effort) -> Row:
    (rate,) = side_by_side([Work("greedy", greedy_game)], effort)
    return value_row("hands a second, four greedy bots", rate.middle, "", GREEDY.get(build))


def _solver(build: Build, effort: Effort) -> Row:
    questions = solver_workload(seed=1, each=100 if effort == "full" else 2)
    hands = [(question.contract, question.hand) for question in questions]

    def plan_all(_number: int) -> int:
        for contract, hand in hands:
            plan(RULES, contract, hand, PACKS, JOKERS)
        return len(hands)

    (rate,) = side_by_side([Work("solver", plan_all)], effort)
    return value_row("solver, a call of `plan`", 1e6 / rate.middle, " µs", SOLVER.get(build))


def _memory(build: Build, effort: Effort) -> Row:
    few, many = HANDS[build, effort]
    ((before, after),) = in_processes(resident_after, [(few, many)])
    check(before > 0, "memory can be read")
    name = f"resident MB after {many:,} greedy hands"
    return ratio_row(name, after / 1e6, f"after {few:,}", before / 1e6, "", MEMORY)
