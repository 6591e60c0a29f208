"""Seat players at equal tables over rounds with other programs, each driven as in its own manual.

The function that makes a seater raises ImportError if the program is not installed.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from tests.benchmarks.harness.timing import check

Rounds = Sequence[Sequence[Sequence[int]]]
"""Rounds, tables, players; players are numbers from 0."""

Seater = Callable[[int, int, int, int], Rounds]
"""A function from players, size of the tables, rounds and seed to the seating."""

ITERATIONS = 80_000
"""Iterations of the annealing, as many as in krcg's own `archon_seating`."""


def krcg() -> Seater:
    """Return krcg's simulated annealing for tournaments of VTES, at tables of four and five."""
    from krcg.seating import Round, optimise

    def seated(players: int, size: int, rounds: int, _seed: int) -> Rounds:
        # krcg takes no seed; its random numbers come from the system.
        tables = [list(range(first, first + size)) for first in range(0, players, size)]
        best, _score = optimise([Round(list(tables)) for _ in range(rounds)], ITERATIONS, 1)
        return [[list(map(int, table)) for table in tables] for tables in best]

    return seated


def golfy() -> Seater:
    """Return golfy's heuristics for social golfers; golfy calls players peptides and tables pools."""
    from golfy import find_best_design

    def seated(players: int, size: int, rounds: int, seed: int) -> Rounds:
        # golfy uses the global generator of `random` and takes no seed.
        state = random.getstate()
        random.seed(seed)
        try:
            design = find_best_design(num_peptides=players, max_peptides_per_pool=size, num_replicates=rounds)
        finally:
            random.setstate(state)
        return [[list(map(int, pool)) for pool in pools.values()] for pools in design.assignments.values()]

    return seated


PEERS: Mapping[str, Callable[[], Seater]] = {"krcg": krcg, "golfy": golfy}


def repeats(rounds: Rounds, players: int, size: int) -> int:
    """Return the number of repeats. Raises WrongAnswer unless everybody sits at one full table in every round."""
    for tables in rounds:
        seated = sorted(player for table in tables for player in table)
        check(seated == list(range(players)), "everybody sits once in every round")
        check({len(table) for table in tables} == {size}, f"all tables have {size} players")
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    return sum(met.values()) - len(met)
