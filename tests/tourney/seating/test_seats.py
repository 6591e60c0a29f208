"""Tests of the seats of one round, chosen so that the next rounds can be level too."""

import random
from itertools import combinations, permutations

import pytest

from tourney.seating.balance.seats import seat_round

Rounds = list[list[tuple[int, ...]]]


def random_rounds(rng: random.Random, rounds: int) -> Rounds:
    """Return random rounds of twelve players at three tables of four."""
    drawn = [rng.sample(range(12), 12) for _round in range(rounds)]
    return [[tuple(order[first : first + 4]) for first in (0, 4, 8)] for order in drawn]


def seat_counts(rounds: Rounds, player: int) -> list[int]:
    """Count how often the player has had each seat."""
    return [sum(table[seat] == player for tables in rounds for table in tables) for seat in range(4)]


def squares(rounds: Rounds) -> tuple[int, int]:
    """Return the sums of squared counts: of first deals, and of all seats."""
    counts = [seat_counts(rounds, player) for player in range(12)]
    return sum(row[0] ** 2 for row in counts), sum(count**2 for row in counts for count in row)


def clashes(rounds: Rounds) -> int:
    """Return how similar the seats are of players who have not met, in units of 1/16.

    For each such pair and each seat, multiply both players' counts above the average, and add up the products.
    """
    met = {frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)}
    above_average = [[4 * count - len(rounds) for count in seat_counts(rounds, player)] for player in range(12)]
    return sum(
        sum(p * q for p, q in zip(above_average[player], above_average[other], strict=True))
        for player, other in combinations(range(12), 2)
        if frozenset((player, other)) not in met
    )


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_no_other_order_of_one_table_is_better_by_brute_force(rounds: int) -> None:
    """After 20 random histories no order of a table is more level, or as level with fewer clashes."""
    rng = random.Random(f"foresight {rounds}")
    for _case in range(20):
        *played, tables = random_rounds(rng, rounds + 1)
        seated = [*seat_round(tables, played)]
        assert list(map(sorted, seated)) == list(map(sorted, tables))
        found = squares([*played, seated]), clashes([*played, seated])
        for number, table in enumerate(seated):
            options = [[*played, [*seated[:number], order, *seated[number + 1 :]]] for order in permutations(table)]
            assert found == min((squares(option), clashes(option)) for option in options)


def test_in_the_first_round_the_order_of_each_table_is_kept() -> None:
    """Check tables of different sizes, and a round without tables."""
    assert seat_round([[3, 1, 2], [0, 5]], []) == ((3, 1, 2), (0, 5))
    assert seat_round([], []) == ()
