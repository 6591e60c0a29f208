"""Tests of kill -9 during a league: the league, or the resumed league, ends with the same hash.

The tests need a POSIX system, as the signal does. One league is killed at 3 random moments (50 in the soak test) and
resumed each time. The victim is alternately the process that keeps the blocks, at any moment; that process during a
write, before the commit; or a worker, which is replaced, and then that process. Blocks are kept one at a time, so that
blocks could be lost at any moment.
"""

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Literal

import pytest

from tests.harness import desk
from tests.harness.desk import ROOT
from tests.harness.leagues.small_league import LEAGUE
from tests.harness.leagues.workers import worker_ids
from tests.harness.programs import lives, wait_until
from tests.harness.slow import slow
from tourney.service import database
from tourney.service.leagues import leagues
from tourney.service.leagues.cluster import bot_files, player
from tourney.service.leagues.cluster.wire import assigned

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
Victim = Literal["keeper", "writer", "worker"]
VICTIMS: tuple[Victim, ...] = ("keeper", "writer", "worker")

PROGRAM = """
import os
import signal
import sys
from itertools import count
from tourney.cli.framework.app import main
from tourney.service.leagues import play as league_play
from tourney.storage.league_blocks import Blocks

keep, times = Blocks.keep, count(1)

def keep_and_die(self, blocks):
    keep(self, blocks)
    if next(times) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    league_play.COMMIT_SECONDS = 0.0
    Blocks.keep = keep_and_die
    sys.exit(main(sys.argv[2:]))
"""


def start(program: str, dies_at_write: int, db: str, *words: str) -> subprocess.Popen[bytes]:
    """Start a league that kills itself during write number `dies_at_write`, counted from 1; with 0 it does not."""
    command = [sys.executable, program, str(dies_at_write), "league", *words, "--workers", "2", "--db", db]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_one(process: subprocess.Popen[bytes], victim: Victim, after: float) -> None:
    """Kill the keeper or a worker after `after` seconds, or wait until the writer has killed itself."""
    workers = worker_ids(process.pid)
    if victim != "writer":
        assert len(workers) == 2
        time.sleep(after)
        with suppress(ProcessLookupError):
            os.kill(process.pid if victim == "keeper" else workers[0], signal.SIGKILL)
    if victim == "worker":
        wait_until(lambda: len(now := worker_ids(process.pid)) == 2 and set(now) != set(workers))
        workers += worker_ids(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    assert process.wait(timeout=300) == -signal.SIGKILL
    wait_until(lambda: not any(map(lives, workers)))


def kept(db: str) -> dict[int, str]:
    """Return the hashes of the kept blocks, by number."""
    if not Path(db).exists():
        return {}
    rows = desk.query(db, "SELECT block, hash FROM league_block")
    assert len(rows) == len(dict(rows))
    return dict(rows)


@pytest.mark.parametrize("moments", [1, *slow([3]), pytest.param(50, marks=pytest.mark.soak)])
def test_a_league_killed_repeatedly_ends_with_the_hash_of_an_undisturbed_one(tmp_path: Path, moments: int) -> None:
    """No block is lost or kept twice, no worker is left, and the database is not locked.

    A process killed early may not have kept the first block: the last process runs until the first block is kept.
    """
    program, db = tmp_path / "program.py", str(tmp_path / "club.db")
    program.write_text(PROGRAM, encoding="utf-8")
    words = ("run", "--bots", "greedy,random", "--seats", "2", "--seed", "7", "--blocks", "1000000")
    rng, before = random.Random(7), {}
    for _moment, victim in zip(range(moments), cycle(VICTIMS), strict=False):
        process = start(str(program), rng.randint(2, 12) if victim == "writer" else 0, db, *words)
        while process.poll() is None and len(kept(db)) == len(before):
            time.sleep(0.05)
        kill_one(process, victim, rng.random() * 0.3)
        words = ("resume",)
        now = kept(db)
        assert before.items() < now.items()
        before = now
    last = start(str(program), 0, db, *words)
    while last.poll() is None and (len(kept(db)) == len(before) or leagues.status(db).blocks == 0):
        time.sleep(0.05)
    kill_one(last, "keeper", 0.0)
    assert database.check(db).problems == ()
    end = leagues.status(db)
    assert end.number == 1
    assert 0 <= len(kept(db)) - end.blocks < 1000, "blocks kept after a missing one"
    league = replace(end.league, blocks=end.blocks)
    assert end.hash == leagues.run(str(tmp_path / "whole.db"), league).hash


SLOW = """
import sys, time
from tourney.bots import Bot

class Slow(Bot):
    def choose(self, view, legal):
        print("thinks", flush=True)
        try:
            time.sleep(3600)
        finally:
            print("went on", flush=True)
"""
"""Prints to standard error, as all bots do, and goes on where nobody ends its process before its time is up."""


def outlived(begun: subprocess.Popen[bytes], end: Callable[[], None]) -> bool:
    """Return whether a bot goes on after the end, which comes while it thinks, or else all processes have ended."""
    assert begun.stderr is not None
    assert any(b"thinks" in line for line in begun.stderr)
    end()
    goes_on = any(b"went on" in line for line in begun.stderr)
    begun.kill()
    return goes_on


def test_no_worker_outlives_a_league_that_is_killed_while_a_bot_thinks(tmp_path: Path) -> None:
    """While a game is played, a bot cannot end its worker; the worker itself can."""
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    words = ("--bots", "slow.py:Slow,random", "--seats", "2", "--blocks", "2", "--isolation", "trusted")
    command = [sys.executable, "-m", "tourney", "league", "run", *words, "--workers", "2", "--patience", "600"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "--db", "club.db"], cwd=tmp_path, env=ENVIRONMENT, **pipes) as league:
        assert not outlived(league, league.kill)


def test_no_player_outlives_its_worker_of_a_scheduler_while_a_bot_thinks(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    league = leagues.checked(replace(LEAGUE, bots=(f"{tmp_path}/slow.py:Slow", "random"), isolation="trusted"))
    bot_files.store(tmp_path / player.FILES, bot_files.packed(league.outside))
    command = [sys.executable, "-m", player.__name__, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=ENVIRONMENT, **pipes) as playing:
        assert playing.stdin is not None
        for request in (("load", assigned(league, 600).packed()), ("play", [(0, 0)])):
            pickle.dump(request, playing.stdin)
        playing.stdin.flush()
        assert not outlived(playing, playing.stdin.close)
