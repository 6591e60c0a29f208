"""Tests of the calibration of forecasts, by simulated seasons in which each table is predicted before it is rated."""

import random
from collections.abc import Iterator, Sequence

import pytest

from tests.harness.slow import slow
from tourney.ratings.fold import Fold
from tourney.ratings.forecast import place_probabilities, win_probability
from tourney.ratings.parameters import Parameters

TABLES = 200
PEOPLE = 40


class Bins:
    """Predictions in ten bins of probability: their number, their sum, and how often the event happened."""

    def __init__(self) -> None:
        self.number, self.predicted, self.happened = [0] * 10, [0.0] * 10, [0] * 10

    def add(self, chance: float, happened: bool) -> None:
        index = min(9, int(10.0 * chance))
        self.number[index] += 1
        self.predicted[index] += chance
        self.happened[index] += happened

    def errors(self) -> list[float]:
        """Return by bin the share of events that happened, less the share that was predicted."""
        return [
            (happened - predicted) / number
            for number, predicted, happened in zip(self.number, self.predicted, self.happened, strict=True)
        ]


def season(generator: random.Random, pool: Parameters) -> Iterator[tuple[Fold, list[str], list[int]]]:
    """Simulate TABLES tables of 3 to 8 of PEOPLE players, whose skills are drawn from the prior and drift by `tau`.

    Yields for each table the ratings before it, its players and their places.
    """
    skills = {f"player {number}": generator.gauss(pool.mu, pool.sigma) for number in range(PEOPLE)}
    fold = Fold(pool)
    for _ in range(TABLES):
        players = generator.sample(list(skills), generator.randint(3, 8))
        performances = {}
        for player in players:
            skills[player] += generator.gauss(0.0, pool.tau)
            performances[player] = generator.gauss(skills[player], pool.beta)
        order = sorted(players, key=performances.__getitem__, reverse=True)
        places = [order.index(player) + 1 for player in players]
        yield fold, players, places
        fold.add(players, places)


def add_to_bins(
    fold: Fold, players: Sequence[str], places: Sequence[int], bins: tuple[Bins, Bins], beta: float
) -> None:
    """Add the predictions for the places and pairs of a table to their bins, and whether they happened."""
    by_place, by_pair = bins
    skills = [(row.mu, row.sigma) for row in map(fold.rating, players)]
    for chances, place in zip(place_probabilities(skills, beta), places, strict=True):
        for predicted_place, chance in enumerate(chances, 1):
            by_place.add(chance, predicted_place == place)
    for seat in range(len(skills)):
        for other in range(seat):
            by_pair.add(win_probability(skills[seat], skills[other], beta), places[seat] < places[other])


@pytest.mark.parametrize("seasons", [*slow([25]), pytest.param(1000, marks=pytest.mark.soak)])
def test_forecasts_are_calibrated(seasons: int) -> None:
    """No bin of places or pairs is off by more than 0.02; the long run has 200,000 tables."""
    pool, by_place, by_pair = Parameters(), Bins(), Bins()
    generator = random.Random(20)
    for _ in range(seasons):
        for fold, players, places in season(generator, pool):
            add_to_bins(fold, players, places, (by_place, by_pair), pool.beta)
    for bins in (by_place, by_pair):
        assert min(bins.number) >= seasons
        assert max(map(abs, bins.errors())) <= 0.02
