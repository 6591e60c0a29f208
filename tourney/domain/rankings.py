"""Standings and ratings, and what moves them."""

from dataclasses import dataclass
from typing import Final, Literal

PoolKind = Literal["people", "bots", "joint", "imported"]


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the ratings; `score` is mu − 3 sigma, `change` what the last game did to it.

    `trend` is what the last games did to mu, each counting nine tenths of the one behind it.
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


PARAMETERS: Final = ("mu", "sigma", "beta", "tau", "draw", "absence")
"""What a pool is rated with: numbers that `ratings.Parameters` explains."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A set of results rated together; parameters as text, so that no digit is lost.

    `absence` is how fast sigma grows with the calendar: what a year without a game adds to it, in squares.
    """

    name: str
    kind: PoolKind
    mu: str
    sigma: str
    beta: str
    tau: str
    draw: str
    absence: str = "0.0"

    @property
    def parameters(self) -> dict[str, str]:
        """What it is rated with, by name."""
        return {name: getattr(self, name) for name in PARAMETERS}

    @property
    def ages(self) -> bool:
        """Whether sigma grows with the calendar, so that days count."""
        return float(self.absence) > 0.0

    @property
    def settled(self) -> float:
        """A player with a greater sigma is provisional: half a newcomer's."""
        return float(self.sigma) / 2.0


@dataclass(frozen=True, slots=True)
class View:
    """Which games of a pool are rated: from the day `since` to `until` (ISO, "" is any), by `rules` ("" is any).

    Of these the first `games`, if that is not None. They are shown as of the day `day` (ISO), "" being that of the
    last one of them: where sigma grows with the calendar, it has grown until then.
    """

    since: str = ""
    until: str = ""
    rules: str = ""
    games: int | None = None
    day: str = ""


EVERYTHING: Final = View()
"""All games of a pool."""


@dataclass(frozen=True, slots=True)
class RatingsTable:
    """Ratings of a pool, best score first. `head` is the journal's last hash.

    `intervals` has for each row the best and the worst rank that its player's skill may have, 95 times of a hundred.
    """

    pool: Pool
    rows: tuple[RatingRow, ...]
    notes: tuple[str, ...]
    head: str
    intervals: tuple[tuple[int, int], ...] = ()
    view: View = EVERYTHING


ROUNDING: Final = 1e-9
"""How far apart, in points of mu and sigma, ratings may be that nothing but rounding sets apart."""


@dataclass(frozen=True, slots=True)
class RatingsComparison:
    """Ratings of a pool beside those of the package `trueskill`: the greatest differences, and whose they are.

    `players` have played `games`; where nobody has, they differ by 0, and the names are empty. `beyond` numbers the
    games, from 1, that the package cannot compute; it has gone on from our ratings there.
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

    @property
    def agree(self) -> bool:
        """Whether nothing but rounding sets them apart."""
        return self.mu <= ROUNDING and self.sigma <= ROUNDING


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    """A results file brought into a pool: games rated, players met, rows read; `skipped` games of one.

    `undated` is the line of the first game that has no date, where there are dates at all: none is kept then.
    `unnamed` says that the games have more names than are kept.
    """

    pool: Pool
    games: int
    players: int
    rows: int
    skipped: int
    undated: int | None = None
    unnamed: bool = False
