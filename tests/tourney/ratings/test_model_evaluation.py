"""Tests of model evaluation against losses by `trueskill`, hand arithmetic and all orders of a few games."""

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations

import pytest

from tests.oracles import formula1, trueskill_ratings
from tourney.ratings import fitting
from tourney.ratings.backtest import Coin, Elo, Predictor, TrueSkill, backtest
from tourney.ratings.backtest_values import BacktestScore, EloParameters, Results
from tourney.ratings.fitting import fit_elo, fit_trueskill, minimum, tied_share
from tourney.ratings.model import GameResult
from tourney.ratings.order_noise import rank_noise
from tourney.ratings.parameters import Parameters, RatingError

POOL = Parameters()


def losses_by_trueskill(games: Sequence[GameResult], first: int) -> tuple[float, float, int]:
    """Return the mean loss, the accuracy and the number of pairs of the games from number `first` (from 0) on."""
    rater = trueskill_ratings.Rater(POOL.draw)
    losses: list[float] = []
    correct = 0.0
    for number, (players, places) in enumerate(games):
        by_place = sorted(zip(places, players, strict=True))
        for index, (place, player) in enumerate(by_place if number >= first else ()):
            for other_place, other in by_place[index + 1 :]:
                if other_place > place:
                    mine, theirs = rater.ratings[player], rater.ratings[other]
                    spread = math.sqrt(mine.sigma**2 + theirs.sigma**2 + 2.0 * rater.world.beta**2)
                    chance = 0.5 * (1.0 + math.erf((mine.mu - theirs.mu) / spread / math.sqrt(2.0)))
                    losses.append(-math.log(chance))
                    correct += 0.5 if abs(chance - 0.5) < 1e-12 else chance > 0.5
        rater.rate(players, places)
    return sum(losses) / len(losses), correct / len(losses), len(losses)


def test_the_loss_is_that_of_the_package() -> None:
    """Loss, accuracy and pairs of the second half of sixty races agree."""
    games = formula1.races()[500:560]
    found = backtest(TrueSkill(POOL), games, range(30, 60))
    loss, accuracy, pairs = losses_by_trueskill(games, 30)
    assert (sum(found.pairs), found.loss) == (pairs, pytest.approx(loss, abs=1e-8))
    assert found.accuracy == pytest.approx(accuracy, abs=1e-12)


def test_elo_agrees_with_hand_arithmetic() -> None:
    """Check a game of three with K = 32, half of it for each opponent, and then a tie of two.

    Game 1, all at 1500: the first gains 16 × (½ + ½) = 16, the last loses as much. Game 2, 1516 against 1484, a tie:
    the first is expected to score 1 / (1 + 10^(−32/400)) = 0.545922 and loses 32 × 0.045922 = 1.4695.
    """
    elo = Elo(EloParameters())
    elo.add(("a", "b", "c"), (1, 2, 3))
    assert elo.predict(("c", "a"))[1][0] == pytest.approx(0.5459219, abs=1e-7)
    elo.add(("c", "a"), (1, 1))
    gap = 32.0 - 2.0 * 1.469501
    assert elo.predict(("c", "a"))[1][0] == pytest.approx(1.0 / (1.0 + 10.0 ** (-gap / 400.0)), abs=1e-6)
    assert elo.predict(("a", "c"))[1][0] == pytest.approx(1.0 - elo.predict(("c", "a"))[1][0])
    assert elo.predict(("b", "newcomer"))[1][0] == 0.5


def test_k_falls_with_games_and_predictions_have_their_own_scale() -> None:
    """Check two wins by hand: K is 96 in the first game of both, and 32 + 64 × 1 / (1 + 1) = 64 in the second.

    The first win gains 96 × ½ = 48. At 1548 against 1452 the winner is expected to score 1 / (1 + 10^(−96/400)) =
    0.634743 and gains 64 × 0.365257 = 23.3764, so that they are 142.7529 apart; on a scale of 200 that predicts
    1 / (1 + 10^(−142.7529/200)) = 0.837988.
    """
    elo = Elo(EloParameters(k=32.0, first=96.0, games=1.0, scale=200.0))
    elo.add("ab", (1, 2))
    elo.add("ab", (1, 2))
    assert elo.predict("ba")[1][0] == pytest.approx(1.0 / (1.0 + 10.0 ** (-142.7529 / 200.0)), abs=1e-6)


