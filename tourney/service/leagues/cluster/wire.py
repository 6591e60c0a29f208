"""The assignment that a coordinator sends to its workers.

It is pickled, and read only by a program with the same sources; what comes back is JSON.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from hashlib import sha256

from tourney.domain.leagues import League

Task = tuple[int, int]
"""A block's number, and the first of the entrants whose games of it are to be played."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The league of which a worker plays blocks, whose bots have no folder yet, and the seconds for an action."""

    league: League
    time_limit: int

    def packed(self) -> bytes:
        """Return the assignment as bytes."""
        return pickle.dumps(self, protocol=5)

    @property
    def key(self) -> str:
        """The key under which workers know the assignment, the same for the same league."""
        return sha256(repr(self).encode()).hexdigest()[:24]


def unpacked(assignment: bytes) -> Assignment:
    """Return the assignment of these bytes, which come from a program with the same sources."""
    found = pickle.loads(assignment)
    assert isinstance(found, Assignment)
    return found


def assigned(league: League, time_limit: int) -> Assignment:
    """Return what workers play of a league: the folders of its bots are those of each worker."""
    return Assignment(replace(league, outside=tuple([replace(bot, folder="") for bot in league.outside])), time_limit)
