"""A player's rating game by game, beside the smoothed rating that uses later games too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.player_history import Curve, CurvePoint
from tourney.domain.rankings import ALL_GAMES, Pool
from tourney.ratings.fold import Fold
from tourney.ratings.smoothing import MAX_PASSES, SmoothedCurve, smoothed_curves
from tourney.service.ratings.pools import open_history, player_keys
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, filtered_games

if TYPE_CHECKING:
    from tourney.domain.progress import Progress

GameLabel = tuple[str, str, int, int]
"""Event, day, round and table of a game."""


def smooth(db: str | None, player: str, pool: str = "people", progress: Progress | None = None) -> Curve:
    """Return the curve of a player, empty for a player without games.

    Raises TourneyError NOT_FOUND for an unknown pool or player; REFUSED where the package that smooths is not
    installed, and where the numbers overflow.
    """

    def passed(passes: int) -> None:
        if progress is not None:
            progress(passes, MAX_PASSES)

    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        ((key, shown),) = player_keys(reader, found, current_fold(reader, found, history).fold, [player]).items()
        games = list(filtered_games(reader, found, history, ALL_GAMES))
        labels = list(_labels(reader, found, history, [game for game in games if key in game.players]))
    results = [(game.players, game.places) for game in games]
    curve = smoothed_curves(parameters_of(found), results, passed).get(key, [])
    return Curve(found, shown, tuple(_points(found, games, key, labels, curve)))


def _labels(
    reader: storage.Reader, pool: Pool, history: storage.History, games: Sequence[FilteredGame]
) -> Iterator[GameLabel]:
    names = {} if pool.kind == "imported" else reader.event_names()
    for game in games:
        batch, number = game.batch, game.number
        day = history.day(batch, number)
        if pool.kind == "imported":
            yield history.name(batch, number), day, 0, 0
        else:
            yield names[batch.of], day, batch.round, number


def _points(
    pool: Pool, games: Sequence[FilteredGame], key: str, labels: Sequence[GameLabel], curve: SmoothedCurve
) -> Iterator[CurvePoint]:
    """Yield the player's games, with the rating after each and the smoothed rating at it."""
    fold, remaining, smoothed = Fold(parameters_of(pool)), iter(labels), dict(curve)
    for number, game in enumerate(games, 1):
        fold.advance_to(day_of(pool, game.day))
        fold.add(game.players, game.places)
        if key in game.players:
            rating, players = fold.rating(key), len(game.players)
            place = game.places[game.players.index(key)]
            yield CurvePoint(number, *next(remaining), place, players, rating.mu, rating.sigma, *smoothed[number])
