"""Tests of sigma that grows during absence, by hand arithmetic and by `trueskill` with grown sigmas as input."""

import random
from itertools import permutations
from math import log, sqrt
from statistics import NormalDist

import pytest
import trueskill

from tourney.domain.pools import Pool
from tourney.ratings.backtest import TrueSkill, backtest
from tourney.ratings.comparison import compare
from tourney.ratings.fold import Fold
from tourney.ratings.model import Checkpoint, GameResult, day_number
from tourney.ratings.order_noise import rank_noise
from tourney.ratings.parameters import Parameters, RatingError

AWAY = Parameters(absence=2.0)
DatedGame = tuple[GameResult, int]
"""A game and the ordinal number of its day."""


def history(number: int, seed: int) -> list[DatedGame]:
    """Return `number` games of two to five of nine players, with ties, 0 to 700 days apart."""
    draw = random.Random(seed)
    games, day = [], 730_000
    for _ in range(number):
        players = draw.sample("abcdefghi", draw.randint(2, 5))
        day += draw.choice([0, 0, 1, 7, 90, 700])
        games.append(((players, [draw.randint(1, 3) for _ in players]), day))
    return games


def folded(games: list[DatedGame], parameters: Parameters, start: Checkpoint | None = None) -> Checkpoint:
    fold = Fold(parameters, start)
    fold.add_all([game for game, _day in games], [day for _game, day in games])
    return fold.checkpoint()


class GrownByHand:
    """Ratings by `trueskill`, with sigmas that are grown by hand before each game."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
        self.environment = trueskill.TrueSkill(mu, sigma, beta, tau, draw)
        self.skills: dict[str, tuple[float, float, int]] = {}

    def on(self, player: str, day: int) -> tuple[float, float]:
        """Return mu and sigma on a day: sigma² grows in proportion to the days, up to a newcomer's sigma."""
        if player not in self.skills:
            return self.parameters.mu, self.parameters.sigma
        mu, sigma, last = self.skills[player]
        variance = sigma**2 + self.parameters.absence**2 * (day - last) / 365.25
        return mu, sigma if variance <= sigma**2 else max(sigma, min(sqrt(variance), self.parameters.sigma))

    def add(self, game: GameResult, day: int) -> None:
        players, places = game
        before = [(self.environment.create_rating(*self.on(player, day)),) for player in players]
        for player, (after,) in zip(players, self.environment.rate(before, list(places)), strict=True):
            self.skills[player] = (after.mu, after.sigma, day)


def test_sigma_squared_grows_in_proportion_to_the_days() -> None:
    """1461 days at 2 points a year add 4 * 2² = 16."""
    fold = Fold(AWAY)
    fold.advance_to(day_number("2020-02-01"))
    fold.add("ab", (1, 2))
    sigma = fold.rating("a").sigma
    assert fold.rating("a", day_number("2024-02-01")).sigma == pytest.approx(sqrt(sigma**2 + 16), abs=1e-12)
    assert fold.rating("a", day_number("2021-02-01")).sigma == pytest.approx(
        sqrt(sigma**2 + 4 * 366 / 365.25), abs=1e-12
    )
    assert fold.rating("a", day_number("2020-02-01")) == fold.rating("a")
    assert fold.rating("a", day_number("2019-02-01")) == fold.rating("a"), "sigma does not shrink on an earlier day"
    assert fold.rating("a", day_number("2099-02-01")).sigma == AWAY.sigma, "sigma grows to that of a newcomer at most"
    assert fold.rating("a", day_number("2099-02-01")).mu == fold.rating("a").mu
    assert fold.rating("c", day_number("2099-02-01")) == fold.rating("c"), "the sigma of a newcomer does not grow"


