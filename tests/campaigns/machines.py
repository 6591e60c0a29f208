"""Kills at random of worker, scheduler and coordinator while they play a league: the hash stays the same."""

import importlib.util
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.campaigns.campaign import Campaign, LackingError, Result, share_of
from tests.harness import desk
from tests.harness.cluster.dask_processes import DaskCluster, without_progress
from tourney.domain.leagues import League
from tourney.service import database
from tourney.service.leagues import leagues

KILLS = 50
"""The kills of each victim."""
LEAGUE = League(("greedy", "random"), "oficial", 2, "7", 40)
WORDS = ("--bots", "greedy,random", "--seats", "2", "--seed", "7", "--blocks", "40")
SECONDS = 600.0
"""The most seconds that a league takes on a busy machine."""

PROGRAM = """
import sys
from tourney.cli.framework.app import main
from tourney.service.leagues.cluster import coordinator

if __name__ == "__main__":
    coordinator.GROUP_SECONDS, coordinator.LEAST_SECONDS = 0.1, 0.1
    sys.exit(main(sys.argv[1:]))
"""
"""The command line with groups so small that a league has many of them."""

Process = subprocess.Popen[str]


def run(part: float, seed: int) -> Sequence[Result]:
    """Kill each victim the part of 50 times, in leagues of their own."""
    if importlib.util.find_spec("distributed") is None:
        raise LackingError("the extra `cluster` is not installed")
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(Path(folder), random.Random(seed))
        try:
            kills.start()
            victims = (kills.worker, kills.scheduler, kills.coordinator) * share_of(KILLS, part)
            for number, victim in enumerate(victims):
                kills.kill(number, victim)
        finally:
            kills.cluster.stop()
    counts = ", ".join(f"{count} × {name}" for name, count in kills.killed.items())
    resumed = f"resumed {kills.resumed['--on']} with and {kills.resumed['--workers']} without `--on`"
    found = f"{kills.same} with the same hash, {kills.lost} blocks lost, {kills.double} double"
    text = f"killed {counts}; {resumed}: {found}"
    return [Result(len(victims), text, tuple(kills.faults))]


@dataclass
class Kills:
    """A cluster, and what was found when parts of it were killed."""

    folder: Path
    rng: random.Random
    killed: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    same: int = 0
    lost: int = 0
    double: int = 0
    resumed: Counter[str] = field(default_factory=Counter)
    workers: int = 0

    def start(self) -> None:
        """Play the league alone for its hash, and start the cluster."""
        self.hash = leagues.run(str(self.folder / "alone.db"), LEAGUE).hash
        (self.folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        self.cluster = DaskCluster(self.folder)
        self._start_cluster()

    def _start_cluster(self) -> None:
        self.cluster.start_scheduler()
        for _worker in range(2):
            self._start_worker()

    def _start_worker(self) -> None:
        self.workers += 1
        self.cluster.start_worker(f"w{self.workers}")

    def kill(self, number: int, victim: Callable[[str, Process], None]) -> None:
        """Play a league that the victim's death interrupts, and look at how it ends."""
        for attempt in range(10):
            db = str(self.folder / f"{number}-{attempt}.db")
            process = self._league("run", *WORDS, "--on", self.cluster.on, db=db)
            moment = self.rng.randrange(1, LEAGUE.blocks * 3 // 4)
            while process.poll() is None and len(kept(db)) < moment:
                time.sleep(0.01)
            if process.poll() is None:
                break
            process.communicate()
        self.killed[victim.__name__] += 1
        before = kept(db)
        victim(db, process)
        self._judge(f"{number} ({victim.__name__} after block {len(before)})", db, before)

    def _league(self, *words: str, db: str) -> Process:
        command = [sys.executable, str(self.folder / "program.py"), "league", *words, "--db", db]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def worker(self, db: str, process: Process) -> None:
        """Kill one of the two workers and start another; the league ends by itself."""
        self.cluster.kill(self.rng.choice([name for name in self.cluster.processes if name != "scheduler"]))
        self._start_worker()
        self._ended(db, process, 0)

    def scheduler(self, db: str, process: Process) -> None:
        """Kill the scheduler; the league ends in one line, and its blocks are played by a new one."""
        self.cluster.kill("scheduler")
        self._ended(db, process, 1)
        self.cluster.stop()
        self._start_cluster()
        self._resume(db)

    def coordinator(self, db: str, process: Process) -> None:
        """Kill the process that keeps the blocks, and resume the league."""
        process.kill()
        process.communicate()
        self._resume(db)

    def _resume(self, db: str) -> None:
        where = ("--on", self.cluster.on) if self.rng.random() < 0.5 else ("--workers", "2")
        self.resumed[where[0]] += 1
        self._ended(db, self._league("resume", *where, db=db), 0)

    def _ended(self, db: str, process: Process, code: int) -> None:
        """Note a league that does not end, or otherwise than with this code, in one line."""
        try:
            _out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            self.faults.append(f"{Path(db).name}: does not end")
            return
        lines = [line for line in without_progress(err) if not line.startswith("hint: ")]
        if process.returncode != code or "Traceback" in err or len(lines) > bool(code):
            self.faults.append(f"{Path(db).name}: exit code {process.returncode}: {err}")

    def _judge(self, name: str, db: str, before: dict[int, str]) -> None:
        after = kept(db)
        rows = desk.query(db, "SELECT count(*) FROM league_block")[0][0]
        self.lost += len(before.items() - after.items()) + LEAGUE.blocks - len(after)
        self.double += rows - len(after)
        found = leagues.status(db).hash
        self.same += found == self.hash
        if found != self.hash or before.items() - after.items() or database.check(db).problems:
            self.faults.append(f"{name}: {len(after)} of {LEAGUE.blocks} blocks, hash {found}")


def kept(db: str) -> dict[int, str]:
    """Return the hashes of the blocks that are kept, by number."""
    if not Path(db).exists():
        return {}
    try:
        return dict(desk.query(db, "SELECT block, hash FROM league_block"))
    except sqlite3.OperationalError as error:  # the file has no tables yet
        if "no such table" not in str(error):
            raise
        return {}


CAMPAIGN = Campaign("machines", run)
