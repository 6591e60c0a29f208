"""kill -9 in the middle of a league, of who keeps its blocks or of a worker: gone on with, it ends with the same hash.

POSIX only, like the signal. One league is killed at 5 moments here and at 50 in the long form, drawn from a seed, and
gone on with each time; one block is kept at a time, so that there is something to lose at every moment.
"""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import desk
import pytest

from tourney.service import files, leagues

PROGRAM = """
import sys
from tourney.cli.frame import main
from tourney.service import league_play

if __name__ == "__main__":
    league_play.COMMIT_SECONDS = 0.0
    sys.exit(main(sys.argv[1:]))
"""


def begun(program: str, db: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, program, "league", *words, "--workers", "2", "--db", db]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def players(process: subprocess.Popen[bytes]) -> list[int]:
    """Its workers."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [int(pid) for pid, parent, words in rows if int(parent) == process.pid and "spawn_main" in words]


def kill_one(process: subprocess.Popen[bytes], who: str, after: float) -> list[int]:
    """Kills who keeps the blocks, or a worker, so many seconds from now; the workers that there were."""
    there = players(process)
    assert len(there) == 2
    time.sleep(after)
    with suppress(ProcessLookupError):
        os.kill(process.pid if who == "keeper" else there[0], signal.SIGKILL)
    assert process.wait(timeout=60) in (-signal.SIGKILL, 0, 1)
    return there


def kept(db: str) -> dict[int, str]:
    if not Path(db).exists():
        return {}
    rows = desk.query(db, "SELECT block, hash FROM league_block")
    assert len(rows) == len(dict(rows))
    return dict(rows)


def gone(processes: list[int]) -> bool:
    """Whether they have ended, given a moment."""
    for _look in range(100):
        listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,stat="], capture_output=True, text=True, check=True)
        rows = [line.split() for line in listed.stdout.splitlines()]
        if not {int(pid) for pid, state in rows if not state.startswith("Z")} & set(processes):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("moments", [5, pytest.param(50, marks=pytest.mark.soak)])
def test_a_league_that_is_killed_again_and_again_has_the_hash_of_one_that_was_not(tmp_path: Path, moments: int) -> None:
    """No block is lost or doubled, no worker is left behind, nothing is locked."""
    program, db = tmp_path / "program.py", str(tmp_path / "club.db")
    program.write_text(PROGRAM, encoding="utf-8")
    words = ("run", "--bots", "greedy,random", "--seats", "2", "--seed", "7", "--blocks", "1000000")
    chance, before = random.Random(7), {}
    for moment in range(moments):
        process = begun(str(program), db, *words)
        while process.poll() is None and len(kept(db)) == len(before):
            time.sleep(0.05)
        there = kill_one(process, chance.choice(("keeper", "worker")), chance.random() * 0.3)
        assert gone(there), f"workers are left at moment {moment}"
        words = ("resume",)
        now = kept(db)
        assert before.items() <= now.items()
        before = now
    assert files.check(db).problems == ()
    end = leagues.status(db)
    assert end.number == 1
    assert 0 <= len(before) - end.blocks < 1000, "what is kept behind a block that is missing"
    league = replace(end.league, blocks=end.blocks)
    assert end.hash == leagues.run(str(tmp_path / "whole.db"), league, 2).hash
