"""Ratings put to the test by their own history: how well they foretell, and how much of them is order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.model_evaluation import OrderNoise, PredictorName, PredictorScore, PredictorTrial, Reordered
from tourney.domain.rankings import Pool
from tourney.service.ratings.rating_cache import days_of, games_of, parameters_of
from tourney.service.ratings.ratings import find_pool, history_of, shown_names
from tourney.text.i18n import _, ngettext

if TYPE_CHECKING:
    from tourney.domain.modes import Progress
    from tourney.ratings.backtest import Predictor
    from tourney.ratings.parameters import Parameters

LEAST_GAMES = 8
"""Games that a pool needs for a trial, so that every part of its history has some."""

Predictors = Sequence[tuple[PredictorName, Mapping[str, float], "Predictor"]]
"""Each with its parameters."""


def compare(db: str | None, pool: str = "people", progress: Progress | None = None) -> PredictorTrial:
    """How well TrueSkill, Elo and a coin foretell the second half of a pool's games, each before it is learnt.

    TrueSkill is there with its own defaults, with the pool's parameters, and fitted, as Elo is, to the second quarter.
    Raises TourneyError NOT_FOUND for an unknown pool; REFUSED for one of fewer than LEAST_GAMES games, and where
    nothing can be foretold.
    """
    found, games, days, _names = _history(db, pool)
    number = len(games)
    if number < LEAST_GAMES:
        raise _too_few(found, number, LEAST_GAMES)
    fitted, measured = range(number // 4, number // 2), range(number // 2, number)
    predictors = _predictors(parameters_of(found), games, days, fitted, progress)
    pairs, scores = _scores(predictors, games, measured)
    neighbours = sum(len(set(places)) - 1 for _players, places in games[fitted.start : fitted.stop])
    return PredictorTrial(found, number, _numbers(fitted), _numbers(measured), pairs, scores, neighbours)


def noise(
    db: str | None, pool: str = "people", shuffles: int = 20, seed: str = "1", progress: Progress | None = None
) -> OrderNoise:
    """What other orders of its results, drawn from a seed, would make of the ratings of a pool.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED for one of fewer than two games and where the numbers
    leave what floats can hold.
    """
    from tourney.ratings.fold import Fold
    from tourney.ratings.model import ranking
    from tourney.ratings.order_noise import order_spreads

    found, games, days, names = _history(db, pool)
    if len(games) < 2:
        raise _too_few(found, len(games), 2)
    parameters = parameters_of(found)
    spread = order_spreads(parameters, _shuffled(games, shuffles, seed, progress), days or None)
    fold = Fold(parameters)
    fold.add_all(games, days or None)
    rows = []
    for row in ranking(fold.ratings(fold.day)):
        one = spread[row.player]
        ranks = one.rank, one.rank_deviation, one.low, one.high
        player = names.get(row.player, row.player)
        rows.append(Reordered(row.rank, player, row.score, *ranks, one.score, one.score_deviation))
    return OrderNoise(found, len(games), shuffles, seed, tuple(rows))


def _history(db: str | None, pool: str) -> tuple[Pool, list[storage.Game], list[int], Mapping[str, str]]:
    """The pool, all its games in the order of rating, their days where these count, and names by player's key."""
    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        history = history_of(reader, number, found)
        return found, games_of(found, history), days_of(found, history), shown_names(reader, found)


def _too_few(pool: Pool, games: int, least: int) -> TourneyError:
    message = ngettext("the pool {pool} has {games} game", "the pool {pool} has {games} games", games)
    hint = _("this takes {least} at least").format(least=least)
    return TourneyError(ExitCode.REFUSED, message.format(pool=pool.name, games=games), hint)


def _numbers(games: range) -> tuple[int, int]:
    """First and last, from 1."""
    return games.start + 1, games.stop


def _predictors(
    pool: Parameters, games: Sequence[storage.Game], days: Sequence[int], fitted: range, progress: Progress | None
) -> Predictors:
    from tourney.ratings.backtest import MAX_EVALUATIONS, Coin, Elo, TrueSkill, fit_elo, fit_trueskill
    from tourney.ratings.parameters import Parameters

    def tried(points: int) -> None:
        if progress is not None:
            progress(points, MAX_EVALUATIONS)

    defaults = Parameters(draw=0.10)
    best = fit_trueskill(pool, games, fitted, tried, days)
    k = fit_elo(games, fitted)
    return (
        ("defaults", _named(defaults), TrueSkill(defaults)),
        ("pool", _named(pool), TrueSkill(pool, days)),
        ("fitted", _named(best), TrueSkill(best, days)),
        ("elo", {"k": k}, Elo(k)),
        ("coin", {}, Coin()),
    )


def _named(parameters: Parameters) -> Mapping[str, float]:
    """Those that foretelling depends on."""
    named = {"beta": parameters.beta, "tau": parameters.tau, "draw": parameters.draw}
    return named if parameters.absence == 0.0 else {**named, "absence": parameters.absence}


def _scores(
    predictors: Predictors, games: Sequence[storage.Game], measured: range
) -> tuple[int, tuple[PredictorScore, ...]]:
    """The pairs foretold, and how well, the least loss first."""
    from tourney.ratings.backtest import backtest

    scored = [(name, given, backtest(predictor, games, measured)) for name, given, predictor in predictors]
    scored.sort(key=lambda one: one[2].loss)
    best = scored[0][2]
    rows = [
        PredictorScore(name, given, one.loss, one.accuracy, one.loss - best.loss, one.difference_error(best))
        for name, given, one in scored
    ]
    return sum(best.pairs), tuple(rows)


def _shuffled(
    games: Sequence[storage.Game], shuffles: int, seed: str, progress: Progress | None
) -> Iterator[list[storage.Game]]:
    from tourney.seating.rng import seeded_rng, shuffled

    draw = seeded_rng(seed)
    for number in range(shuffles):
        yield shuffled(list(games), draw)
        if progress is not None:
            progress(number + 1, shuffles)
