"""Results in order to ratings: each table is one step, and nothing but the steps makes a rating."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tourney.domain import RatingRow
from tourney.ratings.kernel import rate_table
from tourney.ratings.parameters import Parameters, RatingError

Key = tuple[str, str, int, int]
"""Where a table stands in time: event date (ISO), event, round, table; tables are rated in this order."""


@dataclass(frozen=True, slots=True)
class RatedTable:
    """A game as ratings see it: who played, in source order, and the place of each (1 best, equal = tie).

    Raises RatingError for a player who stands there twice, and for places that do not fit the players.
    """

    key: Key
    players: tuple[str, ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.players) != len(self.places):
            raise RatingError(f"{len(self.players)} players but {len(self.places)} places at {place_text(self.key)}")
        if len(set(self.players)) != len(self.players):
            twice = next(name for name in self.players if self.players.count(name) > 1)
            raise RatingError(f"'{twice}' plays twice at {place_text(self.key)}", "a player has one place in a game")
        if any(place < 1 for place in self.places):
            raise RatingError(f"a place below 1 at {place_text(self.key)}", "places count from 1, the best")

    def __reduce__(self) -> tuple[type["RatedTable"], tuple[Key, tuple[str, ...], tuple[int, ...]]]:
        return RatedTable, (self.key, self.players, self.places)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill after `games` games; `change` is what the last one did to the score.

    A win is place 1; players who share the first place have each won.
    """

    player: str
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    change: float = 0.0

    @property
    def score(self) -> float:
        """What players are ranked by: mu − 3 sigma, which the skill exceeds almost surely."""
        return self.mu - 3 * self.sigma

    def __reduce__(self) -> tuple[type["Rating"], tuple[str, float, float, int, int, float]]:
        return Rating, (self.player, self.mu, self.sigma, self.games, self.wins, self.change)


class Step(NamedTuple):
    """One table and the ratings of its players before and after it, in its order."""

    table: RatedTable
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]


class Checkpoint(NamedTuple):
    """The ratings after the first `games` games of a history, by player: all that is needed to go on."""

    games: int
    ratings: Mapping[str, Rating]


Played = tuple[Sequence[str], Sequence[int]]
"""A game of a stream: the players in source order, and the place of each (1 best, equal = tie)."""


class Fold:
    """Ratings that grow game by game; memory grows with the players only.

    It begins with newcomers, or where `start` stood. `games` counts the games added, those of `start` too.
    """

    def __init__(self, parameters: Parameters, start: Checkpoint | None = None) -> None:
        self.games = 0 if start is None else start.games
        self._parameters = parameters
        self._ratings: dict[str, Rating] = {} if start is None else dict(start.ratings)

    def add(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate one game of two or more. Raises RatingError, with the game's number, where it cannot be rated."""
        table = RatedTable(("", "", 1, self.games + 1), tuple(players), tuple(places))
        for rating in _step(table, self._parameters, self._ratings).after:
            self._ratings[rating.player] = rating
        self.games += 1

    def add_all(self, games: Iterable[Played]) -> None:
        """Rate the games in their order."""
        for players, places in games:
            self.add(players, places)

    def checkpoint(self) -> Checkpoint:
        """Where the fold stands now; later games do not change it."""
        return Checkpoint(self.games, dict(self._ratings))


def checkpoints(
    games: Iterable[Played], parameters: Parameters, every: int, start: Checkpoint | None = None
) -> Iterator[Checkpoint]:
    """A checkpoint after every `every` games counted from the beginning of history, and one at the end.

    Each is given before the next game is read. With no games the one at the end is `start`, or nothing rated.
    """
    fold = Fold(parameters, start)
    at_checkpoint = False
    for players, places in games:
        fold.add(players, places)
        at_checkpoint = fold.games % every == 0
        if at_checkpoint:
            yield fold.checkpoint()
    if not at_checkpoint:
        yield fold.checkpoint()


def newcomer(player: str, parameters: Parameters) -> Rating:
    """The rating of somebody who has not played."""
    return Rating(player, parameters.mu, parameters.sigma)


def steps(
    tables: Iterable[RatedTable], parameters: Parameters, start: Mapping[str, Rating] | None = None
) -> Iterator[Step]:
    """Every table's step, in the order given, as soon as it is asked for; games of one are passed over.

    `start` holds ratings to go on from; who is not in it is a newcomer. It is not changed. Raises
    RatingError, naming the table, where a table cannot be computed.
    """
    current = dict(start) if start is not None else {}
    for table in tables:
        if len(table.players) < 2:
            continue
        step = _step(table, parameters, current)
        current.update((rating.player, rating) for rating in step.after)
        yield step


def rate(
    tables: Iterable[RatedTable], parameters: Parameters, start: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """The ratings after all tables, by player; those of `start` first, then in order of first game."""
    ratings = dict(start) if start is not None else {}
    for step in steps(tables, parameters, start):
        ratings.update((rating.player, rating) for rating in step.after)
    return ratings


def in_order(tables: Iterable[RatedTable]) -> list[RatedTable]:
    """The tables in the order of rating: event date, event, round, table."""
    return sorted(tables, key=lambda table: table.key)


def ranked(ratings: Mapping[str, Rating]) -> list[RatingRow]:
    """The ratings from the best score down; equal scores share a rank and stand in order of name."""
    rows: list[RatingRow] = []
    for place, rating in enumerate(sorted(ratings.values(), key=lambda one: (-one.score, one.player)), 1):
        rank = rows[-1].rank if rows and rows[-1].score == rating.score else place
        rows.append(_row(rank, rating))
    return rows


def place_text(key: Key) -> str:
    """The key for people: `2026-11-20 club, round 3, table 2`."""
    date, event, round_number, table = key
    return " ".join(part for part in (date, event) if part) + f", round {round_number}, table {table}"


def _step(table: RatedTable, parameters: Parameters, current: Mapping[str, Rating]) -> Step:
    before = tuple(current[player] if player in current else newcomer(player, parameters) for player in table.players)
    try:
        skills = rate_table(parameters, [(rating.mu, rating.sigma) for rating in before], table.places)
    except RatingError as error:
        raise RatingError(f"{place_text(table.key)}: {error.message}", error.hint) from None
    after = tuple(map(_played, before, skills, table.places))
    return Step(table, before, after)


def _played(before: Rating, skill: tuple[float, float], place: int) -> Rating:
    mu, sigma = skill
    change = (mu - 3 * sigma) - before.score
    return Rating(before.player, mu, sigma, before.games + 1, before.wins + (place == 1), change)


def _row(rank: int, rating: Rating) -> RatingRow:
    return RatingRow(
        rank=rank,
        player=rating.player,
        mu=rating.mu,
        sigma=rating.sigma,
        score=rating.score,
        games=rating.games,
        wins=rating.wins,
        change=rating.change,
    )
