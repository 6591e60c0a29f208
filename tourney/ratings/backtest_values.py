"""Values of backtests, which the compiled predictors use and other programs pickle."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tourney.ratings.model import GameResult

ELO_SCALE: Final = 400.0
"""The gap at which the better player is expected to score ten times as much as the other."""


@dataclass(frozen=True, slots=True)
class EloParameters:
    """The parameters of Elo for games of several players.

    K falls from `first` in a player's first game towards `k`, half of the way after `games` games. `scale` is the gap
    at which a prediction is ten to one; updates always expect that of 400.
    """

    k: float = 32.0
    first: float = 32.0
    games: float = 10.0
    scale: float = ELO_SCALE


Performances = tuple[Sequence[str], Sequence[float]]
"""The players of a hand and a number for each, of which the highest is the best."""


@dataclass(frozen=True, slots=True)
class Results:
    """A history as models see it.

    `hands` has the results of each game's hands and `performances` the numbers behind them, both empty where hands are
    not known; `days` has the day of each game, or is empty.
    """

    games: Sequence[GameResult]
    hands: Sequence[Sequence[GameResult]] = ()
    performances: Sequence[Sequence[Performances]] = ()
    days: Sequence[int] = ()

    def part(self, games: range) -> "Results":
        """Return the results of these games alone."""
        part = slice(games.start, games.stop)
        return Results(self.games[part], self.hands[part], self.performances[part], self.days[part])


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
