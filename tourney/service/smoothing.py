"""A player's rating as it stood game by game, and as all games see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from tourney.domain import Curve, CurvePoint
from tourney.service.contenders import keys_of
from tourney.service.folding import days_of, folded, games_of, parameters_of
from tourney.service.ratings import find_pool, history_of

if TYPE_CHECKING:
    from tourney.ratings import Parameters, SmoothedCurve
    from tourney.service.rounds import Progress
    from tourney.storage import Game


def smooth(db: str | None, player: str, pool: str = "people", progress: Progress | None = None) -> Curve:
    """The curve of a player; without a point if he has not played.

    Raises TourneyError NOT_FOUND for an unknown pool or player; REFUSED where the package that smooths is not
    installed, and where the numbers leave what floats can hold.
    """
    from tourney.ratings import MOST_PASSES, smoothed
    from tourney.storage import reading

    def passed(passes: int) -> None:
        if progress is not None:
            progress(passes, MOST_PASSES)

    with reading(db) as reader:
        number, found = find_pool(reader, pool)
        history = history_of(reader, number, found)
        ((key, shown),) = keys_of(reader, found, folded(reader, found, history).fold, [player]).items()
        games, days = games_of(found, history), days_of(found, history)
    parameters = parameters_of(found)
    curve = smoothed(parameters, games, passed).get(key, [])
    return Curve(found, shown, tuple(_points(parameters, games, days, key, curve)))


def _points(
    parameters: Parameters, games: Sequence[Game], days: Sequence[int], key: str, curve: SmoothedCurve
) -> Iterator[CurvePoint]:
    """His games, with his rating behind each and the smoothed one at it."""
    from tourney.ratings import Fold

    fold, later = Fold(parameters), dict(curve)
    for number, ((players, places), day) in enumerate(zip(games, days or repeat(0), strict=False), 1):
        fold.on(day)
        fold.add(players, places)
        if key in players:
            now = fold.rating(key)
            place = places[players.index(key)]
            yield CurvePoint(number, place, len(players), now.mu, now.sigma, *later[number])
