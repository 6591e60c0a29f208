"""Tests of the balance cost of tables: uneven seats, first deals and rounds at smaller tables."""

import random
from itertools import combinations, permutations

import pytest

from tourney.seating.balance.seats import DEALER, MAX_BALANCED_SIZE, BalanceCost, BalancedSeats

Rounds = list[list[tuple[int, ...]]]


def random_rounds(rng: random.Random, sizes: tuple[int, ...], rounds: int) -> Rounds:
    """Return random rounds at tables of these sizes."""
    played = []
    for _round in range(rounds):
        waiting = rng.sample(range(sum(sizes)), sum(sizes))
        played.append([tuple(waiting.pop() for _seat in range(size)) for size in sizes])
    return played


@pytest.mark.parametrize("sizes", [(4, 4), (4, 3, 3), (5, 4)])
def test_the_cost_of_a_table_is_that_of_its_best_order_by_brute_force(sizes: tuple[int, ...]) -> None:
    """Compare every table of every size after 1 to 8 rounds with all orders of its players; no round costs more than
    `most`."""
    rng = random.Random(f"uneven {sizes}")
    players, largest = sum(sizes), max(sizes)
    for rounds in range(1, 9):
        played = random_rounds(rng, sizes, rounds)
        order = rng.sample(range(players), players)
        tables = [table for of_round in played for table in of_round]
        seats = [[sum(table[seat : seat + 1] == (p,) for table in tables) for seat in range(largest)] for p in order]
        short = [sum(player in table and len(table) < largest for table in tables) for player in order]
        fewest_deals = min(row[0] for row in seats)
        balance_cost = BalanceCost.after(order, played, largest)

        def expected_cost(
            table: tuple[int, ...],
            seats: list[list[int]] = seats,
            short: list[int] = short,
            fewest_deals: int = fewest_deals,
        ) -> int:
            uneven_seats = sum(seats[place][seat] - min(seats[place]) for seat, place in enumerate(table))
            uneven_short = sum(short[place] - min(short) for place in table) if len(table) < largest else 0
            return uneven_seats + DEALER * (seats[table[0]][0] - fewest_deals) + uneven_short

        for size in set(sizes):
            for table in combinations(range(players), size):
                assert balance_cost.of(table) == min(map(expected_cost, permutations(table)))
        assert sum(balance_cost.of([place]) for place in range(players)) <= balance_cost.most


@pytest.mark.parametrize(("seats", "balanced"), [(MAX_BALANCED_SIZE + 3, "every seat"), (4, "first deals")])
def test_at_large_tables_or_on_request_only_first_deals_count(seats: int, balanced: BalancedSeats) -> None:
    """Two tables play twice in the same seats: only the two first deals of the dealer cost anything."""
    first = [tuple(range(seats)), tuple(range(seats, 2 * seats))]
    balance_cost = BalanceCost.after(range(2 * seats), [first, first], seats, balanced)
    assert balance_cost.of(range(seats)) == 0
    assert balance_cost.of([0]) == 2 * DEALER
