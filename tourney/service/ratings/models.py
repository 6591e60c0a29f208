"""The models that `compare` measures: each is fitted to a part of a pool's games, and predicts the games after it.

To add one, write a function that fits it, and name it in MODELS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.domain.forecasts import PredictorName
from tourney.domain.progress import Progress
from tourney.domain.rankings import Pool
from tourney.ratings.backtest import ByHand, ByPoints, Coin, Elo, Predictor, TrueSkill
from tourney.ratings.backtest_values import Results
from tourney.ratings.fitting import MAX_EVALUATIONS, fit_by_hand, fit_by_points, fit_elo, fit_trueskill
from tourney.ratings.kernel import Skill
from tourney.ratings.learning import Evening, Season, Variation, evening_of, seasons, spread_of
from tourney.ratings.parameters import Parameters
from tourney.service.ratings.rating_cache import parameters_of


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
            lambda results: ByHand(own, results.hands, alike, results.days if ages else ()),
        )


def _fitted(evaluation: Evaluation) -> Iterator[Model]:
    def report(points: int) -> None:
        evaluation.progress(min(points, MAX_EVALUATIONS), MAX_EVALUATIONS)

    results = evaluation.results
    best = fit_trueskill(evaluation.own, results.games, evaluation.fitted, report, results.days)
    yield Model("fitted", named(best), lambda results: TrueSkill(best, results.days))


def _fitted_by_hand(evaluation: Evaluation) -> Iterator[Model]:
    if evaluation.by_hand:
        results, alike = evaluation.results, evaluation.alike
        best = fit_by_hand(evaluation.own, results.games, results.hands, evaluation.fitted, alike, results.days)
        yield Model("fitted by hand", named(best), lambda results: ByHand(best, results.hands, alike, results.days))


def _fitted_by_points(evaluation: Evaluation) -> Iterator[Model]:
    if evaluation.by_hand:
        results, alike = evaluation.results, evaluation.alike
        best, scale = fit_by_points(
            evaluation.own, results.games, results.performances, evaluation.fitted, alike, results.days
        )
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
