"""Tests of given table sizes: every round has them, and byes are shared equally."""

import re
from itertools import combinations, product

import pytest

from tests.harness.slow import slow
from tourney.seating.model import Remainder, limit_tables
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.metrics import judge


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [
        (12, (3, 4, 5), 5),
        (10, (4, 3), 4),
        (22, (4, 4, 4, 4, 3, 3), 5),
        *slow([(13, (5, 4, 3), 5), (16, (8, 4, 4), 4), (30, (8, 8, 8, 6), 4), (9, (2, 3, 4), 3)]),
    ],
)
def test_every_round_has_the_given_sizes(players: int, sizes: tuple[int, ...], rounds: int) -> None:
    """The order of the sizes does not matter; nobody has two byes more than anybody else."""
    seating = plan(players, 4, rounds, 1, PlanWish(sizes=sizes))
    for tables, byes in zip(seating.rounds, seating.sitting_out, strict=True):
        assert sorted(map(len, tables)) == sorted(sizes)
        assert sorted([*(player for table in tables for player in table), *byes]) == list(range(players))
    assert judge(seating.rounds, players).byes_spread <= 1


def test_no_second_round_has_fewer_repeats() -> None:
    """Seven players sit at tables of four and three, or of five and two; try every second round."""
    for sizes in ((4, 3), (5, 2)):
        first, *_rest = plan(7, 4, 2, 1, PlanWish(sizes=sizes)).rounds
        second_rounds = [
            [list(table), [player for player in range(7) if player not in table]]
            for table in combinations(range(7), max(sizes))
        ]
        fewest = min(judge([first, second], 7).repeats for second in second_rounds)
        assert judge(plan(7, 4, 2, 1, PlanWish(sizes=sizes)).rounds, 7).repeats == fewest


def test_giving_the_default_sizes_changes_nothing() -> None:
    for players, seed in product((9, 14, 22), (1, 2)):
        usual = plan(players, 4, 3, seed)
        assert plan(players, 4, 3, seed, PlanWish(sizes=list(map(len, usual.rounds[0])))) == usual


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((4, 4, 4), "12 places for 11 players; give smaller or fewer tables"),
        ((4, 4, 1), "a table has two players at least"),
        ((), "give the size of each table"),
    ],
)
def test_impossible_sizes_are_refused_with_a_clear_message(sizes: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        plan(11, 4, 3, 1, PlanWish(sizes=sizes))


@pytest.mark.parametrize(
    ("sizes", "tables", "most", "remainder", "expected"),
    [
        ((4, 4, 4), 3, 4, "short tables", (4, 4, 4)),
        ((4, 4, 4), 9, 4, "short tables", (4, 4, 4)),
        ((4, 4, 4), 2, 4, "short tables", (4, 4)),
        ((4, 4, 4), 2, 5, "short tables", (5, 5)),
        ((4, 4, 4), 2, 8, "short tables", (6, 6)),
        ((4, 4, 3), 2, 8, "short tables", (6, 5)),
        ((4, 4, 4), 2, 8, "sit out", (4, 4)),
        ((4, 4, 4), 0, 8, "short tables", ()),
    ],
)
def test_too_few_tables_are_made_larger_up_to_the_maximum(
    sizes: tuple[int, ...], tables: int, most: int, remainder: Remainder, expected: tuple[int, ...]
) -> None:
    """Twelve players at two tables sit at 6 and 6, or at 4 and 4 if a table may have no more."""
    assert limit_tables(sizes, tables, most, remainder) == expected
