"""Blocks of a league played by several processes; whoever plays a block, it is the same.

Every worker has a pipe of its own to the process that began it. Words to end are for that process: workers leave them
to it. When it is gone, however it ended, they end at once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic

from tourney.domain.leagues import Crew, League
from tourney.league.playing import PlayedBlock, play_block
from tourney.rulebook.rulesets import rules_of
from tourney.text.signals import ENDINGS


class WorkerDied(Exception):
    """A process that played blocks is gone, and what it was playing with it."""


Ending = Callable[[], bool]
"""Whether one is to come to an end: nothing new is begun then."""

Since = Callable[[int], int]
"""The first of the entrants whose games are wanted of a block."""
Task = tuple[int, int]
"""A block's number, and that entrant."""

CHUNK_SECONDS = 0.1
"""About how long a worker plays before it answers: short beside a person's patience, long beside a message."""
AHEAD = 2
"""Chunks that a worker has before it while blocks are quick, so that it never waits."""


def play_blocks(
    league: League, numbers: Iterator[int], crew: Crew, ending: Ending, since: Since = lambda _number: 0
) -> Generator[PlayedBlock, None, None]:
    """Plays the blocks of these numbers, and gives each as it is done: in order if there is one worker.

    Of each block, the games with an entrant from `since(number)` on. One worker is this process itself; others end
    when the generator is closed. Raises WorkerDied if one of them is gone.
    """
    tasks = ((number, since(number)) for number in numbers)
    if crew.workers == 1:
        play = _player(league, crew.patience)
        for task in tasks:
            yield play(task)
            if ending():
                return
    else:
        with _team(league, crew, ending) as team:
            yield from _shared(team, tasks, ending)


def _player(league: League, patience: int) -> Callable[[Task], PlayedBlock]:
    """Plays blocks of the league, with bots that may think so many seconds."""
    rules = rules_of(league.rules_ref)
    return lambda task: play_block(league, rules, *task, patience=patience)


class _Worker:
    """A process that plays what it is sent, seen from the process that began it."""

    def __init__(self, process: SpawnProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.waiting = 0
        self.size = 1

    def send(self, tasks: Iterator[Task]) -> None:
        """Gives it blocks until it has enough before it."""
        while self.waiting < (AHEAD if self.size > 1 else 1) and (chunk := list(islice(tasks, self.size))):
            self.pipe.send(chunk)
            self.waiting += 1

    def receive(self) -> list[PlayedBlock]:
        """What it has played; chunks grow or shrink towards CHUNK_SECONDS."""
        blocks: list[PlayedBlock]
        blocks, seconds = self.pipe.recv()
        self.waiting -= 1
        fitting = int(len(blocks) * CHUNK_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(2 * self.size, fitting))
        return blocks


@contextmanager
def _team(league: League, crew: Crew, ending: Ending) -> Iterator[list[_Worker]]:
    """Workers that are there within the block, no more once there is an end; none is left behind it."""
    team: list[_Worker] = []
    try:
        while len(team) < crew.workers and not ending():
            with _deaf():
                team.append(_begun(league, crew.patience))
        yield team
    finally:
        for worker in team:
            worker.pipe.close()
            worker.process.kill()
        for worker in team:
            worker.process.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """A process that is begun within the block never hears words to end; who begins it hears them behind the block."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Python's own helper behind spawned processes lets signals in again where it is begun: it must be there before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begun(league: League, patience: int) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, league, patience), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _shared(team: list[_Worker], tasks: Iterator[Task], ending: Ending) -> Iterator[PlayedBlock]:
    """Keeps the workers busy until all is played, or what was begun before the end."""
    try:
        for worker in team:
            if not ending():
                worker.send(tasks)
        while busy := {worker.pipe: worker for worker in team if worker.waiting}:
            ready = wait(list(busy))
            for worker in [worker for pipe, worker in busy.items() if pipe in ready]:
                blocks = worker.receive()
                if not ending():
                    worker.send(tasks)
                yield from blocks
    except (EOFError, BrokenPipeError, ConnectionResetError) as error:
        raise WorkerDied from error


def _serve(pipe: Connection, league: League, patience: int) -> None:
    """What a worker does: plays chunks until its pipe is closed."""
    for word in ENDINGS:
        signal.signal(word, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    play = _player(league, patience)
    with suppress(EOFError, OSError):
        while True:
            chunk = pipe.recv()
            began = monotonic()
            blocks = [play(task) for task in chunk]
            pipe.send((blocks, monotonic() - began))


def _end_with_parent() -> None:
    """Ends this process when the one that began it is gone: nobody waits for the block in play."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