def test_a_coin_loses_ln_2() -> None:
    """A coin loses ln 2 on every pair and predicts half of them; tied players are not a pair."""
    found = backtest(Coin(), [("ab", (1, 2)), ("abc", (1, 1, 3)), ("abcd", (2, 2, 2, 2))], range(3))
    assert (found.pairs, found.loss, found.accuracy) == ((1, 2, 0), pytest.approx(math.log(2.0)), 0.5)


def test_a_game_is_predicted_before_it_is_rated() -> None:
    """The first game between newcomers costs ln 2, and the same result again costs less."""
    games: list[GameResult] = [("ab", (1, 2)), ("ab", (1, 2))]
    found = backtest(TrueSkill(POOL), games, range(2))
    assert found.losses[0] == pytest.approx(math.log(2.0))
    assert found.losses[1] < found.losses[0]
    assert backtest(TrueSkill(POOL), games, range(1, 2)).losses == found.losses[1:]


def test_predicting_only_ties_is_refused() -> None:
    with pytest.raises(RatingError, match="nothing to predict in games 2 to 3: all are ties"):
        backtest(Coin(), [("ab", (1, 2)), ("ab", (1, 1)), ("ab", (3, 3))], range(1, 3))


def test_the_standard_error_of_a_difference_is_that_of_a_bootstrap() -> None:
    """Compare with 2,000 samples of the games with replacement."""
    games = formula1.races()[500:560]
    rated, coin = (backtest(predictor, games, range(30, 60)) for predictor in (TrueSkill(POOL), Coin()))
    generator = random.Random(3)
    differences = []
    for _ in range(2000):
        sample = [generator.randrange(30) for _ in range(30)]
        pairs = sum(rated.pairs[game] for game in sample)
        differences.append(sum(rated.losses[game] - coin.losses[game] for game in sample) / pairs)
    mean = sum(differences) / len(differences)
    deviation = math.sqrt(sum((difference - mean) ** 2 for difference in differences) / len(differences))
    assert rated.difference_error(coin) == pytest.approx(deviation, rel=0.1)
    assert rated.difference_error(rated) == 0.0


def simulated(pool: Parameters, number: int) -> list[GameResult]:
    """Return `number` simulated games of four of twenty players, whose skills follow the parameters."""
    generator = random.Random(11)
    skills = {f"p{number}": generator.gauss(pool.mu, pool.sigma) for number in range(20)}
    games: list[GameResult] = []
    for _ in range(number):
        players = generator.sample(list(skills), 4)
        for player in players:
            skills[player] += generator.gauss(0.0, pool.tau)
        performances = [generator.gauss(skills[player], pool.beta) for player in players]
        games.append((players, [1 + sum(other > mine for other in performances) for mine in performances]))
    return games


@pytest.mark.slow
def test_fitted_parameters_are_close_to_those_of_the_simulation() -> None:
    """The fit finds the smaller beta and the larger tau, and predicts at least as well as the true parameters."""
    truth, number = Parameters(beta=1.5, tau=0.6), 250
    games = simulated(truth, number)
    measured = range(50, number)
    fitted = fit_trueskill(POOL, Results(games), measured)
    assert truth.beta / 2.0 <= fitted.beta <= truth.beta * 2.0
    assert truth.tau / 2.0 <= fitted.tau <= truth.tau * 2.0
    best = backtest(TrueSkill(fitted), games, measured).loss
    assert best <= backtest(TrueSkill(truth), games, measured).loss
    assert best < backtest(TrueSkill(POOL), games, measured).loss - 0.01
    assert (fitted.mu, fitted.sigma) == (POOL.mu, POOL.sigma)
    assert fitted == fit_trueskill(POOL, Results(games), measured)


