"""Rounds whose tables are worth most, against all seatings of up to nine players."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

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
    """All of them, those of equal tables in every order."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        for others in seatings([player for player in players if player not in table], sizes[1:]):
            yield [list(table), *others]


def repeats(tables: Sequence[Sequence[int]], played: Sequence[Sequence[Sequence[int]]]) -> int:
    """A second meeting of two counts one, a third or later one five."""
    met = Counter(frozenset(pair) for tables in played for table in tables for pair in combinations(table, 2))
    return sum((0, 1, 5)[min(met[frozenset(pair)], 2)] for table in tables for pair in combinations(table, 2))


def beyond_the_least(turns: Counter[int], players: Sequence[int]) -> Counter[int]:
    """Return each player's turns beyond those of whoever has fewest."""
    least = min(turns[player] for player in players)
    return Counter({player: turns[player] - least for player in players})


def turns_too_many(tables: Sequence[Sequence[int]], played: Sequence[Sequence[Sequence[int]]]) -> int:
    """Of those at a small table their turns there, of each table twice the first deals of whoever has dealt least."""
    players, largest = [player for table in tables for player in table], max(map(len, tables))
    deals = beyond_the_least(Counter(table[0] for past in played for table in past), players)
    small = (table for past in played for table in past if len(table) < max(map(len, past)))
    short = beyond_the_least(Counter(player for table in small for player in table), players)
    at_small = sum(short[player] for table in tables if len(table) < largest for player in table)
    return at_small + 2 * sum(min(deals[player] for player in table) for table in tables)


def some_worths(seed: int) -> dict[frozenset[int], float]:
    """Return a made-up gain of every table of nine players."""
    rng = random.Random(seed)
    tables = (table for size in range(1, 6) for table in combinations(range(9), size))
    return {frozenset(table): rng.uniform(-1.0, 3.0) for table in tables}


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_no_seating_has_fewer_repeats_then_more_level_turns_then_more_worth(sizes: list[int], seed: int) -> None:
    """Tried for all, with up to three rounds before, whatever tables are worth."""
    rng = random.Random(seed)
    players = rng.sample(range(9), sum(sizes))
    played = [next(iter(seatings(rng.sample(players, len(players)), sizes))) for _round in range(seed)]
    worths = some_worths(seed)

    def merit(tables: Tables) -> tuple[int, int, float]:
        return (
            -repeats(tables, played),
            -turns_too_many(tables, played),
            sum(worths[frozenset(table)] for table in tables),
        )

    found = informative_tables(players, sizes, played, lambda table: worths[frozenset(table)])
    assert sorted(map(len, found)) == sorted(sizes)
    assert sorted(player for table in found for player in table) == sorted(players)
    best = max(map(merit, seatings(players, sizes)))
    assert merit(found) == pytest.approx(best, abs=1e-6)


def test_where_all_are_worth_the_same_the_fewest_repeats_are_left() -> None:
    tables = informative_tables(range(4), [2, 2], [[[0, 1], [2, 3]], [[0, 2], [1, 3]]], lambda _table: 1.0)
    assert sorted(map(sorted, tables)) == [[0, 3], [1, 2]]


def test_who_should_not_meet_sits_apart_whatever_that_table_is_worth() -> None:
    constraints = Constraints(apart=(frozenset({0, 1}),))
    tables = informative_tables(range(4), [2, 2], [], lambda table: float({*table} >= {0, 1}), constraints=constraints)
    assert [0, 1] not in map(sorted, tables)


@pytest.mark.parametrize("rounds", [0, 3])
def test_many_have_as_few_repeats_as_in_other_formats_and_tables_worth_more(rounds: int) -> None:
    """Twenty-four in fours; a table is worth what its players are apart from one another."""
    rng = random.Random(rounds)
    strength = [rng.gauss(0.0, 1.0) for _player in range(24)]
    sizes, played = [4] * 6, []

    def worth(table: Sequence[int]) -> float:
        return -(sum((strength[one] - strength[other]) ** 2 for one, other in combinations(table, 2)) ** 0.5)

    for _round in range(rounds):
        played.append(swiss_tables(rng.sample(range(24), 24), sizes, played, 1, "anybody"))
    found = informative_tables(range(24), sizes, played, worth)
    other = swiss_tables(range(24), sizes, played, 1, "anybody")
    assert repeats(found, played) == repeats(other, played)
    assert sum(map(worth, found)) > sum(map(worth, other))
    assert found == informative_tables(range(24), sizes, played, worth)


def test_turns_at_small_tables_and_first_deals_stay_level() -> None:
    """Twenty-two over six rounds, two tables of three in each; a table is worth what its players are alike."""
    rng, sizes, played = random.Random(22), [4, 4, 4, 4, 3, 3], list[Round]()
    strength = [rng.gauss(0.0, 1.0) for _player in range(22)]

    def worth(table: Sequence[int]) -> float:
        return -sum((strength[one] - strength[other]) ** 2 for one, other in combinations(table, 2))

    for _round in range(6):
        played.append(seated(informative_tables(range(22), sizes, played, worth), played))
    turns = Counter(player for tables in played for table in tables if len(table) == 3 for player in table)
    deals = Counter(table[0] for tables in played for table in tables)
    for count in (turns, deals):
        assert max(beyond_the_least(count, range(22)).values()) == 1


def test_sizes_that_do_not_hold_the_players_are_refused() -> None:
    with pytest.raises(ValueError, match="do not seat 5 players"):
        informative_tables(range(5), [4], [], lambda _table: 1.0)
