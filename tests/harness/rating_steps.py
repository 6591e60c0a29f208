"""Rate games one after another with the program's own `Fold`, with the ratings before and after each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tourney.ratings.fold import Fold
from tourney.ratings.model import Checkpoint, GameResult, Rating
from tourney.ratings.parameters import Parameters


class Step(NamedTuple):
    """A game, and the ratings of its players before and after it, in the order of the game's players."""

    game: GameResult
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]


def rating_steps(games: Iterable[GameResult], parameters: Parameters) -> Iterator[Step]:
    """Yield the step of every game; players start as newcomers."""
    fold = Fold(parameters)
    for players, places in games:
        before = tuple(fold.rating(player) for player in players)
        fold.add(players, places)
        yield Step((players, places), before, tuple(fold.rating(player) for player in players))


def rate(
    games: Iterable[GameResult], parameters: Parameters, start: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Return the ratings after all games; players start with their rating in `start`, or as newcomers."""
    fold = Fold(parameters, None if start is None else Checkpoint(0, start))
    fold.add_all(games)
    return dict(fold.checkpoint().ratings)
