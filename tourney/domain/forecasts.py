"""What ratings say of games that are not yet played, and how far they are to be trusted."""

from dataclasses import dataclass

from tourney.domain.rankings import Pool


@dataclass(frozen=True, slots=True)
class Expected:
    """How a player is expected to finish: the probabilities of place 1, 2, … and of being ahead of each other player.

    `ahead` has one for each player of the forecast, in its order; his own is 0.5.
    """

    player: str
    mu: float
    sigma: float
    games: int
    places: tuple[float, ...]
    ahead: tuple[float, ...]

    @property
    def mean_place(self) -> float:
        """The place he comes to on average."""
        return sum(place * chance for place, chance in enumerate(self.places, 1))


@dataclass(frozen=True, slots=True)
class ExpectedOrder:
    """The first players of a game in their order, and how likely that is."""

    players: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a game of these players is expected to end, in the order asked for; `orders` from the likeliest down."""

    pool: Pool
    players: tuple[Expected, ...]
    orders: tuple[ExpectedOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class Contender:
    """A player of a table that is not yet played: how likely he is first, and his sigma before and behind it."""

    player: str
    mu: float
    sigma: float
    first: float
    sigma_after: float


@dataclass(frozen=True, slots=True)
class TableQuality:
    """How good a table would be: TrueSkill's match quality, how open its first place is, and how much it would tell.

    `quality` and `evenness` are from 0 to 1; `bits` is how often, over all players, the doubt about a skill is halved.
    """

    pool: Pool
    players: tuple[Contender, ...]
    quality: float
    evenness: float
    bits: float
