"""Tests of schedulers that lie about themselves and their workers: each league ends in one line."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.cluster.dask_processes import DaskCluster
from tourney.domain.errors import ExitCode

LYING = '''
"""A scheduler that describes itself as the file `lie` says, an expression over its honest description `told`."""
from pathlib import Path


def dask_setup(scheduler):
    honest = scheduler.identity

    def identity(*arguments, **options):
        told = honest(*arguments, **options)
        return eval(Path(LIE).read_text(), {"told": told, "WORKER": "tcp://127.0.0.1:1"})

    scheduler.identity = scheduler.handlers["identity"] = identity
'''
LIES = {
    "a worker of which nothing is said": 'told | {"workers": {WORKER: {}}}',
    "a list of workers": 'told | {"workers": [1, 2]}',
    "no workers": '{name: told[name] for name in told if name != "workers"}',
    "None for workers": 'told | {"workers": None}',
    "no address": '{name: told[name] for name in told if name != "address"}',
    "an address of another scheme": 'told | {"address": "ws://0.0.0.0:1"}',
    "a worker without a host": 'told | {"workers": {WORKER: {"name": "x", "nthreads": 1}}}',
    "a number of tasks that is a text": 'told | {"workers": {WORKER: {"name": "x", "host": "h", "nthreads": "x"}}}',
    "fewer tasks than none": 'told | {"workers": {WORKER: {"name": "x", "host": "h", "nthreads": -5}}}',
    "a list instead of all": "[told]",
    "None instead of all": "None",
    "an error": "1 // 0",
}
QUICK = ("a worker of which nothing is said", "an address of another scheme", "None instead of all")


@pytest.fixture(scope="module")
def lying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A scheduler without workers that is honest until it is told a lie."""
    folder = tmp_path_factory.mktemp("lying")
    (folder / "lie").write_text("told", encoding="utf-8")
    (folder / "lying.py").write_text(LYING.replace("LIE", repr(str(folder / "lie"))), encoding="utf-8")
    cluster = DaskCluster(folder)
    try:
        cluster.start_scheduler("--preload", str(folder / "lying.py"))
        yield cluster
    finally:
        cluster.stop()


@pytest.mark.parametrize(
    "lie", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in LIES]
)
def test_a_scheduler_that_lies_stops_the_league_in_one_line(lie: str, lying: DaskCluster, tmp_path: Path) -> None:
    """The line blames the scheduler, and Python's own traceback does not follow when the program ends."""
    (lying.folder / "lie").write_text(LIES[lie], encoding="utf-8")
    words = ("--bots", "greedy,random", "--seats", "2", "--blocks", "6", "--seed", "7")
    ran = subprocess.run(
        [sys.executable, "-m", "tourney", "league", "run", *words, "--on", lying.on, "--trust-users"],
        env={**os.environ, "TOURNEY_DB": str(tmp_path / "club.db")},
        capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip
    assert ran.returncode in (ExitCode.REFUSED, ExitCode.NOT_FOUND), ran
    error, *others = [line for line in ran.stderr.splitlines() if not line.startswith(("hint: ", "warning: "))]
    assert error.startswith("error: "), ran.stderr
    assert ("scheduler" in error or "no worker is left" in error, "bug" in error, others) == (True, False, [])
