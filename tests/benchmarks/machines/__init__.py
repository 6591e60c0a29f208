"""Leagues on a scheduler: overhead in processor time, two workers beside one, memory of a coordinator."""

import os
import pickle
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import in_processes, resident_bytes
from tests.benchmarks.harness.report import Row, Target, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, check
from tests.harness.cluster.dask_processes import DaskCluster, dask_cluster, quiet
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.league import workers
from tourney.league.blocks import BlockOutcome, EntrantTotals, GameOutcome, write_block
from tourney.league.playing import block_games
from tourney.service.leagues import executors, leagues
from tourney.service.leagues.cluster import coordinator
from tourney.service.leagues.cluster.address import Arrival, Seen
from tourney.service.leagues.cluster.ticket import Ticket, this_program
from tourney.service.leagues.cluster.wire import Assignment, read, written

BOTS = ("random", "random")
"""Bots whose blocks take 9 ms; checking each when it comes takes 0.03 ms, which is 1.3 % of the quickest blocks."""
BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 6_500,
    ("plain", "full"): 650,
    ("compiled", "quick"): 20,
    ("plain", "quick"): 5,
}
"""Blocks of a league that takes about a minute."""
EMPTY: Mapping[Effort, tuple[int, int]] = {"full": (100_000, 1_000_000), "quick": (200, 1_000)}
"""Blocks of the two leagues without play whose memory is compared."""
TASK_SECONDS = 1.0
OVERHEAD = Target("at most", 2.0, " %")
TWO = Target("at least", 1.8, " ×") if (os.cpu_count() or 1) > 1 else None
MEMORY = Target("at most", 1.05, " ×")
TICK = os.sysconf("SC_CLK_TCK")


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of leagues on a scheduler. Raises WrongAnswer if a league's hash is not that of one process."""
    blocks = BLOCKS[build, effort]
    ((alone_hash, play, keep),) = in_processes(alone, [blocks])
    folder = tempfile.TemporaryDirectory()
    with folder as name, dask_cluster(Path(name), 1, quiet(Path(name) / "config")) as cluster:
        usual = _run(cluster, blocks, coordinator.GROUP_SECONDS, alone_hash)
        one = _run(cluster, blocks, TASK_SECONDS, alone_hash)
        cluster.start_worker("w2")
        two = _run(cluster, blocks, TASK_SECONDS, alone_hash)

    def overhead(spent: Spent) -> float:
        # The coordinator plays the first block itself; whatever else it does beyond keeping blocks is overhead.
        return 100 * (spent.elsewhere + spent.coordinator - keep - play / blocks) / (play + keep)

    few, many = EMPTY[effort]
    ((before, after),) = in_processes(resident_after, [(few, many)])
    return [
        value_row(f"overhead at tasks of {TASK_SECONDS:g} s, processor time", overhead(one), " %", OVERHEAD),
        value_row(f"the same at {coordinator.GROUP_SECONDS:g} s, as usual", overhead(usual), " %", OVERHEAD),
        ratio_row("seconds of the league, one worker", one.seconds, "two workers", two.seconds, " s", TWO),
        ratio_row(
            f"resident MB of a coordinator after {many:,} empty blocks",
            after / 1e6,
            f"after {few:,}",
            before / 1e6,
            "",
            MEMORY,
        ),
    ]


class Spent:
    """The costs of a league on a cluster: seconds, and processor seconds of the coordinator and of dask's processes."""

    def __init__(self, seconds: float, coordinator: float, elsewhere: float) -> None:
        self.seconds, self.coordinator, self.elsewhere = seconds, coordinator, elsewhere


def _league(blocks: int) -> League:
    return League(BOTS, "oficial", 4, "bench", blocks)


def alone(blocks: int) -> tuple[str, float, float]:
    """Return the hash of the league played by this process, and the processor seconds of playing and of keeping."""
    real, spent = workers._player, [0.0]

    def player(league: League, time_limit: int) -> Any:
        play = real(league, time_limit)

        def timed(task: Any) -> PlayedBlock:
            begin = time.process_time()
            block = play(task)
            spent[0] += time.process_time() - begin
            return block

        return timed

    workers._player = player
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        table = leagues.run(str(Path(folder) / "alone.db"), _league(blocks))
        return table.hash, spent[0], time.process_time() - begin - spent[0]


