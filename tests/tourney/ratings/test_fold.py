"""Tests of Fold, which rates games one by one, from the beginning or from a checkpoint."""

import random
import tracemalloc
from collections.abc import Iterator

import pytest

from tourney.ratings.fold import Fold
from tourney.ratings.kernel import rate_table
from tourney.ratings.model import GameResult, newcomer
from tourney.ratings.parameters import Parameters, RatingError


def history(number: int, seed: int) -> list[GameResult]:
    """Return `number` games of two to five of nine players, with ties."""
    generator = random.Random(seed)
    games: list[GameResult] = []
    for _ in range(number):
        players = generator.sample("abcdefghi", generator.randint(2, 5))
        games.append((players, [generator.randint(1, 3) for _ in players]))
    return games


@pytest.mark.parametrize(
    ("players", "places", "message"),
    [
        (("a", "b", "a"), (1, 2, 3), "game 5: 'a' plays twice"),
        (("a", "b"), (1,), "game 5: 2 players but 1 places"),
        (("a", "b"), (0, 1), "game 5: a place below 1"),
        (("a",), (1,), "game 5: a game of fewer than two players"),
    ],
)
def test_an_impossible_game_is_refused(players: tuple[str, ...], places: tuple[int, ...], message: str) -> None:
    """The error names the game, and the fold is unchanged."""
    fold = Fold(Parameters())
    fold.add_all(history(4, 4))
    before = fold.checkpoint()
    with pytest.raises(RatingError, match=message):
        fold.add(players, places)
    assert fold.checkpoint() == before


def test_a_substitute_counts_by_the_share_played() -> None:
    """The weights are passed to the arithmetic in the order of the players."""
    fold = Fold(Parameters())
    fold.add(("a", "b", "c"), (2, 1, 3), (1.0, 0.4, 0.6))
    expected = rate_table(Parameters(), [(25.0, 25.0 / 3.0)] * 3, (2, 1, 3), (1.0, 0.4, 0.6))
    assert [(row.mu, row.sigma) for row in map(fold.rating, "abc")] == expected
    with pytest.raises(RatingError, match="game 2: a weight of 0"):
        fold.add(("a", "b"), (1, 2), (1.0, 0.0))


def test_a_player_without_a_game_has_the_rating_of_a_newcomer() -> None:
    """Asking for a rating adds no player."""
    fold = Fold(Parameters(mu=10.0))
    assert fold.rating("a") == newcomer("a", Parameters(mu=10.0))
    assert fold.checkpoint() == (0, {})


def test_memory_does_not_grow_with_history() -> None:
    """Six times the games of the same players take at most a tenth more memory."""

    def streamed(number: int) -> Iterator[GameResult]:
        generator = random.Random(5)
        names = [f"player {name}" for name in range(300)]
        return ((generator.sample(names, 2), (1, 2)) for _ in range(number))

    peaks = []
    for number in (2000, 12000):
        tracemalloc.start()
        Fold(Parameters()).add_all(streamed(number))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.1
