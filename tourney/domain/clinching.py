"""What games left can still do to the standings of an event, and to ratings."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.rounds import Table

Level = Literal["ahead", "shared", "behind", "mean place"]
"""Who leads where two end level: by the hands won before, or (where money ranks) by the mean of their places."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody whom a player wants to be ahead of, and what it takes.

    Let a player's cost be the points of his games left or, where money ranks, the money that he loses in them. Then
    the player is ahead if he costs less than `share` times this rival's cost and `room` more. With just as much they
    are level: the more recent hand among the games left decides, and `level` where neither has won one there.
    """

    player: Player
    share: Fraction
    room: Fraction
    level: Level


@dataclass(frozen=True, slots=True)
class Prospect:
    """A player with `left` games to play, his rank (None: not yet) and points or money now, and all rivals.

    The hardest rival is the first. He comes to place N or better where at least `needed(N)` of them are not ahead.
    """

    player: Player
    rank: int | None
    total: int
    left: int
    rivals: tuple[Rival, ...]

    def needed(self, place: int) -> int:
        """How many rivals must not be ahead of him for that place."""
        return max(0, len(self.rivals) - (place - 1))


@dataclass(frozen=True, slots=True)
class Prospects:
    """Everybody who can have a rank after the open `tables`, and who cannot, for want of games.

    Where `round` is not drawn yet, everybody who plays is given a table of his own.
    """

    event: Event
    place: int
    round: int
    tables: tuple[Table, ...]
    prospects: tuple[Prospect, ...]
    unranked: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class RatingProspect:
    """A player at an open table, his rank in the ratings now (None: not rated yet), and the ranks in reach.

    `best` and `worst` have one rank for each place at his table.
    """

    player: str
    rank: int | None
    table: int
    best: tuple[int, ...]
    worst: tuple[int, ...]

    def sure(self, rank: int) -> int:
        """The last place up to which he has that rank or a better one, whatever the others do; 0 if there is none."""
        return len(list(takewhile(lambda worst: worst <= rank, self.worst)))

    def possible(self, rank: int) -> int:
        """The last place with which he can have that rank or a better one; 0 if there is none."""
        return max((place for place, best in enumerate(self.best, 1) if best <= rank), default=0)


@dataclass(frozen=True, slots=True)
class RatingProspects:
    """What the open tables of a round can do to the ratings of a pool; `place` is the rank that is asked for."""

    pool: Pool
    event: Event
    place: int
    round: int
    prospects: tuple[RatingProspect, ...]
