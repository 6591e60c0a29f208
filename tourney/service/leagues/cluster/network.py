"""A scheduler and its workers as a coordinator needs them, whichever program the scheduler is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Seen:
    """A worker that a scheduler knows: its name for people, and how many tasks it runs at the same time.

    `machine` stays the same when a worker that has ended is started again.
    """

    name: str
    machine: str
    slots: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """The end of a task: the reply of its function, or the error for which there is none."""

    key: str
    reply: Mapping[str, Any] | None
    error: str = ""


class Network(Protocol):
    """A scheduler and its workers. Every method raises Stopped once the scheduler is gone."""

    def workers(self) -> Mapping[str, Seen]:
        """Return the workers that are connected, by address."""
        ...

    def send(self, worker: str, key: str, function: str, *arguments: object) -> None:
        """Let a worker run a function of `worker_side` as the task of that key; the same key is the same task."""
        ...

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return the tasks that have ended, waiting for one at most so many seconds."""
        ...

    def forget(self, key: str) -> None:
        """Let a task end without an arrival."""
        ...

    def close(self) -> None:
        """Leave the scheduler, which forgets all tasks."""
        ...
