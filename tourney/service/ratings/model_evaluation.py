"""Model evaluation: ratings checked by a second program, backtested, rated in other orders, and other models.

To add a model to `compare`, write a function that fits it, and name it in MODELS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.forecasts import (
    MIN_NEIGHBOURS,
    ModelComparison,
    OrderNoise,
    PredictorName,
    PredictorScore,
)
from tourney.domain.pools import Pool
from tourney.domain.rankings import RatingsComparison
from tourney.ratings.backtest import ByPoints, Coin, Elo, Predictor, TrueSkill, backtest
from tourney.ratings.backtest_values import Performances, Results
from tourney.ratings.comparison import compare
from tourney.ratings.fitting import MAX_EVALUATIONS, fit_by_points, fit_elo, fit_trueskill
from tourney.ratings.kernel import Skill
from tourney.ratings.learning import Evening, Season, Variation, evening_of, evenings_needed, seasons, spread_of
from tourney.ratings.order_noise import rank_noise
from tourney.ratings.parameters import Parameters
from tourney.seating.rng import seeded_rng, shuffled
from tourney.service.ratings.pools import (
    PoolChange,
    SetPoolParameters,
    find_pool,
    game_hands,
    history_of,
    open_history,
    shown_names,
)
from tourney.service.ratings.rating_cache import current_fold, days_of, games_of, known_days, parameters_of
from tourney.text.i18n import _, ngettext
from tourney.text.progress import Progress, no_progress


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of a pool, the games to which models are fitted, and as how many hands a game counts."""

    pool: Pool
    results: Results
    fitted: range
    alike: float
    progress: Progress

    @property
    def own(self) -> Parameters:
        """Return the pool's own parameters."""
        return parameters_of(self.pool)

    @property
    def by_hand(self) -> bool:
        """Return whether hands of the games are known."""
        return any(self.results.hands)


@dataclass(frozen=True, slots=True)
class Model:
    """A model with its parameters; `predictor` makes one that knows nothing yet of these results."""

    name: PredictorName
    parameters: Mapping[str, float]
    predictor: Callable[[Results], Predictor]


def models(evaluation: Evaluation) -> list[Model]:
    """Return the models that these results allow, fitted."""
    return [model for make in MODELS for model in make(evaluation)]


def simulated(evaluation: Evaluation, fitted: Sequence[Model]) -> tuple[Evening, list[Season]] | None:
    """Return the mean evening of the pool and seasons of such evenings, by the fitted models; None without days."""
    results = evaluation.results
    if not results.days:
        return None
    variations = {model.name: _variation(results, model) for model in fitted if model.name in _VARIATIONS}
    game = variations["fitted"]
    others = [variations.get(name, game) for name in _VARIATIONS[1:]]
    evening = evening_of(results, results.days)
    return evening, seasons(evening, game, *others)


def named(parameters: Parameters) -> dict[str, float]:
    """Return the parameters that predictions depend on."""
    found = {"beta": parameters.beta, "tau": parameters.tau, "draw": parameters.draw}
    return found if parameters.absence == 0.0 else {**found, "absence": parameters.absence}


_VARIATIONS: Final[tuple[PredictorName, ...]] = ("fitted", "fitted by hand", "fitted by points")
"""The models whose fit says how much players vary from game to game, or from hand to hand in places or in points."""


def _variation(results: Results, model: Model) -> Variation:
    """Return how much players vary by a model that has learned all results."""
    learned = model.predictor(results)
    for players, places in results.games:
        learned.add(players, places)
    players = list(dict.fromkeys(player for players, _places in results.games for player in players))
    skills: list[Skill] = learned.skills(players)  # type: ignore[attr-defined]  # the models of _VARIATIONS have it
    scale = model.parameters.get("scale", 1.0)
    spread = spread_of(results, list(zip(players, skills, strict=True)))
    return Variation(spread / scale, model.parameters["beta"] / scale)


def _defaults(_evaluation: Evaluation) -> Iterator[Model]:
    defaults = Parameters(draw=0.10)
    yield Model("defaults", named(defaults), lambda _results: TrueSkill(defaults))


def _pool(evaluation: Evaluation) -> Iterator[Model]:
    own, alike, ages = evaluation.own, evaluation.alike, evaluation.pool.ages
    if evaluation.pool.unit == "game":
        yield Model("pool", named(own), lambda results: TrueSkill(own, results.days if ages else ()))
    elif evaluation.by_hand:
        yield Model(
            "pool by hand",
            named(own),
            lambda results: TrueSkill(own, results.days if ages else (), results.hands, alike),
        )


def _fitted(evaluation: Evaluation) -> Iterator[Model]:
    def report(points: int) -> None:
        evaluation.progress(min(points, MAX_EVALUATIONS), MAX_EVALUATIONS)

    by_game = replace(evaluation.results, hands=())
    best = fit_trueskill(evaluation.own, by_game, evaluation.fitted, progress=report)
    yield Model("fitted", named(best), lambda results: TrueSkill(best, results.days))


