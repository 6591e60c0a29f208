"""Seatings: repeat meetings and seconds for whole tournaments, beside other programs on the same tables."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, alone, missing, number
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
"""Asked of us alone, against the clock."""

RUNS: Mapping[Effort, int] = {"full": 3, "quick": 1}
SEEDS: Mapping[Effort, int] = {"full": 10, "quick": 1}
MANY = 200
"""Up to so many players a plan may take half a second, and two beyond."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Repeats of some runs on one case, and the seconds that one took, at the median."""

    repeats: Sequence[int]
    seconds: float

    def __str__(self) -> str:
        least, middle, most = min(self.repeats), statistics.median(self.repeats), max(self.repeats)
        return f"{least}/{middle:g}/{most} in {number(1000 * self.seconds, ' ms')}"


def measure(build: Build, effort: Effort) -> list[Row]:
    """Repeats, best, median and worst, and the time of one plan; and large tournaments by the clock."""
    ours = {case: tried(case, _planned, SEEDS[effort]) for case in CASES[effort]}
    rows: list[Row] = []
    for name, maker in PEERS.items():
        try:
            seated = maker()
        except ImportError as gone:
            rows.append(missing("repeat meetings, best/median/worst", name, str(gone)))
            continue
        rows += [_beside(case, ours[case], name, tried(case, seated, RUNS[effort])) for case in CASES[effort]]
    return rows + [_timed(case) for case in LARGE[effort]]


def tried(case: Case, seated: Callable[[int, int, int, int], Rounds], runs: int) -> Tried:
    """The case by so many seeds. Raises WrongAnswer for what is no seating."""
    found, seconds = [], []
    for seed in range(runs):
        begin = time.process_time()
        rounds = seated(*case, seed)
        seconds.append(time.process_time() - begin)
        found.append(repeats(rounds, case[0], case[1]))
    return Tried(found, statistics.median(seconds))


def _planned(players: int, size: int, rounds: int, seed: int) -> Rounds:
    rounds_built.cache_clear()
    return plan(players, size, rounds, seed).rounds


def _beside(case: Case, ours: Tried, name: str, theirs: Tried) -> Row:
    """Our worst run against their best."""
    target = Target("at most", min(theirs.repeats))
    verdict = target.verdict(max(ours.repeats))
    return Row(f"{_told(case)}: repeats, best/median/worst", str(ours), name, str(theirs), "", str(target), verdict)


def _timed(case: Case) -> Row:
    begin = time.process_time()
    _planned(*case, seed=1)
    limit = Target("at most", 0.5 if case[0] <= MANY else 2, " s")
    return alone(f"{_told(case)}: all rounds planned", time.process_time() - begin, " s", limit)


def _told(case: Case) -> str:
    players, size, rounds = case
    return f"{players} at tables of {size}, {rounds} rounds"
