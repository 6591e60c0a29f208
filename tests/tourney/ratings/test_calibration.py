"""Calibration of forecasts: players of known skill play seasons, and each table is predicted before it is learned."""

import random
from collections.abc import Iterator, Sequence

import pytest

from tourney.ratings.fold import Fold
from tourney.ratings.forecast import place_probabilities, win_probability
from tourney.ratings.parameters import Parameters

TABLES = 200
PEOPLE = 40
Foretold = tuple[float, bool]
"""A probability, and whether the event then happened."""


class Bins:
    """Ten bins of probabilities: their number, their sum, and how often the event happened."""

    def __init__(self) -> None:
        self.number, self.foretold, self.happened = [0] * 10, [0.0] * 10, [0] * 10

    def add(self, chance: float, happened: bool) -> None:
        at = min(9, int(10.0 * chance))
        self.number[at] += 1
        self.foretold[at] += chance
        self.happened[at] += happened

    def off(self) -> list[float]:
        """Return how much more often than predicted the events have happened, bin by bin."""
        return [
            (happened - foretold) / number
            for number, foretold, happened in zip(self.number, self.foretold, self.happened, strict=True)
        ]


def season(generator: random.Random, pool: Parameters) -> Iterator[tuple[Fold, list[str], list[int]]]:
    """Tables of 3 to 8 players whose skills were drawn from the prior and drift as the pool says.

    Ratings before each, who plays, and who stands where then.
    """
    skills = {f"player {number}": generator.gauss(pool.mu, pool.sigma) for number in range(PEOPLE)}
    fold = Fold(pool)
    for _ in range(TABLES):
        players = generator.sample(list(skills), generator.randint(3, 8))
        plays = {}
        for player in players:
            skills[player] += generator.gauss(0.0, pool.tau)
            plays[player] = generator.gauss(skills[player], pool.beta)
        order = sorted(players, key=plays.__getitem__, reverse=True)
        taken = [order.index(player) + 1 for player in players]
        yield fold, players, taken
        fold.add(players, taken)


def sort_in(fold: Fold, players: Sequence[str], taken: Sequence[int], bins: tuple[Bins, Bins], beta: float) -> None:
    """Add the predictions of a table's places and pairs to their bins, with what happened."""
    by_place, by_pair = bins
    skills = [(row.mu, row.sigma) for row in map(fold.rating, players)]
    for chances, place in zip(place_probabilities(skills, beta), taken, strict=True):
        for at, chance in enumerate(chances, 1):
            by_place.add(chance, at == place)
    for one in range(len(skills)):
        for other in range(one):
            by_pair.add(win_probability(skills[one], skills[other], beta), taken[one] < taken[other])


@pytest.mark.parametrize("seasons", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_forecasts_are_calibrated(seasons: int) -> None:
    """No bin of places or pairs is off by more than 0.02; the long run has 200,000 tables."""
    pool, by_place, by_pair = Parameters(), Bins(), Bins()
    generator = random.Random(20)
    for _ in range(seasons):
        for fold, players, taken in season(generator, pool):
            sort_in(fold, players, taken, (by_place, by_pair), pool.beta)
    for bins in (by_place, by_pair):
        assert min(bins.number) >= seasons
        assert max(map(abs, bins.off())) <= 0.02
