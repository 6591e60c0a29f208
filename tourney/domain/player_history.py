"""A player's history in a pool of ratings: games, opponents, statistics, and a game explained."""

from dataclasses import dataclass

from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter, RatingRow


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """A game of a player, by its number among the player's own games, from 1.

    `players` are in seat order (in a results file, the file's order) with the place of each in `places`; the player is
    at index `seat`. mu and sigma are those after the game, `mu_before` and `sigma_before` those before it. Where sigma
    grows with the calendar, it has grown by `growth` in the `days_away` since the previous game; elsewhere, and at the
    first game, both are 0. A game of an event has its `event`, `round` and `table`; a game of a results file has its
    number in the pool as `table`, round 0, and as `event` its name in the file. That name and `day` (ISO) are "" where
    the file has none.
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
        """The place of the player."""
        return self.places[self.seat]

    @property
    def score(self) -> float:
        """The score after the game: mu − 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def change(self) -> float:
        """The change of the score by the game."""
        return self.score - (self.mu_before - 3 * self.sigma_before)

    @property
    def away(self) -> float:
        """The change of the score by the days since the previous game."""
        return 0.0 - 3 * self.growth


@dataclass(frozen=True, slots=True)
class PlayerGames:
    """A player's games in a pool that pass a filter, in their order."""

    pool: Pool
    player: str
    games: tuple[PlayerGame, ...]
    rating_filter: RatingFilter = ALL_GAMES


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent: games played together, and in how many the player was ahead or behind; the rest were ties."""

    player: str
    games: int
    ahead: int
    behind: int

    @property
    def score(self) -> float:
        """The share of the games in which the player was ahead; a tie counts half."""
        return 0.5 * (1.0 + (self.ahead - self.behind) / self.games)


@dataclass(frozen=True, slots=True)
class ContractStatistics:
    """A player's hands of one contract (in the knock game: all): mean points, hands closed, and those in one turn."""

    contract: str
    hands: int
    points: float
    closed: int
    at_once: int


@dataclass(frozen=True, slots=True)
class SeatStatistics:
    """A player's games at one seat (1 is the first dealer): mean place and points, and hands closed.

    `claims` counts the claims in the `recorded` games, those that the engine played: score sheets have no claims.
    """

    seat: int
    games: int
    place: float
    points: float
    closed: int
    recorded: int
    claims: int


@dataclass(frozen=True, slots=True)
class HighestScore:
    """A player's highest score, with the number of games until then, the day (ISO; "": unknown) and the event."""

    player: str
    score: float
    game: int
    day: str
    event: str


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's longest run of games won, with its first and last day; `lasting` if no game was lost since."""

    player: str
    games: int
    first: str
    last: str
    lasting: bool


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two players who met often and evenly: the games in which each finished ahead of the other."""

    player: str
    rival: str
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """The records of a pool, the greatest first: peaks, streaks, and the closest rivals."""

    pool: Pool
    peaks: tuple[HighestScore, ...]
    streaks: tuple[Streak, ...]
    rivals: tuple[Rivalry, ...]


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """A player's history in a pool, from the games that pass a filter.

    `row` and the rank `interval` are those of the ratings, None for a player without games. Opponents are sorted by
    games, most first. Contracts and seats come from score sheets; results files have none.
    """

    pool: Pool
    player: str
    row: RatingRow | None
    interval: tuple[int, int] | None
    games: tuple[PlayerGame, ...]
    opponents: tuple[Opponent, ...] = ()
    contracts: tuple[ContractStatistics, ...] = ()
    seats: tuple[SeatStatistics, ...] = ()
    rating_filter: RatingFilter = ALL_GAMES


@dataclass(frozen=True, slots=True)
class Contribution:
    """An opponent's contribution to the change of mu and sigma; `place`, mu and sigma are the opponent's own."""

    player: str
    place: int
    mu: float
    sigma: float
    on_mu: float
    on_sigma: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The contributions to a player's rating in one game; `drift` is what tau added to sigma before the game.

    The contributions sum to the change of mu and, together with the drift, to that of sigma.
    """

    pool: Pool
    player: str
    game: PlayerGame
    drift: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A game of a player, by its number in the pool, and the player's place among its `players`.

    A game of an event has its `event`, `round` and `table`; a game of a results file has round 0, table 0, and as
    `event` its name in the file. That name and `day` (ISO) are "" where the file has none. mu and sigma are those after
    the game, from the games up to then; the smoothed values use all games of the pool, later ones too.
    """

    game: int
    event: str
    day: str
    round: int
    table: int
    place: int
    players: int
    mu: float
    sigma: float
    smoothed_mu: float
    smoothed_sigma: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's rating over all games in a pool, in their order."""

    pool: Pool
    player: str
    games: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class Peak:
    """The best that a player has been, by smoothed mu − 3 sigma; the game is identified as in `CurvePoint`.

    `rank` counts from 1, `games` are all games of the player.
    """

    rank: int
    player: str
    games: int
    game: int
    event: str
    day: str
    round: int
    table: int
    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The smoothed score at the peak."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Peaks:
    """The peaks of the players of a pool who have at least `min_games` of its `games`; `players` counts all."""

    pool: Pool
    games: int
    players: int
    min_games: int
    rows: tuple[Peak, ...]