def test_the_fitted_k_of_elo_has_the_least_loss() -> None:
    """No K of a fine grid has a smaller loss."""
    games = simulated(Parameters(beta=1.5, tau=0.6), 300)
    measured = range(100, 300)

    def loss(parameters: EloParameters) -> float:
        return backtest(Elo(parameters), games, measured).loss

    grid = (EloParameters(k, k) for k in (2.0 ** (step / 3.0) for step in range(36)))
    assert loss(fit_elo(games, measured)) <= min(map(loss, grid)) + 1e-3


def test_games_that_cannot_be_fitted_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fitting is refused where all games are ties, and where no parameters can rate them."""
    tied: list[GameResult] = [("ab", (1, 2)), ("ab", (1, 1))]
    with pytest.raises(RatingError, match="nothing to predict in games 2 to 2: all are ties"):
        fit_trueskill(POOL, Results(tied), range(1, 2))
    with pytest.raises(RatingError, match="nothing to predict"):
        fit_elo(tied, range(1, 2))

    def give_out(*_arguments: object) -> None:
        raise RatingError("too far apart")

    monkeypatch.setattr(fitting, "backtest", give_out)
    with pytest.raises(RatingError, match="too far apart"):
        fit_trueskill(POOL, Results(tied), range(1))


def test_parameters_that_cannot_rate_the_games_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes past such parameters, as long as its first start can rate the games."""
    games = simulated(Parameters(beta=1.5, tau=0.6), 40)

    def loss(parameters: Parameters, *_others: object) -> BacktestScore:
        if parameters.beta < POOL.sigma / 2.5:
            raise RatingError("too far apart")
        return BacktestScore((1,), (parameters.beta,), 0.0)

    monkeypatch.setattr(fitting, "TrueSkill", lambda parameters, *_others: parameters)
    monkeypatch.setattr(fitting, "backtest", loss)
    fitted = fit_trueskill(POOL, Results(games), range(20, 40))
    assert fitted.beta == pytest.approx(POOL.sigma / 2.5, rel=0.05)


def test_absence_is_fitted_where_days_are_known() -> None:
    """Skills move by 4 points in a year, and games are a day or two years apart: absence predicts better than tau."""
    draw, day, days = random.Random(5), 730_000, list[int]()
    skills = {name: draw.gauss(25.0, 8.0) for name in "abcdefgh"}
    games: list[GameResult] = []
    for _ in range(160):
        gap = draw.choice([1, 1, 1, 730])
        day += gap
        for name in skills:
            skills[name] += draw.gauss(0.0, 4.0 * math.sqrt(gap / 365.25))
        performances = [draw.gauss(skills[name], 2.0) for name in skills]
        games.append((tuple(skills), [1 + sum(other > mine for other in performances) for mine in performances]))
        days.append(day)
    measured = range(20, 160)
    fitted = fit_trueskill(POOL, Results(games, days=days), measured)
    undated = fit_trueskill(POOL, Results(games), measured)
    assert undated.absence == 0.0 < fitted.absence
    loss = backtest(TrueSkill(fitted, days), games, measured).loss
    assert loss < backtest(TrueSkill(undated), games, measured).loss - 0.005


def test_the_share_of_ties_is_that_of_neighbours() -> None:
    """Of the five neighbours in the last two games two have tied."""
    games: list[GameResult] = [("ab", (1, 1)), ("abcd", (1, 2, 2, 2)), ("abc", (3, 1, 2))]
    assert tied_share(games[1:]) == pytest.approx(2 / 5)


def test_the_simplex_finds_the_bottom_of_a_curved_valley() -> None:
    """Rosenbrock's function has its minimum at (1, 1); a third number with step 0 stays."""
    found = minimum(
        lambda at: 100.0 * (at[1] - at[0] ** 2) ** 2 + (1.0 - at[0]) ** 2, (-1.2, 1.0, 7.0), (0.5, 0.5, 0.0), 400
    )
    assert found == pytest.approx((1.0, 1.0, 7.0), abs=1e-2)


