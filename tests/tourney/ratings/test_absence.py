"""Sigma that grows with the calendar: against hand arithmetic, and `trueskill` fed with what has grown."""

import random
from datetime import date
from itertools import permutations
from math import log, sqrt
from statistics import NormalDist

import pytest
import trueskill

from tourney.domain.rankings import Pool
from tourney.ratings.backtest import TrueSkill, backtest
from tourney.ratings.comparison import compare
from tourney.ratings.fold import Fold
from tourney.ratings.model import Checkpoint, GameResult, day_number
from tourney.ratings.order_noise import order_spreads
from tourney.ratings.parameters import Parameters, RatingError, parse_parameters

AWAY = Parameters(absence=2.0)
Dated = tuple[GameResult, int]


def history(number: int, seed: int) -> list[Dated]:
    """Return games of two to five of nine players, with ties, up to two years or no day apart."""
    draw = random.Random(seed)
    games, day = [], 730_000
    for _ in range(number):
        players = draw.sample("abcdefghi", draw.randint(2, 5))
        day += draw.choice([0, 0, 1, 7, 90, 700])
        games.append(((players, [draw.randint(1, 3) for _ in players]), day))
    return games


def folded(games: list[Dated], parameters: Parameters, start: Checkpoint | None = None) -> Checkpoint:
    fold = Fold(parameters, start)
    fold.add_all([game for game, _day in games], [day for _game, day in games])
    return fold.checkpoint()


class ByHand:
    """Ratings and their days, with sigma grown here before the package sees it."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
        self.world = trueskill.TrueSkill(mu, sigma, beta, tau, draw)
        self.skills: dict[str, tuple[float, float, int]] = {}

    def on(self, player: str, day: int) -> tuple[float, float]:
        """Return a rating on a day: squares of points are added by the day, up to a newcomer's sigma."""
        if player not in self.skills:
            return self.parameters.mu, self.parameters.sigma
        mu, sigma, last = self.skills[player]
        variance = sigma**2 + self.parameters.absence**2 * (day - last) / 365.25
        return mu, sigma if variance <= sigma**2 else max(sigma, min(sqrt(variance), self.parameters.sigma))

    def add(self, game: GameResult, day: int) -> None:
        players, places = game
        before = [(self.world.create_rating(*self.on(player, day)),) for player in players]
        for player, (after,) in zip(players, self.world.rate(before, list(places)), strict=True):
            self.skills[player] = (after.mu, after.sigma, day)


def test_four_years_away_are_four_times_the_squares_of_one() -> None:
    """1461 days at 2 points a year add four squares of 2: 16."""
    fold = Fold(AWAY)
    fold.advance_to(day_number("2020-02-01"))
    fold.add("ab", (1, 2))
    sigma = fold.rating("a").sigma
    assert fold.rating("a", day_number("2024-02-01")).sigma == pytest.approx(sqrt(sigma**2 + 16), abs=1e-12)
    assert fold.rating("a", day_number("2021-02-01")).sigma == pytest.approx(
        sqrt(sigma**2 + 4 * 366 / 365.25), abs=1e-12
    )
    assert fold.rating("a", day_number("2020-02-01")) == fold.rating("a")
    assert fold.rating("a", day_number("2019-02-01")) == fold.rating("a"), "nothing shrinks before it"
    assert fold.rating("a", day_number("2099-02-01")).sigma == AWAY.sigma, "a newcomer is not known less"
    assert fold.rating("a", day_number("2099-02-01")).mu == fold.rating("a").mu
    assert fold.rating("c", day_number("2099-02-01")) == fold.rating("c"), "who has not played has not been away"


