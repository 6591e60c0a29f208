"""Backtests: predictors of games, their log-loss over a history, and parameters fitted to one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, log, sqrt
from typing import Final, Protocol

from tourney.ratings.fold import Fold
from tourney.ratings.forecast import win_probability
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import MIN_DRAW, Parameters, RatingError

ELO_START: Final = 1500.0
ELO_SCALE: Final = 400.0
"""The gap at which the better player is expected to score ten times as much as the other."""
MIN_PROBABILITY: Final = 1e-9
"""Predictions are clipped to this distance from 0 and 1, so that one surprise does not dominate the loss."""

PairProbability = Callable[[int, int], float]
"""The probability that one seat of a game finishes ahead of another."""


class Predictor(Protocol):
    """Predicts a game from the games before it, then learns from its result."""

    def predict(self, players: Sequence[str]) -> PairProbability:
        """Return the probabilities of a game of these players, before its result is added."""

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn from a game. Raises RatingError where it cannot be rated."""


class TrueSkill:
    """Predictions from the ratings of `Fold`; `days` has the day of each game of the history, or is empty."""

    def __init__(self, parameters: Parameters, days: Sequence[int] = ()) -> None:
        self._beta = parameters.beta
        self._fold = Fold(parameters)
        self._days = days

    def predict(self, players: Sequence[str]) -> PairProbability:
        """Predict from the normal distribution of the difference of two performances."""
        self._advance()
        ratings = [self._fold.rating(player, self._fold.day) for player in players]
        skills = [(rating.mu, rating.sigma) for rating in ratings]
        return lambda seat, other: win_probability(skills[seat], skills[other], self._beta)

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate the game."""
        self._advance()
        self._fold.add(players, places)

    def _advance(self) -> None:
        """Advance the fold to the day of the next game."""
        if self._days:
            self._fold.advance_to(self._days[self._fold.games])


class Elo:
    """Elo for games of several players: each pair at a table is a game with K / (players − 1); a tie is half a win."""

    def __init__(self, k: float) -> None:
        self._k = k
        self._ratings: dict[str, float] = {}

    def predict(self, players: Sequence[str]) -> PairProbability:
        """Predict from the logistic curve of the rating gap."""
        ratings = [self._ratings.get(player, ELO_START) for player in players]
        return lambda seat, other: 1.0 / (1.0 + 10.0 ** ((ratings[other] - ratings[seat]) / ELO_SCALE))

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Add to every player's rating K times the score less the expected score, all from the ratings before."""
        predicted = self.predict(players)
        share = self._k / (len(players) - 1)
        gained = [0.0] * len(players)
        for seat in range(len(players)):
            for other in range(seat):
                scored = 0.5 * ((places[seat] < places[other]) + (places[seat] <= places[other]))
                surprise = share * (scored - predicted(seat, other))
                gained[seat] += surprise
                gained[other] -= surprise
        for player, points in zip(players, gained, strict=True):
            self._ratings[player] = self._ratings.get(player, ELO_START) + points


