"""Clinching: what the remaining games can still change in the standings of an event, and in ratings."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
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
