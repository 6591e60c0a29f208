"""Forecasts against closed forms, simulated games and the package `trueskill`."""

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


def any_skills(size: int, seed: int = 1) -> Skills:
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
    """Check to five standard errors: of a million correct probabilities not one is further off."""
    return abs(seen / games - chance) <= 5.0 * math.sqrt(chance * (1.0 - chance) / games) + 1.0 / games


@pytest.mark.parametrize("size", [2, 3, 5, 8])
@pytest.mark.parametrize("games", [20_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_places_are_those_of_simulated_games(size: int, games: int) -> None:
    """Every place of every player is checked; the long run has a million games."""
    skills = any_skills(size)
    chances = place_probabilities(skills, BETA)
    seen = [[0] * size for _ in skills]
    for order, times in simulated(skills, games).items():
        for place, player in enumerate(order):
            seen[player][place] += times
    for player, place in ((player, place) for player in range(size) for place in range(size)):
        assert within_noise(chances[player][place], seen[player][place], games), (player, place)


@pytest.mark.parametrize("size", [2, 3, 4, 8, 16, 64])
def test_places_sum_to_one_for_each_player_and_each_place(size: int) -> None:
    """Return newcomers, settled players, or random skills."""
    for skills in ([(25.0, 25.0 / 3.0)] * size, any_skills(size), [(25.0 * seat, 0.1) for seat in range(size)]):
        chances = place_probabilities(skills, BETA)
        for line in (*chances, *zip(*chances, strict=True)):
            assert math.fsum(line) == pytest.approx(1.0, abs=EXACT)
            assert min(line) >= -EXACT


def test_equals_are_on_every_place_as_often() -> None:
    for line in place_probabilities([(3.0, 2.0)] * 7, 1.0):
        assert line == pytest.approx([1 / 7] * 7, abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_the_normal_gap_decides(seed: int) -> None:
    """Two players: places, orders and the error function give the probability of a normal gap above 0."""
    (mu, sigma), (other_mu, other_sigma) = skills = any_skills(2, seed)
    spread = math.sqrt(sigma**2 + other_sigma**2 + 2 * BETA**2)
    wins = (1.0 + math.erf((mu - other_mu) / spread / math.sqrt(2.0))) / 2.0
    assert win_probability(*skills, BETA) == pytest.approx(wins, abs=1e-14)
    assert place_probabilities(skills, BETA)[0] == pytest.approx([wins, 1.0 - wins], abs=EXACT)


@pytest.mark.parametrize("sigmas", [(1.0, 2.0, 3.0), (0.1, 9.0, 9.0), (4.0, 0.5, 8.0)], ids=str)
def test_of_three_with_equal_means_sheppard_s_arc_decides(sigmas: Sequence[float]) -> None:
    """P(both gaps above 0) is 1/4 + asin(correlation) / 2π (Sheppard, 1899)."""
    first, second, third = (sigma**2 + BETA**2 for sigma in sigmas)
    correlation = first / math.sqrt((first + second) * (first + third))
    chances = place_probabilities([(20.0, sigma) for sigma in sigmas], BETA)
    assert chances[0][0] == pytest.approx(0.25 + math.asin(correlation) / (2 * math.pi), abs=EXACT)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_orders_sum_up_to_places(size: int) -> None:
    """Orders summed by place give the place probabilities, for all players and the first two or three."""
    skills = any_skills(size)
    chances = place_probabilities(skills, BETA)
    for top in range(1, size + 1):
        found = order_probabilities(skills, BETA, top)
        assert set(found) == set(permutations(range(size), top))
        assert math.fsum(found.values()) == pytest.approx(1.0, abs=1e-6)
        for player, place in ((player, place) for player in range(size) for place in range(top)):
            there = math.fsum(chance for order, chance in found.items() if order[place] == player)
            assert there == pytest.approx(chances[player][place], abs=1e-6)


@pytest.mark.parametrize("games", [20_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_orders_are_those_of_simulated_games(games: int) -> None:
    """All 24 orders of four players are checked, and the orders of the first two."""
    skills = any_skills(4)
    ended = simulated(skills, games)
    for order, chance in order_probabilities(skills, BETA, 4).items():
        assert within_noise(chance, ended[order], games), order
    for first_two, chance in order_probabilities(skills, BETA, 2).items():
        seen = sum(times for order, times in ended.items() if order[:2] == first_two)
        assert within_noise(chance, seen, games), first_two


def test_players_far_apart_are_no_trouble() -> None:
    """The gap between distant players takes no nodes."""
    assert place_probabilities([(0.0, 1.0), (1e6, 1.0)], BETA)[1] == pytest.approx([1.0, 0.0], abs=EXACT)


def test_skills_far_too_unlike_are_one_clear_error() -> None:
    with pytest.raises(RatingError, match="so much more certain than others"):
        place_probabilities([(0.0, 1e-6), (0.0, 1e6)], 1e-6)


@pytest.mark.parametrize("size", [2, 3, 4, 8, 12])
def test_match_quality_is_trueskill_s(size: int) -> None:
    """Random tables are checked, and newcomers, who are equal but not known to be."""
    environment = trueskill.TrueSkill()
    for skills in (*(any_skills(size, seed) for seed in range(10)), [(25.0, 25.0 / 3.0)] * size):
        wanted = environment.quality([(environment.create_rating(*skill),) for skill in skills])
        assert match_quality(skills, environment.beta) == pytest.approx(wanted, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "wanted"),
    [([0.25] * 4, 1.0), ([1.0, 0.0, 0.0], 0.0), ([0.5, 0.5, 0.0, 0.0], 0.5), ([0.75, 0.25], 0.8112781244591328)],
    ids=["open", "settled", "half", "three to one"],
)
def test_evenness_is_the_share_of_the_greatest_entropy(first: list[float], wanted: float) -> None:
    """Evenness is the entropy in bits: of equals, and of a coin that falls one way three times in four."""
    assert evenness(first) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_information_is_that_of_simulated_results(size: int) -> None:
    """Mean bits and sigmas of tables whose orders are sampled here and rated one by one."""
    skills, pool, games = any_skills(size), Parameters(tau=0.5), 1500
    bits, sigmas = expected_information(skills, pool, random.Random(5).random)
    told: list[float] = []
    behind = [0.0] * size
    for order, times in simulated(skills, games).items():
        rated = rate_table(pool, skills, [order.index(seat) + 1 for seat in range(size)])
        pairs = list(zip(skills, rated, strict=True))
        told += [sum(math.log2(math.hypot(old, pool.tau) / new) for (_, old), (_, new) in pairs)] * times
        behind = [sum_ + times * new / games for sum_, (_, new) in zip(behind, rated, strict=True)]
    mean = sum(told) / games
    error = math.sqrt(sum((one - mean) ** 2 for one in told)) / games
    assert abs(bits - mean) <= 5.0 * error * math.sqrt(2.5) + 1e-3
    assert sigmas == pytest.approx(behind, rel=0.02)


def test_a_table_of_strangers_tells_more_than_one_of_old_hands() -> None:
    """More players tell more than fewer."""
    told = [
        expected_information([(25.0, sigma)] * size, Parameters(), random.Random(1).random)[0]
        for size, sigma in ((4, 1.0), (2, 8.0), (4, 8.0))
    ]
    assert told == sorted(told)
    assert all(one > 0.0 for one in told)
