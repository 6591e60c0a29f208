"""Other programs that seat people at equal tables over rounds, each driven as in its own manual.

A maker raises ImportError where the program is not installed.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from tests.benchmarks.harness.timing import check

Rounds = Sequence[Sequence[Sequence[int]]]
Seater = Callable[[int, int, int, int], Rounds]
"""Seats players at tables of a size over a number of rounds, from a seed."""

ITERATIONS = 80_000
"""Iterations that krcg's own `archon_seating` gives each process."""


def krcg() -> Seater:
    """Return krcg's annealing for tournaments of VTES, at tables of four and five."""
    from krcg.seating import Round, optimise

    def seated(players: int, size: int, rounds: int, _seed: int) -> Rounds:
        # Its randomness comes from the system, whatever the seed.
        tables = [list(range(first, first + size)) for first in range(0, players, size)]
        best, _score = optimise([Round(list(tables)) for _ in range(rounds)], ITERATIONS, 1)
        return [[list(map(int, table)) for table in tables] for tables in best]

    return seated


def golfy() -> Seater:
    """Return golfy's heuristics for social golfers, which are peptides in pools there."""
    from golfy import find_best_design

    def seated(players: int, size: int, rounds: int, seed: int) -> Rounds:
        # It uses the global generator of `random` and accepts no seed of its own.
        before = random.getstate()
        random.seed(seed)
        try:
            design = find_best_design(num_peptides=players, max_peptides_per_pool=size, num_replicates=rounds)
        finally:
            random.setstate(before)
        return [[list(map(int, pool)) for pool in pools.values()] for pools in design.assignments.values()]

    return seated


PEERS: Mapping[str, Callable[[], Seater]] = {"krcg": krcg, "golfy": golfy}


def repeats(rounds: Rounds, players: int, size: int) -> int:
    """Count repeat meetings. Raises WrongAnswer unless everybody has one full table in every round."""
    for tables in rounds:
        seated = sorted(player for table in tables for player in table)
        check(seated == list(range(players)), "everybody sits once in every round")
        check({len(table) for table in tables} == {size}, f"all tables have {size} players")
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    return sum(met.values()) - len(met)
