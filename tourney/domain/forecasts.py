"""Forecasts of games, what the remaining games can still change, and measures of how far ratings can be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Final, Literal

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.pools import Pool
from tourney.domain.rounds import Table

Level = Literal["ahead", "shared", "behind", "mean place", "tie-breaks"]
"""The decision of a tie with a rival: by hands won so far, by the mean of the places, or by the event's tie-breaks."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival of a player, and what it takes to finish ahead.

    A player's cost is the points of the remaining games or, where money ranks, the money lost in them. The player is
    ahead with a cost below `share` times the rival's cost plus `room`. With exactly that cost they are level: then the
    more recent hand won in the remaining games decides, or `level` if neither wins one.
    """

    player: Player
    share: Fraction
    room: Fraction
    level: Level


@dataclass(frozen=True, slots=True)
class Prospect:
    """A player with `left` games to play, their rank (None: not yet) and points or money now, and all rivals.

    The hardest rival is the first. The player reaches place N if at least `needed(N)` rivals do not finish ahead.
    """

    player: Player
    rank: int | None
    total: int
    left: int
    rivals: tuple[Rival, ...]

    def needed(self, place: int) -> int:
        """Return how many rivals must not finish ahead for the player to reach `place`."""
        return max(0, len(self.rivals) - (place - 1))


@dataclass(frozen=True, slots=True)
class Prospects:
    """The prospects of all who can have a rank after the open `tables`; the `unranked` will have too few games.

    `place` is the place that is asked for, `in_money` says that money ranks. If `round` is not drawn yet, `tables` has
    a table of one for each player.
    """

    event: Event
    place: int
    round: int
    tables: tuple[Table, ...]
    prospects: tuple[Prospect, ...]
    unranked: tuple[Player, ...]
    in_money: bool = False


@dataclass(frozen=True, slots=True)
class RatingProspect:
    """A player at an open table, their rank in the ratings now (None: not rated yet), and the ranks in reach.

    `best` and `worst` have one rank for each place at the table.
    """

    player: str
    rank: int | None
    table: int
    best: tuple[int, ...]
    worst: tuple[int, ...]

    def sure(self, rank: int) -> int:
        """Return the last place at the table that secures `rank` whatever the other players do; 0 if none does."""
        return len(list(takewhile(lambda worst: worst <= rank, self.worst)))

    def possible(self, rank: int) -> int:
        """Return the last place at the table with which `rank` is possible; 0 if there is none."""
        return max((place for place, best in enumerate(self.best, 1) if best <= rank), default=0)


@dataclass(frozen=True, slots=True)
class RatingProspects:
    """The effect of a round's open tables on the ratings of a pool; `place` is the rank that is asked for."""

    pool: Pool
    event: Event
    place: int
    round: int
    prospects: tuple[RatingProspect, ...]


@dataclass(frozen=True, slots=True)
class PlayerForecast:
    """The probabilities that a player finishes on place 1, 2, … and ahead of each player.

    `ahead` has a probability for each player of the forecast, in its order; the player's own is 0.5.
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
    """The forecast of a game: the players in the order asked for, and `orders` from the most likely."""

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


PredictorName = Literal[
    "defaults", "pool", "fitted", "pool by hand", "fitted by hand", "fitted by points", "elo", "coin"
]
"""TrueSkill with its defaults, with the pool's parameters, and fitted, by game or by hand; normal performances, fitted
to the points of hands; Elo, fitted; and a coin."""


RIGHT_SHARE: Final = 0.9
"""The share of pairs in the right order at which a ranking counts as right."""
MAX_EVENINGS: Final = 50
"""The most evenings that are simulated."""


@dataclass(frozen=True, slots=True)
class PredictorScore:
    """The accuracy of a predictor for pairs of players.

    `parameters` are beta, tau, draw and absence, or those of Elo: K falls from `k_first` to `k`, half of the way in
    `k_games` games, and predictions have their own `scale`. `loss` is the log loss, the mean of −ln of the probability
    given to the actual order; `accuracy` is the share of pairs that finished as predicted. `behind` is the loss less
    that of the best predictor, `error` the standard error of that difference. `evenings` is how many mean evenings of
    the pool it takes until RIGHT_SHARE of all pairs are in the right order, by simulation; None if more than
    MAX_EVENINGS, or if the games have no days.
    """

    predictor: PredictorName
    parameters: Mapping[str, float]
    loss: float
    accuracy: float
    behind: float
    error: float
    evenings: int | None = None


MIN_NEIGHBOURS: Final = 100
"""The pairs of neighbours by place needed to fit beta, tau, draw and absence: 25 for each of the four."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """A comparison of predictors, the least loss first.

    The predictors were `fitted` to some of the pool's `games` and `measured` on others, each given as first and last
    number from 1. `pairs` counts the pairs without a tie that were predicted. `neighbours` counts the pairs of
    neighbours by place without a tie in the fitted games: three for four players without a tie. `evening` has the
    players of a mean evening, the seats of a table and the games of each; None if the games have no days.
    """

    pool: Pool
    games: int
    fitted: tuple[int, int]
    measured: tuple[int, int]
    pairs: int
    scores: tuple[PredictorScore, ...]
    neighbours: int
    evening: tuple[int, int, int] | None = None

    @property
    def enough(self) -> bool:
        """Return whether there were enough games to fit four parameters."""
        return self.neighbours >= MIN_NEIGHBOURS


@dataclass(frozen=True, slots=True)
class RankNoise:
    """A player's rank and score, and their means and standard deviations over other orders of the results.

    Nine tenths of the ranks lie between `low` and `high`.
    """

    rank: int
    player: str
    score: float
    mean_rank: float
    rank_deviation: float
    low: int
    high: int
    mean_score: float
    score_deviation: float


@dataclass(frozen=True, slots=True)
class OrderNoise:
    """The noise in the ratings of a pool from the order of results, over shuffles drawn from a seed."""

    pool: Pool
    games: int
    shuffles: int
    seed: str
    rows: tuple[RankNoise, ...]

    @property
    def rank_deviation(self) -> float:
        """The mean standard deviation of a rank over the orders; 0 where nobody is ranked."""
        return sum(row.rank_deviation for row in self.rows) / len(self.rows) if self.rows else 0.0
