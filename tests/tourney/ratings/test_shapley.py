"""Tests of Shapley values against every order in which opponents join, rated by `trueskill`."""

import random
from collections.abc import Sequence
from importlib import import_module
from itertools import permutations

import pytest
import trueskill

from tourney.ratings.kernel import rate_table
from tourney.ratings.parameters import Parameters
from tourney.ratings.shapley import MAX_EXACT_OPPONENTS, shapley_values

POOL = Parameters()
Skill = tuple[float, float]


def random_table(chance: random.Random, number: int) -> tuple[list[Skill], list[int]]:
    """Return the skills of `number` players and their places, some of them shared."""
    skills = [(chance.gauss(25.0, 8.0), chance.uniform(1.0, 8.0)) for _ in range(number)]
    marks = [chance.randint(1, number) for _ in range(number)]
    return skills, [1 + sum(other < mark for other in marks) for mark in marks]


@pytest.mark.parametrize("number", [2, 3, 4, 6, MAX_EXACT_OPPONENTS + 1, MAX_EXACT_OPPONENTS + 2, 16])
def test_all_shares_sum_to_the_change(number: int) -> None:
    """Exact or sampled, the shares sum to the change of mu and, with the drift, to that of sigma."""
    chance = random.Random(number)
    for player in (0, number - 1):
        skills, places = random_table(chance, number)
        drift, shares = shapley_values(POOL, skills, places, player, chance.random)
        mu, sigma = rate_table(POOL, skills, places)[player]
        assert len(shares) == number - 1
        assert sum(on_mu for on_mu, _on_sigma in shares) == pytest.approx(mu - skills[player][0], abs=1e-9)
        assert drift + sum(on_sigma for _mu, on_sigma in shares) == pytest.approx(sigma - skills[player][1], abs=1e-9)
        assert drift == pytest.approx((skills[player][1] ** 2 + POOL.tau**2) ** 0.5 - skills[player][1])


def by_trueskill(skills: Sequence[Skill], places: Sequence[int], seats: Sequence[int], player: int) -> Skill:
    """Return the player's skill after a game of these seats, by the package `trueskill`."""
    environment = trueskill.TrueSkill(draw_probability=0.01)
    ordered = sorted(seats)
    groups = [(environment.create_rating(*skills[seat]),) for seat in ordered]
    (rated,) = environment.rate(groups, ranks=[places[seat] for seat in ordered])[ordered.index(player)]
    return float(rated.mu), float(rated.sigma)


@pytest.mark.parametrize("case", range(6))
def test_a_share_is_the_mean_over_all_orders_of_joining(case: int) -> None:
    """For three to five players, average what each opponent's joining changes, rated by `trueskill`."""
    chance = random.Random(case)
    number = 3 + case // 2
    skills, places = random_table(chance, number)
    player = case % number
    opponents = [seat for seat in range(number) if seat != player]
    orders = list(permutations(opponents))
    expected = {seat: [0.0, 0.0] for seat in opponents}
    without_opponents = (skills[player][0], (skills[player][1] ** 2 + POOL.tau**2) ** 0.5)
    for order in orders:
        before = without_opponents
        for joined, seat in enumerate(order, 1):
            after = by_trueskill(skills, places, [player, *order[:joined]], player)
            for part in (0, 1):
                expected[seat][part] += (after[part] - before[part]) / len(orders)
            before = after
    _drift, shares = shapley_values(POOL, skills, places, player, chance.random)
    for seat, share in zip(opponents, shares, strict=True):
        assert share == pytest.approx(tuple(expected[seat]), abs=1e-8)


def test_sampled_orders_are_close_to_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred sampled orders of seven players are close to all 720."""
    chance = random.Random(5)
    skills, places = random_table(chance, 7)
    _drift, exact = shapley_values(POOL, skills, places, 2, chance.random)
    monkeypatch.setattr(import_module("tourney.ratings.shapley"), "MAX_EXACT_OPPONENTS", 0)
    _drift, sampled = shapley_values(POOL, skills, places, 2, chance.random)
    assert sampled != exact
    for share, exact_share in zip(sampled, exact, strict=True):
        assert share == pytest.approx(exact_share, abs=0.15)


def test_opponents_ahead_lower_mu_and_opponents_behind_raise_it() -> None:
    """Four equal players finish in order; every opponent of the second lowers the sigma."""
    _drift, (first, third, fourth) = shapley_values(POOL, [(25.0, 5.0)] * 4, [1, 2, 3, 4], 1, random.random)
    assert first[0] < 0.0 < third[0]
    assert fourth[0] > 0.0
    assert max(first[1], third[1], fourth[1]) < 0.0
