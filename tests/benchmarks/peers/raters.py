"""Rate a history game by game with this program and with other packages.

All raters use TrueSkill's defaults and a draw probability of 0.01, where they have such parameters.
The constructor of a rater raises ImportError if its package is not installed.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tests.benchmarks.harness.processes import run_command
from tests.benchmarks.harness.timing import check
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters

DEFAULTS = Parameters()
Skills = dict[str, tuple[float, float]]
"""Mu and sigma by player."""


def largest_difference(ours: Skills, theirs: Skills) -> float:
    """Return the largest difference of a mu or a sigma. Raises WrongAnswer if the players are not the same."""
    check(ours.keys() == theirs.keys(), "the same players are rated")
    return max(abs(mine - other) for name in ours for mine, other in zip(ours[name], theirs[name], strict=True))


def ranking(*words: str) -> Skills:
    """Return the skills that `tourney ratings` lists with these options."""
    return {row["player"]: (row["mu"], row["sigma"]) for row in json.loads(run_command("ratings", "--json", *words))}


class Rater(Protocol):
    """A rater that keeps the skills of all players, game by game."""

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate one game."""
        ...

    def skills(self) -> Skills:
        """Return mu and sigma by player."""
        ...


class Tourney:
    """Ratings by this program's own `Fold`."""

    def __init__(self) -> None:
        self._fold = Fold(DEFAULTS)
        self.add = self._fold.add

    def skills(self) -> Skills:
        """Return mu and sigma by player."""
        return {name: (rating.mu, rating.sigma) for name, rating in self._fold.checkpoint().ratings.items()}


class _OfTeams:
    """A package that rates teams, here of one player each."""

    def __init__(self, newcomer: object, rate: Callable[..., Any]) -> None:
        self._newcomer, self._rate = newcomer, rate
        self._ratings: dict[str, Any] = {}

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate one game."""
        teams = [[self._ratings.get(name, self._newcomer)] for name in players]
        for name, (rating,) in zip(players, self._rate(teams, ranks=list(places)), strict=True):
            self._ratings[name] = rating

    def skills(self) -> Skills:
        """Return mu and sigma by player."""
        return {name: (rating.mu, rating.sigma) for name, rating in self._ratings.items()}


class ByTrueSkill(_OfTeams):
    """The package `trueskill` with its own approximation of erfc."""

    def __init__(self) -> None:
        from trueskill import TrueSkill

        rules = TrueSkill(DEFAULTS.mu, DEFAULTS.sigma, DEFAULTS.beta, DEFAULTS.tau, DEFAULTS.draw, None)
        super().__init__(rules.create_rating(), rules.rate)


class ByOpenSkill(_OfTeams):
    """The package `openskill`: the Plackett-Luce model with its own defaults."""

    def __init__(self) -> None:
        from openskill.models import PlackettLuce

        rules = PlackettLuce()
        super().__init__(rules.rating(), rules.rate)


class ThroughTime:
    """The package `trueskillthroughtime`, which rates one game at a time here and does not smooth earlier ones.

    The package rates games of three or more correctly only if the best player is listed first.
    """

    def __init__(self) -> None:
        import trueskillthroughtime

        self._package = trueskillthroughtime
        self._ratings: Skills = {}

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate one game, adding tau before it as `trueskill` does."""
        listed = sorted(zip(places, players, strict=True))
        teams = [[self._player(name)] for _place, name in listed]
        game = self._package.Game(teams, [-place for place, _name in listed], DEFAULTS.draw)
        for (_place, name), (skill,) in zip(listed, game.posteriors(), strict=True):
            self._ratings[name] = (skill.mu, skill.sigma)

    def _player(self, name: str) -> object:
        mu, sigma = self._ratings.get(name, (DEFAULTS.mu, DEFAULTS.sigma))
        prior = self._package.Gaussian(mu, math.hypot(sigma, DEFAULTS.tau))
        return self._package.Player(prior, DEFAULTS.beta, 0.0)

    def skills(self) -> Skills:
        """Return mu and sigma by player."""
        return self._ratings


TRUESKILL, OPENSKILL = "trueskill", "openskill Plackett-Luce"
PEERS: Mapping[str, Callable[[], Rater]] = {
    TRUESKILL: ByTrueSkill,
    OPENSKILL: ByOpenSkill,
    "TrueSkillThroughTime": ThroughTime,
}
