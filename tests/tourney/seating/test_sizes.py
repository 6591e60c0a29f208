"""Tests of chosen table sizes: every round has them, and the other players have byes in turn."""

import re
from itertools import combinations, product

import pytest

from tourney.seating.model import Remainder
from tourney.seating.plan import plan
from tourney.seating.quality.metrics import judge
from tourney.seating.sizes import limit_tables


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [
        (12, (3, 4, 5), 5),
        (13, (5, 4, 3), 5),
        (16, (8, 4, 4), 4),
        (10, (4, 3), 4),
        (30, (8, 8, 8, 6), 4),
        (9, (2, 3, 4), 3),
        (22, (4, 4, 4, 4, 3, 3), 5),
    ],
)
def test_every_round_has_the_tables_given(players: int, sizes: tuple[int, ...], rounds: int) -> None:
    """The order of the sizes does not matter; nobody has two byes more than anybody else."""
    seating = plan(players, 4, rounds, 1, sizes=sizes)
    for tables, out in zip(seating.rounds, seating.sitting_out, strict=True):
        assert sorted(map(len, tables)) == sorted(sizes)
        assert sorted([*(player for table in tables for player in table), *out]) == list(range(players))
    assert judge(seating.rounds, players).byes_spread <= 1


def test_no_split_of_the_second_round_is_better() -> None:
    """Seven at tables of four and three, and of five and two: every second round tried around the first."""
    for sizes in ((4, 3), (5, 2)):
        first, *_rest = plan(7, 4, 2, 1, sizes=sizes).rounds
        others = [
            [list(table), [player for player in range(7) if player not in table]]
            for table in combinations(range(7), max(sizes))
        ]
        fewest = min(judge([first, other], 7).repeats for other in others)
        assert judge(plan(7, 4, 2, 1, sizes=sizes).rounds, 7).repeats == fewest


def test_the_sizes_that_a_number_of_players_has_anyway_change_nothing() -> None:
    for players, seed in product((9, 14, 22), (1, 2)):
        usual = plan(players, 4, 3, seed)
        assert plan(players, 4, 3, seed, sizes=list(map(len, usual.rounds[0]))) == usual


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((4, 4, 4), "12 places for 11 players; give smaller or fewer tables"),
        ((4, 4, 1), "a table has two players at least"),
        ((), "give the size of each table"),
    ],
)
def test_sizes_that_cannot_be_are_refused_in_a_clear_sentence(sizes: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        plan(11, 4, 3, 1, sizes=sizes)


@pytest.mark.parametrize(
    ("sizes", "tables", "most", "short", "wanted"),
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
def test_tables_that_are_too_few_are_larger_as_far_as_the_rules_go(
    sizes: tuple[int, ...], tables: int, most: int, short: Remainder, wanted: tuple[int, ...]
) -> None:
    """Twelve at two tables are six and six, or four and four where no more may sit together."""
    assert limit_tables(sizes, tables, most, short) == wanted
