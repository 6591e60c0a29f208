"""Model evaluation: predictors compared over a history, and the noise in ratings from the order of results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tourney.domain.rankings import Pool

PredictorName = Literal["defaults", "pool", "fitted", "elo", "coin"]
"""TrueSkill with its defaults, with the pool's parameters, and fitted; Elo with fitted K; and a coin."""


@dataclass(frozen=True, slots=True)
class PredictorScore:
    """The accuracy of a predictor for pairs of players.

    `parameters` are beta, tau and draw, or k. `loss` is the mean of −ln of the probability given to what then
    happened, `accuracy` the share of pairs that finished as predicted. `behind` is the loss less that of the best
    predictor, `error` the standard error of the difference.
    """

    predictor: PredictorName
    parameters: Mapping[str, float]
    loss: float
    accuracy: float
    behind: float
    error: float


MIN_NEIGHBOURS: Final = 100
"""Neighbours by place needed to fit beta, tau and draw: thirty for each of the three, and some more."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """A comparison of predictors, the least loss first.

    They were `fitted` to some of the pool's `games` and `measured` on others, given as first and last number from 1;
    `pairs` of players who did not tie were predicted. In the fitted games `neighbours` by place did not tie: three for
    four players without a tie.
    """

    pool: Pool
    games: int
    fitted: tuple[int, int]
    measured: tuple[int, int]
    pairs: int
    scores: tuple[PredictorScore, ...]
    neighbours: int

    @property
    def enough(self) -> bool:
        """Return whether there were enough games to fit three parameters."""
        return self.neighbours >= MIN_NEIGHBOURS


@dataclass(frozen=True, slots=True)
class RankNoise:
    """A player's rank and score, and their means and standard deviations over other orders of the results.

    Nine ranks of ten lie from `low` to `high`.
    """

    rank: int
    player: str
    score: float
    mean_rank: float
    rank_deviation: float
    low: int
    high: int
    mean_score: float
    score_deviation: float


@dataclass(frozen=True, slots=True)
class OrderNoise:
    """The noise in the ratings of a pool from the order of results, over shuffles drawn from a seed."""

    pool: Pool
    games: int
    shuffles: int
    seed: str
    rows: tuple[RankNoise, ...]

    @property
    def rank_deviation(self) -> float:
        """The mean standard deviation of a rank over the orders; 0 where nobody is ranked."""
        return sum(row.rank_deviation for row in self.rows) / len(self.rows) if self.rows else 0.0
