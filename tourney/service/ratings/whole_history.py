"""Smoothed ratings, from the whole history of a pool: one player's curve, and the peaks of all players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tourney import storage
from tourney.domain.player_history import Curve, CurvePoint, Peak, Peaks
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES
from tourney.ratings.fold import Fold
from tourney.ratings.smoothing import MAX_PASSES, SmoothedCurve, smoothed_curves
from tourney.service.ratings.pools import open_history, player_keys, shown_names
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, filtered_games
from tourney.text.progress import Progress, no_progress

MIN_GAMES = 10
"""The fewest games of a player whose peak is listed, unless another number is asked for."""

_GameLabel = tuple[str, str, int, int]
"""Event, day, round and table of a game."""


def smooth(db: str | None, player: str, pool: str = "people", progress: Progress = no_progress) -> Curve:
    """Return a player's rating curve with smoothed ratings, empty for a player without games.

    Raises TourneyError NOT_FOUND for an unknown pool or player, REFUSED where the numbers overflow.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        ((key, shown),) = player_keys(reader, found, current_fold(reader, found, history).fold, [player]).items()
        games = list(filtered_games(reader, found, history, ALL_GAMES))
        labels = list(_labels(reader, found, history, [game for game in games if key in game.players]))
    curve = _curves(found, games, progress).get(key, [])
    return Curve(found, shown, tuple(_points(found, games, key, labels, curve)))


def peaks(db: str | None, pool: str = "people", min_games: int = MIN_GAMES, progress: Progress = no_progress) -> Peaks:
    """Return the best that each player with so many games has been, by smoothed mu − 3 sigma, the greatest first.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where the numbers overflow.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        games = list(filtered_games(reader, found, history, ALL_GAMES))
        names = shown_names(reader, found)
        curves = _curves(found, games, progress)
        best = [
            (key, len(curve), *max(curve, key=lambda point: point[1][0] - 3.0 * point[1][1]))
            for key, curve in curves.items()
            if len(curve) >= min_games
        ]
        best.sort(key=lambda row: (-(row[3][0] - 3.0 * row[3][1]), names.get(row[0], row[0])))
        labels = _labels(reader, found, history, [games[row[2] - 1] for row in best])
        rows = [
            Peak(place, names.get(key, key), count, number, *label, *skill)
            for place, ((key, count, number, skill), label) in enumerate(zip(best, labels, strict=True), 1)
        ]
    return Peaks(found, len(games), len(curves), min_games, tuple(rows))


def _curves(pool: Pool, games: Sequence[FilteredGame], progress: Progress) -> dict[str, SmoothedCurve]:
    """Return the smoothed curve of every player."""
    results = [(game.players, game.places) for game in games]
    days = [day_of(pool, game.day) for game in games] if pool.ages else ()
    return smoothed_curves(parameters_of(pool), results, lambda passes: progress(passes, MAX_PASSES), days)


def _labels(
    reader: storage.Reader, pool: Pool, history: storage.History, games: Sequence[FilteredGame]
) -> Iterator[_GameLabel]:
    names = {} if pool.kind == "imported" else reader.events.names()
    for game in games:
        batch, number = game.batch, game.number
        day = history.day(batch, number)
        if pool.kind == "imported":
            yield history.name(batch, number), day, 0, 0
        else:
            yield names[batch.of], day, batch.round, number


def _points(
    pool: Pool, games: Sequence[FilteredGame], key: str, labels: Sequence[_GameLabel], curve: SmoothedCurve
) -> Iterator[CurvePoint]:
    """Yield the player's games, with the rating after each game and the smoothed rating."""
    fold, remaining, smoothed = Fold(parameters_of(pool)), iter(labels), dict(curve)
    for number, game in enumerate(games, 1):
        fold.advance_to(day_of(pool, game.day))
        fold.add(game.players, game.places)
        if key in game.players:
            rating, players = fold.rating(key), len(game.players)
            place = game.places[game.players.index(key)]
            yield CurvePoint(number, *next(remaining), place, players, rating.mu, rating.sigma, *smoothed[number])
