"""The server of programs at `process`, which is the minder of all of them: what it ends, and when."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.harness.programs import lives, wait_until
from tourney.bots.isolation.enclosure import Enclosed, Process
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs have a minder on Linux alone")

HELPER = """
import os, sys, time
if not os.fork():
    if "daemon" in sys.argv:
        os.setsid()
    if os.fork():
        os._exit(0)
    with open("helper.tmp", "w") as file:
        file.write(str(os.getpid()))
    os.rename("helper.tmp", "helper")
    time.sleep(60)
os.wait()
print(os.getppid(), flush=True)
time.sleep(60)
"""
"""Leaves a process whose parent is gone, in its own session or as a daemon in another; says who minds it."""


def _start(folder: Path, *words: str) -> Process:
    (folder / "helper.py").write_text(HELPER, encoding="utf-8")
    return process_wall().popen(Enclosed((sys.executable, "-I", "helper.py", *words), str(folder)), Limits())


def _helper(folder: Path) -> int:
    wait_until((folder / "helper").exists)
    return int((folder / "helper").read_text())


def _play(program: str) -> None:
    other = process_wall().popen(Enclosed((program,)), Limits())
    wait_until(lambda: other.ended() == 0)
    other.end()


@pytest.mark.parametrize(("words", "left"), [((), True), (("daemon",), False)], ids=["its session", "a daemon"])
def test_the_end_of_one_program_spares_what_another_has_in_its_session(
    words: tuple[str, ...], left: bool, tmp_path: Path
) -> None:
    """Nobody can tell which program has left a daemon behind, so that it ends with the first of them."""
    bot, helper = _start(tmp_path, *words), _helper(tmp_path)
    _play("true")
    assert lives(helper) == left
    assert bot.ended() is None
    bot.end()
    assert not lives(helper)


def test_programs_whose_server_is_killed_have_ended_and_leave_nothing(tmp_path: Path) -> None:
    bot, helper = _start(tmp_path), _helper(tmp_path)
    assert bot.stdout is not None
    os.kill(int(bot.stdout.readline()), signal.SIGKILL)
    wait_until(lambda: bot.ended() == -signal.SIGKILL)
    bot.end()
    assert not lives(helper)
    _play("true")
