"""Tests of rank intervals against sampled skills and the true ranks of simulated seasons."""

import random
from collections.abc import Sequence

import pytest

from tourney.ratings.fold import Fold
from tourney.ratings.intervals import rank_interval, rank_intervals
from tourney.ratings.parameters import Parameters

POOL = Parameters()
Skill = tuple[float, float]


def sampled_ranks(skills: Sequence[Skill], draws: int) -> list[list[int]]:
    """Return by player how often they have rank 1, 2, … in `draws` samples of all skills."""
    chance = random.Random(3)
    counts = [[0] * len(skills) for _ in skills]
    for _ in range(draws):
        sample = [chance.gauss(mu, sigma) for mu, sigma in skills]
        for rank, player in enumerate(sorted(range(len(skills)), key=sample.__getitem__, reverse=True)):
            counts[player][rank] += 1
    return counts


def spread_out(number: int, sigmas: Sequence[float]) -> list[Skill]:
    """Return `number` players with random mus and these sigmas by turns."""
    chance = random.Random(number)
    return [(chance.gauss(25.0, 7.0), sigmas[player % len(sigmas)]) for player in range(number)]


CASES = {
    "two": [(25.0, 2.0), (29.0, 1.0)],
    "far apart": [(10.0, 1.0), (25.0, 1.0), (40.0, 1.0)],
    "equals": [(25.0, 3.0)] * 6,
    "a newcomer among certain players": [(25.0, 25.0 / 3.0), *((20.0 + 2.0 * step, 0.4) for step in range(7))],
    "so certain that one order is possible": [(25.0, 1e-6), (26.0, 1e-6), (27.0, 1e-9), (24.0, 1e-6), (23.0, 1e-6)],
    "a newcomer among very certain players": [(25.0, 25.0 / 3.0), *((20.0 + 2.0 * step, 1e-7) for step in range(7))],
    "a table": spread_out(4, (1.0, 4.0)),
    "a club": spread_out(22, (1.5, 3.0, 8.0)),
    "a league": spread_out(120, (1.0, 1.3, 2.0)),
}


@pytest.mark.parametrize("skills", CASES.values(), ids=CASES)
def test_an_interval_holds_95_percent_of_the_ranks_and_needs_both_its_ends(skills: list[Skill]) -> None:
    """Compare with 10,000 samples. The margins allow for sampling noise and for the normal approximation of the rank,
    which is too rough among four players or fewer to check that both ends are needed."""
    draws = 10_000
    for (best, worst), counts in zip(rank_intervals(skills), sampled_ranks(skills, draws), strict=True):
        assert 1 <= best <= worst <= len(skills)
        share = sum(counts[best - 1 : worst]) / draws
        assert share >= 0.94
        if best < worst and len(skills) > 4:
            assert share - min(counts[best - 1], counts[worst - 1]) / draws < 0.97


def test_a_single_player_is_first() -> None:
    assert rank_intervals([(25.0, 8.0)]) == [(1, 1)]
    assert rank_intervals([]) == []


def test_intervals_do_not_depend_on_the_order_of_the_players() -> None:
    skills = CASES["a club"]
    reversed_intervals = rank_intervals(skills[::-1])
    assert rank_intervals(skills) == reversed_intervals[::-1]


@pytest.mark.parametrize("skills", CASES.values(), ids=CASES)
def test_the_interval_of_one_player_is_that_among_all(skills: list[Skill]) -> None:
    """The interval is the same although the grid spans only the skill of that player."""
    assert [rank_interval(skills, player) for player in range(len(skills))] == rank_intervals(skills)


def season(chance: random.Random) -> tuple[list[int], list[Skill]]:
    """Return the true ranks and the ratings of the players after a simulated season at tables of four.

    8 to 40 players with skills from the prior play 5 to 15 games each on average; the skills drift by `tau`.
    """
    people = chance.randint(8, 40)
    skills = [chance.gauss(POOL.mu, POOL.sigma) for _ in range(people)]
    fold = Fold(POOL)
    for _ in range(people * chance.randint(5, 15) // 4):
        performances = {}
        for player in chance.sample(range(people), 4):
            skills[player] += chance.gauss(0.0, POOL.tau)
            performances[player] = chance.gauss(skills[player], POOL.beta)
        order = sorted(performances, key=performances.__getitem__, reverse=True)
        fold.add([str(player) for player in order], [1, 2, 3, 4])
    ranks = [1 + sum(other > skill for other in skills) for skill in skills]
    ratings = [fold.rating(str(player)) for player in range(people)]
    return ranks, [(rating.mu, rating.sigma) for rating in ratings]


@pytest.mark.parametrize("seasons", [50, pytest.param(500, marks=pytest.mark.soak)])
def test_intervals_cover_the_true_rank_as_often_as_they_promise(seasons: int) -> None:
    """Intervals contain the true rank in 95 to 99 % of the cases."""
    chance = random.Random(8)
    covered: list[bool] = []
    for _ in range(seasons):
        ranks, ratings = season(chance)
        intervals = rank_intervals(ratings)
        covered += [best <= rank <= worst for rank, (best, worst) in zip(ranks, intervals, strict=True)]
    assert 0.95 <= sum(covered) / len(covered) <= 0.99
