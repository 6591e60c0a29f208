"""Predictors of other packages, which are tested as our own are. Constructors raise ImportError without the package."""

from collections.abc import Sequence
from math import erf, sqrt
from typing import Any


class OpenSkill:
    """The package `openskill`: the Plackett-Luce model with its own defaults."""

    def __init__(self) -> None:
        from openskill.models import PlackettLuce

        self._model: Any = PlackettLuce()
        self._ratings: dict[str, Any] = {}

    def predict(self, players: Sequence[str]) -> list[list[float]]:
        """Return the chances as `predict_win` of the package has them for two players."""
        rated = [self._ratings.get(name) or self._model.rating() for name in players]
        return [[self._chance(mine, rated[other]) for other in range(seat)] for seat, mine in enumerate(rated)]

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate a game."""
        teams = [[self._ratings.get(name) or self._model.rating()] for name in players]
        for name, (rating,) in zip(players, self._model.rate(teams, ranks=list(places)), strict=True):
            self._ratings[name] = rating

    def _chance(self, mine: Any, theirs: Any) -> float:
        spread = sqrt(2.0 * self._model.beta**2 + mine.sigma**2 + theirs.sigma**2)
        return 0.5 * (1.0 + erf((mine.mu - theirs.mu) / spread / sqrt(2.0)))
