"""Tests of players who never share a table: brute force beside the exact test, and plans of all seeds."""

import random
from itertools import combinations

import pytest

from tourney.seating.constraints import Constraints
from tourney.seating.formats import FORMATS
from tourney.seating.model import table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.seating.separate import largest_clique, separable, separated_round, shared
from tourney.seating.swiss import RoundTask


def seatings(players: tuple[int, ...], sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """Return all ways to fill tables of these sizes, leaving players over if there are more."""
    if not sizes:
        return [[]]
    return [
        [table, *rest]
        for table in combinations(players, sizes[0])
        for rest in seatings(tuple(player for player in players if player not in table), sizes[1:])
    ]


def random_pairs(rng: random.Random, players: int, number: int) -> frozenset[tuple[int, int]]:
    return frozenset(rng.sample(list(combinations(range(players), 2)), number))


@pytest.mark.parametrize("sizes", [(3, 3), (4, 3), (2, 2, 2), (3, 2, 2), (4, 2), (3, 3, 1)], ids=str)
def test_the_exact_test_agrees_with_all_seatings(sizes: tuple[int, ...]) -> None:
    """Some of seven players have a bye where the tables are fewer; cliques are counted by trying all subsets."""
    players, rng = 7, random.Random(str(sizes))
    every = seatings(tuple(range(players)), sizes)
    answers = set()
    for _case in range(25):
        pairs = random_pairs(rng, players, rng.randrange(1, 20))
        possible = any(not shared(tables, pairs) for tables in every)
        assert separable(pairs, sizes, players - sum(sizes)) == ("possible" if possible else "impossible"), pairs
        answers.add(possible)
        cliques = [
            group
            for size in range(2, players + 1)
            for group in combinations(range(players), size)
            if pairs.issuperset(combinations(group, 2))
        ]
        assert len(largest_clique(pairs)) == max(map(len, cliques))
    assert answers == {True, False}


@pytest.mark.parametrize("byes", [0, 2], ids=["no byes", "byes"])
def test_a_round_is_repaired_wherever_a_seating_separates_all_pairs(byes: int) -> None:
    """Rounds of six players at two tables, and of eight with two byes, whatever pairs are forbidden."""
    players, sizes, rng = 6 + byes, (3, 3), random.Random(byes)
    every = seatings(tuple(range(players)), sizes)
    for _case in range(40):
        never = random_pairs(rng, players, rng.randrange(1, 9))
        constraints = Constraints(never=tuple(map(frozenset, never)))
        order = rng.sample(range(players), players)
        tables, out = separated_round([order[:3], order[3:6]], order[6:], (), constraints)
        assert sorted([*tables[0], *tables[1], *out]) == list(range(players))
        assert [len(table) for table in tables] == [3, 3]
        assert bool(shared(tables, never)) == all(shared(way, never) for way in every)


NEVER = (frozenset({0, 1, 2}), frozenset({1, 5}), frozenset({3, 8}))


SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(8)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("players", "rounds", "byes"),
    [
        pytest.param(9, 5, False, marks=pytest.mark.slow),
        pytest.param(13, 5, True, marks=pytest.mark.slow),
        (14, 3, False),
    ],
)
def test_plans_of_all_seeds_separate_them_in_every_round(players: int, rounds: int, byes: bool, seed: int) -> None:
    """The plan of a whole tournament, and the one made anew around a first round in which they met."""
    sizes = table_sizes(players, 4 if byes else 3, 2, "sit out" if byes else "short tables")
    constraints = Constraints(never=NEVER)
    pairs = constraints.never_pairs
    whole = plan(players, 4, rounds, seed, PlanWish(sizes=sizes, constraints=constraints))
    assert not any(shared(tables, pairs) for tables in whole.rounds)
    plain = plan(players, 4, rounds, seed, PlanWish(sizes=sizes))
    changed = plan(
        players,
        4,
        rounds,
        seed,
        PlanWish(sizes=sizes, played=plain.rounds[:1], ahead=plain.rounds[1:], constraints=constraints),
    )
    assert changed.rounds[0] == plain.rounds[0]
    assert not any(shared(tables, pairs) for tables in changed.rounds[1:])


@pytest.mark.parametrize("name", [name for name, format_ in FORMATS.items() if format_.seat])
@pytest.mark.parametrize("players", [9, pytest.param(17, marks=pytest.mark.slow)])
def test_rounds_of_every_format_separate_them(name: str, players: int) -> None:
    """Three rounds, one after the other, in the order of the players' numbers."""
    constraints, played = Constraints(never=NEVER), []
    sizes = table_sizes(players, 4, 2, "short tables")
    for _round in range(3):
        task = RoundTask(range(players), True, sizes, tuple(played), (), "7", constraints, lambda table: sum(table))
        tables, _out = FORMATS[name].seat(task)
        assert not shared(tables, constraints.never_pairs)
        played.append(tuple(map(tuple, tables)))


def test_constraints_that_cannot_be_kept_leave_a_round_as_it_is() -> None:
    """Three players of whom no two share a table, at two tables: the round is returned for the caller to refuse."""
    constraints = Constraints(never=(frozenset({0, 1, 2}),))
    assert separated_round([[0, 1], [2, 3]], [], (), constraints) == ([[0, 1], [2, 3]], [])
