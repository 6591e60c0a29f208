"""Work in a process of its own: what it needs of memory, and several at once."""

import multiprocessing
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.timing import demand

Given = TypeVar("Given")
Found = TypeVar("Found")


def apart(work: Callable[[Given], Found], given: list[Given]) -> list[Found]:
    """What the work finds for each, every one in a fresh process, all at the same time."""
    with multiprocessing.get_context("spawn").Pool(len(given), maxtasksperchild=1) as pool:
        return pool.map(work, given, chunksize=1)


def command(*words: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the installed command to its end, away from the checkout. Raises WrongAnswer if it fails."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tourney", *words], cwd=tempfile.gettempdir(), capture_output=True, check=False
    )
    demand(done.returncode == 0, f"tourney {' '.join(words)} ends with {done.returncode}: {done.stderr.decode()}")
    return done


def resident() -> int:
    """Bytes of memory that this process holds now, as Linux tells it; elsewhere the most that it has ever held."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
