"""Chances to go through: exact where one table is open, and equal for players with equal prospects."""

from fractions import Fraction
from itertools import permutations

import pytest

from tourney.domain.results import Outcome
from tourney.standings.chances import Basis, chances
from tourney.standings.cut_states import Remaining, Runner

GAMES = [(0, 40, 75, 120), (10, 10, 60, 95), (-5, 30, 30, 200)]
"""The games that were played, of four players each."""
PLAYED = {4: [Outcome((), points, (0, 0, 0, 0), (1, 2, 3, 4)) for points in GAMES]}


def no_ranks(_ending: object) -> dict[int, int]:
    """Fail: these stages ask for no tie-break."""
    raise AssertionError("no tie-break decides")


def by_brute_force(points: dict[int, int], table: tuple[int, ...], places: int) -> dict[int, Fraction]:
    """Return the chances over every ending: each played game, with its points given to the table in every order."""
    through, endings = dict.fromkeys(points, Fraction(0)), 0
    for game in GAMES:
        for order in permutations(game):
            endings += 1
            after = dict(points)
            for player, scored in zip(table, order, strict=True):
                after[player] += scored
            means = {player: Fraction(after[player], 2) if player in table else after[player] for player in points}
            for player in points:
                better = sum(means[other] < means[player] for other in points)
                level = sum(means[other] == means[player] for other in points)
                through[player] += min(max(Fraction(places - better, level), Fraction(0)), Fraction(1))
    return {player: share / endings for player, share in through.items()}


BASIS = Basis(PLAYED, 4, "seed", no_ranks)


@pytest.mark.parametrize("places", [1, 2, 3, 5])
@pytest.mark.parametrize("points", [(20, 20, 20, 20), (0, 35, 35, 80), (50, 10, 60, 61)])
def test_with_one_open_table_the_chances_are_those_of_every_ending(points: tuple[int, ...], places: int) -> None:
    """Players 1 to 4 have a game to play, 5 and 6 have 30 and 45 points per game and wait."""
    sums = {**dict(enumerate(points, 1)), 5: 30, 6: 45}
    runners = [Runner(player, score, 1) for player, score in sums.items()]
    found = chances(runners, Remaining(2, ((1, 2, 3, 4),), 0, ()), places, BASIS)
    expected = by_brute_force(sums, (1, 2, 3, 4), places)
    assert found == pytest.approx({player: float(share) for player, share in expected.items()}, abs=1e-12)
    assert sum(found.values()) == pytest.approx(places)


def test_at_a_semi_final_s_open_table_two_of_four_have_one_half_each() -> None:
    """Nobody has a game yet: 55, 46, 54 and 45 % were shown where each has 50 %."""
    runners = [Runner(player, 0, 0) for player in range(1, 5)]
    found = chances(runners, Remaining(5, ((1, 2, 3, 4),), 0, ()), 2, BASIS)
    assert found == dict.fromkeys(range(1, 5), 0.5)


def test_with_rounds_to_come_equal_players_have_equal_figures() -> None:
    """Endings are drawn, and 8 are level: each has 4 of 8 places, whatever was drawn."""
    runners = [Runner(player, 100, 1) for player in range(1, 9)]
    found = chances(runners, Remaining(2, (), 2, ()), 4, BASIS)
    (share,) = set(found.values())
    assert share == pytest.approx(0.5)
