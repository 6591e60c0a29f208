"""A row of the standings, and the tally of a player's games that it is made of.

A new column is a field of both here, and a field of the report.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from tourney.domain.events import EntrantState, Event
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.domain.rounds import Table
from tourney.standings.bands import NO_BAND, Band
from tourney.standings.cut_states import CutState

HandWon = tuple[int, int, str]
"""A hand that a player won: round, place of the hand in its game, contract."""
Order = Literal["points", "money"]
"""The criterion that ranks first: the fewest points (per game, if numbers of games differ), or the most money."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; `rank` is None below the event's minimum of games.

    `moved` says how many ranks the player has risen since the round before; `by_round` has the points (or the money) of
    each round, None without a game; `stopped_rounds` are those of games that ended early. `points` include `penalty`,
    what rulings added; `average` is points per game. `short` counts the games that ended early, `money` is the net
    money of knock events (None elsewhere), `state` the entrant's. `why` says in one sentence how the player compares
    with the one above; `notes` are those notes of the standings that say how all are ranked, or concern a table at
    which the player sat. In an event with stages, `stage` is the last one of the player, `carried` has the points
    brought along into it, and `band` what ranks before points; `cut` says whether they go through to the next stage,
    with what `chance`.
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
    by_round: tuple[int | None, ...] = ()
    stopped_rounds: tuple[int, ...] = ()
    stage: str = ""
    carried: int = 0
    band: tuple[int, ...] = ()
    cut: CutState | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Standings of an event after `round` (None: all), and the tables up to then that have no result yet.

    `head` is the journal's last hash. `next_stage` is the stage for which the players play.
    """

    event: Event
    round: int | None
    rows: tuple[Standing, ...]
    notes: tuple[str, ...]
    head: str
    waiting: tuple[Table, ...] = ()
    next_stage: str = ""


@dataclass(slots=True)
class Tally:
    """The tally of a player in an event so far; `won` has the most recent hand first once all games are added."""

    player: Player
    order: Order
    state: EntrantState = "entered"
    played: int = 0
    money: int = 0
    places: int = 0
    games: int = 0
    won: list[HandWon] = field(default_factory=list)
    penalties: list[Ruling] = field(default_factory=list)
    by_round: dict[int, int] = field(default_factory=dict)
    stopped_rounds: list[int] = field(default_factory=list)
    carried: int = 0
    band: Band = NO_BAND

    def add(self, result: Result, seat: int) -> None:
        """Add the result of a game that the player played in this seat (from 0)."""
        outcome = result.outcome
        self.played += outcome.points[seat]
        self.games += 1
        self.places += outcome.places[seat]
        self.money += outcome.money[seat] if outcome.money else 0
        if outcome.short:
            self.stopped_rounds.append(result.table.round)
        counts = outcome.money if self.order == "money" else outcome.points
        self.by_round[result.table.round] = counts[seat]
        hands = [(result.table.round, place, hand) for place, hand in enumerate(outcome.hands)]
        self.won += [(number, place, hand.contract) for number, place, hand in hands if hand.closer == seat]

    @property
    def penalty(self) -> int:
        """Return the sum of the points that rulings added."""
        return sum(ruling.points for ruling in self.penalties)

    @property
    def points(self) -> int:
        """Return the points of all games; with penalties, where points rank."""
        return self.played + (self.penalty + self.carried if self.order == "points" else 0)

    @property
    def net(self) -> int:
        """Return the money, less penalties: where money ranks, a point of a penalty is a unit of money."""
        return self.money - self.penalty + self.carried

    @property
    def average(self) -> Fraction:
        """Return points per game."""
        return Fraction(self.points, self.games) if self.games else Fraction(0)

    @property
    def mean_place(self) -> Fraction:
        """Return the mean of the places at the tables."""
        return Fraction(self.places, self.games) if self.games else Fraction(0)

    def row(self, rank: int | None, why: str) -> Standing:
        """Return the player's row."""
        return Standing(
            rank=rank,
            player=self.player,
            points=self.points,
            hands_won=len(self.won),
            games=self.games,
            average=float(self.average),
            why=why,
            penalty=self.penalty,
            short=len(self.stopped_rounds),
            money=self.net if self.order == "money" else None,
            state=self.state,
            by_round=tuple(map(self.by_round.get, range(1, 1 + max(self.by_round, default=0)))),
            stopped_rounds=tuple(self.stopped_rounds),
            carried=self.carried,
            band=self.band.order,
        )
