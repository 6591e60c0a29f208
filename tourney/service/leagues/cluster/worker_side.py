"""The part that runs in a worker of a scheduler: start the processes that play, and hand their answers back.

This module is loaded by schedulers and workers, and imports little. The games are played by `player`.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tourney.service.leagues.cluster import bot_files
from tourney.service.leagues.cluster.wire import Reply, Task, read

PLAYER: Final = "tourney.service.leagues.cluster.player"
MOST_LEAGUES: Final = 4
"""The most leagues that a worker remembers; the processes of the one that came first end."""


class PlayerDied(Exception):
    """The process that plays has ended by itself."""


class PlayingProcess:
    """A process that plays, as seen from the worker."""

    def __init__(self, folder: Path, language: str) -> None:
        environment = {**os.environ, "TOURNEY_LANG": language}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", PLAYER, str(folder)],  # files of authors may lie in the current folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def ask(self, *request: object) -> Reply:
        """Return the one answer to a request. Raises PlayerDied."""
        self.send(*request)
        return self.receive()

    def send(self, *request: object) -> None:
        """Send a request. Raises PlayerDied."""
        assert self._process.stdin is not None
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
        except OSError:
            raise self._died() from None

    def receive(self) -> Reply:
        """Return the next answer. Raises PlayerDied."""
        assert self._process.stdout is not None
        try:
            return read(self._process.stdout.readline())
        except (OSError, ValueError):
            raise self._died() from None

    def _died(self) -> PlayerDied:
        self.end()
        return PlayerDied(f"the process that played ended with code {self._process.returncode}")

    def end(self) -> None:
        """Kill the process and wait for it."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()


@dataclass(slots=True)
class AcceptedLeague:
    """A league that this worker may play: its assignment, and its idle processes."""

    assignment: bytes
    language: str
    folder: Path
    idle: list[PlayingProcess] = field(default_factory=list)


_lock = threading.Lock()
_entered: dict[str, AcceptedLeague] = {}


def enter(folder: Path, request: Mapping[str, Any]) -> Reply:
    """Return this worker's ticket for a league, or the digests of files that it lacks first, or why it cannot play."""
    place = folder / "tourney"
    files = place / "bot-files"
    bot_files.store(files, request["files"])
    lacks = bot_files.lacking(files, request["digests"])
    if lacks:
        return {"lacks": lacks}
    process = PlayingProcess(place, request["language"])
    try:
        reply = process.ask("ticket", request["program"], request["assignment"], request["reference"])
    except PlayerDied as error:
        return {"refused": str(error)}
    if reply.get("admitted"):
        _admit(request, place, process)
    else:
        process.end()
    return reply


def _admit(request: Mapping[str, Any], place: Path, process: PlayingProcess) -> None:
    """Remember a league and its process; the leagues that came first are forgotten."""
    entered = AcceptedLeague(request["assignment"], request["language"], place, [process])
    with _lock:
        forgotten = [_entered.pop(request["key"], None)]
        _entered[request["key"]] = entered
        forgotten += [_entered.pop(next(iter(_entered))) for _more in range(len(_entered) - MOST_LEAGUES)]
    for idle in [idle for other in forgotten if other is not None for idle in other.idle]:
        idle.end()


def play(folder: Path, key: str, tasks: Sequence[Task]) -> Reply:
    """Return the blocks of these tasks, up to one that fails, of which the reply says why."""
    with _lock:
        entered = _entered.get(key)
        process = entered.idle.pop() if entered is not None and entered.idle else None
    if entered is None:
        return {"unknown": True}
    blocks: list[tuple[Any, ...]] = []
    reply: Reply = {"blocks": blocks, "seconds": 0.0, "failed": ""}
    try:
        process = process or _started(entered)
        for answer in _answers(process, tasks):
            if "block" in answer:
                blocks.append(answer["block"])
            else:
                reply |= answer
    except PlayerDied as error:
        return reply | {"failed": str(error)}
    with _lock:
        if _entered.get(key) is entered:
            entered.idle.append(process)
            return reply
    process.end()
    return reply


def _started(entered: AcceptedLeague) -> PlayingProcess:
    """Return another process for a league. Raises PlayerDied."""
    process = PlayingProcess(entered.folder, entered.language)
    answer = process.ask("load", entered.assignment)
    if "loaded" not in answer:
        process.end()
        raise PlayerDied(answer["refused"])
    return process


def _answers(process: PlayingProcess, tasks: Sequence[Task]) -> Iterator[Reply]:
    """Yield a process's answers for tasks, of which the last one has the seconds."""
    process.send("play", list(tasks))
    while True:
        answer = process.receive()
        yield answer
        if "seconds" in answer:
            return
