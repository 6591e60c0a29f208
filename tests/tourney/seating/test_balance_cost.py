"""Tests of the balance cost: what tables cost by the turns of their players."""

import random
from itertools import combinations, permutations

import pytest

from tourney.seating.balance.balance_cost import DEALER, MAX_BALANCED_SIZE, BalanceCost, BalancedSeats

Rounds = list[list[tuple[int, ...]]]


def a_past(rng: random.Random, sizes: tuple[int, ...], rounds: int) -> Rounds:
    """Rounds of so many people at such tables, as it comes."""
    played = []
    for _round in range(rounds):
        waiting = rng.sample(range(sum(sizes)), sum(sizes))
        played.append([tuple(waiting.pop() for _seat in range(size)) for size in sizes])
    return played


@pytest.mark.parametrize("sizes", [(4, 4), (4, 3, 3), (5, 4)])
def test_a_table_counts_its_best_order_by_brute_force(sizes: tuple[int, ...]) -> None:
    """Every table of every size after 1 to 8 rounds, against all orders of its players; all tables together count no
    more than the most."""
    rng = random.Random(f"uneven {sizes}")
    players, largest = sum(sizes), max(sizes)
    for rounds in range(1, 9):
        played = a_past(rng, sizes, rounds)
        order = rng.sample(range(players), players)
        tables = [table for one in played for table in one]
        had = [[sum(table[seat : seat + 1] == (one,) for table in tables) for seat in range(largest)] for one in order]
        short = [sum(one in table and len(table) < largest for table in tables) for one in order]
        dealt = min(row[0] for row in had)
        uneven = BalanceCost.after(order, played, largest)

        def beyond(
            way: tuple[int, ...], had: list[list[int]] = had, short: list[int] = short, dealt: int = dealt
        ) -> int:
            seats = sum(had[place][seat] - min(had[place]) for seat, place in enumerate(way))
            turns = sum(short[place] - min(short) for place in way) if len(way) < largest else 0
            return seats + DEALER * (had[way[0]][0] - dealt) + turns

        for size in set(sizes):
            for table in combinations(range(players), size):
                assert uneven.of(table) == min(map(beyond, permutations(table)))
        assert sum(uneven.of([place]) for place in range(players)) <= uneven.most


@pytest.mark.parametrize(("seats", "minded"), [(MAX_BALANCED_SIZE + 3, "every seat"), (4, "first deals")])
def test_at_large_tables_or_if_so_minded_only_first_deals_count(seats: int, minded: BalancedSeats) -> None:
    """Two tables twice: of the first seats only the dealer's, who dealt twice, counts."""
    first = [tuple(range(seats)), tuple(range(seats, 2 * seats))]
    uneven = BalanceCost.after(range(2 * seats), [first, first], seats, minded)
    assert uneven.of(range(seats)) == 0
    assert uneven.of([0]) == 2 * DEALER
