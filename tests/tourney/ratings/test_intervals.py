"""Tests of rank intervals: counted again by hand and by brute force, and held against the true ranks of seasons."""

import random
from collections.abc import Sequence

import pytest

from tests.harness.ratings.seasons import POOL, SETTINGS, Setting, coverage, ranking_of, season
from tests.oracles import formula1
from tourney.domain.rankings import BY_MU, RANKING_QUANTITIES, RankingQuantity, RatingRow
from tourney.files.results import read_results
from tourney.ratings.fold import Fold
from tourney.ratings.intervals import rank_intervals
from tourney.ratings.model import Rating, day_number
from tourney.ratings.parameters import Parameters
from tourney.ratings.readings import Ratings, cautious, ranked

BY = pytest.mark.parametrize("by", RANKING_QUANTITIES.values(), ids=RANKING_QUANTITIES)
Skill = tuple[float, float]


def test_only_differences_of_more_than_1_96_deviations_are_certain() -> None:
    """Of 20, 14 and 10 with sigma 2 each, a difference has a deviation of 2.83, and 5.54 (5.65 with sigma rounded up by
    up to 2 %) is certain: so the first is above both others, and these two may be either."""
    skills = [(20.0, 2.0), (14.0, 2.0), (10.0, 2.0)]
    assert rank_intervals(skills, skills, 0.0) == [(1, 1), (2, 3), (2, 3)]


def test_a_difference_counts_only_if_the_ranking_has_it_too() -> None:
    """By the cautious reading the second is certainly better, but stands below."""
    assert rank_intervals([(21.0, 1.0), (20.0, 1.0)], [(10.0, 1.0), (20.0, 1.0)], 0.0) == [(1, 2), (1, 2)]
    assert rank_intervals([(20.0, 1.0), (20.0, 1.0)], [(10.0, 1.0), (20.0, 1.0)], 0.0) == [(1, 2), (1, 2)]


def test_the_deduction_of_the_ranking_counts_as_certain() -> None:
    """Equal mus; by score the newcomer is charged 3 · (8 − 1) = 21 more, which no sigma of 2 explains."""
    skills, readings = [(25.0, 1.0), (25.0, 8.0)], [(25.0, 1.0), (25.0, 2.0)]
    assert rank_intervals(skills, readings, 3.0) == [(1, 1), (2, 2)]
    assert rank_intervals(skills, readings, 0.0) == [(1, 2), (1, 2)]


def test_a_single_player_is_first() -> None:
    assert rank_intervals([(25.0, 8.0)], [(25.0, 2.0)], 3.0) == [(1, 1)]
    assert rank_intervals([], [], 3.0) == []


def drawn(number: int) -> tuple[list[Skill], list[Skill]]:
    """Return skills of that many players, some of them equal, and cautious readings of them."""
    chance = random.Random(number)
    skills = [(float(chance.randint(10, 40)), chance.choice((1.0, 1.5, 4.0))) for _ in range(number)]
    return skills, [(25.0 + (mu - 25.0) * chance.uniform(0.2, 1.0), sigma / 2.0) for mu, sigma in skills]


def counted(skills: Sequence[Skill], readings: Sequence[Skill], deviations: float, widened: float) -> list[Skill]:
    """Count pair by pair, as the definition says, with sigmas that many times as large."""

    def certain(better: int, worse: int) -> bool:
        lead = [(mu - deviations * sigma) for mu, sigma in (skills[better], skills[worse])]
        gap = readings[better][0] - readings[worse][0] - deviations * (skills[better][1] - skills[worse][1])
        spread = widened * (readings[better][1] ** 2 + readings[worse][1] ** 2) ** 0.5
        return lead[0] > lead[1] and gap > 1.95996398454 * spread

    everybody = range(len(skills))
    return [
        (1 + sum(certain(other, one) for other in everybody), len(skills) - sum(certain(one, x) for x in everybody))
        for one in everybody
    ]


