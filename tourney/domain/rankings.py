"""Pools and their ratings."""

from dataclasses import dataclass
from typing import Final, Literal

PoolKind = Literal["people", "bots", "joint", "imported"]
Unit = Literal["game", "hand"]
"""The unit that a pool rates: the places of whole games, or each hand's points, of which the fewest are the best."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the ratings; `score` is mu − 3 sigma, `change` its change in the last game.

    `trend` sums the changes of mu; each game has nine tenths of the weight of the game after it.
    """

    rank: int
    player: str
    mu: float
    sigma: float
    score: float
    games: int
    wins: int
    change: float
    trend: float = 0.0


POOL_PARAMETERS: Final = ("mu", "sigma", "beta", "tau", "draw", "absence")
"""The parameters of a pool, explained in `ratings.Parameters`."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A set of results rated together. The parameters are text, so that no digit is lost.

    `absence` is the rate at which sigma grows with the calendar: its square is added to sigma squared in a year
    without a game.
    """

    name: str
    kind: PoolKind
    mu: str
    sigma: str
    beta: str
    tau: str
    draw: str
    absence: str = "0.0"
    unit: Unit = "game"

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in POOL_PARAMETERS}

    @property
    def ages(self) -> bool:
        """Return whether sigma grows with the calendar, so that days count."""
        return float(self.absence) > 0.0

    @property
    def settled(self) -> float:
        """Half a newcomer's sigma; above it a player is provisional."""
        return float(self.sigma) / 2.0


@dataclass(frozen=True, slots=True)
class RatingFilter:
    """The games of a pool that are rated: from the day `since` to `until` (ISO, "" is any), by `rules` ("" is any).

    With `games`, only the first that many of these count. Ratings are as of `day` (ISO; "" is the day of the last of
    these games): where sigma grows with the calendar, it has grown until that day.
    """

    since: str = ""
    until: str = ""
    rules: str = ""
    games: int | None = None
    day: str = ""


ALL_GAMES: Final = RatingFilter()
"""The filter that every game passes."""


@dataclass(frozen=True, slots=True)
class RatingsTable:
    """Ratings of a pool, best score first. `head` is the journal's last hash.

    `intervals` has the 95 % rank interval of each row: the best and the worst rank by true skill.
    """

    pool: Pool
    rows: tuple[RatingRow, ...]
    notes: tuple[str, ...]
    head: str
    intervals: tuple[tuple[int, int], ...] = ()
    rating_filter: RatingFilter = ALL_GAMES


ROUNDING: Final = 1e-9
"""The largest difference of mu or sigma that rounding can explain."""


@dataclass(frozen=True, slots=True)
class RatingsComparison:
    """Ratings of a pool compared with those of the package `trueskill`: the greatest differences, and their players.

    Each game is rated by the package from the ratings before it; `mu` and `sigma` are the greatest differences in one
    game, or of a rating that is shown from the one that its games give. `players` and `games` count what was compared;
    without games the differences are 0 and the names empty. The others are numbers of games, from 1: `beyond` of those
    that the package cannot compute, `differing` of those in which rounding does not explain the difference. `shown` is
    the greatest difference of the ratings shown.
    """

    pool: Pool
    version: str
    games: int
    players: int
    mu: float
    mu_player: str
    sigma: float
    sigma_player: str
    beyond: tuple[int, ...]
    differing: tuple[int, ...] = ()
    shown: float = 0.0

    @property
    def shown_agree(self) -> bool:
        """Return whether the ratings shown are those that the games give."""
        return self.shown <= ROUNDING

    @property
    def agree(self) -> bool:
        """Return whether rounding explains the differences."""
        return self.shown_agree and not self.differing


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    """A results file imported into a pool: games rated, players in the pool, rows read, and one-player games skipped.

    `undated` is the line of the first game without a date in a file that has dates: then no date is kept. `unnamed`
    is true if the names of the games are too long to be kept.
    """

    pool: Pool
    games: int
    players: int
    rows: int
    skipped: int
    undated: int | None = None
    unnamed: bool = False
