"""Backtests: predictors of games, and their log-loss over a history, each game predicted before it is learned."""

from collections.abc import Sequence
from math import erfc, log, sqrt
from typing import Final, Protocol, final

from mypy_extensions import mypyc_attr

from tourney.ratings.backtest_values import ELO_SCALE, BacktestScore, EloParameters, Performances
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import Skill
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError

ELO_START: Final = 1500.0
MIN_PROBABILITY: Final = 1e-9
"""Predictions are clipped to this distance from 0 and 1, so that one surprise does not dominate the loss."""

_MAX_EXPONENT: Final = 300.0

Prediction = list[list[float]]
"""For each seat of a game, the probabilities that it finishes ahead of the seats before it."""


class Predictor(Protocol):
    """Predicts a game from the games before it, then learns from its result."""

    def predict(self, players: Sequence[str]) -> Prediction:
        """Return the probabilities of a game of these players, before its result is added."""

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn from a game. Raises RatingError where it cannot be rated."""


@final
class TrueSkill:
    """Predictions from the ratings of `Fold`, by whole games or by their hands.

    `days` has the day of each game of the history, and `hands` the results of its hands; either may be empty. The
    better sum of `alike` performances finishes ahead.
    """

    def __init__(
        self,
        parameters: Parameters,
        days: Sequence[int] = (),
        hands: Sequence[Sequence[GameResult]] = (),
        alike: float = 1.0,
    ) -> None:
        self._noise: Final[float] = 2.0 * parameters.beta * parameters.beta / alike
        self._fold: Final[Fold] = Fold(parameters)
        self._days: Final[Sequence[int]] = days
        self._hands: Final[Sequence[Sequence[GameResult]]] = hands
        self._games = 0

    def predict(self, players: Sequence[str]) -> Prediction:
        """Predict from the normal distribution of the difference of two performances."""
        self._advance()
        return _normal_prediction(self._fold.skills(players), self._noise)

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate the game, or its hands."""
        self._advance()
        if self._hands:
            for seated, hand_places in self._hands[self._games]:
                self._fold.add(seated, hand_places)
        else:
            self._fold.add(players, places)
        self._games += 1

    def skills(self, players: Sequence[str]) -> list[Skill]:
        """Return the skills of these players."""
        return self._fold.skills(players)

    def _advance(self) -> None:
        """Advance the fold to the day of the next game."""
        if self._games < len(self._days):
            self._fold.advance_to(self._days[self._games])


@final
@mypyc_attr(acyclic=True)
class _Estimate:
    """A player's skill as `ByPoints` knows it: mean, variance, and the day of the last game."""

    def __init__(self, mean: float, variance: float) -> None:
        self.mean = mean
        self.variance = variance
        self.day = 0


@final
class ByPoints:
    """Predictions of games from how well each hand was played, as a number, rather than from who played it better.

    A performance in a hand, times `scale`, is normal around the skill plus what all players of the hand share, of which
    nothing is known before (a hand may be cheap for all). So each hand is one exact Bayesian update. `hands` has the
    performances of each game's hands; other arguments are those of `TrueSkill`.
    """

    def __init__(
        self,
        parameters: Parameters,
        scale: float,
        hands: Sequence[Sequence[Performances]],
        alike: float,
        days: Sequence[int] = (),
    ) -> None:
        self._mean: Final[float] = parameters.mu
        self._variance: Final[float] = parameters.sigma * parameters.sigma
        self._noise: Final[float] = parameters.beta * parameters.beta
        self._drift: Final[float] = parameters.tau * parameters.tau
        self._growth: Final[float] = parameters.absence * parameters.absence / DAYS_PER_YEAR
        self._scale: Final[float] = scale
        self._alike: Final[float] = alike
        self._hands: Final[Sequence[Sequence[Performances]]] = hands
        self._days: Final[Sequence[int]] = days
        self._estimates: Final[dict[str, _Estimate]] = {}
        self._games = 0

    def predict(self, players: Sequence[str]) -> Prediction:
        """Predict from the normal distribution of the difference of two performances."""
        return _normal_prediction(self.skills(players), 2.0 * self._noise / self._alike)

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn from the hands of the game."""
        for seated, performances in self._hands[self._games]:
            self._learn([self._grown(player) for player in seated], performances)
        self._games += 1

    def skills(self, players: Sequence[str]) -> list[Skill]:
        """Return the skills of these players at the next game."""
        return [(each.mean, sqrt(each.variance)) for each in [self._grown(player) for player in players]]

    def _grown(self, player: str) -> _Estimate:
        """Return the estimate of a player's skill on the day of the next game."""
        estimate = self._estimates.get(player)
        if estimate is None:
            estimate = self._estimates[player] = _Estimate(self._mean, self._variance)
        day = self._days[self._games] if self._games < len(self._days) else 0
        if 0 < estimate.day < day and estimate.variance < self._variance:
            grown = estimate.variance + self._growth * float(day - estimate.day)
            estimate.variance = min(grown, self._variance)
        estimate.day = max(day, estimate.day)
        return estimate

    def _learn(self, seated: list[_Estimate], performances: Sequence[float]) -> None:
        total, surprise = 0.0, 0.0
        for estimate, performance in zip(seated, performances, strict=True):
            estimate.variance += self._drift
            precision = 1.0 / (estimate.variance + self._noise)
            total += precision
            surprise += precision * (self._scale * performance - estimate.mean)
        shared = surprise / total
        for estimate, performance in zip(seated, performances, strict=True):
            gain = estimate.variance / (estimate.variance + self._noise)
            estimate.mean += gain * (self._scale * performance - estimate.mean - shared)
            estimate.variance = estimate.variance * (1.0 - gain) + gain * gain / total


