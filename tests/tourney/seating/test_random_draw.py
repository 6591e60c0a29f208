"""Tests of random rounds with level seats and rounds at short tables."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from tourney.seating.constraints import NO_CONSTRAINTS
from tourney.seating.formats import FORMATS, min_cost_assignment, random_draw
from tourney.seating.model import Round, table_sizes
from tourney.seating.quality.metrics import judge
from tourney.seating.rng import seeded_rng
from tourney.seating.swiss import RoundTask


def evening(players: int, rounds: int, seed: int) -> list[Round]:
    """Return random rounds of the same players at tables of four and three."""
    rng, played = seeded_rng("evening", seed), list[Round]()
    for _round in range(rounds):
        played.append(random_draw(range(players), table_sizes(players, 4, 3), played, rng))
    return played


def test_the_assignment_has_the_least_cost_by_brute_force() -> None:
    """Compare 300 random price tables, of up to nine people and three places, with all assignments."""
    rng = random.Random(1)
    for _case in range(300):
        room = [rng.randint(0, 3) for _place in range(rng.randint(1, 3))]
        prices = [[rng.randint(0, 9) for _place in room] for _person in range(rng.randint(0, sum(room)))]

        def fits(places: tuple[int, ...] | list[int], room: list[int] = room) -> bool:
            return all(places.count(place) <= most for place, most in enumerate(room))

        def total(places: tuple[int, ...] | list[int], prices: list[list[int]] = prices) -> int:
            return sum(row[place] for row, place in zip(prices, places, strict=True))

        assigned = min_cost_assignment(prices, room)
        assert fits(assigned)
        all_ways = product(range(len(room)), repeat=len(prices))
        assert total(assigned) == min(total(places) for places in all_ways if fits(places))


@pytest.mark.parametrize("players", [12, 16, 24, 40])
def test_at_equal_tables_each_seat_is_level_after_every_round(players: int) -> None:
    """Check that the numbers of first deals, and of each other seat, differ by at most one.

    Players and the seats that they lack form a regular bipartite graph, which by König splits into matchings.
    """
    for seed in range(5):
        played = evening(players, 9, seed)
        for number in range(1, 10):
            judged = judge(played[:number], players)
            assert judged.seat_spread <= 1
            assert judged.dealer_spread <= 1


@pytest.mark.parametrize("players", [13, 14, 17, 22, 23])
def test_rounds_at_short_tables_are_level_after_every_round(players: int) -> None:
    """The numbers of rounds at a table of three differ by at most one."""
    for seed in range(5):
        played = evening(players, 8, seed)
        assert all(sorted(player for table in tables for player in table) == list(range(players)) for tables in played)
        assert all(tuple(map(len, tables)) == table_sizes(players, 4, 3) for tables in played)
        assert all(judge(played[:number], players).smaller_table_spread <= 1 for number in range(1, 9))
        assert judge(played[:4], players).dealer_spread <= 2


def test_all_pairs_meet_about_equally_often() -> None:
    """In 400 rounds of twelve players each pair meets 109 times on average; all stay within four standard deviations of
    9."""
    played = evening(12, 400, 1)
    met = Counter(frozenset((p, q)) for tables in played for table in tables for p in table for q in table)
    counts = [count // 2 for pair, count in met.items() if len(pair) == 2]
    assert len(counts) == 66
    assert all(73 < count < 146 for count in counts)


@pytest.mark.parametrize("players", [12, 16, 19])
def test_tables_of_a_random_draw_have_the_numbers_at_which_their_players_sat_least(players: int) -> None:
    """Exchanging any two tables of a round leads to no fewer earlier visits of their players to their numbers."""
    seat = FORMATS["random"].seat
    assert seat is not None
    for seed in "abc":
        played: list[Round] = []
        visits: Counter[tuple[int, int]] = Counter()
        for _round in range(6):
            order, sizes = list(range(players)), table_sizes(players, 4, 3)
            task = RoundTask(order, False, sizes, tuple(played), ((),) * len(played), seed, NO_CONSTRAINTS)
            tables, _out = seat(task)

            def again(tables: object, visits: Counter[tuple[int, int]] = visits) -> int:
                return sum(visits[player, number] for number, table in enumerate(tables) for player in table)

            for one, other in combinations(range(len(tables)), 2):
                exchanged = list(tables)
                exchanged[one], exchanged[other] = tables[other], tables[one]
                assert again(tables) <= again(exchanged)
            played.append(tuple(map(tuple, tables)))
            visits.update((player, number) for number, table in enumerate(tables) for player in table)
