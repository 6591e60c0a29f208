"""Tests of the model of points: hands by the normal equations, fits on hands that it made, how fast models learn."""

import math
import random

import pytest

from tourney.ratings.backtest import ByPoints, Coin, Elo, TrueSkill, backtest
from tourney.ratings.backtest_values import EloParameters, Results
from tourney.ratings.fitting import fit_by_points
from tourney.ratings.learning import Evening, Variation, evening_of, evenings_needed, seasons, spread_of
from tourney.ratings.parameters import Parameters

POOL = Parameters(mu=0.0, sigma=2.0, beta=1.0, tau=0.0)


def test_a_hand_is_the_exact_update_of_two_skills_and_what_they_share() -> None:
    """Check by hand: skills of variance 4, performances 3 and −1 with noise 1, a common part of which nothing is known.

    Only the difference tells: it is 4, of prior variance 8 and noise 2, so that its mean becomes 4 · 8 / 10 = 3.2 and
    its variance 8 · 2 / 10 = 1.6. The sum keeps mean 0 and variance 8. So the skills are ±1.6, each of variance
    (8 + 1.6) / 4 = 2.4.
    """
    model = ByPoints(POOL, 1.0, [[("ab", (3.0, -1.0))]], 1.0)
    model.add("ab", (1, 2))
    assert model.skills("ab") == [pytest.approx((1.6, math.sqrt(2.4))), pytest.approx((-1.6, math.sqrt(2.4)))]


def test_three_players_are_updated_as_the_normal_equations_say() -> None:
    """Compare with the precision matrix of three skills and the common part, inverted by Gauss and Jordan."""
    performances, prior, noise = (2.0, -1.0, 4.0), (0.25, 0.25, 0.25), 1.0
    rows = [[0.0] * 5 for _ in range(4)]
    for seat in range(3):
        rows[seat][seat] = prior[seat] + 1.0 / noise
        rows[seat][3] = rows[3][seat] = 1.0 / noise
        rows[3][3] += 1.0 / noise
        rows[seat][4] = performances[seat] / noise
        rows[3][4] += performances[seat] / noise
    for place in range(4):
        pivot = rows[place][place]
        rows[place] = [number / pivot for number in rows[place]]
        for other in range(4):
            if other != place:
                factor = rows[other][place]
                rows[other] = [mine - factor * theirs for mine, theirs in zip(rows[other], rows[place], strict=True)]
    model = ByPoints(POOL, 1.0, [[("abc", performances)]], 1.0)
    model.add("abc", (2, 3, 1))
    assert [mean for mean, _sigma in model.skills("abc")] == pytest.approx([rows[seat][4] for seat in range(3)])


def test_what_all_players_of_a_hand_share_does_not_matter() -> None:
    near, far = (ByPoints(POOL, 1.0, [[("ab", (3.0 + more, more))]], 1.0) for more in (0.0, -70.0))
    for model in (near, far):
        model.add("ab", (1, 2))
    assert near.skills("ab") == [pytest.approx(skill) for skill in far.skills("ab")]


def test_absence_and_tau_loosen_an_estimate_up_to_that_of_a_newcomer() -> None:
    """A year adds absence² to the variance: 2.4 + 0.36; ten years would add more than a newcomer's 4 allows."""
    for later, variance in ((730_365.25, 2.76), (733_652.5, 4.0)):
        days = [730_000, int(later)]
        model = ByPoints(Parameters(0.0, 2.0, 1.0, 0.0, absence=0.6), 1.0, [[("ab", (3.0, -1.0))], []], 1.0, days)
        model.add("ab", (1, 2))
        assert model.skills("a")[0][1] ** 2 == pytest.approx(variance, abs=1e-3)


def made(games: int) -> Results:
    """Return games of four of eight players, of three hands each, as the model says: spread 2, noise 3, scale 1."""
    chance = random.Random(8)
    skills = {f"p{number}": chance.gauss(0.0, 2.0) for number in range(8)}
    found, hands = [], []
    for _ in range(games):
        table = chance.sample(list(skills), 4)
        played = [(table, [chance.gauss(skills[player], 3.0) for player in table]) for _hand in range(3)]
        totals = [sum(each[1][seat] for each in played) for seat in range(4)]
        found.append((table, [1 + sum(other > mine for other in totals) for mine in totals]))
        hands.append(played)
    return Results(found, [[]] * games, hands)


def test_a_fit_finds_the_noise_of_hands_that_the_model_made() -> None:
    """Noise and spread are 3 and 2; sums of three hands decide, as three hands are predicted to. Better than a coin."""
    results, fitted, measured = made(160), range(40, 80), range(80, 160)
    best, scale = fit_by_points(Parameters(), results, fitted, 3.0)
    found = backtest(ByPoints(best, scale, results.performances, 3.0), results.games, measured)
    true = Parameters(mu=0.0, sigma=2.0, beta=3.0, tau=0.0)
    known = backtest(ByPoints(true, 1.0, results.performances, 3.0), results.games, measured)
    assert found.loss < known.loss + 0.02
    assert known.loss < backtest(Coin(), results.games, measured).loss - 0.1


def test_a_mean_evening_is_counted_from_days() -> None:
    """Eight players in two games on the first day, four in one on the second: six on average, at tables of four.

    That is two tables (1.5, rounded), one game each, of three hands.
    """
    games = [("abcd", (1, 2, 3, 4)), ("efgh", (1, 2, 3, 4)), ("abcd", (1, 2, 3, 4))]
    found = evening_of(Results(games, [[], [games[0]] * 3, [games[0]] * 6]), (1, 1, 2))
    assert found == Evening(8, 4, 1, 3)


def test_the_spread_of_skills_counts_what_is_uncertain() -> None:
    """Means of ±3 with sigma 4 spread by √(9 + 16) = 5, whoever has more games."""
    games = [("ab", (1, 2)), ("ab", (1, 2))]
    assert spread_of(Results(games), [("a", (3.0, 4.0)), ("b", (-3.0, 4.0))]) == pytest.approx(5.0)


def test_a_model_ranks_players_far_apart_at_once_and_a_coin_never() -> None:
    """Skills a hundred times as far apart as performances vary: two rounds of four tables of two order most pairs."""
    evening, clear = Evening(8, 2, 7, 0), Variation(100.0, 1.0)
    played = seasons(evening, clear, clear, clear)
    assert evenings_needed(evening, played, lambda _results: TrueSkill(Parameters())) == 1
    assert evenings_needed(evening, played, lambda _results: Coin()) is None


def test_noisier_games_need_more_evenings() -> None:
    """Where a performance varies three times as much as skills do, both models need more evenings."""
    evening = Evening(8, 4, 2, 0)
    for make in (lambda _results: TrueSkill(Parameters(tau=0.0)), lambda _results: Elo(EloParameters())):
        near, far = (
            evenings_needed(evening, seasons(evening, *[Variation(8.0, noise)] * 3), make) or 100
            for noise in (24.0, 4.0)
        )
        assert far < near


def test_more_hands_an_evening_need_fewer_evenings() -> None:
    """Evenings with six hands a game in place of one, by points."""
    needed = []
    for hands in (1, 6):
        evening, varied = Evening(8, 4, 2, hands), Variation(2.0, 3.0)
        played = seasons(evening, varied, varied, varied)
        needed.append(
            evenings_needed(evening, played, lambda results: ByPoints(POOL, 1.0, results.performances, 1.0)) or 100
        )
    assert needed[1] < needed[0]
