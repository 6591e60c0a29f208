"""Order noise: how far ratings move when the same games come in other orders."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from tourney.domain.forecasts import RankNoise
from tourney.domain.rankings import RatingRow
from tourney.ratings.fold import Fold
from tourney.ratings.model import GameResult, ranking
from tourney.ratings.parameters import Parameters

_TAIL: Final = 0.05


def rank_noise(
    parameters: Parameters,
    games: Sequence[GameResult],
    orders: Iterable[Sequence[GameResult]],
    days: Sequence[int] | None = None,
) -> list[RankNoise]:
    """Return the ranking by these games, with its noise over other orders of them; `days[i]` is the day of game i.

    Raises RatingError as `Fold.add` does.
    """
    ranks, scores = defaultdict[str, list[int]](list), defaultdict[str, list[float]](list)
    for order in orders:
        for row in _ranking(parameters, order, days):
            ranks[row.player].append(row.rank)
            scores[row.player].append(row.score)
    rows = _ranking(parameters, games, days)
    return [_noise(row, sorted(ranks[row.player]), scores[row.player]) for row in rows]


def _ranking(parameters: Parameters, games: Sequence[GameResult], days: Sequence[int] | None) -> list[RatingRow]:
    fold = Fold(parameters)
    fold.add_all(games, days)
    return ranking(fold.ratings(fold.day))


def _noise(row: RatingRow, ranks: Sequence[int], scores: Sequence[float]) -> RankNoise:
    tail = int(_TAIL * len(ranks))
    spread = *_moments(ranks), ranks[tail], ranks[-1 - tail], *_moments(scores)
    return RankNoise(row.rank, row.player, row.score, *spread)


def _moments(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation."""
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))
