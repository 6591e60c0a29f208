"""Results in order to ratings: each game is one step, and nothing but the steps makes a rating.

Where the parameters say how fast, sigma grows with the calendar between a player's games. Days are counted as
`day_number` does; 0 is none, and nothing grows from it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Final, final

from mypy_extensions import mypyc_attr

from tourney.ratings.kernel import Kernel, Skill, check_game, kernel
from tourney.ratings.parameters import YEAR, Parameters, RatingError
from tourney.ratings.values import Checkpoint, Played, RatedTable, Rating, Step, day_number, newcomer, place_text

FADING: Final = 0.9
"""What a game counts in the trend, beside the one behind it."""


@final
@mypyc_attr(acyclic=True)
class _Record:
    """A player's rating while it grows."""

    def __init__(self, mu: float, sigma: float, games: int, wins: int, change: float, trend: float, day: int) -> None:
        self.mu = mu
        self.sigma = sigma
        self.games = games
        self.wins = wins
        self.change = change
        self.trend = trend
        self.day = day

    def rest(self, sigma: float, day: int) -> None:
        """Come to the day of the next game; sigma has grown until then."""
        self.sigma = sigma
        self.day = day

    def add(self, mu: float, sigma: float, place: int) -> None:
        """Go on by one game, which ended on that place."""
        self.change = (mu - 3.0 * sigma) - (self.mu - 3.0 * self.sigma)
        self.trend = FADING * self.trend + (mu - self.mu)
        self.mu = mu
        self.sigma = sigma
        self.games += 1
        if place == 1:
            self.wins += 1


@final
class Fold:
    """Ratings that grow game by game; memory grows with the players only.

    It begins with newcomers, or where `start` stood. `games` counts the games added, those of `start` too; `day` is
    today for the games that come.
    """

    def __init__(self, parameters: Parameters, start: Checkpoint | None = None) -> None:
        self.games = 0
        self.day = 0
        self._ages: Final[bool] = parameters.absence > 0.0
        self._growth: Final[float] = parameters.absence * parameters.absence / YEAR
        self._parameters: Final[Parameters] = parameters
        self._kernel: Final[Kernel] = kernel(parameters)
        self._records: Final[dict[str, _Record]] = {}
        if start is not None:
            self.games = start.games
            for player, one in start.ratings.items():
                self._records[player] = _Record(one.mu, one.sigma, one.games, one.wins, one.change, one.trend, one.day)
                self.day = max(self.day, one.day)

    def on(self, day: int) -> None:
        """It is that day now; time does not go back, whatever a file says."""
        self.day = max(self.day, day)

    def add(self, players: Sequence[str], places: Sequence[int], weights: Sequence[float] | None = None) -> None:
        """Rate one game of two or more; `weights` as in `Kernel.rate`.

        Raises RatingError, with the game's number, where it cannot be rated; the fold then stands where it stood.
        """
        try:
            self._add(players, places, weights)
        except RatingError as error:
            raise error.at(f"game {self.games + 1}") from None

    def add_all(self, games: Iterable[Played], days: Iterable[int] | None = None) -> None:
        """Rate the games in their order; `days` has that of each."""
        if days is None:
            for players, places in games:
                self.add(players, places)
        else:
            for (players, places), day in zip(games, days, strict=True):
                self.on(day)
                self.add(players, places)

    def add_table(self, table: RatedTable) -> None:
        """Rate one table; a game of one is passed over. Raises RatingError, with the table's place, as `add` does."""
        if len(table.players) < 2:
            return
        try:
            self.on(_day_of(table))
            self._add(table.players, table.places, None)
        except RatingError as error:
            raise error.at(place_text(table.key)) from None

    def rating(self, player: str, day: int = 0) -> Rating:
        """How the player stands on that day, or as his last game left him; a newcomer, if he has not played."""
        one = self._records.get(player)
        if one is None:
            return newcomer(player, self._parameters)
        return Rating(player, one.mu, self._sigma(one, day), one.games, one.wins, one.change, one.trend, one.day)

    def ratings(self, day: int = 0) -> dict[str, Rating]:
        """How everybody who has played stands, as `rating` says, in order of first game."""
        return {player: self.rating(player, day) for player in self._records}

    def checkpoint(self) -> Checkpoint:
        """Where the fold stands now; later games do not change it."""
        return Checkpoint(self.games, self.ratings())

    def _add(self, players: Sequence[str], places: Sequence[int], weights: Sequence[float] | None) -> None:
        check_game(players, places)
        if len(players) < 2:
            raise RatingError("a game of fewer than two players")
        records = [self._record(player) for player in players]
        skills = self._today(records) if self._ages else [(one.mu, one.sigma) for one in records]
        rated = self._kernel.rate(skills, places, weights)
        if self._ages:
            for seat, one in enumerate(records):
                one.rest(skills[seat][1], self.day)
        for seat, player in enumerate(players):
            mu, sigma = rated[seat]
            records[seat].add(mu, sigma, places[seat])
            self._records[player] = records[seat]
        self.games += 1

    def _today(self, records: list[_Record]) -> list[Skill]:
        """Their skills on this day."""
        return [(one.mu, self._sigma(one, self.day)) for one in records]

    def _sigma(self, one: _Record, day: int) -> float:
        """What a player's sigma has become by that day: never more than a newcomer's by growth alone."""
        if not self._ages or one.day == 0 or day <= one.day:
            return one.sigma
        grown = sqrt(one.sigma * one.sigma + self._growth * float(day - one.day))
        return max(one.sigma, min(grown, self._parameters.sigma))

    def _record(self, player: str) -> _Record:
        """The player's; a newcomer's is kept only when he has played."""
        one = self._records.get(player)
        return _Record(self._parameters.mu, self._parameters.sigma, 0, 0, 0.0, 0.0, 0) if one is None else one


def steps(
    tables: Iterable[RatedTable], parameters: Parameters, start: Mapping[str, Rating] | None = None
) -> Iterator[Step]:
    """Every table's step, in the order given, as soon as it is asked for; games of one are passed over.

    `start` holds ratings to go on from; who is not in it is a newcomer. It is not changed. Raises
    RatingError, naming the table, where a table cannot be computed.
    """
    fold = _begun(parameters, start)
    for table in tables:
        if len(table.players) > 1:
            fold.on(_day_of(table))
            before = tuple([fold.rating(player, fold.day) for player in table.players])
            fold.add_table(table)
            yield Step(table, before, tuple([fold.rating(player) for player in table.players]))


def rate(
    tables: Iterable[RatedTable], parameters: Parameters, start: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """The ratings after all tables, by player; those of `start` first, then in order of first game."""
    fold = _begun(parameters, start)
    for table in tables:
        fold.add_table(table)
    return dict(fold.checkpoint().ratings)


def _day_of(table: RatedTable) -> int:
    return day_number(table.key[0]) if table.key[0] else 0


def _begun(parameters: Parameters, start: Mapping[str, Rating] | None) -> Fold:
    return Fold(parameters, None if start is None else Checkpoint(0, start))
