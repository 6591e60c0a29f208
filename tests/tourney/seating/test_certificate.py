"""Certificates: no seating beats the bound that one names, whatever the tables of its rounds."""

import random
from itertools import combinations, permutations, product

import pytest

from tests.oracles.recount import together
from tourney.seating.constraints import Constraints
from tourney.seating.plan import plan
from tourney.seating.quality.certificate import certify
from tourney.seating.quality.metrics import judge


def rounds_of(players: frozenset[int], sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """Every way to seat these players at tables of these sizes."""
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
def test_no_seating_of_six_has_fewer_repeats_than_its_certificate_says(shapes: tuple[tuple[int, ...], ...]) -> None:
    """Rounds of different tables, and some in which not everybody sits: every one of them tried."""
    everybody = frozenset(range(6))
    # Who is who does not matter: the first round may stay.
    first = rounds_of(everybody, shapes[0])[0]
    others = product(*(rounds_of(everybody, sizes) for sizes in shapes[1:]))
    seatings = [[first, *rest] for rest in others]
    judged = [judge(rounds, 6) for rounds in seatings]
    for aim, allowed in (("no third meeting", 2), ("fewest repeats", 6)):
        best = min(
            (number for number, one in enumerate(judged) if one.most_meetings <= allowed),
            key=lambda number: judged[number].repeats,
        )
        certificate = certify(seatings[best], 6, aim=aim)
        assert certificate.holds_for == aim
        assert certificate.bound.repeats <= judged[best].repeats


def test_repeats_of_rounds_already_played_cannot_be_avoided() -> None:
    """Two equal rounds of two fours: 12 repeats, though the third round repeats nobody."""
    played = [[(0, 1, 2, 3), (4, 5, 6, 7)]] * 2
    rounds = [*played, [(0, 4), (1, 5), (2, 6), (3, 7)]]
    assert certify(rounds, 8).bound.repeats < 12
    certificate = certify(rounds, 8, played=2)
    assert (certificate.bound.repeats, certificate.proven) == (12, True)
    assert "already played" in certificate.bound.why


def test_a_third_meeting_makes_the_bound_one_of_all_seatings() -> None:
    """Among seatings in which nobody meets three times this one is none."""
    same = [[(0, 1, 2, 3), (4, 5, 6, 7)]]
    assert certify(same * 2, 8).holds_for == "no third meeting"
    assert certify(same * 2, 8, aim="fewest repeats").holds_for == "fewest repeats"
    assert certify(same * 3, 8).holds_for == "fewest repeats"


@pytest.mark.parametrize(("players", "rounds", "fewest"), [(8, 3, 12), (12, 3, 9), (16, 5, 0), (22, 5, 0)])
def test_what_exhaustive_search_found_to_be_the_least_is_called_so(players: int, rounds: int, fewest: int) -> None:
    """Published minima of seatings at tables of four in which nobody meets three times."""
    seating = plan(players, 4, rounds, 1, aim="no third meeting")
    certificate = certify(seating.rounds, players, method=seating.method)
    assert (certificate.judgement.repeats, certificate.bound.repeats, certificate.proven) == (fewest, fewest, True)


def test_players_who_have_left_count_among_possible_opponents() -> None:
    """Check that two rounds of two need no repeat among three players, one of whom has left; among two they would."""
    assert certify([[(0, 1)], [(0, 2)]], 2).bound.repeats == 0
    assert certify([[(0, 1)], [(0, 1)]], 2).bound.repeats == 1


def test_violations_are_counted() -> None:
    """Players 0 and 1 are to be kept apart and meet, 2 and 3 to be seated together and do not, 0 needs table 2 and has
    1."""
    constraints = Constraints((frozenset({0, 1}),), ((2, 3),), ((0, 2),))
    violations = certify([[(0, 1), (2, 4)], [(3, 4)]], 5, constraints=constraints).violations
    assert (violations.apart, violations.together, violations.tables) == (1, 1, 1)


@pytest.mark.parametrize("seed", range(20))
def test_violations_of_each_player_are_counted_one_by_one(seed: int) -> None:
    """Twelve at numbered tables of three; groups, couples and tables at random, each judged by its own sentence."""
    rng = random.Random(f"wishes {seed}")
    orders = [rng.sample(range(12), 12) for _round in range(4)]
    rounds = [[tuple(order[first : first + 3]) for first in range(0, 12, 3)] for order in orders]
    numbers = [sorted(rng.sample(range(1, 8), 4)) for _round in rounds]
    pairs = rng.sample(list(combinations(range(12), 2)), 8)
    constraints = Constraints(
        (frozenset(rng.sample(range(12), 4)),), tuple(pairs), ((0, rng.randint(1, 7)), (1, rng.randint(1, 7)))
    )
    apart = {frozenset(pair) for group in constraints.apart for pair in combinations(group, 2)}
    lost = [0] * 12
    for player, table in constraints.tables:
        for tables, at in zip(rounds, numbers, strict=True):
            lost[player] += all(player not in who or number != table for who, number in zip(tables, at, strict=True))
    for one, other in permutations(range(12), 2):
        met = together(rounds, one, other)
        if {(one, other), (other, one)} & set(pairs):
            lost[one] += met == 0
        elif frozenset({one, other}) in apart:
            lost[one] += met
    worst = certify(rounds, 12, numbers=numbers, constraints=constraints).worst[-1]
    assert (worst.criterion, worst.count, worst.least) == ("wishes", max(lost), min(lost))
    assert worst.sharing == lost.count(max(lost))
    assert worst.player is None or lost[worst.player] == max(lost)


def test_uneven_turns_at_short_tables_have_what_level_ones_would_cost() -> None:
    """Seven repeats, the fewest of ten players at four, three and three where nobody meets three times, are had by
    uneven turns only: level ones have more."""
    seating = plan(10, 4, 4, 1, aim="no third meeting")
    certificate = certify(seating.rounds, 10, level=seating.level)
    assert certificate.judgement.smaller_table_spread > 1
    assert certificate.level is not None
    assert certificate.level > certificate.judgement.repeats == 7
