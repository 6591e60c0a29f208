"""Worker processes that play the blocks of a league, alike whichever plays a block, and their start and end.

Each worker has its own pipe to the process that started it.

A server of the standard library's `multiprocessing` starts them (POSIX systems): it imports once and then forks, so
that a further process takes milliseconds. It has neither threads nor an open database. On Windows each process imports
everything again. Signals to end are for the process that starts the others: these ignore them, and end at once when it
is gone.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import filterfalse, islice
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Final

from tourney.bots.isolation.own_process import exit_now
from tourney.bots.roster import entrants_of
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.league.playing import play_block
from tourney.rulebook.rulesets import rules_of
from tourney.text.signals import ENDINGS, is_interrupted

HAS_SERVER: Final = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Final = multiprocessing.get_context("forkserver") if HAS_SERVER else multiprocessing.get_context("spawn")
IMPORTED: Final = ["tourney.league.workers"]
"""The modules that the server imports."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that keeps Python from importing a `random.py` of the current folder instead of its own."""


def start_server() -> None:
    """Start the server, which imports while this process does something else; do nothing if it runs already."""
    if HAS_SERVER:
        from multiprocessing import forkserver

        multiprocessing.set_forkserver_preload(IMPORTED)
        with _undisturbed():
            forkserver.ensure_running()


