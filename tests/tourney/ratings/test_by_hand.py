"""Tests of ratings by hand: predictions by hand arithmetic, and on leagues of bots made anew."""

import math
import random
from collections import defaultdict

import pytest

from tests.benchmarks.forecasts import league
from tourney.ratings.backtest import TrueSkill, backtest
from tourney.ratings.fitting import fit_trueskill
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.service.ratings.pools import INDEPENDENT_HANDS

BROAD = Parameters(tau=0.0, beta=60.0)
"""Parameters of hands, which vary much more than skills differ."""


def test_a_game_is_predicted_from_the_ratings_of_its_hands() -> None:
    """Check with a fold that is fed the two hands of the first game; performances have the variance beta² / 2."""
    hands = [[("ab", (1, 2)), ("ab", (2, 2))], [("ab", (1, 2))]]
    predictor = TrueSkill(Parameters(), (), hands, 2.0)
    predictor.add("ab", (1, 2))
    fold = Fold(Parameters())
    fold.add_all(hands[0])
    first, second = fold.rating("a"), fold.rating("b")
    spread = math.sqrt(first.sigma**2 + second.sigma**2 + 2.0 * (25 / 6) ** 2 / 2.0)
    chance = 0.5 * (1.0 + math.erf((first.mu - second.mu) / spread / math.sqrt(2.0)))
    assert predictor.predict("ba")[1][0] == pytest.approx(chance, abs=1e-12)


def test_one_hand_a_game_is_a_game() -> None:
    """With one hand in each game, which counts as one, both units give the same losses."""
    draw = random.Random(2)
    games = [("abc", draw.sample((1, 2, 3), 3)) for _ in range(12)]
    by_hand = backtest(TrueSkill(Parameters(), (), [[game] for game in games]), games, range(6, 12))
    assert by_hand == backtest(TrueSkill(Parameters()), games, range(6, 12))


@pytest.mark.parametrize(
    ("seeds", "number", "tolerance"), [(1, 12, 0.3), pytest.param(10, 800, 0.04, marks=pytest.mark.soak)]
)
def test_predictions_by_hand_are_calibrated(seeds: int, number: int, tolerance: float) -> None:
    """Pairs of bots finish ahead as often as predicted, in bins of a tenth, over leagues of bots made anew."""
    happened = defaultdict[int, list[float]](list)
    for seed in range(seeds):
        results = league(0.15, seed, number)
        alike = INDEPENDENT_HANDS * 7
        half = range(number // 4, number // 2)
        fitted = fit_trueskill(BROAD, results, half, alike) if number > 100 else BROAD
        predictor = TrueSkill(fitted, (), results.hands, alike)
        for at, (players, places) in enumerate(results.games):
            if at >= number // 2:
                for seat, row in enumerate(predictor.predict(players)):
                    for other, chance in enumerate(row):
                        if places[seat] != places[other]:
                            happened[int(10.0 * chance)].append((places[seat] < places[other]) - chance)
            predictor.add(players, places)
    for misses in happened.values():
        if len(misses) >= 50:
            assert abs(sum(misses) / len(misses)) < tolerance + 2.0 / math.sqrt(len(misses))


@pytest.mark.soak
def test_hands_beat_games_where_bots_are_close() -> None:
    """Over ten leagues of bots that err in up to 15 % of their actions, hands lose less, by two standard errors."""
    from tests.benchmarks.forecasts import SCALES, _leagues, _units

    row, _by_points = _units(0.15, _leagues(0.15, SCALES["full"], "new"))
    gain, error = float(row.ours), float(row.theirs.split()[1].rstrip(","))
    assert gain < -2.0 * error
