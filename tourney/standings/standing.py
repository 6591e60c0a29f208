"""A row of the standings, and the tally of a player's games that it is made of.

A new column is a field of both here, and a field of the report.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from tourney.domain.events import EntrantState, Event
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.domain.rounds import Table
from tourney.standings.cut_states import CutState
from tourney.standings.scales import MONEY, POINTS, Scale, Score


class Band(NamedTuple):
    """A band of the standings: a smaller order ranks first; `why` says why a player is in it."""

    order: tuple[int, ...] = ()
    why: str = ""


NO_BAND: Final = Band()

HandWon = tuple[int, int, str]
"""A hand that a player won: round, place of the hand in its game, contract."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; `rank` is None below the event's minimum of games.

    `score` is what ranks: a total, or a mean per game, on the event's `scale`. `moved` says how many ranks the player
    has risen since the round before; `by_round` has the score of each round, None without a game; `stopped_rounds` are
    those of games that ended early. `prize` is in cents: None without one, and before the event is finished. `points`
    include `penalty`, what rulings added, where points rank; `average` is points per game. `short` counts the games
    that ended early, `money` is the net money where it ranks (None elsewhere), `state` the entrant's. `why` says in one
    sentence how the player compares with the one above; `notes` are those notes of the standings that say how all are
    ranked, or concern a table at which the player sat. In an event with stages, `stage` is the last one of the player,
    `carried` has what they brought along into it, and `band` what ranks before the score;
    `cut` says whether they go through to the next stage, with what `chance`.
    """

    rank: int | None
    player: Player
    points: int
    hands_won: int
    games: int
    average: float
    why: str = ""
    penalty: int = 0
    short: int = 0
    money: int | None = None
    state: EntrantState = "entered"
    notes: tuple[str, ...] = ()
    moved: int | None = None
    by_round: tuple[float | None, ...] = ()
    stopped_rounds: tuple[int, ...] = ()
    score: float = 0
    scale: Scale = POINTS
    prize: int | None = None
    stage: str = ""
    carried: float = 0
    band: tuple[int, ...] = ()
    cut: CutState | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Standings of an event after `round` (None: all), and the tables up to then that have no result yet.

    `per_game` says that scores are divided by the number of games; `arithmetic` gives the steps that lead to a
    player's rank, each a sentence. `head` is the journal's last hash. `next_stage` is the stage for which the players
    play. In a stage of groups `group_of` has the group of each player by number.
    """

    event: Event
    round: int | None
    rows: tuple[Standing, ...]
    notes: tuple[str, ...]
    head: str
    waiting: tuple[Table, ...] = ()
    per_game: bool = False
    arithmetic: Callable[[Player], Sequence[str]] = field(default=lambda player: (), compare=False)
    next_stage: str = ""
    group_of: Mapping[int, int] = field(default_factory=dict)


class ScoredGame(NamedTuple):
    """A game that a player played: its result, their seat from 0, and what it scored for them."""

    result: Result
    seat: int
    score: Score

    @property
    def place(self) -> int:
        """Return the player's place at the table."""
        return self.result.outcome.places[self.seat]

    @property
    def round(self) -> int:
        """Return the round of the game."""
        return self.result.table.round


@dataclass(slots=True)
class PlayerTally:
    """The tally of a player in an event so far; `number` is their number among the entrants, from 1.

    `full` is the number of games of those who have played most: what was `carried` counts as spread over so many.
    """

    player: Player
    scale: Scale
    number: int = 0
    state: EntrantState = "entered"
    played: list[ScoredGame] = field(default_factory=list)
    penalties: list[Ruling] = field(default_factory=list)
    points_played: int = 0
    total_played: Score = 0
    carried: Score = 0
    full: int = 0
    band: Band = NO_BAND

    def add(self, result: Result, seat: int, score: Score) -> None:
        """Add the result of a game that the player played in this seat (from 0)."""
        self.played.append(ScoredGame(result, seat, score))
        self.points_played += result.outcome.points[seat]
        self.total_played += score

    @property
    def games(self) -> int:
        """Return the number of games."""
        return len(self.played)

    @property
    def penalty(self) -> int:
        """Return the sum of the points that rulings added."""
        return sum(ruling.points for ruling in self.penalties)

    @property
    def points(self) -> int:
        """Return the points of all games; with penalties, where points rank."""
        return self.points_played + (self.penalty + int(self.carried) if self.scale is POINTS else 0)

    @property
    def total(self) -> Score:
        """Return the scores of all games, with what was brought along, less penalties: a point is one of what ranks."""
        penalty = self.penalty
        return self.total_played + self.carried + (-penalty if self.scale.most_wins else penalty)

    def score(self, per_game: bool) -> Score:
        """Return what ranks: the total, or its mean per game."""
        return self._mean(self.total, self.carried) if per_game and self.games else self.total

    def without_worst(self, per_game: bool) -> Score:
        """Return what ranks without the worst game; an only game stays."""
        if self.games < 2:
            return self.score(per_game)
        total = self.total - max((game.score for game in self.played), key=self.scale.better)
        return self._mean(total, self.carried, self.games - 1) if per_game else total

    @property
    def average(self) -> Fraction:
        """Return points per game."""
        carried = int(self.carried) if self.scale is POINTS else 0
        return self._mean(self.points, carried) if self.games else Fraction(0)

    def _mean(self, total: Score, carried: Score, games: int | None = None) -> Fraction:
        """Return a total per game, or of so many, in which what was carried has the same weight for everybody."""
        return Fraction(total - carried) / (games or self.games) + Fraction(carried) / max(self.full, self.games)

    def hands_won(self) -> list[HandWon]:
        """Return the hands that the player won, the most recent one first."""
        won = [
            (game.round, place, hand.contract)
            for game in self.played
            for place, hand in enumerate(game.result.outcome.hands)
            if hand.closer == game.seat
        ]
        return sorted(won, reverse=True)

    def row(self, rank: int | None, why: str, per_game: bool) -> Standing:
        """Return the player's row."""
        stopped = tuple(game.round for game in self.played if game.result.outcome.short)
        return Standing(
            rank=rank,
            player=self.player,
            points=self.points,
            hands_won=sum(game.result.outcome.hands_won[game.seat] for game in self.played),
            games=self.games,
            average=float(self.average),
            why=why,
            penalty=self.penalty,
            short=len(stopped),
            money=int(self.total) if self.scale is MONEY else None,
            state=self.state,
            by_round=self._by_round(),
            stopped_rounds=stopped,
            score=plain(self.score(per_game)),
            scale=self.scale,
            carried=plain(self.carried),
            band=self.band.order,
        )

    def _by_round(self) -> tuple[float | None, ...]:
        scores = {game.round: plain(game.score) for game in self.played}
        return tuple(map(scores.get, range(1, 1 + max(scores, default=0))))


def plain(score: Score) -> float:
    """Return a whole number if the score is one, otherwise a decimal fraction."""
    return int(score) if score == int(score) else float(score)
