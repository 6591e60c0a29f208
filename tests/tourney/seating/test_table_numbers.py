"""Tests of table numbers: few players return to a table, and players who need a table have it."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product

import pytest

from tourney.seating.balance.table_numbers import number_tables
from tourney.seating.constraints import Constraints
from tourney.seating.plan import PlanWish, plan


def visits(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter((player, place) for tables in rounds for place, table in enumerate(tables) for player in table)


def squares(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    return sum(count * count for count in visits(rounds).values())


def best_by_brute_force(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """Return the least sum of squares over all orders of the tables in all rounds; the first round is fixed."""
    first, *others = rounds
    return min(squares([first, *orders]) for orders in product(*(list(permutations(tables)) for tables in others)))


@pytest.mark.parametrize(("players", "rounds"), [(12, 3), (12, 4), (13, 3), (16, 3), (16, 4)])
def test_hardly_any_order_of_the_tables_brings_fewer_players_back(players, rounds):
    """Try every order of three or four tables, for five seeds.

    None lowers the sum of squared visits by more than 2, which is one return to a table.
    """
    for seed in range(5):
        seating = plan(players, 4, rounds, seed).rounds
        assert squares(seating) <= best_by_brute_force(seating) + 2


@pytest.mark.parametrize(("players", "rounds"), [(20, 5), (28, 7), (100, 5), (200, 6), (1000, 6)])
def test_hardly_anybody_returns_to_a_table_where_there_are_enough(players, rounds):
    """With at least as many tables as rounds, few players return to a table.

    There is at most one return for four players with either of two seeds, and none with one of them.
    """
    again = [sum(count - 1 for count in visits(plan(players, 4, rounds, seed).rounds).values()) for seed in range(2)]
    assert max(again) <= players // 4
    assert min(again) == 0


def test_numbering_changes_no_table():
    """Each table keeps its players when tables are numbered."""
    groups = [[[0, 1, 2], [3, 4, 5], [6, 7]], [[0, 3, 6], [1, 4, 7], [2, 5]]]
    after = number_tables([list(tables) for tables in groups], (), (), 8)
    assert [sorted(map(sorted, tables)) for tables in after] == [sorted(map(sorted, tables)) for tables in groups]


def test_a_player_who_needs_a_table_has_it_in_every_round():
    """Player 5 needs table 1, player 9 table 6, and player 7 a table that does not exist."""
    seating = plan(22, 4, 5, 3, PlanWish(constraints=Constraints(tables=((5, 1), (9, 6), (7, 40))))).rounds
    for tables in seating:
        # Where both share a table, the first of the two has theirs.
        assert 5 in tables[0]
        assert 9 in tables[5] or 9 in tables[0]


def test_tables_keep_their_numbers_when_a_player_leaves():
    """The last of 24 players leaves after two of six rounds; every table keeps its planned number."""
    first = plan(24, 4, 6, 9).rounds
    after = plan(23, 4, 6, 9, PlanWish(played=first[:2], ahead=first[2:])).rounds
    for planned, tables in zip(first[2:], after[2:], strict=True):
        assert [set(table) - {23} for table in planned] == [set(table) for table in tables]
