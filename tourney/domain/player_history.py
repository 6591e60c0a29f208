"""What a player has done in a pool of ratings, and what each game did to him."""

from dataclasses import dataclass

from tourney.domain.rankings import EVERYTHING, Pool, RatingRow, View


@dataclass(frozen=True, slots=True)
class CareerGame:
    """A game of a player, by its number among his own, from 1.

    `players` stand in source order with the place of each in `places`, himself at `seat` (0 first). mu and sigma are
    those behind it, `mu_before` and `sigma_before` those he brought: where sigma grows with the calendar, it has grown
    by `growth` in the `days_away` since the game before; elsewhere, and at the first game, both are 0. A game of an
    event has its `event`, `round` and `table`; a game of a results file has its number in the pool as `table`, round 0,
    and as `event` what the file calls it. That and `day` (ISO) are "" where the file does not say them.
    """

    number: int
    event: str
    day: str
    round: int
    table: int
    players: tuple[str, ...]
    places: tuple[int, ...]
    seat: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    days_away: int = 0
    growth: float = 0.0

    @property
    def place(self) -> int:
        """Where the player finished."""
        return self.places[self.seat]

    @property
    def score(self) -> float:
        """mu − 3 sigma behind the game."""
        return self.mu - 3 * self.sigma

    @property
    def change(self) -> float:
        """What the game did to the score."""
        return self.score - (self.mu_before - 3 * self.sigma_before)

    @property
    def away(self) -> float:
        """What the days since the game before did to the score."""
        return 0.0 - 3 * self.growth


@dataclass(frozen=True, slots=True)
class CareerGames:
    """A player's games in a view of a pool, in their order."""

    pool: Pool
    player: str
    games: tuple[CareerGame, ...]
    view: View = EVERYTHING


@dataclass(frozen=True, slots=True)
class Opponent:
    """Whom a player has met: how many games, and how often each was ahead; they tied in the others."""

    player: str
    games: int
    ahead: int
    behind: int

    @property
    def score(self) -> float:
        """The part of the games in which the player was ahead, ties as half of one."""
        return 0.5 * (1.0 + (self.ahead - self.behind) / self.games)


@dataclass(frozen=True, slots=True)
class ContractTally:
    """A player's hands of one contract (in the knock game: all): his mean points, how many he closed, and at once."""

    contract: str
    hands: int
    points: float
    closed: int
    at_once: int


@dataclass(frozen=True, slots=True)
class SeatTally:
    """A player's games at one seat, from 1, which is the first dealer's: mean place and points, and hands closed.

    `recorded` of the games were played by the engine, which alone writes claims down: `claims` are of these.
    """

    seat: int
    games: int
    place: float
    points: float
    closed: int
    recorded: int
    claims: int


@dataclass(frozen=True, slots=True)
class Career:
    """A player in a view of a pool. `row` and `interval` are those of the ratings, None where he has not played.

    Opponents stand by games, most first. Contracts and seats are those of sheets; results files have none.
    """

    pool: Pool
    player: str
    row: RatingRow | None
    interval: tuple[int, int] | None
    games: tuple[CareerGame, ...]
    opponents: tuple[Opponent, ...] = ()
    contracts: tuple[ContractTally, ...] = ()
    seats: tuple[SeatTally, ...] = ()
    view: View = EVERYTHING


@dataclass(frozen=True, slots=True)
class Contribution:
    """What the place of an opponent did to a player's mu and sigma; `place`, mu and sigma are the opponent's own."""

    player: str
    place: int
    mu: float
    sigma: float
    on_mu: float
    on_sigma: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A game of a player, taken apart: `drift` is what tau added to his sigma before it.

    Over all contributions, what they did to mu is its change, and what they did to sigma, with the drift, its change.
    """

    pool: Pool
    player: str
    game: CareerGame
    drift: float
    contributions: tuple[Contribution, ...]
