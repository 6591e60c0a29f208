"""Tests of rounds with the greatest information gain, compared with all seatings of up to nine players."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from tests.harness.slow import slow
from tourney.seating.constraints import Constraints
from tourney.seating.information_gain import informative_tables
from tourney.seating.model import Round
from tourney.seating.swiss import seated, swiss_tables

Tables = list[list[int]]

SIZES = {
    "two of two": [2, 2],
    "two of four": [4, 4],
    "four and three": [4, 3],
    "three of three": [3, 3, 3],
    "one of five": [5],
    "five and four": [5, 4],
}


def seatings(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Yield all seatings, also in every order of tables of equal size."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        for others in seatings([player for player in players if player not in table], sizes[1:]):
            yield [list(table), *others]


def repeats(tables: Sequence[Sequence[int]], played: Sequence[Sequence[Sequence[int]]]) -> int:
    """Return the weighted repeats: a second meeting counts 1, each later one 4 more than the one before."""
    met = Counter(frozenset(pair) for tables in played for table in tables for pair in combinations(table, 2))
    return sum((0, 1, 5, 9, 13, 17, 21)[met[frozenset(pair)]] for table in tables for pair in combinations(table, 2))


def above_minimum(counts: Counter[int], players: Sequence[int]) -> Counter[int]:
    """Return each player's count less the smallest count of the players."""
    least = min(counts[player] for player in players)
    return Counter({player: counts[player] - least for player in players})


def imbalance(tables: Sequence[Sequence[int]], played: Sequence[Sequence[Sequence[int]]]) -> int:
    """Return the past rounds at small tables of the players who sit there now, and twice the fewest first deals at each
    table, all counted above the minimum of the players."""
    players, largest = [player for table in tables for player in table], max(map(len, tables))
    deals = above_minimum(Counter(table[0] for past in played for table in past), players)
    small = (table for past in played for table in past if len(table) < max(map(len, past)))
    short = above_minimum(Counter(player for table in small for player in table), players)
    at_small = sum(short[player] for table in tables if len(table) < largest for player in table)
    return at_small + 2 * sum(min(deals[player] for player in table) for table in tables)


def random_gains(seed: int) -> dict[frozenset[int], float]:
    """Return a random information gain for every table of up to five of nine players."""
    rng = random.Random(seed)
    tables = (table for size in range(1, 6) for table in combinations(range(9), size))
    return {frozenset(table): rng.uniform(-1.0, 3.0) for table in tables}


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_no_seating_has_fewer_repeats_then_less_imbalance_then_more_gain(sizes: list[int], seed: int) -> None:
    """Try all seatings, after up to three rounds and with random gains."""
    rng = random.Random(seed)
    players = rng.sample(range(9), sum(sizes))
    played = [next(iter(seatings(rng.sample(players, len(players)), sizes))) for _round in range(seed)]
    gains = random_gains(seed)

    def quality(tables: Tables) -> tuple[int, int, float]:
        return (
            -repeats(tables, played),
            -imbalance(tables, played),
            sum(gains[frozenset(table)] for table in tables),
        )

    found = informative_tables(players, sizes, played, lambda table: gains[frozenset(table)])
    assert sorted(map(len, found)) == sorted(sizes)
    assert sorted(player for table in found for player in table) == sorted(players)
    best = max(map(quality, seatings(players, sizes)))
    assert quality(found) == pytest.approx(best, abs=1e-6)


def test_with_equal_gains_the_seating_with_fewest_repeats_is_chosen() -> None:
    tables = informative_tables(range(4), [2, 2], [[[0, 1], [2, 3]], [[0, 2], [1, 3]]], lambda _table: 1.0)
    assert sorted(map(sorted, tables)) == [[0, 3], [1, 2]]


def test_players_to_keep_apart_do_not_meet_whatever_the_gain() -> None:
    constraints = Constraints(apart=(frozenset({0, 1}),))
    tables = informative_tables(range(4), [2, 2], [], lambda table: float({*table} >= {0, 1}), constraints=constraints)
    assert [0, 1] not in map(sorted, tables)


@pytest.mark.parametrize("rounds", [0, *slow([3])])
def test_many_players_have_as_few_repeats_as_in_a_swiss_round_and_more_gain(rounds: int) -> None:
    """The gain of a table falls with the differences in strength of its players; 24 sit at tables of four."""
    rng = random.Random(rounds)
    strength = [rng.gauss(0.0, 1.0) for _player in range(24)]
    sizes, played = [4] * 6, []

    def gain(table: Sequence[int]) -> float:
        return -(sum((strength[p] - strength[q]) ** 2 for p, q in combinations(table, 2)) ** 0.5)

    for _round in range(rounds):
        played.append(swiss_tables(rng.sample(range(24), 24), sizes, played, 1, "anybody"))
    informative = informative_tables(range(24), sizes, played, gain)
    swiss = swiss_tables(range(24), sizes, played, 1, "anybody")
    assert repeats(informative, played) == repeats(swiss, played)
    assert sum(map(gain, informative)) > sum(map(gain, swiss))
    assert informative == informative_tables(range(24), sizes, played, gain)


@pytest.mark.slow
def test_rounds_at_small_tables_and_first_deals_stay_level() -> None:
    """22 players have six rounds with two tables of three; the gain of a table falls with differences in strength."""
    rng, sizes, played = random.Random(22), [4, 4, 4, 4, 3, 3], list[Round]()
    strength = [rng.gauss(0.0, 1.0) for _player in range(22)]

    def gain(table: Sequence[int]) -> float:
        return -sum((strength[p] - strength[q]) ** 2 for p, q in combinations(table, 2))

    for _round in range(6):
        played.append(seated(informative_tables(range(22), sizes, played, gain), played))
    short = Counter(player for tables in played for table in tables if len(table) == 3 for player in table)
    deals = Counter(table[0] for tables in played for table in tables)
    for count in (short, deals):
        assert max(above_minimum(count, range(22)).values()) == 1


def test_sizes_that_do_not_hold_the_players_are_refused() -> None:
    with pytest.raises(ValueError, match="do not seat 5 players"):
        informative_tables(range(5), [4], [], lambda _table: 1.0)