class Coin:
    """Predicts one half for every pair and learns nothing."""

    def predict(self, players: Sequence[str]) -> PairProbability:
        """Return one half for every pair."""
        return lambda seat, other: 0.5

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn nothing."""


@dataclass(frozen=True, slots=True)
class BacktestScore:
    """The log-loss of predictions, game by game.

    `pairs` counts the pairs of each game that did not tie, `losses` sums for each game −ln of the probability given to
    each pair's result, and `correct` counts the pairs that finished as predicted, one half where that was predicted.
    """

    pairs: tuple[int, ...]
    losses: tuple[float, ...]
    correct: float

    @property
    def loss(self) -> float:
        """The mean log-loss of a pair: 0 is perfect, ln 2 that of a coin."""
        return sum(self.losses) / sum(self.pairs)

    @property
    def accuracy(self) -> float:
        """The share of pairs that finished as predicted."""
        return self.correct / sum(self.pairs)

    def difference_error(self, other: "BacktestScore") -> float:
        """Return the standard error of the difference of two mean losses over the same, independent, games."""
        difference = self.loss - other.loss
        games = zip(self.losses, other.losses, self.pairs, strict=True)
        deviations = (loss - other_loss - pairs * difference for loss, other_loss, pairs in games)
        return sqrt(sum(deviation**2 for deviation in deviations)) / sum(self.pairs)


def backtest(predictor: Predictor, games: Sequence[GameResult], measured: range) -> BacktestScore:
    """Score the predictions of the `measured` games; the predictor also learns from the games before them.

    Raises RatingError where a game cannot be rated, and where all of the measured games are ties.
    """
    pairs: list[int] = []
    losses: list[float] = []
    correct = 0.0
    for number, (players, places) in enumerate(games[: measured.stop]):
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


def _score_game(predicted: PairProbability, places: Sequence[int]) -> tuple[int, float, float]:
    """Return the number of pairs that did not tie, their loss, and how many finished as predicted."""
    pairs, loss, correct = 0, 0.0, 0.0
    for seat in range(len(places)):
        for other in range(seat):
            if places[seat] != places[other]:
                probability = predicted(seat, other) if places[seat] < places[other] else predicted(other, seat)
                pairs += 1
                loss -= log(min(max(probability, MIN_PROBABILITY), 1.0 - MIN_PROBABILITY))
                correct += 0.5 * ((probability > 0.5) + (probability >= 0.5))
    return pairs, loss, correct


MAX_EVALUATIONS: Final = 150
"""The most points that a search evaluates."""
_FIRST_STEP: Final = 4
"""The first step, in quarters of a doubling."""
_USUAL_DRAW: Final = 0.01
_MAX_DRAW: Final = 0.5
_USUAL_K: Final = 32.0

Point = tuple[int, ...]
"""The distance of each parameter from its usual value, in quarters of a doubling."""
Progress = Callable[[int], None]
"""Called with the number of points evaluated so far."""

_STARTS: Final = tuple((beta, beta - below, 0) for beta in (0, -8, -4, 4, 8) for below in (16, 8, 24))
"""beta from a quarter of sigma to four times, tau from a 64th of beta to a quarter: the valley of low losses is long
and has several local minima. The first start lies at none of the ends."""


def fit_trueskill(
    parameters: Parameters, games: Sequence[GameResult], measured: range, progress: Progress, days: Sequence[int] = ()
) -> Parameters:
    """Return the parameters with the beta, tau and draw probability of least loss over the measured games.

    mu and sigma, which only set the scale, are kept; so is absence, which counts where `days` has the day of each game.
    Raises RatingError where the games cannot be rated, and where all of the measured games are ties.
    """

    def parameters_at(point: Point) -> Parameters:
        beta, tau, draw = map(_scaled, (parameters.sigma, parameters.sigma, _USUAL_DRAW), point)
        return replace(parameters, beta=beta, tau=tau, draw=min(max(draw, MIN_DRAW), _MAX_DRAW))

    def loss(point: Point) -> float:
        return backtest(TrueSkill(parameters_at(point), days), games, measured).loss

    return parameters_at(_pattern_search(_STARTS, loss, progress))


def fit_elo(games: Sequence[GameResult], measured: range) -> float:
    """Return the K of least loss over the measured games. Raises RatingError where all of them are ties."""

    def loss(point: Point) -> float:
        return backtest(Elo(_scaled(_USUAL_K, *point)), games, measured).loss

    return _scaled(_USUAL_K, *_pattern_search([(0,)], loss, lambda _points: None))


def _scaled(number: float, quarters: int) -> float:
    return float(number * 2.0 ** (0.25 * quarters))


def _pattern_search(starts: Sequence[Point], loss: Callable[[Point], float], progress: Progress) -> Point:
    """Return the best point found from the best start by moving one or two coordinates, with smaller and smaller steps.

    The search stops at MAX_EVALUATIONS. Raises RatingError if the loss of the first start does; any other point whose
    loss cannot be computed counts as infinitely bad.
    """
    losses = {starts[0]: loss(starts[0])}

    def evaluate(point: Point) -> float:
        if point not in losses:
            try:
                losses[point] = loss(point)
            except RatingError:
                losses[point] = inf
            progress(len(losses))
        return losses[point]

    best = min(starts, key=evaluate)
    moves = [move for move in product((-1, 0, 1), repeat=len(best)) if 1 <= sum(map(abs, move)) <= 2]
    step = _FIRST_STEP
    while step and len(losses) < MAX_EVALUATIONS:
        candidates = (
            tuple(coordinate + step * by for coordinate, by in zip(best, move, strict=True)) for move in moves
        )
        better = next((point for point in candidates if evaluate(point) < evaluate(best)), None)
        best, step = (best, step // 2) if better is None else (better, step)
    return best