def _fitted_by_hand(evaluation: Evaluation) -> Iterator[Model]:
    if evaluation.by_hand:
        alike = evaluation.alike
        best = fit_trueskill(evaluation.own, evaluation.results, evaluation.fitted, alike)
        yield Model("fitted by hand", named(best), lambda results: TrueSkill(best, results.days, results.hands, alike))


def _fitted_by_points(evaluation: Evaluation) -> Iterator[Model]:
    if evaluation.by_hand:
        alike = evaluation.alike
        best, scale = fit_by_points(evaluation.own, evaluation.results, evaluation.fitted, alike)
        parameters = {name: number for name, number in named(best).items() if name != "draw"} | {"scale": scale}
        yield Model(
            "fitted by points",
            parameters,
            lambda results: ByPoints(best, scale, results.performances, alike, results.days),
        )


def _elo(evaluation: Evaluation) -> Iterator[Model]:
    elo = fit_elo(evaluation.results.games, evaluation.fitted)
    parameters = {"k": elo.k, "k_first": elo.first, "k_games": elo.games, "scale": elo.scale}
    yield Model("elo", parameters, lambda _results: Elo(elo))


def _coin(_evaluation: Evaluation) -> Iterator[Model]:
    yield Model("coin", {}, lambda _results: Coin())


MODELS: Final[tuple[Callable[[Evaluation], Iterator[Model]], ...]] = (
    _defaults,
    _pool,
    _fitted,
    _fitted_by_hand,
    _fitted_by_points,
    _elo,
    _coin,
)

MIN_GAMES = 8
"""The fewest games for a backtest, so that every part of the history has some."""


