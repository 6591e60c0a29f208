"""Messages between a coordinator and its workers: blocks as built-in values, and one pickled assignment.

An assignment is read only by a program with the same sources; what comes back is JSON.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from tourney.domain.leagues import League
from tourney.league.blocks import Fault, read_block, write_block
from tourney.league.playing import PlayedBlock

Task = tuple[int, int]
"""A block's number, and the first of the entrants whose games of it are to be played."""


class SentBlock(NamedTuple):
    """A block as it is sent: its line, its first faults, and the records that are kept, by game."""

    text: str
    faults: Sequence[tuple[int, int, int, str, str]] = ()
    records: Sequence[tuple[int, str]] = ()

    @classmethod
    def of(cls, block: PlayedBlock) -> SentBlock:
        """Return a block that was played."""
        faults = tuple([astuple(fault)[1:] for fault in block.faults])
        return cls(write_block(block.outcome), faults, block.records)

    def played(self) -> PlayedBlock:
        """Return the block as if it was played here. Raises ValueError for a line that is not a block."""
        outcome = read_block(self.text)
        faults = tuple([Fault(outcome.number, *fault) for fault in self.faults])
        return PlayedBlock(outcome, faults, tuple([(game, text) for game, text in self.records]))


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
