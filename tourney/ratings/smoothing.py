"""Ratings as all games see them, later ones too: the package `trueskillthroughtime`, an extra; nothing else loads it.

TrueSkill Through Time (Dangauthier, Herbrich, Minka, Graepel, 2007) passes messages forwards and backwards through the
whole history, until no rating moves any more. Ratings of `fold` have only what was known then.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tourney.ratings.kernel import Skill
from tourney.ratings.parameters import Parameters, RatingError
from tourney.ratings.values import Played

MOST_PASSES: Final = 30
_LEAST_CHANGE: Final = 0.01
"""In points of mu or sigma: less than a page shows."""

SmoothedCurve = list[tuple[int, Skill]]
"""The games of a player by their number, from 1, and his skill at each as all games see it."""
Passed = Callable[[int], None]
"""Told how many passes are done."""


def smoothed(parameters: Parameters, games: Sequence[Played], passed: Passed) -> dict[str, SmoothedCurve]:
    """The curve of every player. Raises RatingError if the package is missing, or where its numbers give out."""
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
        _settle(history.iteration, passed)
        curves = history.learning_curves()
    except (ArithmeticError, ValueError):
        raise RatingError(
            "these games cannot be smoothed: some players are too far apart",
            "give the pool a larger beta, or look for a wrong result",
        ) from None
    return {player: [(game, (one.mu, one.sigma)) for game, one in curve] for player, curve in curves.items()}


def _settle(once: Callable[[], tuple[float, float]], passed: Passed) -> None:
    """Pass through the history until mu and sigma stay, or MOST_PASSES are done."""
    for done in range(1, MOST_PASSES + 1):
        moved = max(once())
        passed(done)
        if moved < _LEAST_CHANGE:
            return
