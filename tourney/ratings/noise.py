"""How much of a rating is the order of results: the same games in other orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters
from tourney.ratings.values import Played, ranked

_TAIL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a player stands when his games come in other orders.

    Mean and standard deviation of his rank and score; nine ranks of ten are from `low` to `high`.
    """

    rank: float
    rank_deviation: float
    low: int
    high: int
    score: float
    score_deviation: float


def spreads(
    parameters: Parameters, orders: Iterable[Sequence[Played]], days: Sequence[int] | None = None
) -> dict[str, Spread]:
    """What becomes of every player over these orders of the same games; `days` stay, whatever is played on them.

    Raises RatingError as `Fold.add` does.
    """
    ranks: dict[str, list[int]] = {}
    scores: dict[str, list[float]] = {}
    for games in orders:
        fold = Fold(parameters)
        fold.add_all(games, days)
        for row in ranked(fold.ratings(fold.day)):
            ranks.setdefault(row.player, []).append(row.rank)
            scores.setdefault(row.player, []).append(row.score)
    return {player: _spread(sorted(ranks[player]), scores[player]) for player in ranks}


def _spread(ranks: Sequence[int], scores: Sequence[float]) -> Spread:
    tail = int(_TAIL * len(ranks))
    return Spread(*_moments(ranks), ranks[tail], ranks[-1 - tail], *_moments(scores))


def _moments(numbers: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))
