"""Seatings: repeats and seconds for whole tournaments, beside other programs with the same tables."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, installed, number_text, value_row
from tests.benchmarks.harness.timing import Effort
from tests.benchmarks.peers.golfers import PEERS, Rounds, repeats
from tourney.seating.build import build as rounds_built
from tourney.seating.plan import plan

Case = tuple[int, int, int]
"""Players, size of every table, rounds."""

CASES: Mapping[Effort, Sequence[Case]] = {
    "full": ((16, 4, 5), (20, 4, 5), (24, 4, 6), (24, 4, 8), (28, 4, 9), (32, 4, 8), (32, 4, 10), (25, 5, 6)),
    "quick": ((8, 4, 2),),
}
LARGE: Mapping[Effort, Sequence[Case]] = {
    "full": ((64, 8, 9), (200, 4, 6), (197, 4, 5), (1000, 4, 6), (998, 4, 5)),
    "quick": ((24, 4, 5),),
}
"""Cases for this program alone, with a time limit."""

RUNS: Mapping[Effort, int] = {"full": 3, "quick": 1}
SEEDS: Mapping[Effort, int] = {"full": 10, "quick": 1}
LARGEST_QUICK = 200
"""The most players whose plan may take only half a second; a plan of more may take two."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Repeats of each run of one case, and the median processor seconds of a run."""

    repeats: Sequence[int]
    seconds: float

    def __str__(self) -> str:
        least, middle, most = min(self.repeats), statistics.median(self.repeats), max(self.repeats)
        return f"{least}/{middle:g}/{most} in {number_text(1000 * self.seconds, ' ms')}"


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure repeats (best, median and worst) and time of each case, and the time of plans of large tournaments."""
    ours = {case: run_case(case, _our_plan, SEEDS[effort]) for case in CASES[effort]}
    seaters, rows = installed("repeat meetings, best/median/worst", PEERS)
    for name, seat in seaters.items():
        rows += [_beside(case, ours[case], name, run_case(case, seat, RUNS[effort])) for case in CASES[effort]]
    return rows + [_timed(case) for case in LARGE[effort]]


def run_case(case: Case, seat: Callable[[int, int, int, int], Rounds], runs: int) -> Runs:
    """Run the case with the seeds 0 to `runs` − 1. Raises WrongAnswer for a result that is not a seating."""
    counts, seconds = [], []
    for seed in range(runs):
        begin = time.process_time()
        rounds = seat(*case, seed)
        seconds.append(time.process_time() - begin)
        counts.append(repeats(rounds, case[0], case[1]))
    return Runs(counts, statistics.median(seconds))


def _our_plan(players: int, size: int, rounds: int, seed: int) -> Rounds:
    rounds_built.cache_clear()
    return plan(players, size, rounds, seed).rounds


def _beside(case: Case, ours: Runs, name: str, theirs: Runs) -> Row:
    """Return a row whose target for our worst run is their best run."""
    target = Target("at most", min(theirs.repeats))
    verdict = target.verdict(max(ours.repeats))
    return Row(
        f"{_case_text(case)}: repeats, best/median/worst", str(ours), name, str(theirs), "", str(target), verdict
    )


def _timed(case: Case) -> Row:
    begin = time.process_time()
    _our_plan(*case, seed=1)
    limit = Target("at most", 0.5 if case[0] <= LARGEST_QUICK else 2, " s")
    return value_row(f"{_case_text(case)}: all rounds planned", time.process_time() - begin, " s", limit)


def _case_text(case: Case) -> str:
    players, size, rounds = case
    return f"{players} at tables of {size}, {rounds} rounds"
