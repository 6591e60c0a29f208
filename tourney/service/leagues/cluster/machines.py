"""The workers of a scheduler as the coordinator knows them, what it says of them, and the file that names them.

That file may come with a folder of others: anything in it but the machines of this league counts as no machines.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic, time
from typing import Any, Final, get_args

from tourney import storage
from tourney.domain.league_tables import LeagueMachine, LeagueTable, MachineState
from tourney.domain.leagues import League
from tourney.league import blocks
from tourney.service.chained_lines import MALFORMED

STALE_SECONDS: Final = 60.0
"""A file as old as this was left by a process that is gone."""
MOST_BYTES: Final = 1 << 20
"""More than 4,000 machines take."""
MOST: Final = 1e15
"""More than any count or speed of a machine."""


def _path(db: str | None, number: int) -> Path:
    path = storage.locate(db)
    return path.with_name(f"{path.name}.league-{number}.machines.json")


def _identity(league: League) -> str:
    return blocks.LeagueHash(league).text()


def write_machines(db: str | None, number: int, league: League, machines: tuple[LeagueMachine, ...]) -> None:
    """Write the machines; where that is impossible, `league status` does not show them."""
    path = _path(db, number)
    content = {"league": _identity(league), "at": time(), "machines": [asdict(machine) for machine in machines]}
    with suppress(OSError), storage.replacing(path) as file:
        file.write(json.dumps(content, ensure_ascii=False))


def with_machines(db: str | None, table: LeagueTable) -> LeagueTable:
    """Return the table with the machines on which the league was played last, if it was."""
    path = _path(db, table.number)
    try:
        with open(path, "rb", opener=storage.opener) as file:
            content = json.loads(file.read(MOST_BYTES))
        if content["league"] != _identity(table.league):
            return table
        machines = tuple([_machine(kept) for kept in content["machines"]])
        stale = time() - float(content["at"]) > STALE_SECONDS
    except (OSError, *MALFORMED):
        return table
    return replace(table, machines=tuple([_as_of_now(machine, stale) for machine in machines]))


def _machine(kept: dict[str, Any]) -> LeagueMachine:
    """Return a machine that was kept. Raises ValueError or TypeError for anything else."""
    machine = LeagueMachine(**kept)
    texts = (machine.name, machine.build, machine.why)
    numbers = (machine.slots, machine.blocks, machine.hands, machine.speed)
    if (
        machine.state not in get_args(MachineState)
        or not all(isinstance(text, str) for text in texts)
        or not all(isinstance(number, int | float) and 0 <= number < MOST for number in numbers)
    ):
        raise ValueError("a machine of other types")
    return machine


def _as_of_now(machine: LeagueMachine, stale: bool) -> LeagueMachine:
    return replace(machine, state="gone") if stale and machine.state in ("playing", "late") else machine


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
