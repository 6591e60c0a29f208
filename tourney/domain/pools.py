"""Pools of ratings, and the games imported into them."""

from dataclasses import dataclass
from typing import Final, Literal

PoolKind = Literal["people", "bots", "joint", "imported"]


Unit = Literal["game", "hand"]
"""The unit that a pool rates: the places of whole games, or each hand's points, of which the fewest are the best."""


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
class SourceChanges:
    """The games of a source compared with the games that they replace; only players of the source are named."""

    same: int
    new: int
    gone: int
    players_new: tuple[str, ...]
    players_gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackwardDate:
    """A game that was played on an earlier day than a game rated before it: its line, its day, and the other's."""

    line: int
    day: str
    before: str


@dataclass(frozen=True, slots=True)
class GameSource:
    """A source of imported games: its name, what it has, its first and last day ("": unknown), and its newest entry."""

    name: str
    games: int
    rows: int
    players: int
    first: str
    last: str
    entry: int


@dataclass(frozen=True, slots=True)
class PoolSources:
    """The sources of an imported pool, in the order of rating."""

    pool: Pool
    sources: tuple[GameSource, ...]


@dataclass(frozen=True, slots=True)
class PoolAliases:
    """The other names of players of an imported pool, each with its player."""

    pool: Pool
    aliases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BackwardSource:
    """A `source` whose first game, of `day`, is older than one of the `earlier` source, of the day `before`."""

    source: str
    day: str
    earlier: str
    before: str


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    """A results file imported into a pool: games rated, players in the pool, rows read, and one-player games skipped.

    `file` is the file's name without its folder, and `file_players` the number of players in these games.
    `undated` is the line of the first game without a date in a file that has dates: then no date is kept. `unnamed`
    is true if the names of the games are too long to be kept. `changes` says what differs from the games of the same
    `source` that the file replaces, None for a new source. `spellings` has the names of the file that were taken for
    another spelling, each with the player. `backwards` is the first game that is older than one rated before it,
    `backward_source` the first source that begins before the end of one that is rated before it.
    """

    pool: Pool
    games: int
    players: int
    rows: int
    skipped: int
    file: str
    file_players: int
    undated: int | None = None
    unnamed: bool = False
    source: str = ""
    changes: SourceChanges | None = None
    spellings: tuple[tuple[str, str], ...] = ()
    backwards: BackwardDate | None = None
    backward_source: BackwardSource | None = None
