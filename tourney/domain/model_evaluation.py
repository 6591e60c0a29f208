"""Ratings put to the test by their own history."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tourney.domain.rankings import Pool

PredictorName = Literal["defaults", "pool", "fitted", "elo", "coin"]
"""TrueSkill with its own defaults, with the pool's parameters, and fitted; Elo with K fitted; and a coin."""


@dataclass(frozen=True, slots=True)
class PredictorScore:
    """How well a predictor has foretold pairs of players.

    `parameters` are beta, tau and draw, or k. `loss` is the mean of −ln of the probability given to what then
    happened, `accuracy` the share of pairs that stood as foretold. `behind` is the loss less the best one's, `error`
    the standard error of that.
    """

    predictor: PredictorName
    parameters: Mapping[str, float]
    loss: float
    accuracy: float
    behind: float
    error: float


ENOUGH_FITTED: Final = 100
"""Neighbours by place that it takes to fit beta, tau and draw: thirty for each of the three, and some."""


@dataclass(frozen=True, slots=True)
class PredictorTrial:
    """Predictors beside each other, the least loss first.

    They were fitted to some games of the pool's `games` and measured on others, first and last counted from 1;
    `pairs` of players were foretold, who did not tie. In the games fitted to, `neighbours` by place stood apart: three
    of four players without a tie.
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
        """Whether there was enough to fit three parameters to."""
        return self.neighbours >= ENOUGH_FITTED


@dataclass(frozen=True, slots=True)
class Reordered:
    """A player's rank and score, and what they are when the results come in other orders.

    Mean and standard deviation of both; nine ranks of ten are from `low` to `high`.
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
    """What the order of results does to the ratings of a pool: over so many shuffles, drawn from a seed."""

    pool: Pool
    games: int
    shuffles: int
    seed: str
    rows: tuple[Reordered, ...]

    @property
    def rank_deviation(self) -> float:
        """How far the order alone moves a rank: the mean standard deviation; 0 where nobody is ranked."""
        return sum(row.rank_deviation for row in self.rows) / len(self.rows) if self.rows else 0.0
