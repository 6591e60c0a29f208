"""The judge of seatings: every count again by trying all pairs and all rounds, and two seatings counted by hand."""

import random
import time
from collections import Counter
from itertools import combinations

import pytest

from tests.oracles.recount import minded, together
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
def test_every_count_is_that_of_all_pairs_and_rounds(seed: int) -> None:
    rounds, players = any_seating(seed)
    judged, minds = judge(rounds, players), minded(rounds, players)
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    assert judged.repeats == sum(count - 1 for count in met.values())
    assert judged.most_meetings == max(met.values()) == met[judged.worst_pair]
    assert judged.unmet == sum(not together(rounds, *pair) for pair in combinations(range(players), 2))
    assert judged.revisits == sum(minds["tables revisited"])
    assert judged.strangers * 2 == sum(minds["strangers"])
    assert [worst.criterion for worst in judged.worst] == CRITERIA == list(minds)
    for worst in judged.worst:
        counts = minds[worst.criterion]
        assert (worst.count, worst.least, worst.sharing) == (max(counts), min(counts), counts.count(max(counts)))
        assert worst.player == (None if max(counts) == min(counts) else counts.index(max(counts)))


def test_who_never_meets_may_share_an_opponent() -> None:
    """Tables 0-1, 2-3 and then 1-2: 0 knows 2 by 1, 1 knows 3 by 2, and 0 and 3 are strangers."""
    judged = judge([[(0, 1), (2, 3)], [(1, 2)]], 4)
    assert (judged.unmet, judged.strangers) == (3, 1)
    assert (judged.worst[-1].player, judged.worst[-1].count, judged.worst[-1].sharing) == (0, 1, 2)


def test_who_has_left_is_an_opponent_that_others_share() -> None:
    """Players 0 and 1 both met 2, who has left: they are no strangers, and 2 does not count."""
    judged = judge([[(0, 2)], [(1, 2)]], 2)
    assert (judged.unmet, judged.strangers) == (1, 0)


def test_a_physical_table_is_known_by_its_number() -> None:
    """Without numbers the two stay at the first table; by number they are at table 1, then 2, then 1 again."""
    rounds = [[(0, 1)], [(1, 0)], [(0, 1)]]
    assert judge(rounds, 2).revisits == 4
    assert judge(rounds, 2, numbers=[[1], [2], [1]]).revisits == 2


def test_a_thousand_players_are_judged_in_under_a_second() -> None:
    rounds = plan(1000, 4, 6, 1).rounds
    begin = time.process_time()
    judged = judge(rounds, 1000)
    assert time.process_time() - begin < 1
    assert judged.strangers > 0
