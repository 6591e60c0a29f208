"""Rate the games of a history one after the other: each changes the ratings of its players.

Where the pool has a rate of absence, sigma grows with the days between a player's games. Days are `day_number`s; 0
stands for an unknown day, since which no sigma grows.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, final

from mypy_extensions import mypyc_attr

from tourney.ratings.kernel import Kernel, Skill, check_game, kernel
from tourney.ratings.model import Checkpoint, GameResult, Rating, newcomer
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError

TREND_DECAY: Final = 0.9
"""The weight of a game in the trend, relative to the game after it."""


@final
@mypyc_attr(acyclic=True)
class _Record:
    """A player's rating, updated in place."""

    def __init__(self, mu: float, sigma: float, games: int, wins: int, change: float, trend: float, day: int) -> None:
        self.mu = mu
        self.sigma = sigma
        self.games = games
        self.wins = wins
        self.change = change
        self.trend = trend
        self.day = day

    def advance_to(self, sigma: float, day: int) -> None:
        """Advance to the day of the next game, until which sigma has grown."""
        self.sigma = sigma
        self.day = day

    def add(self, mu: float, sigma: float, place: int) -> None:
        """Add a game that ended on this place with this skill."""
        self.change = (mu - 3.0 * sigma) - (self.mu - 3.0 * self.sigma)
        self.trend = TREND_DECAY * self.trend + (mu - self.mu)
        self.mu = mu
        self.sigma = sigma
        self.games += 1
        if place == 1:
            self.wins += 1


@final
class Fold:
    """Ratings updated game by game; memory grows with the players only.

    A fold starts with newcomers, or from the checkpoint `start`. `games` counts all games, those before `start`
    included; `day` is the current day.
    """

    def __init__(self, parameters: Parameters, start: Checkpoint | None = None) -> None:
        self.games = 0
        self.day = 0
        self._ages: Final[bool] = parameters.absence > 0.0
        self._growth: Final[float] = parameters.absence * parameters.absence / DAYS_PER_YEAR
        self._parameters: Final[Parameters] = parameters
        self._kernel: Final[Kernel] = kernel(parameters)
        self._records: Final[dict[str, _Record]] = {}
        if start is not None:
            self.games = start.games
            for player, row in start.ratings.items():
                self._records[player] = _Record(row.mu, row.sigma, row.games, row.wins, row.change, row.trend, row.day)
                self.day = max(self.day, row.day)

    def advance_to(self, day: int) -> None:
        """Advance to that day; a day before the current one changes nothing."""
        self.day = max(self.day, day)

    def add(self, players: Sequence[str], places: Sequence[int], weights: Sequence[float] | None = None) -> None:
        """Rate one game of two or more; `weights` as in `Kernel.rate`.

        Raises RatingError with the number of the game if it cannot be rated; the fold is then unchanged.
        """
        try:
            self._add(players, places, weights)
        except RatingError as error:
            raise error.at(f"game {self.games + 1}") from None

    def add_all(self, games: Iterable[GameResult], days: Iterable[int] | None = None) -> None:
        """Rate the games in their order; `days` has the day of each, None leaves the current day."""
        if days is None:
            for players, places in games:
                self.add(players, places)
        else:
            for (players, places), day in zip(games, days, strict=True):
                self.advance_to(day)
                self.add(players, places)

    def rating(self, player: str, day: int = 0) -> Rating:
        """Return the player's rating on that day, by default after the last game; a newcomer's without any game."""
        record = self._records.get(player)
        if record is None:
            return newcomer(player, self._parameters)
        sigma = self._sigma(record, day)
        return Rating(player, record.mu, sigma, record.games, record.wins, record.change, record.trend, record.day)

    def ratings(self, day: int = 0) -> dict[str, Rating]:
        """Return the `rating` of everybody who has played, in order of first game."""
        return {player: self.rating(player, day) for player in self._records}

    def checkpoint(self) -> Checkpoint:
        """Return the current state, which later games do not change."""
        return Checkpoint(self.games, self.ratings())

    def _add(self, players: Sequence[str], places: Sequence[int], weights: Sequence[float] | None) -> None:
        check_game(players, places)
        if len(players) < 2:
            raise RatingError("a game of fewer than two players")
        records = [self._record(player) for player in players]
        skills = self._skills_today(records) if self._ages else [(record.mu, record.sigma) for record in records]
        rated = self._kernel.rate(skills, places, weights)
        if self._ages:
            for seat, record in enumerate(records):
                record.advance_to(skills[seat][1], self.day)
        for seat, player in enumerate(players):
            mu, sigma = rated[seat]
            records[seat].add(mu, sigma, places[seat])
            self._records[player] = records[seat]
        self.games += 1

    def _skills_today(self, records: list[_Record]) -> list[Skill]:
        """Return the skills on the current day."""
        return [(record.mu, self._sigma(record, self.day)) for record in records]

    def _sigma(self, record: _Record, day: int) -> float:
        """Return a player's sigma on that day; growth alone never takes it above a newcomer's."""
        if not self._ages or record.day == 0 or day <= record.day:
            return record.sigma
        grown = sqrt(record.sigma * record.sigma + self._growth * float(day - record.day))
        return max(record.sigma, min(grown, self._parameters.sigma))

    def _record(self, player: str) -> _Record:
        """Return the player's record; a newcomer's is stored only after the game has been rated."""
        record = self._records.get(player)
        return _Record(self._parameters.mu, self._parameters.sigma, 0, 0, 0.0, 0.0, 0) if record is None else record