def verify(db: str | None, pool: str = "people", progress: Progress = no_progress) -> RatingsComparison:
    """Compare the ratings that `ratings` shows with those of the package `trueskill` over all games of the pool.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where skills lie too far apart to compute.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        ratings = current_fold(reader, found, history).fold.checkpoint().ratings
        games = _with_progress(history, list(history.batches(found.kind)), progress)
        comparison = compare(found, parameters_of(found), games, ratings, days_of(found, history))
        names = shown_names(reader, found)
    mu, sigma = comparison.mu_player, comparison.sigma_player
    return replace(comparison, mu_player=names.get(mu, mu), sigma_player=names.get(sigma, sigma))


def compare_models(db: str | None, pool: str = "people", progress: Progress = no_progress) -> ModelComparison:
    """Backtest TrueSkill, Elo and a coin on the second half of a pool's games.

    TrueSkill is tested with its own defaults, with the pool's parameters, and with parameters fitted to the second
    quarter, as Elo's are. Raises TourneyError NOT_FOUND for an unknown pool; REFUSED for fewer than MIN_GAMES games,
    and if no pair can be predicted.
    """
    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        whole = history_of(reader, number, replace(found, unit="game"))
        games, days = games_of(found, whole), known_days(found, whole)
        hands = [] if found.kind == "imported" else _hands_of_games(reader, found)
        alike = game_hands(reader, found) if any(hands) else 1.0
    fitted = _fitted_part(found, games)
    results = Results(games, *_by_hand(hands), days)
    evaluation = Evaluation(found, results, fitted, alike, progress)
    measured = range(fitted.stop, len(games))
    pairs, scores, evening = _scores(evaluation, models(evaluation), measured)
    parts = _numbers(fitted), _numbers(measured)
    return ModelComparison(found, len(games), *parts, pairs, scores, _neighbours(games, fitted), evening)


@dataclass(frozen=True, slots=True)
class AdoptFitted(PoolChange[tuple[Pool, Pool]]):
    """Rate all games of a pool again with the parameters that `compare_models` fits.

    Raises TourneyError as `compare_models` and `SetPoolParameters` do, and REFUSED where too few games are fitted.
    """

    pool: str

    def perform(self, store: storage.Store) -> tuple[Pool, Pool]:
        """Return the pool before and after."""
        number, found = find_pool(store, self.pool)
        history = history_of(store, number, replace(found, unit="game"))
        games = games_of(found, history)
        part = _fitted_part(found, games)
        if _neighbours(games, part) < MIN_NEIGHBOURS:
            message = _("the pool {pool} has too few games to fit its parameters").format(pool=found.name)
            raise TourneyError(ExitCode.REFUSED, message, _("keep the parameters that it has"))
        fitted = _fitted_to(store, found, games, part, known_days(found, history))
        return SetPoolParameters(found.name, named(fitted) | {"absence": fitted.absence}).perform(store)


def order_noise(
    db: str | None, pool: str = "people", shuffles: int = 20, seed: str = "1", progress: Progress = no_progress
) -> OrderNoise:
    """Rate the games of a pool in shuffled orders, drawn from a seed, and return how far the ranks vary.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED for fewer than two games and where the numbers overflow.
    """
    found, games, days, names = _history(db, pool)
    if len(games) < 2:
        raise _too_few(found, len(games), 2)
    orders = _shuffled(games, shuffles, seed, progress)
    found_rows = rank_noise(parameters_of(found), games, orders, days or None)
    rows = [replace(row, player=names.get(row.player, row.player)) for row in found_rows]
    return OrderNoise(found, len(games), shuffles, seed, tuple(rows))


def _history(db: str | None, pool: str) -> tuple[Pool, list[storage.Game], list[int], Mapping[str, str]]:
    """Return the pool, its games in the order of rating, their days if days count, and names by player key."""
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        return found, games_of(found, history), days_of(found, history), shown_names(reader, found)


def _with_progress(
    history: storage.History, batches: list[storage.GameBatch], progress: Progress
) -> Iterator[storage.Game]:
    """Yield the games of the batches and report progress."""
    total = sum(batch.games for batch in batches)
    done = 0
    for batch in batches:
        for game in history.games(batch):
            yield game
            done += 1
            progress(done, total)


def _too_few(pool: Pool, games: int, least: int) -> TourneyError:
    message = ngettext("the pool {pool} has {games} game", "the pool {pool} has {games} games", games)
    hint = _("at least {least} are needed").format(least=least)
    return TourneyError(ExitCode.REFUSED, message.format(pool=pool.name, games=games), hint)


def _fitted_part(pool: Pool, games: Sequence[storage.Game]) -> range:
    """Return the games to which parameters are fitted: the second quarter. Raises TourneyError REFUSED for too few."""
    if len(games) < MIN_GAMES:
        raise _too_few(pool, len(games), MIN_GAMES)
    return range(len(games) // 4, len(games) // 2)


def _neighbours(games: Sequence[storage.Game], part: range) -> int:
    """Return the number of neighbours by place who did not tie in these games."""
    return sum(len(set(places)) - 1 for _players, places in games[part.start : part.stop])


def _numbers(games: range) -> tuple[int, int]:
    """Return the first and the last number of a range of games, counted from 1."""
    return games.start + 1, games.stop


def _hands_of_games(reader: storage.Reader, pool: Pool) -> list[list[storage.HandPoints]]:
    """Return the hands of each game of the pool, in the order of rating; none where they are not known."""
    played: dict[tuple[int, int, int], list[storage.HandPoints]] = {}
    hands = reader.pools.played_hands()
    for batch in hands.batches(pool.kind):
        for number, hand in hands.points(batch):
            played.setdefault((batch.of, batch.round, number), []).append(hand)
    rounds = reader.pools.played_rounds()
    return [
        played.get((batch.of, batch.round, number), [])
        for batch in rounds.batches(pool.kind)
        for number, _game in rounds.numbered(batch)
    ]


def _by_hand(
    hands: Sequence[Sequence[storage.HandPoints]],
) -> tuple[list[list[storage.Game]], list[list[Performances]]]:
    """Return the results of each game's hands, and how well they were played: the fewer points, the better.

    Of points the square root is taken, so that one dear hand does not count for many cheap ones; below 0 is as 0.
    """
    results: list[list[storage.Game]] = []
    performances: list[list[Performances]] = []
    for game in hands:
        results.append([(players, storage.places_by_points(points)) for players, points in game])
        performances.append([(players, [-sqrt(max(0, each)) for each in points]) for players, points in game])
    return results, performances


def _fitted_to(
    reader: storage.Reader, pool: Pool, games: Sequence[storage.Game], part: range, days: Sequence[int]
) -> Parameters:
    """Return the parameters fitted to a part of the games, by the unit of the pool."""
    own = parameters_of(pool)
    hands = _by_hand(_hands_of_games(reader, pool))[0] if pool.unit == "hand" else ()
    alike = game_hands(reader, pool) if hands else 1.0
    return fit_trueskill(own, Results(games, hands, (), days), part, alike)


def _scores(
    evaluation: Evaluation, compared: Sequence[Model], measured: range
) -> tuple[int, tuple[PredictorScore, ...], tuple[int, int, int] | None]:
    """Return the number of pairs predicted, the scores, least loss first, and the mean evening."""
    results, simulation = evaluation.results, simulated(evaluation, compared)
    scored = [(model, backtest(model.predictor(results), results.games, measured)) for model in compared]
    scored.sort(key=lambda entry: entry[1].loss)
    best = scored[0][1]
    rows = [
        PredictorScore(
            model.name,
            model.parameters,
            score.loss,
            score.accuracy,
            score.loss - best.loss,
            score.difference_error(best),
            evenings_needed(*simulation, model.predictor) if simulation else None,
        )
        for model, score in scored
    ]
    evening = simulation[0] if simulation else None
    return sum(best.pairs), tuple(rows), (evening.players, evening.seats, evening.games) if evening else None


def _shuffled(
    games: Sequence[storage.Game], shuffles: int, seed: str, progress: Progress
) -> Iterator[list[storage.Game]]:
    draw = seeded_rng(seed)
    for number in range(shuffles):
        yield shuffled(list(games), draw)
        progress(number + 1, shuffles)
