"""Check the numbering of tables: few players return to the same place, and those who need a place have it."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product

import pytest

from tourney.seating.balance.table_numbers import number_tables
from tourney.seating.constraints import Constraints
from tourney.seating.plan import plan


def visits(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter((player, place) for tables in rounds for place, table in enumerate(tables) for player in table)


def squares(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    return sum(count * count for count in visits(rounds).values())


def best_by_brute_force(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """The least sum of squares over every order of every round but the first, whose order is free."""
    first, *others = rounds
    return min(squares([first, *orders]) for orders in product(*(list(permutations(one)) for one in others)))


@pytest.mark.parametrize(("players", "rounds"), [(12, 3), (12, 4), (13, 3), (16, 3), (16, 4)])
def test_no_order_of_the_tables_brings_fewer_back_to_a_place(players, rounds):
    """Every order of three or four tables tried, for five seeds: at most one visit more than the least."""
    for seed in range(5):
        seating = plan(players, 4, rounds, seed).rounds
        assert squares(seating) <= best_by_brute_force(seating) + 2


@pytest.mark.parametrize(("players", "rounds"), [(20, 5), (28, 7), (100, 5), (200, 6), (1000, 6)])
def test_nobody_comes_back_to_a_place_where_there_are_enough(players, rounds):
    """As many tables as rounds, or more: everybody sits everywhere once at most in nearly all seatings."""
    again = [sum(count - 1 for count in visits(plan(players, 4, rounds, seed).rounds).values()) for seed in range(2)]
    assert max(again) <= players // 4
    assert min(again) == 0


def test_numbering_changes_no_table():
    """Check round by round that the same people share a table as before."""
    groups = [[[0, 1, 2], [3, 4, 5], [6, 7]], [[0, 3, 6], [1, 4, 7], [2, 5]]]
    after = number_tables([list(tables) for tables in groups], (), (), 8)
    assert [sorted(map(sorted, tables)) for tables in after] == [sorted(map(sorted, tables)) for tables in groups]


def test_who_needs_a_table_has_it_in_every_round():
    """22 in four tables of four and two of three: 5 at table 1, 9 at table 6, whoever else sits there."""
    seating = plan(22, 4, 5, 3, constraints=Constraints(tables=((5, 1), (9, 6), (7, 40)))).rounds
    for tables in seating:
        # Where both share a table, the first of the two has his.
        assert 5 in tables[0]
        assert 9 in tables[5] or 9 in tables[0]


def test_tables_keep_their_numbers_when_somebody_leaves():
    """The last of 24 leaves after two of six rounds: the others find every table where it was announced."""
    first = plan(24, 4, 6, 9).rounds
    after = plan(23, 4, 6, 9, played=first[:2], ahead=first[2:]).rounds
    for announced, tables in zip(first[2:], after[2:], strict=True):
        assert [set(table) - {23} for table in announced] == [set(table) for table in tables]
