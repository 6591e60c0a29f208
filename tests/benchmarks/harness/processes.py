"""Run work in separate processes, several at once or with their memory measured."""

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.harness.timing import Share, check
from tourney.domain.errors import DoubtWarning

Argument = TypeVar("Argument")
Result = TypeVar("Result")


_barriers: list[Barrier] = []
"""In a process started by `in_processes`: the barrier at which its processes wait for each other."""


def in_processes(work: Callable[[Argument], Result], arguments: list[Argument]) -> list[Result]:
    """Do the work for each argument in a new process, all at the same time; return the results in order.

    With several arguments the work must call `wait_for_all` when it is ready, so that no process gets two of them.
    """
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(arguments))
    with context.Pool(len(arguments), _set_barrier, (barrier,)) as pool:
        return pool.map(work, arguments, chunksize=1)


def _set_barrier(barrier: Barrier) -> None:
    warnings.simplefilter("ignore", DoubtWarning)  # sheets of chance are doubted
    _barriers.append(barrier)


def wait_for_all() -> None:
    """Wait until all processes started by `in_processes` have called this function."""
    _barriers[0].wait()


def at_once(command: list[str], number: int) -> None:
    """Run a command so many times at the same time. Raises WrongAnswer if one of them fails."""
    running = [subprocess.Popen(command, cwd=tempfile.gettempdir()) for _ in range(number)]
    codes = [process.wait() for process in running]
    check(not any(codes), f"{command[0]} ends without an error")


def command_line(*words: str, python: str = sys.executable) -> list[str]:
    """Return the command line that runs the program that a Python has installed, also in the checkout."""
    return [python, "-P", "-m", "tourney", *words]


def run_command(*words: str) -> bytes:
    """Run a command of the installed program and return its output. Raises WrongAnswer if it fails."""
    done = subprocess.run(command_line(*words), cwd=tempfile.gettempdir(), capture_output=True, check=False)
    check(done.returncode == 0, f"tourney {' '.join(words)} ends with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def command_work(*words: str) -> Share:
    """Return a command of the installed program as work to be timed; a share is one run."""

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


def measure_command(*words: str, python: str = sys.executable) -> Costs:
    """Run a command of the program that a Python has installed, and return its costs. Raises WrongAnswer if it fails.

    A small new process starts it, because Linux counts the memory of the starting process as the command's own.
    """
    ((costs, code),) = in_processes(_costs, [command_line(*words, python=python)])
    check(code == 0, f"tourney {' '.join(words)} ends with {code}")
    return costs


def _costs(line: list[str]) -> tuple[Costs, int]:
    begin = time.perf_counter()
    command = subprocess.Popen(line, cwd=tempfile.gettempdir(), stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Costs(usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, peak), command.returncode


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds now (on Linux), or the most it has ever held (elsewhere)."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
