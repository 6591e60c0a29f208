"""Forecasts: what ratings say of games that are not yet played."""

from dataclasses import dataclass

from tourney.domain.rankings import Pool


@dataclass(frozen=True, slots=True)
class PlayerForecast:
    """The probabilities that a player finishes on place 1, 2, … and ahead of each player.

    `ahead` has one for each player of the forecast, in its order; the player's own is 0.5.
    """

    player: str
    mu: float
    sigma: float
    games: int
    places: tuple[float, ...]
    ahead: tuple[float, ...]

    @property
    def mean_place(self) -> float:
        """The expected place."""
        return sum(place * probability for place, probability in enumerate(self.places, 1))


@dataclass(frozen=True, slots=True)
class OrderForecast:
    """The probability that these players come first in this order."""

    players: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a game, players in the order asked for; `orders` the most likely first."""

    pool: Pool
    players: tuple[PlayerForecast, ...]
    orders: tuple[OrderForecast, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerAtTable:
    """A player of a table not yet played: the probability of coming first, and sigma before and after the game."""

    player: str
    mu: float
    sigma: float
    first: float
    sigma_after: float


@dataclass(frozen=True, slots=True)
class TableQuality:
    """The quality of a table: TrueSkill's match quality, how open its first place is, and its expected information.

    `quality` and `evenness` are from 0 to 1; each of the expected `bits` halves the uncertainty about one skill.
    """

    pool: Pool
    players: tuple[PlayerAtTable, ...]
    quality: float
    evenness: float
    bits: float
