"""Tests of the figures of a seating: recounted over all pairs and rounds, and for some seatings by hand."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.harness.effort import effort
from tests.oracles.recount import burdens, together
from tourney.seating.plan import plan
from tourney.seating.quality.metrics import judge

CRITERIA = ["repeat meetings", "seats", "first deals", "short tables", "sitting out", "tables revisited", "strangers"]


def any_seating(seed: int) -> tuple[list[list[tuple[int, ...]]], int]:
    """Return random rounds of tables of 2 to 5 for up to 14 players, some with byes."""
    rng = random.Random(f"any seating {seed}")
    players = rng.randint(4, 14)
    rounds = []
    for _round in range(rng.randint(1, 5)):
        order = rng.sample(range(players), players)
        tables = []
        while len(order) > 4 or (len(order) > 1 and rng.random() < 0.7):
            size = rng.randint(2, min(5, len(order)))
            tables.append(tuple(order[:size]))
            order = order[size:]
        rounds.append(tables)
    return rounds, players


@pytest.mark.parametrize("seed", range(60))
def test_every_figure_agrees_with_a_count_over_all_pairs_and_rounds(seed: int) -> None:
    rounds, players = any_seating(seed)
    judged, recounted = judge(rounds, players), burdens(rounds, players)
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    assert judged.repeats == sum(count - 1 for count in met.values())
    assert judged.most_meetings == max(met.values()) == met[judged.worst_pair]
    assert judged.unmet == sum(not together(rounds, *pair) for pair in combinations(range(players), 2))
    assert judged.revisits == sum(recounted["tables revisited"])
    assert judged.strangers * 2 == sum(recounted["strangers"])
    assert [worst.criterion for worst in judged.worst] == CRITERIA == list(recounted)
    for worst in judged.worst:
        counts = recounted[worst.criterion]
        assert (worst.count, worst.least, worst.sharing) == (max(counts), min(counts), counts.count(max(counts)))
        assert worst.player == (None if max(counts) == min(counts) else counts.index(max(counts)))


def test_strangers_share_no_opponent() -> None:
    """At tables 0-1, 2-3 and then 1-2, 0 and 2 share the opponent 1, 1 and 3 share 2, and 0 and 3 are strangers."""
    judged = judge([[(0, 1), (2, 3)], [(1, 2)]], 4)
    assert (judged.unmet, judged.strangers) == (3, 1)
    assert (judged.worst[-1].player, judged.worst[-1].count, judged.worst[-1].sharing) == (0, 1, 2)


def test_a_player_who_has_left_counts_as_a_shared_opponent() -> None:
    """Players 0 and 1 both met 2, who has left: 0 and 1 are no strangers, and 2 has no figures."""
    judged = judge([[(0, 2)], [(1, 2)]], 2)
    assert (judged.unmet, judged.strangers) == (1, 0)


def test_a_physical_table_is_known_by_its_number() -> None:
    """Without numbers both players return to table 1 twice; with numbers they sit at tables 1, 2 and 1."""
    rounds = [[(0, 1)], [(1, 0)], [(0, 1)]]
    assert judge(rounds, 2).revisits == 4
    assert judge(rounds, 2, numbers=[[1], [2], [1]]).revisits == 2


def test_a_thousand_players_are_judged_in_the_time_of_85_million_passes() -> None:
    rounds = plan(1000, 4, 6, 1).rounds
    assert effort(lambda: judge(rounds, 1000)) < 85
    assert judge(rounds, 1000).strangers > 0