def _run(cluster: DaskCluster, blocks: int, seconds: float, expected: str) -> Spent:
    """Play the league on the cluster, in tasks of so many seconds.

    The second answers and the reference block are play, and not counted.
    """
    before = _dask_seconds(cluster)
    ((found, whole, spent),) = in_processes(coordinated, [(cluster.on, blocks, seconds)])
    check(found == expected, "a league has one hash whoever plays it")
    return Spent(whole, spent, _dask_seconds(cluster) - before)


def coordinated(given: tuple[str, int, float]) -> tuple[str, float, float]:
    """Return the hash of the league played on a cluster, its seconds, and the processor seconds of this process.

    Connecting takes part in the seconds, but importing dask does not. The first block is played here, as everywhere.
    """
    on, blocks, seconds = given
    lengths = patch.multiple(coordinator, GROUP_SECONDS=seconds, LEAST_SECONDS=TASK_SECONDS)
    with lengths, executors.scheduler(on), tempfile.TemporaryDirectory() as folder:
        begin, spent = time.perf_counter(), time.process_time()
        table = leagues.run(str(Path(folder) / "on.db"), _league(blocks), PlaySettings(on=on))
        return table.hash, time.perf_counter() - begin, time.process_time() - spent


def _dask_seconds(cluster: DaskCluster) -> float:
    """Return the processor seconds of the scheduler and the workers so far, without the processes that play."""
    return sum(_seconds(process.pid) for process in cluster.processes.values())


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_after(blocks: tuple[int, int]) -> tuple[int, int]:
    """Return the resident memory in bytes after each of two leagues of so many empty blocks on a scheduler."""
    memory = []
    for number in blocks:
        with tempfile.TemporaryDirectory() as folder, _empty_scheduler():
            leagues.run(str(Path(folder) / "on.db"), _league(number), PlaySettings(on="empty:x"))
        memory.append(resident_bytes())
    return memory[0], memory[1]


@contextmanager
def _empty_scheduler() -> Iterator[None]:
    with patch.object(executors, "SCHEDULERS", {"empty": lambda _place, _trust_users: EmptyNetwork()}):
        yield


class EmptyNetwork:
    """A scheduler with two workers that play nothing: every game of theirs has one hand in which nobody scores."""

    def __init__(self) -> None:
        self._league: League | None = None
        self._rules = ""
        self._arrivals: deque[Arrival] = deque()

    def workers(self) -> Mapping[str, Seen]:
        """Return the two workers."""
        return {name: Seen(name, name, 1) for name in ("a", "b")}

    def send(self, worker: str, key: str, function: str, *arguments: Any) -> None:
        """Answer a request at once, as JSON."""
        self._arrivals.append(Arrival(key, read(written(getattr(self, f"_{function}")(*arguments)))))

    def _enter(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        from tourney.league.playing import play_block
        from tourney.rulebook.rulesets import rules_of

        wanted: Assignment = pickle.loads(request["assignment"])
        self._league = wanted.league
        rules = rules_of(wanted.league.rules_ref)
        block = play_block(wanted.league, rules, 0)
        return {"ticket": astuple(Ticket(this_program(), rules.digest, block.text, 0.005))}

    def _play(self, _key: str, tasks: Sequence[tuple[int, int]]) -> Mapping[str, Any]:
        blocks = [self._empty(number)[1:] for number, _first in tasks]
        return {"blocks": blocks, "hands": len(tasks), "seconds": 0.005 * len(tasks), "failed": ""}

    def _empty(self, number: int) -> PlayedBlock:
        assert self._league is not None
        games, hands = [], [0] * len(self._league.bots)
        for planned in block_games(self._league, number):
            seats = len(planned.seating)
            games.append(GameOutcome(planned.deal, 1, planned.seating, (0,) * seats, (1,) * seats))
            for entrant in planned.seating:
                hands[entrant] += 1
        totals = tuple([EntrantTotals(count) for count in hands])
        return PlayedBlock(number, write_block(BlockOutcome(number, tuple(games), totals)))

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return one answer."""
        return (self._arrivals.popleft(),) if self._arrivals else ()

    def forget(self, key: str) -> None:
        """Forget nothing: all answers are there."""

    def close(self) -> None:
        """Close nothing."""
