"""Speed of learning: the evenings until a model ranks players whose skills are known rightly, by simulation.

The simulated players differ as much as those of a history do by the model's own fit, and vary as much from game to game
or hand to hand. So models differ by what they learn from a game, not by how close the players are.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tourney.domain.forecasts import MAX_EVENINGS, RIGHT_SHARE
from tourney.ratings.backtest import Predictor
from tourney.ratings.backtest_values import Performances, Results
from tourney.ratings.kernel import Skill
from tourney.ratings.model import GameResult

SEASONS: Final = 8
MAX_PLAYERS: Final = 12


@dataclass(frozen=True, slots=True)
class Evening:
    """A mean evening of a history: how many play, at tables of how many, how many games each, of how many hands."""

    players: int
    seats: int
    games: int
    hands: int


@dataclass(frozen=True, slots=True)
class Variation:
    """The standard deviations of skills, and of a performance in a game or a hand around the skill."""

    skills: float
    performance: float


Season = tuple[list[float], Results]
"""The true skills by player, and the results."""


def evening_of(results: Results, days: Sequence[int]) -> Evening:
    """Return the mean evening of a history whose games were played on these days; at most MAX_PLAYERS play.

    Players are a multiple of the seats of a table, so that everybody plays in every round.
    """
    seats = max(2, round(sum(len(players) for players, _places in results.games) / len(results.games)))
    present: dict[int, set[str]] = {}
    for (players, _places), day in zip(results.games, days, strict=True):
        present.setdefault(day, set()).update(players)
    attendances = sum(map(len, present.values()))
    tables = max(1, min(round(attendances / len(present) / seats), MAX_PLAYERS // seats))
    seated = sum(len(players) for players, _places in results.games)
    hands = sum(map(len, results.hands))
    return Evening(tables * seats, seats, max(1, round(seated / attendances)), round(hands / len(results.games)))


def spread_of(results: Results, skills: Sequence[tuple[str, Skill]]) -> float:
    """Return the standard deviation of the true skills of these players, each counted by the number of their games."""
    games = dict.fromkeys((player for player, _skill in skills), 0)
    for players, _places in results.games:
        for player in players:
            games[player] += 1
    counted = sum(games.values())
    mean = sum(games[player] * mu for player, (mu, _sigma) in skills) / counted
    squares = sum(games[player] * ((mu - mean) ** 2 + sigma**2) for player, (mu, sigma) in skills)
    return float((squares / counted) ** 0.5)


def seasons(evening: Evening, game: Variation, hand: Variation, points: Variation) -> list[Season]:
    """Return simulated seasons of MAX_EVENINGS evenings: places of games and of hands, and performances in hands.

    The three share the skills and nothing else, since each model sees only one of them.
    """
    return [_season(evening, (game, hand, points), random.Random(f"season {number}")) for number in range(SEASONS)]


def evenings_needed(
    evening: Evening, played: Sequence[Season], predictor: Callable[[Results], Predictor]
) -> int | None:
    """Return after how many evenings RIGHT_SHARE of all pairs are in the right order, on average; None if never."""
    followed = [(skills, results, predictor(results)) for skills, results in played]
    games = evening.games * evening.players // evening.seats
    for number in range(MAX_EVENINGS):
        for _skills, results, learner in followed:
            for players, places in results.games[number * games : (number + 1) * games]:
                learner.add(players, places)
        share = sum(_right(skills, learner) for skills, _results, learner in followed) / len(followed)
        if share >= RIGHT_SHARE:
            return number + 1
    return None


def _right(skills: Sequence[float], learner: Predictor) -> float:
    """Return the share of pairs whose better player is expected to win; one half where both are equal."""
    predicted = learner.predict([str(player) for player in range(len(skills))])
    shares = []
    for other, player in combinations(range(len(skills)), 2):
        ahead = predicted[player][other] - 0.5
        shares.append(0.5 if ahead == 0.0 else float((ahead > 0.0) == (skills[player] > skills[other])))
    return sum(shares) / len(shares)


def _season(evening: Evening, variations: tuple[Variation, Variation, Variation], chance: random.Random) -> Season:
    skills = [chance.gauss(0.0, 1.0) for _ in range(evening.players)]
    game, hand, points = variations
    games: list[GameResult] = []
    hands: list[list[GameResult]] = []
    performances: list[list[Performances]] = []
    for _ in range(MAX_EVENINGS * evening.games):
        seats = chance.sample(range(evening.players), evening.players)
        for at in range(0, evening.players, evening.seats):
            table = seats[at : at + evening.seats]
            games.append(_places(_performances(skills, table, game, chance)))
            each = range(evening.hands)
            hands.append([_places(_performances(skills, table, hand, chance)) for _hand in each])
            performances.append([_performances(skills, table, points, chance) for _hand in each])
    return skills, Results(games, hands, performances)


def _performances(
    skills: Sequence[float], table: Sequence[int], variation: Variation, chance: random.Random
) -> Performances:
    played = [chance.gauss(variation.skills * skills[player], variation.performance) for player in table]
    return [str(player) for player in table], played


def _places(performances: Performances) -> GameResult:
    players, played = performances
    return players, [1 + sum(other > mine for other in played) for mine in played]
