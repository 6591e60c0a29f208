"""Rounds by lot whose turns are level."""

import random
from collections import Counter
from itertools import product

import pytest

from tourney.seating.model import Round
from tourney.seating.quality.metrics import judge
from tourney.seating.random_draw import min_cost_assignment, random_draw
from tourney.seating.rng import seeded_rng
from tourney.seating.sizes import table_sizes


def evening(players: int, rounds: int, seed: int) -> list[Round]:
    """Rounds by lot of the same people at tables of four and three."""
    draw, played = seeded_rng("evening", seed), list[Round]()
    for _round in range(rounds):
        played.append(random_draw(range(players), table_sizes(players, 4, 3), played, draw))
    return played


def test_places_are_given_at_the_least_sum_by_brute_force() -> None:
    """300 tables of prices for up to nine people in up to three places, against all ways to place them."""
    rng = random.Random(1)
    for _case in range(300):
        room = [rng.randint(0, 3) for _place in range(rng.randint(1, 3))]
        prices = [[rng.randint(0, 9) for _place in room] for _who in range(rng.randint(0, sum(room)))]

        def fits(places: tuple[int, ...] | list[int], room: list[int] = room) -> bool:
            return all(places.count(place) <= most for place, most in enumerate(room))

        def total(places: tuple[int, ...] | list[int], prices: list[list[int]] = prices) -> int:
            return sum(row[place] for row, place in zip(prices, places, strict=True))

        given = min_cost_assignment(prices, room)
        assert fits(given)
        assert total(given) == min(total(ways) for ways in product(range(len(room)), repeat=len(prices)) if fits(ways))


@pytest.mark.parametrize("players", [12, 16, 24, 40])
def test_at_equal_tables_each_seat_is_level_after_every_round(players: int) -> None:
    """Check that nobody ever has a seat two times more than another, and that first deals differ by at most one.

    The players who lack a seat and the seats that they lack are a regular bipartite graph, which König splits into
    matchings.
    """
    for seed in range(5):
        played = evening(players, 9, seed)
        for number in range(1, 10):
            judged = judge(played[:number], players)
            assert judged.seat_spread <= 1
            assert judged.dealer_spread <= 1


@pytest.mark.parametrize("players", [13, 14, 17, 22, 23])
def test_turns_at_short_tables_are_level_after_every_round(players: int) -> None:
    """Check that players who had the fewest rounds at a smaller table sit there first, so that counts differ by at
    most one.
    """
    for seed in range(5):
        played = evening(players, 8, seed)
        assert all(sorted(player for table in one for player in table) == list(range(players)) for one in played)
        assert all(tuple(map(len, one)) == table_sizes(players, 4, 3) for one in played)
        assert all(judge(played[:number], players).smaller_table_spread <= 1 for number in range(1, 9))
        assert judge(played[:4], players).dealer_spread <= 2


def test_who_meets_is_left_to_chance() -> None:
    """400 rounds of twelve: each pair meets 109 times on average, with a standard deviation of 9; all stay within four
    of them."""
    played = evening(12, 400, 1)
    met = Counter(frozenset((one, other)) for tables in played for table in tables for one in table for other in table)
    counts = [count // 2 for pair, count in met.items() if len(pair) == 2]
    assert len(counts) == 66
    assert all(73 < count < 146 for count in counts)