def loss_on_second_half(predictor: Predictor) -> float:
    """Return the predictor's loss on the second half of the Formula 1 races."""
    games = formula1.races()
    return backtest(predictor, games, range(len(games) // 2, len(games))).loss


def test_formula_1_has_the_losses_measured_elsewhere() -> None:
    """TrueSkill's own defaults lose 0.538 on the second half of the races, Elo of K 192 loses 0.450."""
    assert loss_on_second_half(TrueSkill(Parameters(draw=0.10))) == pytest.approx(0.538, abs=5e-4)
    assert loss_on_second_half(Elo(EloParameters(192.0, 192.0))) == pytest.approx(0.450, abs=5e-4)


@pytest.mark.soak
def test_fitted_parameters_predict_formula_1_better() -> None:
    """Parameters fitted to the second quarter lose at most 0.446 on the second half, and Elo's no less."""
    games = formula1.races()
    quarter, half = range(len(games) // 4, len(games) // 2), range(len(games) // 2, len(games))
    fitted = fit_trueskill(POOL, Results(games, days=formula1.days()), quarter)
    loss = backtest(TrueSkill(fitted, formula1.days()), games, half).loss
    assert loss <= 0.446
    assert loss <= loss_on_second_half(Elo(fit_elo(games, quarter))) <= 0.45


def test_the_spread_over_all_orders_is_that_of_the_package() -> None:
    """Compare mean, deviation and range of rank and score over all 24 orders of four games."""
    games: list[GameResult] = [("abc", (1, 2, 3)), ("bca", (1, 2, 3)), ("ab", (1, 2)), ("cab", (1, 1, 3))]
    scores = defaultdict(list)
    ranks = defaultdict(list)
    for order in permutations(games):
        rated = trueskill_ratings.rated(order, draw=POOL.draw)
        final = {player: mu - 3.0 * sigma for player, (mu, sigma, *_counts) in rated.items()}
        for player, mine in final.items():
            scores[player].append(mine)
            ranks[player].append(1 + sum(other > mine + 1e-9 for other in final.values()))
    found = {row.player: row for row in rank_noise(POOL, games, permutations(games))}
    assert found.keys() == scores.keys()
    for player, row in found.items():
        for numbers, mean, deviation in (
            (scores[player], row.mean_score, row.score_deviation),
            (ranks[player], row.mean_rank, row.rank_deviation),
        ):
            expected = sum(numbers) / 24
            assert mean == pytest.approx(expected, abs=1e-9)
            assert deviation == pytest.approx(math.sqrt(sum((n - expected) ** 2 for n in numbers) / 24), abs=1e-9)
        # A twentieth of 24 orders is one, which is left out at either end.
        assert (row.low, row.high) == (sorted(ranks[player])[1], sorted(ranks[player])[-2])


def test_one_order_in_twenty_at_either_end_is_left_out() -> None:
    """Player a is first in all of twenty orders but one, or all but two; the range covers nine tenths of the ranks."""
    ahead, behind = [("ab", (1, 2))], [("ab", (2, 1))]
    once, _last = rank_noise(POOL, ahead, [ahead] * 19 + [behind])
    twice, _last = rank_noise(POOL, ahead, [behind] + [ahead] * 18 + [behind])
    assert (once.low, once.high, twice.low, twice.high) == (1, 1, 1, 2)
    assert once.mean_rank == pytest.approx(1.05)


def test_the_order_of_equal_games_does_not_matter() -> None:
    game: GameResult = ("abc", (1, 2, 3))
    for place, row in enumerate(rank_noise(POOL, [game] * 5, [[game] * 5] * 3), 1):
        assert (row.rank, row.mean_rank, row.low, row.high) == (place, place, place, place)
        assert (row.rank_deviation, row.score_deviation) == pytest.approx((0.0, 0.0), abs=1e-12)
