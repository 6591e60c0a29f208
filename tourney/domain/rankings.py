"""Pools and their ratings."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from tourney.domain.pools import Pool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the ratings as people and programs read it; `score` is mu − 3 sigma, `change` its last change.

    The JSON of a preview has these fields in their order, and a checkpoint those of `ratings.model.Rating`. So the two
    are two classes.

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


@dataclass(frozen=True, slots=True)
class RankingQuantity:
    """A quantity that players are ranked by, the greatest first: mu less so many sigmas."""

    name: str
    deviations: float

    def of(self, mu: float, sigma: float) -> float:
        """Return the quantity of a player."""
        return mu - self.deviations * sigma


BY_SCORE: Final = RankingQuantity("score", 3.0)
"""The score, which the skill exceeds almost surely."""
BY_MU: Final = RankingQuantity("mu", 0.0)
"""The estimate itself."""
RANKING_QUANTITIES: Final = {quantity.name: quantity for quantity in (BY_SCORE, BY_MU)}


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
    """Ratings of a pool, the best first. `head` is the journal's last hash.

    `intervals` has the 95 % rank interval of each row: the best and the worst rank. Ranks and intervals are by the
    quantity `by`.
    """

    pool: Pool
    rows: tuple[RatingRow, ...]
    notes: tuple[str, ...]
    head: str
    intervals: tuple[tuple[int, int], ...] = ()
    rating_filter: RatingFilter = ALL_GAMES
    by: RankingQuantity = BY_SCORE


Verdict = Literal["listed", "few games", "inactive", "other club", "below top"]
"""The verdict on a player: listed, or the option that leaves them out."""
Why = Literal["games", "absence", "others", ""]
"""Why a rank moved: by the player's own games, by the growth of sigma without any, or only by what others did."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The players that a ranking lists: with at least `min_games`, active, of a club, down to rank `top`.

    Active is who has played since the day `active_since` (ISO), or in the `active` months or days before the day of the
    ranking, such as `12m` or `90d`; "" is anybody. Ranks count only players with enough games who are active.
    """

    min_games: int = 0
    active_since: str = ""
    active: str = ""
    top: int | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class Movement:
    """The movement of a rank since an earlier day: the rank then (None: not ranked), and the games since."""

    before: int | None
    games: int
    why: Why


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A player of a ranking; without a rank and an interval if the verdict is that they have few games or are inactive.

    `last` is the day of their last game (ISO; "" if it is not known or not asked for).
    """

    row: RatingRow
    rank: int | None
    interval: tuple[int, int] | None
    verdict: Verdict
    last: str
    movement: Movement | None = None


@dataclass(frozen=True, slots=True)
class RankingChoice:
    """Choice of what a published ranking shows: which players, ranked by what, and who moved since a day, if given."""

    selection: Selection = Selection()
    by: RankingQuantity = BY_SCORE
    moved_since: str = ""

    @property
    def lists_all(self) -> bool:
        """Return whether everybody is listed, without movement."""
        return self.selection == Selection() and not self.moved_since


WHOLE_RANKING: Final = RankingChoice()
"""Everybody, by score."""


@dataclass(frozen=True, slots=True)
class RankingList:
    """A ranking of all players of a pool, those without a rank last; `table` has all of them as they are rated.

    `active_since` is the day since which players have played (ISO; "": any), `moved_since` that of the comparison.
    """

    table: RatingsTable
    selection: Selection
    rows: tuple[ListedRow, ...]
    active_since: str = ""
    moved_since: str = ""

    def of(self, *verdicts: Verdict) -> tuple[ListedRow, ...]:
        """Return the rows with these verdicts."""
        return tuple(row for row in self.rows if row.verdict in verdicts)

    @property
    def listed(self) -> RatingsTable:
        """Return the ratings of those who are listed, with their ranks and intervals here."""
        ranked = [
            (replace(each.row, rank=each.rank), each.interval or (1, 1)) for each in self.of("listed") if each.rank
        ]
        rows, intervals = tuple(row for row, _interval in ranked), tuple(interval for _row, interval in ranked)
        return replace(self.table, rows=rows, intervals=intervals)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Pairs of players in games, by how likely the favourite was to finish ahead: from `low` to below `high`.

    `predicted` is the mean probability, `happened` the share of pairs in which the favourite finished ahead, a tie
    counting half, and `error` its standard error.
    """

    low: float
    high: float
    pairs: int
    predicted: float
    happened: float
    error: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """A pool's forecasts compared with what happened, each game predicted before it was rated."""

    pool: Pool
    games: int
    bins: tuple[CalibrationBin, ...]


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
