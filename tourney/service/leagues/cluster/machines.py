"""The workers of a scheduler as the coordinator of a league knows them, and what it says of them to people."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from tourney.domain.leagues import LeagueMachine, MachineState

LEAST_SECONDS: Final = 1e-6
"""The least time that a worker may seem to need."""
MOST_SLOTS: Final = 4096
"""The most tasks that a worker may run at the same time."""


@dataclass(slots=True)
class MachineWork:
    """The work of a machine in this league, over all workers that it has started."""

    name: str
    slots: int
    build: str = ""
    blocks: int = 0
    hands: int = 0
    seconds: float = 0.0
    state: MachineState = "playing"
    why: str = ""

    def shown(self) -> LeagueMachine:
        """Return the machine as people see it."""
        speed = self.hands / max(self.seconds, LEAST_SECONDS) * self.slots
        return LeagueMachine(
            self.name, self.state, self.build, self.slots, self.blocks, self.hands, round(speed, 1), self.why
        )


@dataclass(eq=False, slots=True)
class Worker:
    """A worker that is connected: whether its ticket was accepted, its blocks a second, and what it plays."""

    address: str
    machine: str
    record: MachineWork
    admitted: bool = False
    speed: float = 0.0
    failures: int = 0
    keys: set[str] = field(default_factory=set)

    @property
    def free(self) -> int:
        """Return how many tasks the worker can begin now."""
        return self.record.slots - len(self.keys) if self.admitted and self.record.state == "playing" else 0

    def blocks_in(self, seconds: float) -> int:
        """Return how many blocks take it so many seconds, at least one."""
        return max(1, int(seconds * self.speed))

    def learn(self, blocks: int, hands: int, seconds: float) -> None:
        """Count blocks that it has played, and how fast it now is."""
        self.record.blocks += blocks
        self.record.hands += hands
        self.record.seconds += seconds
        if blocks:
            self.speed = min(blocks / max(seconds, LEAST_SECONDS), 8 * self.speed)

    def begin(self, seconds: float) -> None:
        """Let it play after a block that took so many seconds."""
        self.admitted, self.speed = True, 1.0 / max(seconds, LEAST_SECONDS)


@dataclass(slots=True)
class Interval:
    """Says when a time has passed since it last said so."""

    seconds: float
    last: float = float("-inf")

    def due(self) -> bool:
        """Return whether it is time again."""
        now = monotonic()
        if now - self.last < self.seconds:
            return False
        self.last = now
        return True
