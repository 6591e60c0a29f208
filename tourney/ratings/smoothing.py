"""Smoothed ratings, which use later games too: the only module that loads the optional `trueskillthroughtime`.

TrueSkill Through Time (Dangauthier, Herbrich, Minka, Graepel, 2007) passes messages forwards and backwards through the
whole history until no rating changes. Ratings of `fold` use only earlier games.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tourney.ratings.kernel import Skill
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import Parameters, RatingError

MAX_PASSES: Final = 30
_MIN_CHANGE: Final = 0.01
"""The change of mu or sigma at which passes end: smaller than the digits that a page shows."""

SmoothedCurve = list[tuple[int, Skill]]
"""A player's games by number, from 1, with the smoothed skill at each."""
Progress = Callable[[int], None]
"""Called with the number of passes done."""


def smoothed_curves(
    parameters: Parameters, games: Sequence[GameResult], progress: Progress
) -> dict[str, SmoothedCurve]:
    """Return the curve of every player. Raises RatingError if the package is missing or its floats overflow."""
    try:
        from trueskillthroughtime import History
    except ImportError:
        raise RatingError(
            "smoothed ratings need the package trueskillthroughtime, which is not installed",
            'install it with `pip install "tourney-continental[smooth]"`',
        ) from None
    # Each player is a team of one, and the greatest score wins.
    teams = [[[player] for player in players] for players, _places in games]
    scores = [[-float(place) for place in places] for _players, places in games]
    mu, sigma, beta, tau, draw = parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw
    try:
        history = History(teams, scores, mu=mu, sigma=sigma, beta=beta, gamma=tau, p_draw=draw)
        _iterate(history.iteration, progress)
        curves = history.learning_curves()
    except (ArithmeticError, ValueError):
        raise RatingError(
            "these games cannot be smoothed: some players are too far apart",
            "give the pool a larger beta, or look for a wrong result",
        ) from None
    return {player: [(game, (skill.mu, skill.sigma)) for game, skill in curve] for player, curve in curves.items()}


def _iterate(iteration: Callable[[], tuple[float, float]], progress: Progress) -> None:
    """Pass through the history until mu and sigma converge, MAX_PASSES times at most."""
    for passes in range(1, MAX_PASSES + 1):
        change = max(iteration())
        progress(passes)
        if change < _MIN_CHANGE:
            return
