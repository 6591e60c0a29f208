"""Order noise: how far ratings move when the same games come in other orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tourney.ratings.fold import Fold
from tourney.ratings.model import GameResult, ranking
from tourney.ratings.parameters import Parameters

_TAIL: Final = 0.05


@dataclass(frozen=True, slots=True)
class OrderSpread:
    """A player's rank and score over several orders of the same games: means and standard deviations.

    Nine ranks of ten lie from `low` to `high`.
    """

    rank: float
    rank_deviation: float
    low: int
    high: int
    score: float
    score_deviation: float


def order_spreads(
    parameters: Parameters, orders: Iterable[Sequence[GameResult]], days: Sequence[int] | None = None
) -> dict[str, OrderSpread]:
    """Return the spread of every player over these orders of the same games; `days[i]` is the day of game i of each.

    Raises RatingError as `Fold.add` does.
    """
    ranks: dict[str, list[int]] = {}
    scores: dict[str, list[float]] = {}
    for games in orders:
        fold = Fold(parameters)
        fold.add_all(games, days)
        for row in ranking(fold.ratings(fold.day)):
            ranks.setdefault(row.player, []).append(row.rank)
            scores.setdefault(row.player, []).append(row.score)
    return {player: _spread(sorted(ranks[player]), scores[player]) for player in ranks}


def _spread(ranks: Sequence[int], scores: Sequence[float]) -> OrderSpread:
    tail = int(_TAIL * len(ranks))
    return OrderSpread(*_moments(ranks), ranks[tail], ranks[-1 - tail], *_moments(scores))


def _moments(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation."""
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))
