"""Tests of certificates: no seating has fewer repeats than the bound, whatever the tables of its rounds."""

import random
from itertools import combinations, permutations, product

import pytest

from tests.oracles.recount import together
from tourney.seating.constraints import Constraints
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.bounds import certify
from tourney.seating.quality.metrics import judge


def rounds_of(players: frozenset[int], sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """Return every way to seat these players at tables of these sizes."""
    if not sizes:
        return [[]]
    first, *rest = sizes
    return [
        [table, *others]
        for table in combinations(sorted(players), first)
        for others in rounds_of(players.difference(table), tuple(rest))
    ]


SHAPES = [
    ((3, 3), (3, 3)),
    ((4, 2), (3, 3)),
    ((3, 3), (3, 3), (2, 2, 2)),
    ((5,), (4, 2), (3, 2)),
    ((6,), (2, 2, 2)),
    ((2, 2), (2, 2), (2, 2)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_no_seating_of_six_players_has_fewer_repeats_than_its_bound(shapes: tuple[tuple[int, ...], ...]) -> None:
    """Try every seating in rounds of these table sizes, some of which leave byes."""
    everybody = frozenset(range(6))
    # Players are interchangeable, so the first round is fixed.
    first = rounds_of(everybody, shapes[0])[0]
    others = product(*(rounds_of(everybody, sizes) for sizes in shapes[1:]))
    seatings = [[first, *rest] for rest in others]
    judged = [judge(rounds, 6) for rounds in seatings]
    for aim, allowed in (("no third meeting", 2), ("fewest repeats", 6)):
        best = min(
            (number for number, judgement in enumerate(judged) if judgement.most_meetings <= allowed),
            key=lambda number: judged[number].repeats,
        )
        certificate = certify(seatings[best], 6, aim=aim)
        assert certificate.holds_for == aim
        assert certificate.bound.repeats <= judged[best].repeats


def test_repeats_of_rounds_already_played_cannot_be_avoided() -> None:
    """Two equal rounds at two tables of four make 12 repeats; the third round adds none."""
    played = [[(0, 1, 2, 3), (4, 5, 6, 7)]] * 2
    rounds = [*played, [(0, 4), (1, 5), (2, 6), (3, 7)]]
    assert certify(rounds, 8).bound.repeats < 12
    certificate = certify(rounds, 8, played=2)
    assert (certificate.bound.repeats, certificate.proven) == (12, True)
    assert "already played" in certificate.bound.why


def test_a_seating_with_third_meetings_has_the_bound_for_all_seatings() -> None:
    """The bound for seatings without third meetings does not apply to it."""
    one_round = [[(0, 1, 2, 3), (4, 5, 6, 7)]]
    assert certify(one_round * 2, 8).holds_for == "no third meeting"
    assert certify(one_round * 2, 8, aim="fewest repeats").holds_for == "fewest repeats"
    assert certify(one_round * 3, 8).holds_for == "fewest repeats"


@pytest.mark.parametrize(("players", "rounds", "fewest"), [(8, 3, 12), (12, 3, 9), (16, 5, 0), (22, 5, 0)])
def test_minima_found_by_exhaustive_search_are_called_proven(players: int, rounds: int, fewest: int) -> None:
    """The cases are published minima of seatings at tables of four without third meetings."""
    seating = plan(players, 4, rounds, 1, PlanWish(aim="no third meeting"))
    certificate = certify(seating.rounds, players)
    assert (certificate.judgement.repeats, certificate.bound.repeats, certificate.proven) == (fewest, fewest, True)


def test_players_who_have_left_count_among_possible_opponents() -> None:
    """Two rounds at one table of two need no repeat among three players, even if one has left since."""
    assert certify([[(0, 1)], [(0, 2)]], 2).bound.repeats == 0
    assert certify([[(0, 1)], [(0, 1)]], 2).bound.repeats == 1


def test_violations_are_counted() -> None:
    """Players 0 and 1 meet although kept apart, 2 and 3 do not although seated together; 0 needs table 2, but has 1."""
    constraints = Constraints((frozenset({0, 1}),), ((2, 3),), ((0, 2),))
    violations = certify([[(0, 1), (2, 4)], [(3, 4)]], 5, constraints=constraints).violations
    assert (violations.apart, violations.together, violations.tables) == (1, 1, 1)


@pytest.mark.parametrize("seed", range(20))
def test_violations_of_each_player_are_counted_one_by_one(seed: int) -> None:
    """Twelve players sit at numbered tables of three; violations of random constraints are recounted by definition."""
    rng = random.Random(f"wishes {seed}")
    orders = [rng.sample(range(12), 12) for _round in range(4)]
    rounds = [[tuple(order[first : first + 3]) for first in range(0, 12, 3)] for order in orders]
    numbers = [sorted(rng.sample(range(1, 8), 4)) for _round in rounds]
    pairs = rng.sample(list(combinations(range(12), 2)), 8)
    constraints = Constraints(
        (frozenset(rng.sample(range(12), 4)),), tuple(pairs), ((0, rng.randint(1, 7)), (1, rng.randint(1, 7)))
    )
    apart = {frozenset(pair) for group in constraints.apart for pair in combinations(group, 2)}
    violations = [0] * 12
    for player, table in constraints.tables:
        for tables, table_numbers in zip(rounds, numbers, strict=True):
            violations[player] += all(
                player not in seated or number != table for seated, number in zip(tables, table_numbers, strict=True)
            )
    for player, opponent in permutations(range(12), 2):
        meetings = together(rounds, player, opponent)
        if {(player, opponent), (opponent, player)} & set(pairs):
            violations[player] += meetings == 0
        elif frozenset({player, opponent}) in apart:
            violations[player] += meetings
    worst = certify(rounds, 12, numbers=numbers, constraints=constraints).worst[-1]
    assert (worst.criterion, worst.count, worst.least) == ("wishes", max(violations), min(violations))
    assert worst.sharing == violations.count(max(violations))
    assert worst.player is None or violations[worst.player] == max(violations)


def test_a_certificate_with_uneven_short_tables_gives_the_repeats_of_level_ones() -> None:
    """Ten players at 4 + 3 + 3 have at least seven repeats without third meetings, and more with level short tables."""
    seating = plan(10, 4, 4, 1, PlanWish(aim="no third meeting"))
    certificate = certify(seating.rounds, 10)
    assert certificate.judgement.smaller_table_spread > 1
    assert seating.level is not None
    assert seating.level > certificate.judgement.repeats == 7
