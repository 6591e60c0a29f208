"""Run functions of the program at once, each in a process of its own. POSIX only.

The processes are forked from one that has imported the program, so that they start at once and quickly.
"""

import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psutil

from tourney.domain.errors import DoubtWarning

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.harness.victims"])
SECONDS = 600.0
"""The most seconds that a test waits for a process: eight that enter 800 results on a busy disk take minutes."""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; the limit only ends a hang."""
    until = monotonic() + SECONDS
    while not condition():
        assert monotonic() < until
        sleep(0.02)


def lives(process: int) -> bool:
    """Return whether a process has not ended, waited for or not."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


def run_at_once(work: Callable[..., None], arguments: Sequence[tuple[object, ...]]) -> list[str]:
    """Call `work` with each of the arguments, in a process for each, and return what they wrote to standard output.

    Asserts that none fails, and that none writes to standard error.
    """
    with tempfile.TemporaryDirectory() as folder:
        outputs = [str(Path(folder, str(number))) for number in range(len(arguments))]
        pairs = zip(outputs, arguments, strict=True)
        processes = [CONTEXT.Process(target=_work, args=(output, work, *own), daemon=True) for output, own in pairs]
        for process in processes:
            process.start()
        for process, output in zip(processes, outputs, strict=True):
            process.join(SECONDS)
            ended = (process.exitcode, Path(f"{output}.err").read_text(encoding="utf-8"))
            assert ended == (0, ""), ended
        return [Path(f"{output}.out").read_text(encoding="utf-8") for output in outputs]


def _work(output: str, work: Callable[..., None], *arguments: object) -> None:
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{output}.{name}", os.O_WRONLY | os.O_CREAT), stream)
    warnings.simplefilter("error", UserWarning)
    warnings.simplefilter("ignore", DoubtWarning)  # the sheets of several tables are equal on purpose
    work(*arguments)
