"""A referee that is killed: nothing that its bots have started lives on, even where no control group can be made."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.desk import ROOT
from tests.harness.programs import lives, wait_until

DAEMON = """
import os, sys, time

if not os.fork():
    os.setsid()
    for _generation in range(3):
        if os.fork():
            os._exit(0)
    for number in range(3):
        os.close(number)
    with open("daemon.tmp", "w") as file:
        file.write(str(os.getpid()))
    os.rename("daemon.tmp", "daemon")
time.sleep(60)
"""
"""Leaves a process of another session, whose parents are gone, and which holds no file of the bot."""
REFEREE = """
import sys, time

from tests.harness.unprivileged import obey_permissions
from tourney.bots.isolation import process_limit
from tourney.bots.isolation.enclosure import Enclosed
from tourney.bots.isolation.forked import ForkedWall, process_wall
from tourney.bots.limits import Limits

kind, folder = sys.argv[1:3]
if kind != "grouped":
    process_limit._bases = lambda _process: {}
if "user" in sys.argv:
    obey_permissions()
command = (sys.executable, "-I", f"{folder}/daemon.py")
wall = process_wall() if kind == "grouped" else ForkedWall(programs=kind == "program")
bot = wall.popen(Enclosed(command, folder), Limits())
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux hands orphans to the minder")
@pytest.mark.parametrize("user", ["root", "user"])
@pytest.mark.parametrize("kind", ["program", "class", "grouped"])
def test_no_daemon_of_a_bot_outlives_a_referee_that_is_killed(kind: str, user: str, tmp_path: Path) -> None:
    (tmp_path / "daemon.py").write_text(DAEMON, encoding="utf-8")
    words = [sys.executable, "-c", REFEREE, kind, str(tmp_path), user]
    with subprocess.Popen(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as referee:
        wait_until((tmp_path / "daemon").exists)
        referee.send_signal(signal.SIGKILL)
    daemon = int((tmp_path / "daemon").read_text())
    wait_until(lambda: not lives(daemon))
