"""Tests of forecasts against closed forms, simulated games and the package `trueskill`."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
import trueskill

from tourney.ratings.forecast import (
    evenness,
    expected_information,
    match_quality,
    order_probabilities,
    place_probabilities,
    win_probability,
)
from tourney.ratings.kernel import rate_table
from tourney.ratings.parameters import Parameters, RatingError

BETA = Parameters().beta
EXACT = 1e-8
Skills = list[tuple[float, float]]


def random_skills(size: int, seed: int = 1) -> Skills:
    generator = random.Random(f"{size} players {seed}")
    return [(generator.gauss(25.0, 8.0), generator.uniform(0.7, 8.4)) for _ in range(size)]


def simulated(skills: Skills, games: int) -> Counter[tuple[int, ...]]:
    """Return how often simulated games of these skills end in each order, the best first."""
    generator = random.Random(7)
    spreads = [math.hypot(sigma, BETA) for _mu, sigma in skills]
    ended: Counter[tuple[int, ...]] = Counter()
    for _ in range(games):
        plays = [generator.gauss(mu, spread) for (mu, _sigma), spread in zip(skills, spreads, strict=True)]
        ended[tuple(sorted(range(len(skills)), key=lambda seat: -plays[seat]))] += 1
    return ended


def within_noise(chance: float, seen: int, games: int) -> bool:
    """Return whether the share of `seen` is within five standard errors of `chance`, and one game more."""
    return abs(seen / games - chance) <= 5.0 * math.sqrt(chance * (1.0 - chance) / games) + 1.0 / games


@pytest.mark.parametrize("size", [2, 3, 5, 8])
@pytest.mark.parametrize("games", [20_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_places_are_those_of_simulated_games(size: int, games: int) -> None:
    """Check every place of every player; the long run has a million games."""
    skills = random_skills(size)
    chances = place_probabilities(skills, BETA)
    seen = [[0] * size for _ in skills]
    for order, times in simulated(skills, games).items():
        for place, player in enumerate(order):
            seen[player][place] += times
    for player, place in ((player, place) for player in range(size) for place in range(size)):
        assert within_noise(chances[player][place], seen[player][place], games), (player, place)


@pytest.mark.parametrize("size", [2, 3, 4, 8, 16, pytest.param(64, marks=pytest.mark.slow)])
def test_places_sum_to_one_for_each_player_and_each_place(size: int) -> None:
    """Check newcomers, random skills, and players whose skills are certain and far apart."""
    for skills in ([(25.0, 25.0 / 3.0)] * size, random_skills(size), [(25.0 * seat, 0.1) for seat in range(size)]):
        chances = place_probabilities(skills, BETA)
        for line in (*chances, *zip(*chances, strict=True)):
            assert math.fsum(line) == pytest.approx(1.0, abs=EXACT)
            assert min(line) >= -EXACT


def test_equal_players_have_every_place_with_equal_probability() -> None:
    for line in place_probabilities([(3.0, 2.0)] * 7, 1.0):
        assert line == pytest.approx([1 / 7] * 7, abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_two_players_follow_the_normal_distribution_of_their_gap(seed: int) -> None:
    """The probability to win is that of a normal gap above 0, by the error function."""
    (mu, sigma), (other_mu, other_sigma) = skills = random_skills(2, seed)
    spread = math.sqrt(sigma**2 + other_sigma**2 + 2 * BETA**2)
    wins = (1.0 + math.erf((mu - other_mu) / spread / math.sqrt(2.0))) / 2.0
    assert win_probability(*skills, BETA) == pytest.approx(wins, abs=1e-14)
    assert place_probabilities(skills, BETA)[0] == pytest.approx([wins, 1.0 - wins], abs=EXACT)


@pytest.mark.parametrize("sigmas", [(1.0, 2.0, 3.0), (0.1, 9.0, 9.0), (4.0, 0.5, 8.0)], ids=str)
def test_three_players_with_equal_means_follow_sheppard_s_formula(sigmas: Sequence[float]) -> None:
    """P(both gaps above 0) is 1/4 + asin(correlation) / 2π (Sheppard, 1899)."""
    first, second, third = (sigma**2 + BETA**2 for sigma in sigmas)
    correlation = first / math.sqrt((first + second) * (first + third))
    chances = place_probabilities([(20.0, sigma) for sigma in sigmas], BETA)
    assert chances[0][0] == pytest.approx(0.25 + math.asin(correlation) / (2 * math.pi), abs=EXACT)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_orders_sum_up_to_places(size: int) -> None:
    """The orders of the first one, two, … or all players, summed by place, give the place probabilities."""
    skills = random_skills(size)
    chances = place_probabilities(skills, BETA)
    for top in range(1, size + 1):
        orders = order_probabilities(skills, BETA, top)
        assert set(orders) == set(permutations(range(size), top))
        assert math.fsum(orders.values()) == pytest.approx(1.0, abs=1e-6)
        for player, place in ((player, place) for player in range(size) for place in range(top)):
            summed = math.fsum(chance for order, chance in orders.items() if order[place] == player)
            assert summed == pytest.approx(chances[player][place], abs=1e-6)


@pytest.mark.parametrize("games", [20_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_orders_are_those_of_simulated_games(games: int) -> None:
    """Check all 24 orders of four players, and the orders of the first two."""
    skills = random_skills(4)
    ended = simulated(skills, games)
    for order, chance in order_probabilities(skills, BETA, 4).items():
        assert within_noise(chance, ended[order], games), order
    for first_two, chance in order_probabilities(skills, BETA, 2).items():
        seen = sum(times for order, times in ended.items() if order[:2] == first_two)
        assert within_noise(chance, seen, games), first_two


def test_players_far_apart_have_certain_places() -> None:
    """The numerical integration needs no nodes between distant players."""
    assert place_probabilities([(0.0, 1.0), (1e6, 1.0)], BETA)[1] == pytest.approx([1.0, 0.0], abs=EXACT)


def test_sigmas_that_differ_too_much_are_refused() -> None:
    with pytest.raises(RatingError, match="so much more certain than others"):
        place_probabilities([(0.0, 1e-6), (0.0, 1e6)], 1e-6)


@pytest.mark.parametrize("size", [2, 3, 4, 8, 12])
def test_match_quality_is_trueskill_s(size: int) -> None:
    """Check random tables, and a table of newcomers."""
    environment = trueskill.TrueSkill()
    for skills in (*(random_skills(size, seed) for seed in range(10)), [(25.0, 25.0 / 3.0)] * size):
        expected = environment.quality([(environment.create_rating(*skill),) for skill in skills])
        assert match_quality(skills, environment.beta) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("first_place", "expected"),
    [([0.25] * 4, 1.0), ([1.0, 0.0, 0.0], 0.0), ([0.5, 0.5, 0.0, 0.0], 0.5), ([0.75, 0.25], 0.8112781244591328)],
    ids=["open", "settled", "half", "three to one"],
)
def test_evenness_is_the_share_of_the_greatest_entropy(first_place: list[float], expected: float) -> None:
    """The entropy of the probabilities to be first is divided by that of equal players."""
    assert evenness(first_place) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_information_is_that_of_simulated_results(size: int) -> None:
    """Compare with the mean bits and sigmas of simulated orders, rated one by one."""
    skills, pool, games = random_skills(size), Parameters(tau=0.5), 1500
    bits, sigmas = expected_information(skills, pool, random.Random(5).random)
    bits_of_games: list[float] = []
    mean_sigmas = [0.0] * size
    for order, times in simulated(skills, games).items():
        rated = rate_table(pool, skills, [order.index(seat) + 1 for seat in range(size)])
        pairs = list(zip(skills, rated, strict=True))
        bits_of_games += [sum(math.log2(math.hypot(old, pool.tau) / new) for (_, old), (_, new) in pairs)] * times
        mean_sigmas = [sum_ + times * new / games for sum_, (_, new) in zip(mean_sigmas, rated, strict=True)]
    mean = sum(bits_of_games) / games
    error = math.sqrt(sum((value - mean) ** 2 for value in bits_of_games)) / games
    assert abs(bits - mean) <= 5.0 * error * math.sqrt(2.5) + 1e-3
    assert sigmas == pytest.approx(mean_sigmas, rel=0.02)


def test_uncertain_and_more_players_give_more_information() -> None:
    """Four players with small sigmas give less than two with large ones, and those less than four."""
    bits = [
        expected_information([(25.0, sigma)] * size, Parameters(), random.Random(1).random)[0]
        for size, sigma in ((4, 1.0), (2, 8.0), (4, 8.0))
    ]
    assert bits == sorted(bits)
    assert all(value > 0.0 for value in bits)
