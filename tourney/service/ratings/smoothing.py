"""A player's rating as it stood game by game, and as all games see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.curves import Curve, CurvePoint
from tourney.domain.rankings import EVERYTHING, Pool
from tourney.service.ratings.pool_players import keys_of
from tourney.service.ratings.rating_cache import day_of, folded, parameters_of
from tourney.service.ratings.rating_filter import ViewedGame, games_of_view
from tourney.service.ratings.ratings import find_pool, history_of

if TYPE_CHECKING:
    from tourney.domain.modes import Progress
    from tourney.ratings.smoothing import SmoothedCurve

Where = tuple[str, str, int, int]
"""Event, day, round and table of a game."""


def smooth(db: str | None, player: str, pool: str = "people", progress: Progress | None = None) -> Curve:
    """The curve of a player; without a point if he has not played.

    Raises TourneyError NOT_FOUND for an unknown pool or player; REFUSED where the package that smooths is not
    installed, and where the numbers leave what floats can hold.
    """
    from tourney.ratings.smoothing import MAX_PASSES, smoothed_curves

    def passed(passes: int) -> None:
        if progress is not None:
            progress(passes, MAX_PASSES)

    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        history = history_of(reader, number, found)
        ((key, shown),) = keys_of(reader, found, folded(reader, found, history).fold, [player]).items()
        games = list(games_of_view(reader, found, history, EVERYTHING))
        where = list(_where(reader, found, history, [game for game in games if key in game.players]))
    curve = smoothed_curves(parameters_of(found), [(game.players, game.places) for game in games], passed).get(key, [])
    return Curve(found, shown, tuple(_points(found, games, key, where, curve)))


def _where(
    reader: storage.Reader, pool: Pool, history: storage.History, games: Sequence[ViewedGame]
) -> Iterator[Where]:
    """Where each of the games was played."""
    names = {} if pool.kind == "imported" else reader.event_names()
    for game in games:
        stretch, number = game.stretch, game.number
        day = history.day(stretch, number)
        if pool.kind == "imported":
            yield history.name(stretch, number), day, 0, 0
        else:
            yield names[stretch.of], day, stretch.round, number


def _points(
    pool: Pool, games: Sequence[ViewedGame], key: str, where: Sequence[Where], curve: SmoothedCurve
) -> Iterator[CurvePoint]:
    """His games, with his rating behind each and the smoothed one at it."""
    from tourney.ratings.fold import Fold

    fold, spots, later = Fold(parameters_of(pool)), iter(where), dict(curve)
    for number, game in enumerate(games, 1):
        fold.advance_to(day_of(pool, game.day))
        fold.add(game.players, game.places)
        if key in game.players:
            now, of = fold.rating(key), len(game.players)
            place = game.places[game.players.index(key)]
            yield CurvePoint(number, *next(spots), place, of, now.mu, now.sigma, *later[number])