@pytest.mark.parametrize("absence", [0.5, 3.0, 40.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ratings_with_days_are_those_of_trueskill_with_grown_sigmas(absence: float, seed: int) -> None:
    """Compare after every game and a year later; with 40 points a year nearly all sigmas grow to a newcomer's."""
    parameters, games = Parameters(beta=3.0, tau=0.05, absence=absence), history(80, seed)
    fold, hand = Fold(parameters), GrownByHand(parameters)
    for (players, places), day in games:
        fold.advance_to(day)
        fold.add(players, places)
        hand.add((players, places), day)
        for player in players:
            row = fold.rating(player)
            assert (row.mu, row.sigma, row.day) == pytest.approx(hand.skills[player], abs=1e-9)
    for player, rating in fold.ratings(fold.day + 365).items():
        assert (rating.mu, rating.sigma) == pytest.approx(hand.on(player, fold.day + 365), abs=1e-9)


def test_change_and_trend_leave_out_the_effect_of_absence() -> None:
    """The change of the last game runs from the score on its day to the score after it."""
    fold = Fold(AWAY)
    for day in (730_000, 731_000):
        fold.advance_to(day)
        before = fold.rating("a", day)
        fold.add("ab", (1, 2))
    after = fold.rating("a")
    assert after.change == pytest.approx(after.score - before.score, abs=1e-12)
    assert after.trend == pytest.approx(0.9 * (before.mu - 25.0) + (after.mu - before.mu), abs=1e-12)


def test_days_have_no_effect_without_absence() -> None:
    """Ratings are equal to the last bit; only each player's last day is unknown."""
    games = history(60, 4)
    fold = Fold(Parameters())
    fold.add_all([game for game, _day in games])
    assert folded(games, Parameters()) == fold.checkpoint()
    assert fold.ratings(800_000) == fold.ratings()


@pytest.mark.parametrize("parameters", [Parameters(), AWAY], ids=["without absence", "with absence"])
@pytest.mark.parametrize("part", [0, 1, 29, 60])
def test_a_fold_continues_from_a_checkpoint(part: int, parameters: Parameters) -> None:
    """A history cut anywhere gives the ratings of the whole, and the checkpoint, which keeps the days, is unchanged."""
    games = history(60, 5)
    first = folded(games[:part], parameters)
    kept = first._replace(ratings=dict(first.ratings))
    assert folded(games[part:], parameters, first) == folded(games, parameters)
    assert first == kept


def test_an_earlier_day_counts_as_that_of_the_last_game() -> None:
    """No sigma grows twice for the same days."""
    unordered, ordered = Fold(AWAY), Fold(AWAY)
    unordered.add_all([("ab", (1, 2))] * 3, [730_000, 729_000, 730_365])
    ordered.add_all([("ab", (1, 2))] * 3, [730_000, 730_000, 730_365])
    assert unordered.checkpoint() == ordered.checkpoint()


def test_a_refused_game_changes_no_rating() -> None:
    """Sigma has not grown, and the day of the last game is unchanged."""
    fold = Fold(AWAY)
    fold.advance_to(730_000)
    fold.add("ab", (1, 2))
    before = fold.checkpoint()
    fold.advance_to(731_000)
    for players, places, weights in (("aa", (1, 2), None), ("ab", (1, 2), (1.0, 0.0))):
        with pytest.raises(RatingError, match="game 2"):
            fold.add(players, places, weights)
    assert fold.checkpoint() == before


def test_the_comparison_with_trueskill_uses_the_days() -> None:
    """Our ratings agree with those of `trueskill` if it is given the days, and differ if not."""
    games = history(60, 6)
    pool = Pool("away", "imported", "25.0", "8.3", "4.2", "0.1", "0.01", "2.0")
    ratings = dict(folded(games, AWAY).ratings)
    played, days = [game for game, _day in games], [day for _game, day in games]
    assert compare(pool, AWAY, played, ratings, days).agree
    assert not compare(pool, AWAY, played, ratings).agree


def test_a_predictor_uses_the_sigma_of_the_day() -> None:
    """The prediction is nearer to even if the last game is 3,000 days after the others."""
    games: list[GameResult] = [("ab", (1, 2))] * 4
    soon, late = (TrueSkill(AWAY, [730_000, 730_000, 730_000, day]) for day in (730_000, 733_000))
    for predictor in (soon, late):
        for players, places in games[:3]:
            predictor.add(players, places)
    assert 0.5 < late.predict("ba")[1][0] < soon.predict("ba")[1][0]


def test_the_loss_of_predictions_uses_grown_sigmas() -> None:
    """The loss is −ln of the probability of a normal gap above 0, from the ratings of the day, ties left out."""
    games = [game for game in history(60, 7) if len(set(game[0][1])) == len(game[0][1])]
    hand, loss, pairs = GrownByHand(AWAY), 0.0, 0
    for (players, places), day in games:
        skills = [hand.on(player, day) for player in players]
        for (place, mine), (other_place, theirs) in permutations(zip(places, skills, strict=True), 2):
            if place < other_place:
                spread = sqrt(2 * AWAY.beta**2 + mine[1] ** 2 + theirs[1] ** 2)
                loss -= log(NormalDist().cdf((mine[0] - theirs[0]) / spread))
                pairs += 1
        hand.add((players, places), day)
    predictor = TrueSkill(AWAY, [day for _game, day in games])
    measured = backtest(predictor, [game for game, _day in games], range(len(games)))
    assert measured.loss == pytest.approx(loss / pairs, abs=1e-9)


def test_games_in_another_order_keep_the_sequence_of_days() -> None:
    """Check the scores on the last day by hand, for the order of the file and its reverse."""
    games = history(30, 8)
    played, days = [game for game, _day in games], [day for _game, day in games]
    scores: dict[str, list[float]] = {}
    for order in (played, played[::-1]):
        hand = GrownByHand(AWAY)
        for game, day in zip(order, days, strict=True):
            hand.add(game, day)
        for player in hand.skills:
            mu, sigma = hand.on(player, days[-1])
            scores.setdefault(player, []).append(mu - 3 * sigma)
    found = {row.player: row for row in rank_noise(AWAY, played, [played, played[::-1]], days)}
    for player, (score, reversed_score) in scores.items():
        assert found[player].mean_score == pytest.approx((score + reversed_score) / 2, abs=1e-8)
        assert found[player].score_deviation == pytest.approx(abs(score - reversed_score) / 2, abs=1e-8)