def start(target: Callable[..., object], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a process that calls the function with its end of a pipe and the arguments; return it and our end."""
    start_server()
    ours, theirs = multiprocessing.Pipe()
    process = _CONTEXT.Process(target=_run, args=(os.environ.get(SAFE_PATH), target, theirs, *arguments), daemon=True)
    with _undisturbed():
        process.start()
    theirs.close()
    return process, ours


def _run(safe_path: str | None, target: Callable[..., object], *arguments: Any) -> None:
    """Call the function in a process of its own, in which SAFE_PATH is as in the one that starts it."""
    _set_safe_path(safe_path)
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    target(*arguments)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone: nobody waits for the block in play."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    exit_now(1)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Start processes within the `with` block without signals to end, and without modules of the current folder.

    The path comes first: to block signals starts a process, too.
    """
    with _safe_path(), _signals_blocked():
        yield


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals to end: for good in a process started within the `with` block, in this one until its end."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Python's helper for new processes unblocks signals when it starts: it must be running already.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _safe_path() -> Iterator[None]:
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    """Set the variable to what it was before; None: it was not set."""
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


class WorkerDied(Exception):
    """Worker processes have died again and again at one block (from 0)."""

    def __init__(self, block: int) -> None:
        super().__init__(f"workers died at block {block}")
        self.block = block


ShouldStop = Callable[[], bool]
"""Returns whether to stop: no new blocks are started then."""

FirstEntrant = Callable[[int], int]
"""Returns, for a block's number, the first of the entrants whose games of it are to be played."""
Task = tuple[int, int]
"""A block's number, and the first of the entrants whose games of it are to be played."""

CHUNK_SECONDS = 0.05
"""About how long a worker plays before it answers: short for a person who waits, long compared with a message."""
QUEUED_CHUNKS = 2
"""Chunks queued at a worker while blocks are quick, so that it never waits."""
HEAD_START_SECONDS = 0.5
"""The time that workers play before anybody asks for blocks: about as long as making a database takes."""
HEAD_START_BLOCKS = 500
"""The most blocks that a worker plays in that time."""
MOST_DEATHS = 3
"""The number of workers that may die at a block before the block is held to be the cause."""


def play_blocks(
    league: League,
    numbers: Iterator[int],
    settings: PlaySettings,
    should_stop: ShouldStop,
    first_entrant: FirstEntrant = lambda _number: 0,
) -> Generator[PlayedBlock, None, None]:
    """Play the blocks of these numbers and yield each when it is done: in order if there is one worker.

    Of each block, only games with an entrant from `first_entrant(number)` on are played. One worker is this process
    itself; several are processes of their own, which end when the generator is closed. One that dies is replaced, and
    what it was playing is played again. Raises WorkerDied when MOST_DEATHS of them have died at one block.
    """
    tasks = ((number, first_entrant(number)) for number in numbers)
    if settings.workers == 1:
        play = _player(league, settings.time_limit)
        for task in tasks:
            yield play(task)
            if should_stop():
                return
    else:
        with _worker_pool(league, settings, should_stop) as pool:
            yield from _Distribution(league, settings, pool, tasks, should_stop).blocks()


@contextmanager
def head_start(league: League, settings: PlaySettings, numbers: Sequence[int]) -> Iterator[None]:
    """Let workers begin with the first blocks of a new league, whatever this process does within the `with` block.

    `numbers` are the blocks that are to be played of it.

    `play_blocks` continues with these workers; if it is not called for this league, they end with the `with` block.
    None is started while an interrupt waits, and none if this process plays alone.
    """
    number = min(settings.processes, len(numbers))
    tasks = [(block, 0) for block in numbers[: number * HEAD_START_BLOCKS]]
    try:
        while number > 1 and len(_early) < number and not is_interrupted():
            _early.append(_start_worker(league, settings.time_limit, _core(league, settings, len(_early))))
            _early[-1].begin(tasks[len(_early) - 1 :: number])
        yield
    finally:
        _end(_early)
        _early.clear()


def _player(league: League, time_limit: int) -> Callable[[Task], PlayedBlock]:
    """Return a function that plays blocks of the league with this time limit in seconds."""
    rules, entrants = rules_of(league.rules_ref), entrants_of(league.outside, league.isolation)
    return lambda task: play_block(league, rules, *task, time_limit=time_limit, entrants=entrants)


class _Worker:
    """A worker process, as seen from the process that started it."""

    def __init__(self, league: League, core: int | None, process: BaseProcess, pipe: Connection) -> None:
        self.league = league
        self.core = core
        self.process = process
        self.pipe = pipe
        self.queued: deque[list[Task]] = deque()
        self.chunk_size = 1

    def begin(self, chunk: list[Task]) -> None:
        """Send the first blocks, of which as many are played as there is time for."""
        self._send(chunk, HEAD_START_SECONDS)

    def send(self, tasks: Iterator[Task]) -> None:
        """Send chunks of blocks until enough are queued."""
        limit = QUEUED_CHUNKS if self.chunk_size > 1 else 1
        while len(self.queued) < limit and (chunk := list(islice(tasks, self.chunk_size))):
            self._send(chunk, inf)

    def _send(self, chunk: list[Task], seconds: float) -> None:
        self.queued.append(chunk)
        self.pipe.send((chunk, seconds))

    def receive(self) -> tuple[list[PlayedBlock], list[Task]]:
        """Return the blocks of a chunk, and its tasks that are left.

        The chunk size grows or shrinks towards CHUNK_SECONDS.
        """
        blocks: list[PlayedBlock]
        blocks, seconds = self.pipe.recv()
        fitting = int(len(blocks) * CHUNK_SECONDS / max(seconds, 1e-6))
        self.chunk_size = max(1, min(max(2 * self.chunk_size, len(blocks)), fitting))
        return blocks, self.queued.popleft()[len(blocks) :]


def _end(workers: Sequence[_Worker]) -> None:
    """Kill the processes and wait for them."""
    for worker in workers:
        worker.pipe.close()
        worker.process.kill()
    for worker in workers:
        worker.process.join()


_early: Final[list[_Worker]] = []
"""The workers of a head start, until `play_blocks` takes them."""


@contextmanager
def _worker_pool(league: League, settings: PlaySettings, should_stop: ShouldStop) -> Iterator[list[_Worker]]:
    """Run workers within the `with` block and end them all after it; none is started after a request to stop."""
    pool = [worker for worker in _early if worker.league == league]
    _early[:] = [worker for worker in _early if worker.league != league]
    try:
        while len(pool) < settings.workers and not should_stop():
            pool.append(_start_worker(league, settings.time_limit, _core(league, settings, len(pool))))
        yield pool
    finally:
        _end(pool)


def _start_worker(league: League, time_limit: int, core: int | None) -> _Worker:
    return _Worker(league, core, *start(_play_chunks, league, time_limit, core))


def _core(league: League, settings: PlaySettings, number: int) -> int | None:
    """Return the core on which a worker, counted from 0, and its programs run; None if the kernel chooses.

    A worker and a program take turns. The kernel puts them on different cores, where they wait for each other.
    """
    if not league.outside or sys.platform != "linux":
        return None
    cores = sorted(os.sched_getaffinity(0))
    return None if settings.workers % len(cores) else cores[number % len(cores)]


class _Tasks:
    """The tasks that are left: those that a worker did not come to the end of first."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._again: deque[Task] = deque()

    def take_back(self, tasks: Sequence[Task]) -> None:
        """Let these be the next ones: others wait for their blocks, and one that kills workers is found soon."""
        self._again.extendleft(reversed(tasks))

    def __iter__(self) -> "_Tasks":
        return self

    def __next__(self) -> Task:
        return self._again.popleft() if self._again else next(self._tasks)


class _Distribution:
    """Blocks handed out to workers until all are played, or those that were started before a request to stop."""

    def __init__(
        self,
        league: League,
        settings: PlaySettings,
        pool: list[_Worker],
        tasks: Iterator[Task],
        should_stop: ShouldStop,
    ) -> None:
        self._league, self._settings, self._pool, self._should_stop = league, settings, pool, should_stop
        begun = {task for worker in pool for chunk in worker.queued for task in chunk}
        self._tasks = _Tasks(filterfalse(begun.__contains__, tasks))
        self._deaths: Counter[Task] = Counter()

    def blocks(self) -> Iterator[PlayedBlock]:
        """Yield the blocks as they are played. Raises WorkerDied."""
        for worker in list(self._pool):
            self._send(worker)
        while busy := {worker.pipe: worker for worker in self._pool if worker.queued}:
            ready = wait(list(busy))
            for worker in [worker for pipe, worker in busy.items() if pipe in ready]:
                yield from self._received(worker)

    def _received(self, worker: _Worker) -> list[PlayedBlock]:
        """Return the blocks that a worker has played, none if it has died."""
        try:
            blocks, left = worker.receive()
        except (EOFError, OSError):
            self._replace(worker)
            return []
        self._tasks.take_back(left)
        self._send(worker)
        return blocks

    def _send(self, worker: _Worker) -> None:
        if self._should_stop():
            return
        try:
            worker.send(self._tasks)
        except OSError:
            self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        """Put a new worker in the place of one that has died, and let what that one was playing be played again."""
        _end([worker])
        self._pool.remove(worker)
        for task in worker.queued[0] if worker.queued else ():
            self._deaths[task] += 1
            if self._deaths[task] >= MOST_DEATHS:
                raise WorkerDied(task[0])
        self._tasks.take_back([task for chunk in worker.queued for task in chunk])
        if not self._should_stop():
            self._pool.append(_start_worker(self._league, self._settings.time_limit, worker.core))
            self._send(self._pool[-1])


def _play_chunks(pipe: Connection, league: League, time_limit: int, core: int | None) -> None:
    """Play chunks until the pipe is closed, on that core if one is given, as all that this process starts."""
    if core is not None and sys.platform == "linux":
        with suppress(OSError):  # it was taken away
            os.sched_setaffinity(0, {core})
    play = _player(league, time_limit)
    with suppress(EOFError, OSError):
        while True:
            chunk, seconds = pipe.recv()
            started = monotonic()
            blocks = _played(play, chunk, started + seconds)
            pipe.send((blocks, monotonic() - started))


def _played(play: Callable[[Task], PlayedBlock], chunk: Sequence[Task], until: float) -> list[PlayedBlock]:
    """Play blocks of the chunk up to this time, at least one."""
    blocks: list[PlayedBlock] = []
    for task in chunk:
        if blocks and monotonic() > until:
            break
        blocks.append(play(task))
    return blocks
