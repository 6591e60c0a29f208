"""The assignment that a coordinator sends to its workers, and their replies: JSON as bytes, which can run nothing.

The assignment is pickled, and only a program with the same sources reads it.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, NoReturn

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League

Reply = dict[str, Any]
"""An answer of a worker, by the names of its parts."""
NOT_JSON: Final = "a reply that is not JSON"
MOST_BYTES: Final = 64 << 20
"""The most bytes of a reply; some seconds of play, with the records of all games, have a tenth of it."""


def written(reply: Reply) -> bytes:
    """Return a reply as one line of JSON, without its line end."""
    return json.dumps(reply, allow_nan=False).encode()


def read(line: object) -> Reply:
    """Return the reply that bytes hold. Raises ValueError for anything else."""
    try:
        reply = (
            json.loads(line, parse_constant=_refused) if isinstance(line, bytes) and len(line) <= MOST_BYTES else None
        )
    except RecursionError:
        raise ValueError(NOT_JSON) from None
    if not isinstance(reply, dict):
        raise ValueError(NOT_JSON)
    return reply


def _refused(_constant: str) -> NoReturn:
    raise ValueError(NOT_JSON)


class Stopped(TourneyError):
    """A league that cannot be played any further now, for a reason in one line; its kept blocks stay."""

    def __init__(self, reason: str) -> None:
        super().__init__(ExitCode.REFUSED, reason)


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
