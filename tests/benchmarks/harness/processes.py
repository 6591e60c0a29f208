"""Work in a process of its own: what it needs of memory, and several at once."""

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.harness.timing import Share, demand

Given = TypeVar("Given")
Found = TypeVar("Found")


_meeting: list[Barrier] = []
"""In a process that `apart` has started: where all of them wait for each other."""


def apart(work: Callable[[Given], Found], given: list[Given]) -> list[Found]:
    """What the work finds for each, every one in a fresh process, all at the same time.

    Where there are several, the work calls `together` once it is ready: no process then gets a second one.
    """
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(given))
    with context.Pool(len(given), _meet, (barrier,)) as pool:
        return pool.map(work, given, chunksize=1)


def _meet(barrier: Barrier) -> None:
    _meeting.append(barrier)


def together() -> None:
    """Waits until all processes that `apart` has started are here."""
    _meeting[0].wait()


def tourney(*words: str) -> list[str]:
    """The installed command, found by this Python even where it is called in the checkout."""
    return [sys.executable, "-P", "-m", "tourney", *words]


def command(*words: str) -> bytes:
    """Runs the installed command to its end; its output. Raises WrongAnswer if it fails."""
    done = subprocess.run(tourney(*words), cwd=tempfile.gettempdir(), capture_output=True, check=False)
    demand(done.returncode == 0, f"tourney {' '.join(words)} ends with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def running(*words: str) -> Share:
    """The installed command as work to be timed."""

    def share(_turn: int) -> int:
        command(*words)
        return 1

    return share


@dataclass(frozen=True, slots=True)
class Costs:
    """What a command took: processor seconds, seconds by the clock, bytes of memory at the most."""

    processor: float
    clock: float
    peak: int


def costs(*words: str) -> Costs:
    """Runs the installed command to its end. Raises WrongAnswer if it fails.

    A small process waits for it: Linux counts what the waiting one holds as the command's own.
    """
    ((found, code),) = apart(_costs, [words])
    demand(code == 0, f"tourney {' '.join(words)} ends with {code}")
    return found


def _costs(words: tuple[str, ...]) -> tuple[Costs, int]:
    begin = time.perf_counter()
    running = subprocess.Popen(tourney(*words), cwd=tempfile.gettempdir(), stdout=subprocess.DEVNULL)
    _number, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Costs(used.ru_utime + used.ru_stime, time.perf_counter() - begin, peak), running.returncode


def resident() -> int:
    """Bytes of memory that this process holds now, as Linux tells it; elsewhere the most that it has ever held."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