@pytest.mark.parametrize("number", [2, 5, 30, 120])
@pytest.mark.parametrize("deviations", [0.0, 3.0])
def test_intervals_are_those_of_counting_all_pairs(number: int, deviations: float) -> None:
    """Sigmas are rounded up by up to 2 %, so each interval lies between those of brute force without and with 2 %."""
    skills, readings = drawn(number)
    narrow = counted(skills, readings, deviations, 1.0)
    wide = counted(skills, readings, deviations, 1.0201)
    for found, inner, outer in zip(rank_intervals(skills, readings, deviations), narrow, wide, strict=True):
        assert outer[0] <= found[0] <= inner[0] <= inner[1] <= found[1] <= outer[1]


def outside(rows: Sequence[tuple[RatingRow, tuple[int, int]]]) -> list[str]:
    """Return the players whose rank is not in their interval."""
    return [row.player for row, (low, high) in rows if not low <= row.rank <= high]


@BY
def test_no_rank_of_50_simulated_pools_is_outside_its_interval(by: RankingQuantity) -> None:
    chance = random.Random(50)
    for number in range(50):
        setting = Setting(chance.choice((0.5, 2.0, 8.0, 20.0)), chance.choice((4, 8, 12, 20)), number % 2 == 0)
        assert outside(ranking_of(season(setting, chance, rounds=chance.randint(1, 6))[1], by)) == []


def formula_1(parameters: Parameters) -> Ratings:
    """Return the ratings after all Formula 1 races."""
    fold = Fold(parameters)
    for game in read_results(formula1.FILE):
        fold.advance_to(day_number(game.date))
        fold.add(game.players, game.places)
    return fold.ratings(fold.day)


@pytest.mark.parametrize("absence", [0.0, pytest.param(4.0, marks=pytest.mark.slow)])
def test_no_rank_of_formula_1_is_outside_its_interval(absence: float) -> None:
    parameters = Parameters(absence=absence)
    own = formula_1(parameters)
    assert len(own) == 679
    reading = cautious(own, parameters, formula_1)
    assert [outside(ranked(own, reading, by)) for by in RANKING_QUANTITIES.values()] == [[], []]


@pytest.mark.parametrize(
    ("mus", "narrowness"),
    [((25.0, 25.0), 4.0), ((23.0, 27.0), 2.83), ((22.0, 28.0), 2.0), ((0.0, 50.0), 1.0), ((9.0,), 4)],
)
def test_a_reading_is_widened_as_far_as_the_games_bear_out(mus: Sequence[float], narrowness: float) -> None:
    """Readings with the sigma of newcomers, 25/3, divided by 4, 2.83, 2, 1.41 and 1 assume variances of 4.3, 8.7, 17.4,
    34.7 and 69.4. Every reading here finds sigma 1 and the same mus: 23 and 27 have the variance 8, with sigma² 9,
    which allows 8.7; 22 and 28 have 18, with sigma² 19, which allows 17.4. A single player has no variance."""

    def at(sigma: float) -> Ratings:
        return {str(seat): Rating(str(sigma), mu, 1.0) for seat, mu in enumerate(mus)}

    found = cautious(at(POOL.sigma), POOL, lambda parameters: at(parameters.sigma))
    assert float(found["0"].player) == pytest.approx(POOL.sigma / narrowness, rel=1e-3)


@pytest.mark.parametrize("setting", [Setting(2.0, 12, True), Setting(2.0, 12, False), Setting(8.0, 12, False)], ids=str)
def test_intervals_hold_where_skills_lie_close(setting: Setting) -> None:
    """15 seasons of 12 players: 180 intervals, of which 94 % or more hold the true rank."""
    found = coverage(setting, BY_MU, 15)
    assert found.covered / found.players >= 0.94


@pytest.mark.soak
@BY
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_at_least_94_percent_of_intervals_hold_the_true_rank(setting: Setting, by: RankingQuantity) -> None:
    """200 seasons, for all players and for the true first three."""
    found = coverage(setting, by, 200)
    assert found.covered / found.players >= 0.94
    assert found.first_covered / found.first >= 0.94


@BY
def test_intervals_say_something_after_many_games(by: RankingQuantity) -> None:
    """After 40 rounds of 12 players with spread 8 the mean interval has at most four of the twelve ranks."""
    rows = ranking_of(season(Setting(8.0, 12, False), random.Random(1), rounds=40)[1], by)
    assert sum(high - low + 1 for _row, (low, high) in rows) / len(rows) <= 4.0
