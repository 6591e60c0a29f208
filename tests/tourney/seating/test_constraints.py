"""Tests of constraints: players to keep apart or seat together, needed tables, and what keeping them costs."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from tests.harness.slow import slow
from tourney.seating.constraints import VIOLATION_PRICE, Constraints, Violations, violations
from tourney.seating.model import table_sizes
from tourney.seating.plan import PlanWish, plan


def clubs(size: int, players: int) -> tuple[frozenset[int], ...]:
    """Return clubs of `size` players each; the players left over have none."""
    return tuple(frozenset(range(first, first + size)) for first in range(0, players - size + 1, size))


def couples(players: int) -> tuple[tuple[int, int], ...]:
    return tuple((player, player + 1) for player in range(0, players - 1, 2))


def meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repeats(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    met = meetings(rounds)
    return sum(met.values()) - len(met)


# Constraints for which a plan without repeats leaves room: transversal designs have groups of players who never meet,
# as many in a group as there are tables.
FREE = [
    (24, 4, 6, Constraints(apart=tuple(map(frozenset, couples(24))))),
    (24, 4, 5, Constraints(apart=clubs(6, 12))),
    (40, 4, 6, Constraints(apart=clubs(5, 40))),
    (100, 4, 5, Constraints(apart=clubs(10, 100))),
    (24, 4, 5, Constraints(together=couples(24))),
    (22, 4, 5, Constraints(apart=(frozenset({0, 1}),), together=((2, 3), (2, 4)))),
]


@pytest.mark.parametrize(("players", "size", "rounds", "constraints"), FREE, ids=lambda value: str(value)[:20])
def test_constraints_are_kept_without_a_repeat_where_there_is_room(players, size, rounds, constraints):
    """Count the meetings pair by pair, for three seeds."""
    for seed in range(3):
        seating = plan(players, size, rounds, seed, PlanWish(constraints=constraints)).rounds
        met = meetings(seating)
        assert repeats(seating) == 0
        assert not [pair for group in constraints.apart for pair in combinations(sorted(group), 2) if met[pair]]
        assert all(met[min(pair), max(pair)] for pair in constraints.together)


@pytest.mark.slow
def test_members_of_a_large_club_meet_as_seldom_as_possible():
    """Ten members sit at six tables: at best four tables have two of them, so each round has four meetings."""
    seating = plan(24, 4, 5, 1, PlanWish(constraints=Constraints(apart=(frozenset(range(10)),)))).rounds
    met = meetings(seating)
    assert sum(met[pair] for pair in combinations(range(10), 2)) == 4 * 5


def price(seating: Sequence[Sequence[Sequence[int]]], constraints: Constraints) -> int:
    """Return the price of violations and repeats: a second meeting costs 240, a third 961 more."""
    met = meetings(seating)
    violated = sum(met[pair] for group in constraints.apart for pair in combinations(sorted(group), 2))
    violated += sum(not met[min(pair), max(pair)] for pair in constraints.together)
    return VIOLATION_PRICE * violated + sum({1: 0, 2: 240, 3: 240 + 961}[count] for count in met.values())


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(apart=(frozenset({0, 1}), frozenset({2, 3}))),
        Constraints(together=((0, 1), (2, 3), (4, 5))),
        Constraints(apart=(frozenset({0, 1, 2}),), together=((3, 4), (5, 6))),
    ],
    ids=["two couples apart", "three pairs meet", "both"],
)
@pytest.mark.slow
def test_brute_force_finds_no_better_balance_of_constraints_and_repeats(constraints):
    """Price all seatings of eight players at two tables in three rounds; a round has 35 seatings."""
    halves = [(0, *others) for others in combinations(range(1, 8), 3)]
    seatings = [(half, tuple(sorted(set(range(8)) - set(half)))) for half in halves]
    lowest = min(price(rounds, constraints) for rounds in combinations_with_replacement(seatings, 3))
    assert (
        price(plan(8, 4, 3, 1, PlanWish(aim="no third meeting", constraints=constraints)).rounds, constraints) == lowest
    )


def test_constraints_are_kept_after_rounds_that_are_played():
    """Two players who met in the first of two played rounds are kept apart in four more."""
    played = plan(24, 4, 6, 1).rounds[:2]
    player, opponent = sorted(played[0][0][:2])
    constraints = Constraints(apart=(frozenset({player, opponent}),))
    after = plan(24, 4, 6, 1, PlanWish(played=played, constraints=constraints)).rounds
    assert after[:2] == played
    assert meetings(after[2:])[player, opponent] == 0


def test_violations_are_counted():
    """Counted by hand: 0 and 1 meet twice, 2 and 3 never, 5 does not play; 4 needs table 1 and sits once at table 2."""
    constraints = Constraints(apart=(frozenset({0, 1}),), together=((3, 2), (4, 5)), tables=((4, 1),))
    assert violations(constraints, [[(0, 1, 2), (3, 4)], [(4, 3), (1, 0, 2)]], 5) == Violations(
        apart=2, together=1, tables=1
    )


@pytest.mark.parametrize("players", [23, 26])
def test_constraints_do_not_change_table_sizes_or_the_balance_of_short_tables(players):
    """At tables of four and three everybody sits once a round, and rounds at a table of three differ by one at most."""
    seating = plan(players, 4, 5, 3, PlanWish(constraints=Constraints(apart=clubs(3, players)))).rounds
    for tables in seating:
        assert sorted(player for table in tables for player in table) == list(range(players))
        assert sorted(map(len, tables), reverse=True) == list(table_sizes(players, 4))
    short = Counter(player for tables in seating for table in tables if len(table) == 3 for player in table)
    assert max(short[player] for player in range(players)) - min(short[player] for player in range(players)) <= 1


@pytest.mark.parametrize(("players", "rounds", "most"), [(23, 5, 0), (24, 5, 0), *slow([(22, 5, 1)])])
def test_clubs_of_four_are_kept_apart_with_hardly_a_repeat(players, rounds, most):
    """24 players have seven rounds without a repeat; one of them may have the clubs as tables, so six others exist. For
    22 players an annealer in C found a plan without a repeat."""
    constraints = Constraints(apart=clubs(4, players))
    seatings = [
        plan(players, 4, rounds, seed, PlanWish(least=3, aim="no third meeting", constraints=constraints))
        for seed in (1, 2)
    ]
    assert [violations(constraints, seating.rounds, players).apart for seating in seatings] == [0, 0]
    counts = [repeats(seating.rounds) for seating in seatings]
    assert max(counts) <= most
    assert min(counts) == 0
