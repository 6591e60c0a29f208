"""Seats of one round, chosen with the next ones in mind."""

import random
from itertools import combinations, permutations

import pytest

from tourney.seating.balance.seats import seat_round

Rounds = list[list[tuple[int, ...]]]


def a_past(rng: random.Random, rounds: int) -> Rounds:
    """Rounds of twelve at three tables of four, as it comes."""
    drawn = [rng.sample(range(12), 12) for _round in range(rounds)]
    return [[tuple(order[first : first + 4]) for first in (0, 4, 8)] for order in drawn]


def had(rounds: Rounds, player: int) -> list[int]:
    """Count how often the player has had each seat."""
    return [sum(table[seat] == player for tables in rounds for table in tables) for seat in range(4)]


def squares(rounds: Rounds) -> tuple[int, int]:
    """Return how uneven first deals are, and all seats."""
    counts = [had(rounds, one) for one in range(12)]
    return sum(row[0] ** 2 for row in counts), sum(count**2 for row in counts for count in row)


def clashes(rounds: Rounds) -> int:
    """Return how alike the seats are of players who have not met.

    For each two players and each seat, multiply how often they have had it beyond the average, and add up; in 4 × 4
    parts.
    """
    met = {frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)}
    beyond = [[4 * count - len(rounds) for count in had(rounds, one)] for one in range(12)]
    return sum(
        sum(left * right for left, right in zip(beyond[one], beyond[other], strict=True))
        for one, other in combinations(range(12), 2)
        if frozenset((one, other)) not in met
    )


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_no_table_could_be_seated_better_beside_the_others_by_brute_force(rounds: int) -> None:
    """20 pasts: of all 24 orders of each table none is more level, and of those as level none has fewer clashes."""
    rng = random.Random(f"foresight {rounds}")
    for _case in range(20):
        *played, tables = a_past(rng, rounds + 1)
        seated = [*seat_round(tables, played)]
        assert list(map(sorted, seated)) == list(map(sorted, tables))
        found = squares([*played, seated]), clashes([*played, seated])
        for number, table in enumerate(seated):
            ways = [[*played, [*seated[:number], way, *seated[number + 1 :]]] for way in permutations(table)]
            assert found == min((squares(way), clashes(way)) for way in ways)


def test_where_nothing_was_played_the_order_of_the_table_stays() -> None:
    """Also at tables of different sizes, and without any."""
    assert seat_round([[3, 1, 2], [0, 5]], []) == ((3, 1, 2), (0, 5))
    assert seat_round([], []) == ()
