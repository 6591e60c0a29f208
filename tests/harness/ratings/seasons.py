"""Seasons with known skills, rated, to measure how often rank intervals hold the true rank.

`python -m tests.harness.ratings.seasons [SEASONS [ROUNDS]]` prints the shares covered, of all players and of the
true first three, for every spread, number of players and pairing.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from tourney.domain.rankings import RANKING_QUANTITIES, RankingQuantity, RatingRow
from tourney.ratings.fold import Fold
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import Parameters
from tourney.ratings.readings import Ratings, cautious, ranked

POOL = Parameters()
ROUNDS = 10
SIZE = 4
BEST = 3
"""The true ranks that are counted once more by themselves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of season: the standard deviation of the true skills, how many play, and how tables are drawn."""

    spread: float
    people: int
    swiss: bool

    def __str__(self) -> str:
        return f"spread {self.spread:g}, {self.people} players, {'Swiss' if self.swiss else 'random'}"


SETTINGS = tuple(Setting(*values) for values in product((2.0, 4.0, 8.0), (12, 40), (False, True)))


@dataclass(slots=True)
class Coverage:
    """True ranks counted, and those that lie in their intervals: of all players, of the first; the widths, summed."""

    players: int = 0
    covered: int = 0
    first: int = 0
    first_covered: int = 0
    width: float = 0.0

    def add(self, rank: int, interval: tuple[int, int], people: int) -> None:
        """Count a player."""
        inside = interval[0] <= rank <= interval[1]
        self.players += 1
        self.covered += inside
        self.width += (interval[1] - interval[0] + 1) / people
        if rank <= BEST:
            self.first += 1
            self.first_covered += inside


Season = tuple[list[float], list[GameResult]]
"""The true skills by player, and the games."""


def season(setting: Setting, chance: random.Random, rounds: int = ROUNDS) -> Season:
    """Return the true skills and the games of a season at tables of four.

    In Swiss pairing those with the best sums of places sit together. Performances vary as the pool's beta says.
    """
    skills = [chance.gauss(POOL.mu, setting.spread) for _ in range(setting.people)]
    places, games = [0] * setting.people, list[GameResult]()
    for _ in range(rounds):
        seats = chance.sample(range(setting.people), setting.people)
        if setting.swiss:
            seats.sort(key=places.__getitem__)
        for at in range(0, setting.people, SIZE):
            performances = {player: chance.gauss(skills[player], POOL.beta) for player in seats[at : at + SIZE]}
            order = sorted(performances, key=performances.__getitem__, reverse=True)
            for place, player in enumerate(order, 1):
                places[player] += place
            games.append(([str(player) for player in order], range(1, len(order) + 1)))
    return skills, games


def rated(games: Sequence[GameResult], parameters: Parameters = POOL) -> Ratings:
    """Return the ratings after these games."""
    fold = Fold(parameters)
    fold.add_all(games)
    return fold.ratings()


def ranking_of(games: Sequence[GameResult], by: RankingQuantity) -> list[tuple[RatingRow, tuple[int, int]]]:
    """Return the rows of the ratings after these games with their rank intervals."""
    own = rated(games)
    return ranked(own, cautious(own, POOL, lambda parameters: rated(games, parameters)), by)


def true_ranks(skills: Sequence[float], rows: Sequence[RatingRow], by: RankingQuantity) -> dict[str, int]:
    """Return the rank of each player by true skill less the deduction of the ranking."""
    true = {row.player: by.of(skills[int(row.player)], row.sigma) for row in rows}
    return {player: 1 + sum(other > value for other in true.values()) for player, value in true.items()}


def coverage(
    setting: Setting, by: RankingQuantity, seasons: int, rounds: int = ROUNDS, seed: str = "coverage"
) -> Coverage:
    """Return how many of the true ranks of these seasons lie in their intervals."""
    chance, counted = random.Random(f"{seed} {setting}"), Coverage()
    for _ in range(seasons):
        skills, games = season(setting, chance, rounds)
        rows = ranking_of(games, by)
        ranks = true_ranks(skills, [row for row, _interval in rows], by)
        for row, interval in rows:
            counted.add(ranks[row.player], interval, setting.people)
    return counted


def _lines(seasons: int, rounds: int) -> Iterator[str]:
    yield f"{'':34} by     all    first {BEST}  mean width"
    for setting, by in product(SETTINGS, RANKING_QUANTITIES.values()):
        found = coverage(setting, by, seasons, rounds)
        shares = f"{found.covered / found.players:.3f}  {found.first_covered / found.first:.3f}"
        yield f"{setting!s:34} {by.name:5}  {shares}    {found.width / found.players:.2f}"


if __name__ == "__main__":
    for line in _lines(*(int(word) for word in (*sys.argv[1:], *("200", str(ROUNDS))[len(sys.argv) - 1 :]))):
        sys.stdout.write(f"{line}\n")
