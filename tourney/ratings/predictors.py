"""Who foretells games: TrueSkill with some parameters, Elo with some K, and a coin. All learn game by game."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from tourney.ratings.fold import Fold
from tourney.ratings.forecast import ahead
from tourney.ratings.parameters import Parameters

ELO_START: Final = 1500.0
ELO_SCALE: Final = 400.0
"""The gap at which the better one scores ten times as often."""

Ahead = Callable[[int, int], float]
"""The probability that one seat of a game finishes ahead of another."""


class Predictor(Protocol):
    """Foretells a game from those before it, then learns from it."""

    def before(self, players: Sequence[str]) -> Ahead:
        """What it says of a game of these players, nothing of the game being known."""

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Learn from a game. Raises RatingError where it cannot be rated."""


class TrueSkill:
    """Our own fold of games; `days` has that of each game of the history, or is empty."""

    def __init__(self, parameters: Parameters, days: Sequence[int] = ()) -> None:
        self._beta = parameters.beta
        self._fold = Fold(parameters)
        self._days = days

    def before(self, players: Sequence[str]) -> Ahead:
        """By the normal gap of their plays."""
        self._today()
        ratings = [self._fold.rating(player, self._fold.day) for player in players]
        skills = [(one.mu, one.sigma) for one in ratings]
        return lambda one, other: ahead(skills[one], skills[other], self._beta)

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate the game."""
        self._today()
        self._fold.add(players, places)

    def _today(self) -> None:
        """Come to the day of the next game."""
        if self._days:
            self._fold.on(self._days[self._fold.games])


class Elo:
    """Elo for several: everybody has met everybody at the table, K being shared out among those met; ties are half."""

    def __init__(self, k: float) -> None:
        self._k = k
        self._ratings: dict[str, float] = {}

    def before(self, players: Sequence[str]) -> Ahead:
        """By the logistic curve of their gap."""
        ratings = [self._ratings.get(player, ELO_START) for player in players]
        return lambda one, other: 1.0 / (1.0 + 10.0 ** ((ratings[other] - ratings[one]) / ELO_SCALE))

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Move everybody by what he scored less what was expected, all at once."""
        foretold = self.before(players)
        share = self._k / (len(players) - 1)
        gained = [0.0] * len(players)
        for one in range(len(players)):
            for other in range(one):
                scored = 0.5 * ((places[one] < places[other]) + (places[one] <= places[other]))
                surprise = share * (scored - foretold(one, other))
                gained[one] += surprise
                gained[other] -= surprise
        for player, points in zip(players, gained, strict=True):
            self._ratings[player] = self._ratings.get(player, ELO_START) + points


class Coin:
    """Knows nothing, and learns nothing."""

    def before(self, players: Sequence[str]) -> Ahead:
        """Heads or tails."""
        return lambda one, other: 0.5

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """A coin has no memory."""
