"""A scheduler in this process, whose workers behave as a test wants: they vanish, answer late, twice or wrongly."""

import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tourney.service.leagues import executors
from tourney.service.leagues.cluster import bot_files
from tourney.service.leagues.cluster.address import Arrival, Seen
from tourney.service.leagues.cluster.player import BlockPlayer
from tourney.service.leagues.cluster.wire import read, written

Reply = dict[str, Any]
Twist = Callable[[Reply], "Reply | None"]
"""Changes a reply of a worker; None leaves the request without an answer."""
Hands = Sequence[tuple[int, int]]
"""The tasks of a request to play."""


def honest(reply: Reply) -> Reply:
    """Change nothing."""
    return reply


@dataclass
class FakeWorker:
    """A worker that plays in this process: what becomes of its ticket and of the blocks that it has played.

    `before` is called with the tasks first. An error that it or `ticket` raises is that of the request. A worker with a
    `life` is gone with its request to play of that number.
    """

    ticket: Twist = honest
    blocks: Twist = honest
    before: Callable[[Hands], object] = lambda _tasks: None
    slots: int = 1
    machine: str = ""
    life: int | None = None
    played: list[int] = field(default_factory=list)
    player: BlockPlayer | None = None
    replies: list[Reply] = field(default_factory=list)

    def enter(self, folder: Path, request: Mapping[str, Any]) -> Reply | None:
        """Return the worker's ticket, or the files that it lacks."""
        bot_files.store(folder / "bot-files", request["files"])
        lacks = bot_files.lacking(folder / "bot-files", request["digests"])
        if lacks:
            return {"lacks": lacks}
        self.replies = []
        self.player = BlockPlayer(folder, self.replies.append)
        self.player.handle("ticket", request["program"], request["assignment"], request["reference"])
        return self.ticket(self.replies[-1])

    def play(self, tasks: Hands) -> Reply | None:
        """Return the blocks of the tasks."""
        if self.player is None:
            return {"unknown": True}
        self.before(tasks)
        self.replies.clear()
        self.player.handle("play", list(tasks))
        blocks = [reply for reply in self.replies if "block" in reply]
        self.played += [number for number, _first in tasks[: len(blocks)]]
        return self.blocks({"blocks": [reply["block"] for reply in blocks], "failed": "", **self.replies[-1]})


class FakeNetwork:
    """The scheduler: requests are answered when their answers are fetched, one at a time."""

    def __init__(self, workers: Mapping[str, FakeWorker], folder: Path, watch: Callable[[], object] = lambda: None):
        self._workers, self._folder, self._watch = dict(workers), folder, watch
        self._requests: deque[tuple[str, str, str, tuple[Any, ...]]] = deque()
        self.sent: list[tuple[str, str, Any]] = []
        self.closed = False

    def workers(self) -> Mapping[str, Seen]:
        """Return the workers that are there."""
        return {
            name: Seen(name, worker.machine or name, worker.slots)
            for name, worker in self._workers.items()
            if worker.life is None or worker.life > 0
        }

    def add(self, name: str, worker: FakeWorker) -> None:
        """Let a worker come."""
        self._workers[name] = worker

    def send(self, worker: str, key: str, function: str, *arguments: Any) -> None:
        """Take a request; what a worker has had so far is watched first."""
        self._watch()
        self.sent.append((worker, function, arguments[-1]))
        self._requests.append((worker, key, function, arguments))

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return the answer to one request."""
        if not self._requests:
            return ()
        name, key, function, arguments = self._requests.popleft()
        worker = self._workers[name]
        if function == "play" and worker.life is not None:
            worker.life -= 1
            if worker.life <= 0:
                return ()
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        try:
            reply = worker.enter(folder, arguments[0]) if function == "enter" else worker.play(arguments[1])
        except ValueError as error:
            return (Arrival(key, None, str(error)),)
        return () if reply is None else (Arrival(key, read(written(reply))),)

    def forget(self, key: str) -> None:
        """Drop a request."""
        self._requests = deque(request for request in self._requests if request[1] != key)

    def close(self) -> None:
        """Remember that the league has left."""
        self.closed = True


@contextmanager
def scheduler_of(
    monkeypatch: pytest.MonkeyPatch, workers: Mapping[str, FakeWorker], watch: Callable[[], object] = lambda: None
) -> Iterator[FakeNetwork]:
    """Let `--on fake:x` mean these workers."""
    with tempfile.TemporaryDirectory() as folder:
        fake = FakeNetwork(workers, Path(folder), watch)
        monkeypatch.setattr(executors, "SCHEDULERS", {"fake": lambda _place, _trust_users: fake})
        yield fake


def other(reply: Reply, place: int, value: object) -> Reply:
    """Return the reply with another value at a place of its ticket."""
    ticket = list(reply["ticket"])
    ticket[place] = value
    return {**reply, "ticket": tuple(ticket)}
