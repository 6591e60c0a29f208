"""Tests of pair repair: two rounds reseated without a repeat, compared with all seatings of nine players."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest

from tourney.seating.repair.exhaustive import PairRepair
from tourney.seating.repair.greedy import PlannedRound

Tables = tuple[frozenset[int], ...]


def partitions(players: Sequence[int]) -> Iterator[Tables]:
    """Yield all ways to seat the players at tables of three."""
    if not players:
        yield ()
        return
    for pair in combinations(players[1:], 2):
        unseated = [player for player in players[1:] if player not in pair]
        for tables in partitions(unseated):
            yield (frozenset((players[0], *pair)), *tables)


def pairs(tables: Tables) -> set[frozenset[int]]:
    return {frozenset(pair) for table in tables for pair in combinations(table, 2)}


SEATINGS = [(set(tables), pairs(tables)) for tables in partitions(range(9))]


@pytest.mark.parametrize("seed", range(12))
def test_as_few_tables_change_as_in_the_best_of_all_seatings(seed):
    random = Random(seed)
    planned = [random.choice(SEATINGS)[0] for _round in range(2)]
    met = {frozenset(pair) for pair in random.sample(list(combinations(range(9), 2)), 8)}
    strangers = [
        sum(1 << other for other in range(9) if other != player and frozenset((player, other)) not in met)
        for player in range(9)
    ]
    seatings = [[(len(tables - plan), meet) for tables, meet in SEATINGS if not meet & met] for plan in planned]
    fewest_changes = min(
        (
            changed + also_changed
            for (changed, pairs_a), (also_changed, pairs_b) in product(*seatings)
            if not pairs_a & pairs_b
        ),
        default=None,
    )

    rounds = [PlannedRound([sorted(table) for table in plan], (3, 3, 3), (), 9) for plan in planned]
    found = PairRepair(*rounds, strangers).fewest_changes(6)
    assert (found is None) == (fewest_changes is None)
    if found is not None:
        seated = [tuple(map(frozenset, tables)) for tables in found]
        first, second = map(pairs, seated)
        assert len(first) == len(second) == 9
        assert not first & second
        assert not (first | second) & met
        assert sum(len(set(tables) - plan) for tables, plan in zip(seated, planned, strict=True)) == fewest_changes
        assert PairRepair(*rounds, strangers).fewest_changes(fewest_changes - 1) is None
