"""Tests of runs of tests that end early: no process and no temporary file of them is left."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from tests.harness.desk import ROOT
from tests.harness.programs import lives, wait_until

ENDED = """
import subprocess, sys, tempfile, time
from pathlib import Path

from tests.harness.bots.own_bots import write_bot
from tests.harness.programs import CONTEXT
from tests.harness.web.process import program
from tests.tourney.bots.test_forked_classes import COUNTER, decide, hosted
from tourney.bots.isolation.forked import ForkedWall


def test_that_never_ends(tmp_path):
    tempfile.mkdtemp()
    write_bot(tmp_path, "mine.py", COUNTER)
    decide(hosted(tmp_path, ForkedWall()), 1)
    CONTEXT.Process(target=time.sleep, args=(600,), daemon=True).start()
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    with program(str(tmp_path / "club.db"), "desk", "--no-open"):
        Path(__file__).with_name("begun").touch()
        time.sleep(600)
"""
"""A test that starts a server of bots, a server of processes, a process of another session, and one of web pages."""


@pytest.mark.skipif(sys.platform == "win32", reason="classes in processes of their own need POSIX")
@pytest.mark.parametrize(
    ("workers", "number"),
    [(0, signal.SIGINT), (0, signal.SIGTERM), (1, signal.SIGKILL), (1, None)],
    ids=["Ctrl-C", "terminated", "killed with its worker", "only its worker killed"],
)
def test_a_run_that_ends_early_leaves_no_process_and_no_file(
    workers: int, number: signal.Signals | None, tmp_path: Path
) -> None:
    own = Path(tempfile.mkdtemp())  # a path that is short enough for the sockets in it
    (tmp_path / "test_ended.py").write_text(ENDED, encoding="utf-8")
    words = ["-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-n", str(workers), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(own)}
    environment.pop("EXPECTED_BUILD", None)  # the sources run, whatever is installed
    command = [sys.executable, "-m", "pytest", "-q", *words]
    with subprocess.Popen(command, env=environment) as run:
        wait_until(lambda: (tmp_path / "begun").exists() or run.poll() is not None)
        assert run.poll() is None
        processes = psutil.Process(run.pid).children(recursive=True)
        assert len(processes) >= 6
        if number is None:
            (worker,) = (each for each in processes if "import sys;exec" in " ".join(each.cmdline()))
            worker.kill()
        else:
            run.send_signal(number)
    wait_until(lambda: not any(lives(each.pid) for each in processes))
    wait_until(lambda: not list(own.iterdir()))
