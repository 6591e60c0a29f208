"""Run work in processes of its own, with memory measured, and several at once."""

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

from tests.benchmarks.harness.timing import Share, check

Argument = TypeVar("Argument")
Result = TypeVar("Result")


_barriers: list[Barrier] = []
"""In a process started by `in_processes`, the barrier at which all of them wait for each other."""


def in_processes(work: Callable[[Argument], Result], arguments: list[Argument]) -> list[Result]:
    """Return the result of the work for each argument, each in a fresh process, all at the same time.

    Where there are several, the work calls `wait_for_all` once it is ready, so that no process gets a second one.
    """
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(arguments))
    with context.Pool(len(arguments), _set_barrier, (barrier,)) as pool:
        return pool.map(work, arguments, chunksize=1)


def _set_barrier(barrier: Barrier) -> None:
    _barriers.append(barrier)


def wait_for_all() -> None:
    """Wait until all processes started by `in_processes` get here."""
    _barriers[0].wait()


def command_line(*words: str) -> list[str]:
    """Return the command line of the installed program, even where it is called in the checkout."""
    return [sys.executable, "-P", "-m", "tourney", *words]


def run_command(*words: str) -> bytes:
    """Run the installed command and return its output. Raises WrongAnswer if it fails."""
    done = subprocess.run(command_line(*words), cwd=tempfile.gettempdir(), capture_output=True, check=False)
    check(done.returncode == 0, f"tourney {' '.join(words)} ends with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def command_work(*words: str) -> Share:
    """Return the installed command as work to be timed."""

    def share(_turn: int) -> int:
        run_command(*words)
        return 1

    return share


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of a command: processor seconds, seconds of wall-clock time, and peak memory in bytes."""

    processor: float
    clock: float
    peak: int


def measure_command(*words: str) -> Costs:
    """Run the installed command and return its costs. Raises WrongAnswer if it fails.

    A small process waits for it, because Linux counts the memory of the waiting process as the command's own.
    """
    ((found, code),) = in_processes(_costs, [words])
    check(code == 0, f"tourney {' '.join(words)} ends with {code}")
    return found


def _costs(words: tuple[str, ...]) -> tuple[Costs, int]:
    begin = time.perf_counter()
    running = subprocess.Popen(command_line(*words), cwd=tempfile.gettempdir(), stdout=subprocess.DEVNULL)
    _number, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Costs(used.ru_utime + used.ru_stime, time.perf_counter() - begin, peak), running.returncode


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds now (on Linux), or the most it has ever held (elsewhere)."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