@pytest.mark.parametrize("absence", [0.5, 3.0, 40.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_history_with_days_is_that_of_trueskill_fed_with_grown_sigmas(absence: float, seed: int) -> None:
    """Compare after every game and a year later; with 40 points a year nearly all come back as newcomers."""
    parameters, games = Parameters(beta=3.0, tau=0.05, absence=absence), history(80, seed)
    fold, hand = Fold(parameters), ByHand(parameters)
    for (players, places), day in games:
        fold.advance_to(day)
        fold.add(players, places)
        hand.add((players, places), day)
        for player in players:
            row = fold.rating(player)
            assert (row.mu, row.sigma, row.day) == pytest.approx(hand.skills[player], abs=1e-9)
    for player, rating in fold.ratings(fold.day + 365).items():
        assert (rating.mu, rating.sigma) == pytest.approx(hand.on(player, fold.day + 365), abs=1e-9)


def test_change_and_trend_are_what_games_did_and_not_what_absence_did() -> None:
    """The change of the last game runs from the score on its day to the score after it."""
    fold = Fold(AWAY)
    for day in (730_000, 731_000):
        fold.advance_to(day)
        before = fold.rating("a", day)
        fold.add("ab", (1, 2))
    after = fold.rating("a")
    assert after.change == pytest.approx(after.score - before.score, abs=1e-12)
    assert after.trend == pytest.approx(0.9 * (before.mu - 25.0) + (after.mu - before.mu), abs=1e-12)


def test_days_do_nothing_without_absence() -> None:
    """Ratings are equal to the last bit; only each player's last day is unknown."""
    games = history(60, 4)
    fold = Fold(Parameters())
    fold.add_all([game for game, _day in games])
    assert folded(games, Parameters()) == fold.checkpoint()
    assert fold.ratings(800_000) == fold.ratings()


@pytest.mark.parametrize("part", [0, 1, 29, 60])
def test_a_fold_continues_from_a_checkpoint(part: int) -> None:
    """A history cut anywhere gives the ratings of the whole: checkpoints know the days."""
    games = history(60, 5)
    assert folded(games[part:], AWAY, folded(games[:part], AWAY)) == folded(games, AWAY)


def test_time_does_not_go_back() -> None:
    """A day before that of the last game counts as the same day, and nothing grows twice."""
    forth, straight = Fold(AWAY), Fold(AWAY)
    forth.add_all([("ab", (1, 2))] * 3, [730_000, 729_000, 730_365])
    straight.add_all([("ab", (1, 2))] * 3, [730_000, 730_000, 730_365])
    assert forth.checkpoint() == straight.checkpoint()


def test_a_refused_game_changes_no_rating() -> None:
    """Sigma has not grown, and the day of the last game is the old one."""
    fold = Fold(AWAY)
    fold.advance_to(730_000)
    fold.add("ab", (1, 2))
    before = fold.checkpoint()
    fold.advance_to(731_000)
    for players, places, weights in (("aa", (1, 2), None), ("ab", (1, 2), (1.0, 0.0))):
        with pytest.raises(RatingError, match="game 2"):
            fold.add(players, places, weights)
    assert fold.checkpoint() == before


def test_a_rating_knows_the_day_of_its_last_game() -> None:
    """A rating has the day of its last game, and has grown on a later one."""
    fold = Fold(AWAY)
    fold.add_all([(("a", "b"), (1, 2))], [day_number("2020-02-01")])
    rating = fold.rating("a")
    assert rating.day == date(2020, 2, 1).toordinal()
    assert fold.rating("a", day_number("2024-02-01")).sigma == pytest.approx(sqrt(rating.sigma**2 + 16), abs=1e-12)


def test_verifying_knows_the_days_too() -> None:
    """Both programs agree if given the days, and differ without them."""
    games = history(60, 6)
    pool = Pool("away", "imported", "25.0", "8.3", "4.2", "0.1", "0.01", "2.0")
    ratings = dict(folded(games, AWAY).ratings)
    played, days = [game for game, _day in games], [day for _game, day in games]
    assert compare(pool, AWAY, played, ratings, days).agree
    assert not compare(pool, AWAY, played, ratings).agree


def test_a_predictor_uses_the_sigma_of_the_day() -> None:
    """A game of a player long away is predicted nearer to even."""
    games: list[GameResult] = [("ab", (1, 2))] * 4
    soon, late = (TrueSkill(AWAY, [730_000, 730_000, 730_000, day]) for day in (730_000, 733_000))
    for predictor in (soon, late):
        for players, places in games[:3]:
            predictor.add(players, places)
    assert 0.5 < late.predict("ab")(0, 1) < soon.predict("ab")(0, 1)


def test_the_loss_of_predictions_uses_grown_sigmas() -> None:
    """The loss is −ln of the probability of a normal gap above 0, from the ratings of the day, ties left out."""
    games = [game for game in history(60, 7) if len(set(game[0][1])) == len(game[0][1])]
    hand, loss, pairs = ByHand(AWAY), 0.0, 0
    for (players, places), day in games:
        skills = [hand.on(player, day) for player in players]
        for (one, mine), (other, theirs) in permutations(zip(places, skills, strict=True), 2):
            if one < other:
                spread = sqrt(2 * AWAY.beta**2 + mine[1] ** 2 + theirs[1] ** 2)
                loss -= log(NormalDist().cdf((mine[0] - theirs[0]) / spread))
                pairs += 1
        hand.add((players, places), day)
    found = backtest(TrueSkill(AWAY, [day for _game, day in games]), [game for game, _day in games], range(len(games)))
    assert found.loss == pytest.approx(loss / pairs, abs=1e-9)


def test_games_in_another_order_are_played_on_the_same_days() -> None:
    """Scores on the last day are checked by hand, for the order of the file and its reverse."""
    games = history(30, 8)
    played, days = [game for game, _day in games], [day for _game, day in games]
    scores: dict[str, list[float]] = {}
    for order in (played, played[::-1]):
        hand = ByHand(AWAY)
        for game, day in zip(order, days, strict=True):
            hand.add(game, day)
        for player in hand.skills:
            mu, sigma = hand.on(player, days[-1])
            scores.setdefault(player, []).append(mu - 3 * sigma)
    found = order_spreads(AWAY, [played, played[::-1]], days)
    for player, (one, other) in scores.items():
        assert found[player].score == pytest.approx((one + other) / 2, abs=1e-8)
        assert found[player].score_deviation == pytest.approx(abs(one - other) / 2, abs=1e-8)


@pytest.mark.parametrize("text", ["absence=-1", "absence=nan", "absence=inf", "absence=x"])
def test_an_absence_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(RatingError, match="absence is"):
        parse_parameters(text)


def test_parameters_with_absence_are_text_both_ways() -> None:
    assert parse_parameters(str(Parameters(absence=0.1))) == Parameters(absence=0.1)
