"""Tests of constraints: players to keep apart, to seat together, and needed tables, and what keeping them costs."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from tourney.seating.constraints import VIOLATION_PRICE, Constraints, Violations, violations
from tourney.seating.plan import plan
from tourney.seating.sizes import table_sizes


def clubs(size: int, players: int) -> tuple[frozenset[int], ...]:
    """Everybody in clubs of so many, those left over in none."""
    return tuple(frozenset(range(first, first + size)) for first in range(0, players - size + 1, size))


def couples(players: int) -> tuple[tuple[int, int], ...]:
    return tuple((player, player + 1) for player in range(0, players - 1, 2))


def meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repeats(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    met = meetings(rounds)
    return sum(met.values()) - len(met)


# Where a plan without repeats leaves room: transversal designs have as many players who never meet as tables.
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
    """Counted here, pair by pair, for three seeds."""
    for seed in range(3):
        seating = plan(players, size, rounds, seed, constraints=constraints).rounds
        met = meetings(seating)
        assert repeats(seating) == 0
        assert not [pair for group in constraints.apart for pair in combinations(sorted(group), 2) if met[pair]]
        assert all(met[min(pair), max(pair)] for pair in constraints.together)


def test_a_large_club_meets_no_more_than_it_must():
    """Ten of 24 at six tables: in every round four tables have two of them at best, four meetings."""
    seating = plan(24, 4, 5, 1, constraints=Constraints(apart=(frozenset(range(10)),))).rounds
    met = meetings(seating)
    assert sum(met[pair] for pair in combinations(range(10), 2)) == 4 * 5


def price(seating: Sequence[Sequence[Sequence[int]]], constraints: Constraints) -> int:
    """Price a violation at its price, a second meeting at 240, a third at 961 more."""
    met = meetings(seating)
    lost = sum(met[pair] for group in constraints.apart for pair in combinations(sorted(group), 2))
    lost += sum(not met[min(pair), max(pair)] for pair in constraints.together)
    return VIOLATION_PRICE * lost + sum({1: 0, 2: 240, 3: 240 + 961}[count] for count in met.values())


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(apart=(frozenset({0, 1}), frozenset({2, 3}))),
        Constraints(together=((0, 1), (2, 3), (4, 5))),
        Constraints(apart=(frozenset({0, 1, 2}),), together=((3, 4), (5, 6))),
    ],
    ids=["two couples apart", "three pairs meet", "both"],
)
def test_brute_force_finds_no_better_balance_of_constraints_and_repeats(constraints):
    """All 35 ways of each of three rounds of eight at two tables, weighed the same."""
    halves = [(0, *others) for others in combinations(range(1, 8), 3)]
    ways = [(half, tuple(sorted(set(range(8)) - set(half)))) for half in halves]
    least = min(price(rounds, constraints) for rounds in combinations_with_replacement(ways, 3))
    assert price(plan(8, 4, 3, 1, aim="no third meeting", constraints=constraints).rounds, constraints) == least


def test_constraints_are_kept_around_rounds_that_are_played():
    """Two rounds of 24 in four are played: 0 and 1 met in the first, and do not meet again in four more."""
    played = plan(24, 4, 6, 1).rounds[:2]
    one, other = played[0][0][:2]
    constraints = Constraints(apart=(frozenset({one, other}),))
    after = plan(24, 4, 6, 1, played=played, constraints=constraints).rounds
    assert after[:2] == played
    assert meetings(after[2:])[min(one, other), max(one, other)] == 0


def test_violations_are_counted_by_hand():
    """Players 0 and 1 meet twice, 2 and 3 never, 5 does not play; 4 needs table 1 and is once at table 2."""
    constraints = Constraints(apart=(frozenset({0, 1}),), together=((3, 2), (4, 5)), tables=((4, 1),))
    assert violations(constraints, [[(0, 1, 2), (3, 4)], [(4, 3), (1, 0, 2)]], 5) == Violations(
        apart=2, together=1, tables=1
    )


@pytest.mark.parametrize("players", [23, 26])
def test_constraints_leave_sizes_and_turns_as_they_are(players):
    """Tables of four and three: everybody sits once a round, turns at short tables stay within one."""
    seating = plan(players, 4, 5, 3, constraints=Constraints(apart=clubs(3, players))).rounds
    for tables in seating:
        assert sorted(player for table in tables for player in table) == list(range(players))
        assert sorted(map(len, tables), reverse=True) == list(table_sizes(players, 4))
    short = Counter(player for tables in seating for table in tables if len(table) == 3 for player in table)
    assert max(short[player] for player in range(players)) - min(short[player] for player in range(players)) <= 1


@pytest.mark.parametrize(("players", "rounds", "most"), [(22, 5, 1), (23, 5, 0), (24, 5, 0)])
def test_clubs_of_four_are_kept_apart_and_hardly_anybody_meets_twice(players, rounds, most):
    """24 in six tables have seven rounds in which nobody meets twice, and so six beside one of clubmates alone; 22 have
    a plan without a repeat, found by an annealer in C."""
    constraints = Constraints(apart=clubs(4, players))
    seatings = [
        plan(players, 4, rounds, seed, least=3, aim="no third meeting", constraints=constraints) for seed in (1, 2)
    ]
    assert [violations(constraints, seating.rounds, players).apart for seating in seatings] == [0, 0]
    found = [repeats(seating.rounds) for seating in seatings]
    assert max(found) <= most
    assert min(found) == 0