def _normal_prediction(skills: list[Skill], noise: float) -> Prediction:
    """Return a prediction from normal skills; `noise` is the variance of the difference of two performances."""
    predicted: Prediction = []
    for seat in range(len(skills)):
        mu, sigma = skills[seat]
        variance = noise + sigma * sigma
        row: list[float] = []
        for other in range(seat):
            other_mu, other_sigma = skills[other]
            row.append(0.5 * erfc((other_mu - mu) / sqrt(2.0 * (variance + other_sigma * other_sigma))))
        predicted.append(row)
    return predicted


@final
@mypyc_attr(acyclic=True)
class _EloRecord:
    """A player's Elo rating."""

    def __init__(self) -> None:
        self.rating = ELO_START
        self.games = 0.0
        self.gained = 0.0


@final
class Elo:
    """Elo for games of several players: each pair at a table is a game with K / (players − 1); a tie is half a win."""

    def __init__(self, parameters: EloParameters) -> None:
        self._k: Final[float] = parameters.k
        self._first: Final[float] = parameters.first
        self._half: Final[float] = parameters.games
        self._scale: Final[float] = parameters.scale
        self._records: Final[dict[str, _EloRecord]] = {}

    def predict(self, players: Sequence[str]) -> Prediction:
        """Predict from the logistic curve of the rating gap."""
        ratings = [record.rating for record in self._seated(players)]
        return [
            [_expected(ratings[seat] - ratings[other], self._scale) for other in range(seat)]
            for seat in range(len(ratings))
        ]

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Add to every player's rating K times the score less the expected score, all from the ratings before."""
        seated = self._seated(players)
        for seat in range(len(seated)):
            record, place = seated[seat], places[seat]
            for other in range(seat):
                opponent = seated[other]
                scored = 1.0 if place < places[other] else 0.5 if place == places[other] else 0.0
                surprise = scored - _expected(record.rating - opponent.rating, ELO_SCALE)
                record.gained += surprise
                opponent.gained -= surprise
        for record in seated:
            k = self._k + (self._first - self._k) * self._half / (self._half + record.games)
            record.rating += k * record.gained / (len(seated) - 1)
            record.gained = 0.0
            record.games += 1.0

    def _seated(self, players: Sequence[str]) -> list[_EloRecord]:
        seated: list[_EloRecord] = []
        for player in players:
            record = self._records.get(player)
            if record is None:
                record = self._records[player] = _EloRecord()
            seated.append(record)
        return seated


def _expected(gap: float, scale: float) -> float:
    """Return the expected score of a player whose rating is higher by this gap."""
    return 1.0 / (1.0 + float(10.0 ** min(max(-gap / scale, -_MAX_EXPONENT), _MAX_EXPONENT)))


@final
class Coin:
    """Predicts one half for every pair and learns nothing."""

    def predict(self, players: Sequence[str]) -> Prediction:
        """Return one half for every pair."""
        return [[0.5] * seat for seat in range(len(players))]

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn nothing."""


def backtest(predictor: Predictor, games: Sequence[GameResult], measured: range) -> BacktestScore:
    """Score the predictions of the `measured` games; the predictor also learns from the games before them.

    Raises RatingError where a game cannot be rated, and where all of the measured games are ties.
    """
    pairs: list[int] = []
    losses: list[float] = []
    correct = 0.0
    for number in range(measured.stop):
        players, places = games[number]
        if number >= measured.start:
            counted, loss, hits = _score_game(predictor.predict(players), places)
            pairs.append(counted)
            losses.append(loss)
            correct += hits
        predictor.add(players, places)
    if not any(pairs):
        raise RatingError(
            "nothing to predict in games {first} to {last}: all are ties",
            "every part of a history needs a game that somebody won",
            first=measured.start + 1,
            last=measured.stop,
        )
    return BacktestScore(tuple(pairs), tuple(losses), correct)


def _score_game(predicted: Prediction, places: Sequence[int]) -> tuple[int, float, float]:
    """Return the number of pairs that did not tie, their loss, and how many finished as predicted."""
    pairs, loss, correct = 0, 0.0, 0.0
    for seat in range(len(places)):
        place, row = places[seat], predicted[seat]
        for other in range(seat):
            if place != places[other]:
                probability = row[other] if place < places[other] else 1.0 - row[other]
                pairs += 1
                loss -= log(min(max(probability, MIN_PROBABILITY), 1.0 - MIN_PROBABILITY))
                correct += 1.0 if probability > 0.5 else 0.5 if probability == 0.5 else 0.0
    return pairs, loss, correct
