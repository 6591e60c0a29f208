"""Rate the games of a history one after the other: each changes the ratings of its players.

Where the pool has a rate of absence, sigma grows with the days between a player's games. Days are `day_number`s; 0
stands for an unknown day, since which no sigma grows.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, cast, final

from mypy_extensions import mypyc_attr

from tourney.ratings.kernel import Kernel, PlaceLink, Skill, check_game, kernel, set_weights
from tourney.ratings.model import Checkpoint, GameResult, Rating, newcomer
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError

TREND_DECAY: Final = 0.9
"""The weight of a game in the trend, relative to the game after it."""


@final
@mypyc_attr(acyclic=True)
class _Record(PlaceLink):
    """A player's rating, updated in place, which is also the player's link in the chain of a game.

    While a game is rated, sigma is that of its day, and `stored` that after the previous game; `game` is its number.
    """

    def __init__(self, rating: Rating) -> None:
        super().__init__(rating.mu, rating.sigma)
        self.stored = rating.sigma
        self.games = rating.games
        self.wins = rating.wins
        self.change = rating.change
        self.trend = rating.trend
        self.day = rating.day
        self.game = 0

    def keep(self) -> None:
        """Keep the skill after a game."""
        mu, sigma = self.mu_after, self.sigma_after
        self.change = (mu - 3.0 * sigma) - (self.mu - 3.0 * self.sigma)
        self.trend = TREND_DECAY * self.trend + (mu - self.mu)
        self.mu = mu
        self.stored = sigma
        self.games += 1
        if self.place == 1:
            self.wins += 1
        self.rest()

    def rest(self) -> None:
        """Return to the skill after the last game that was kept."""
        self.sigma = self.stored
        self.weight = 1.0


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
        self._tried = 0
        """The games that were tried, those that could not be rated included."""
        if start is not None:
            self.games = start.games
            for player, row in start.ratings.items():
                self._records[player] = _Record(row)
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
            self._forget(players)
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

    def skills(self, players: Sequence[str]) -> list[Skill]:
        """Return the skills of these players on the current day, newcomers' included."""
        skills: list[Skill] = []
        for player in players:
            record = self._records.get(player)
            if record is None:
                skills.append((self._parameters.mu, self._parameters.sigma))
            else:
                skills.append((record.mu, self._sigma(record, self.day)))
        return skills

    def ratings(self, day: int = 0) -> dict[str, Rating]:
        """Return the `rating` of everybody who has played, in order of first game."""
        return {player: self.rating(player, day) for player in self._records}

    def checkpoint(self) -> Checkpoint:
        """Return the current state, which later games do not change."""
        return Checkpoint(self.games, self.ratings())

    def _add(self, players: Sequence[str], places: Sequence[int], weights: Sequence[float] | None) -> None:
        seated = self._seated(tuple(players), tuple(places))
        if seated is None or len(seated) < 2:
            check_game(players, places)
            raise RatingError("a game of fewer than two players")
        chain = cast("list[PlaceLink]", seated)
        if weights is not None:
            set_weights(chain, weights)
        self._kernel.update(chain)
        for record in seated:
            record.keep()
            if self._ages:
                record.day = self.day
        self.games += 1

    def _seated(self, players: tuple[str, ...], places: tuple[int, ...]) -> list[_Record] | None:
        """Return the players' records on the current day, newcomers' included; None if they cannot play this game."""
        seated: list[_Record] = []
        records, game = self._records, self._tried + 1
        self._tried = game
        if len(players) != len(places):
            return None
        for player, place in zip(players, places):  # noqa: B905 -- of equal length, and quicker
            record = records.get(player)
            if record is None:
                record = records[player] = _Record(newcomer(player, self._parameters))
            if record.game == game or place < 1:
                return None
            record.game = game
            record.place = place
            if self._ages:
                record.sigma = self._sigma(record, self.day)
            seated.append(record)
        return seated

    def _forget(self, players: Sequence[str]) -> None:
        """Forget a game that could not be rated."""
        for player in players:
            record = self._records.get(player)
            if record is not None and record.games == 0:
                del self._records[player]
            elif record is not None:
                record.rest()

    def _sigma(self, record: _Record, day: int) -> float:
        """Return a player's sigma on that day; growth alone never takes it above a newcomer's."""
        stored = record.stored
        if not self._ages or record.day == 0 or day <= record.day:
            return stored
        grown = sqrt(stored * stored + self._growth * float(day - record.day))
        return max(stored, min(grown, self._parameters.sigma))
