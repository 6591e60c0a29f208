"""Groups of blocks: which ones each worker has, how often they were answered, and which are left."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, islice
from math import ceil
from typing import Final

from tourney.service.leagues.cluster.machines import Worker
from tourney.service.leagues.cluster.wire import Task

CHECKED: Final = 0.02
"""The part of a league's blocks, the last ones, that is played twice."""


@dataclass(eq=False, slots=True)
class Group:
    """Blocks that are handed out together until each has `wanted` answers.

    `unanswered` counts the blocks that lack one. `players` are the workers to which they were handed, in order, and
    `failed` has the reasons for which a block failed by the machine on which it did.
    """

    tasks: tuple[Task, ...]
    wanted: int
    answers: dict[int, int]
    unanswered: int
    players: list[str] = field(default_factory=list)
    failed: dict[int, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, tasks: Sequence[Task], wanted: int = 1, kept: int = 0) -> Group:
        """Return a group whose blocks have `kept` answers already."""
        return cls(tuple(tasks), wanted, dict.fromkeys([number for number, _first in tasks], kept), len(tasks))

    def answer(self, number: int) -> int:
        """Count an answer for a block, and return how many it has."""
        self.answers[number] += 1
        if self.answers[number] == self.wanted:
            self.unanswered -= 1
        return self.answers[number]

    def failed_on(self, tasks: Sequence[Task], machine: str) -> bool:
        """Return whether one of these blocks has failed on that machine."""
        return any(machine in self.failed.get(number, ()) for number, _first in tasks)


@dataclass(frozen=True, eq=False, slots=True)
class Handout:
    """Blocks of a group that one worker plays; `turn` counts how often blocks of the group were handed out before."""

    group: Group
    tasks: tuple[Task, ...]
    turn: int = 0

    @property
    def needed(self) -> bool:
        """Return whether one of the blocks still lacks an answer."""
        return any(self.group.answers[number] < self.group.wanted for number, _first in self.tasks)

    def key(self, league: str) -> str:
        """Return the key of the task: that of the league, its blocks (from 1), and the turn but for the first one."""
        numbers = [number + 1 for number, _first in self.tasks]
        whole = numbers == list(range(numbers[0], numbers[-1] + 1))
        blocks = f"{numbers[0]}-{numbers[-1]}" if whole else sha256(repr(numbers).encode()).hexdigest()[:24]
        return f"tourney-{league}-blocks-{blocks}" + (f"-turn-{self.turn}" if self.turn else "")


class Book:
    """All blocks that are to be played: those that come back, those that are new, and those for a second answer."""

    def __init__(self, tasks: Iterator[Task], number: int) -> None:
        self._tasks, self._count, self._taken = tasks, number, 0
        self._unchecked = number - ceil(number * CHECKED)
        self._turns = count(2)
        self._again: deque[Handout] = deque()
        self._second: deque[Group] = deque()
        self._open: set[Group] = set()

    @property
    def left(self) -> int:
        """Return how many blocks have not been handed out yet."""
        return self._count - self._taken

    @property
    def done(self) -> bool:
        """Return whether all blocks have their answers."""
        return not self.left and not self._open

    def next(self, size: int, worker: Worker, playing: Sequence[Worker]) -> Handout | None:
        """Return what one of the workers that are playing plays next, of new blocks at most `size`; None for nothing.

        It gets blocks that failed on its machine, and a second time those it has played, only if no other is better.
        """
        self._drop_answered()
        returned = self._find_returned(worker, playing)
        if returned is not None:
            return returned
        if self.left:
            group = self._new(size)
            return Handout(group, group.tasks)
        return self._find_second(worker, playing)

    def _drop_answered(self) -> None:
        """Forget blocks that came back and were answered meanwhile, by a worker that was late."""
        while self._again and not self._again[0].needed:
            self._again.popleft()

    def _find_returned(self, worker: Worker, playing: Sequence[Worker]) -> Handout | None:
        for handout in self._again:
            failed = [handout.group.failed_on(handout.tasks, other.machine) for other in playing]
            if all(failed) or not handout.group.failed_on(handout.tasks, worker.machine):
                self._again.remove(handout)
                return handout
        return None

    def _new(self, size: int) -> Group:
        """Return a group of the next blocks; those that are checked are in groups of their own."""
        checked = self._taken >= self._unchecked
        most = self.left if checked else self._unchecked - self._taken
        tasks = list(islice(self._tasks, min(size, most)))
        self._taken += len(tasks)
        group = Group.of(tasks, 2 if checked else 1)
        self._open.add(group)
        if checked:
            self._second.append(group)
        return group

    def _find_second(self, worker: Worker, playing: Sequence[Worker]) -> Handout | None:
        for group in self._second:
            if worker.address not in group.players or all(other.address in group.players for other in playing):
                self._second.remove(group)
                return Handout(group, group.tasks, turn=1)
        return None

    def give_back(self, handout: Handout, parts: Sequence[Sequence[Task]]) -> None:
        """Let parts of a handout be handed out again."""
        self._again.extend(Handout(handout.group, tuple(part), next(self._turns)) for part in parts if part)

    def answered(self, group: Group, number: int) -> bool:
        """Count an answer for a block, and return whether it is the first one."""
        count = group.answer(number)
        if not group.unanswered:
            self._open.discard(group)
        return count == 1

    def check(self, played: Sequence[Group]) -> None:
        """Play nothing more but these groups a second time: the league has ended before its last block."""
        self._count = self._taken
        self._again.clear()
        self._open, self._second = set(played), deque(played)


def halves(tasks: Sequence[Task]) -> list[Sequence[Task]]:
    """Return both halves of a worker's blocks, of which one may be why it is gone."""
    middle = (len(tasks) + 1) // 2
    return [tasks[:middle], tasks[middle:]]


class Recent:
    """The blocks that were played last, as many as are checked when a league ends sooner than planned."""

    def __init__(self) -> None:
        self._groups: deque[tuple[Task, ...]] = deque()
        self._kept = self._played = 0

    def add(self, tasks: Sequence[Task]) -> None:
        """Add blocks that were played."""
        self._groups.append(tuple(tasks))
        self._played += len(tasks)
        self._kept += len(tasks)
        while self._kept - len(self._groups[0]) >= self._played * CHECKED:
            self._kept -= len(self._groups.popleft())

    def groups(self) -> list[Group]:
        """Return groups that are to be answered once more."""
        return [Group.of(tasks, wanted=2, kept=1) for tasks in self._groups]
