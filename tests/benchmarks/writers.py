"""Time of entering results, a commit each, by one program and by several at once, beside `sqlite3` alone."""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from tests.benchmarks.harness.processes import in_processes, wait_for_all
from tests.benchmarks.harness.report import Row, Target, count_row, rate_row
from tests.benchmarks.harness.timing import Rate, check
from tests.benchmarks.peers import sqlite_rows
from tests.harness import desk
from tests.harness.crowd import crowd
from tourney.domain.errors import TourneyError
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

WAIT = 60
"""Seconds that `sqlite3` waits for a lock."""
NONE_LOST = Target("at most", 0)

Table = tuple[int, int, list[str]]
"""Round, number and players of a table."""


@dataclass(frozen=True, slots=True)
class Job:
    """The work of one program: tables whose results it enters into a database."""

    db: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Start and end of a program in seconds of the monotonic clock, and its numbers of results kept and refused."""

    started: float
    ended: float
    kept: int
    lost: int


Enter = Callable[[Job], Outcome]


def enter(job: Job) -> Outcome:
    """Enter results through the program's service, which checks sheets, chains entries and writes checksums."""
    return _enter_each(job, lambda table: apply(job.db, EnterResult("Crowd", table[0], table[1], desk.hands(table[2]))))


def insert(kind: str, job: Job) -> Outcome:
    """Enter results with `sqlite3`, each in a transaction that reads and writes and that begins with BEGIN `kind`."""
    with closing(sqlite3.connect(job.db, isolation_level=None, timeout=WAIT)) as connection:
        return _enter_each(job, partial(_insert, connection, kind))


OURS = "tourney"
IMMEDIATE, DEFERRED = "sqlite3, immediate transactions", "sqlite3, deferred transactions"
METHODS: Mapping[str, Enter] = {
    OURS: enter,
    IMMEDIATE: partial(insert, "IMMEDIATE"),
    DEFERRED: partial(insert, "DEFERRED"),
}


def measure(folder: Path, people: int, programs: int, turns: int) -> list[Row]:
    """Measure one program that enters a round, then several programs that enter a round each.

    Raises WrongAnswer if the program refuses a result.
    """
    drawn = folder / "drawn.db"
    tables = _drawn(str(drawn), people, programs)
    first_round = [table for table in tables if table[0] == 1]
    by_one, _lost = _side_by_side(drawn, [first_round], turns)
    shares = [tables[number::programs] for number in range(programs)]
    by_several, lost = _side_by_side(drawn, shares, turns)
    at_once = f"{programs} programs at once"
    return [
        rate_row("results a second, a commit each, one program", by_one[OURS], by_one[IMMEDIATE], ""),
        rate_row(f"results a second, a commit each, {at_once}", by_several[OURS], by_several[IMMEDIATE], ""),
        count_row(
            f"lost of {turns * len(tables):,} results, {at_once}", lost[OURS], DEFERRED, lost[DEFERRED], NONE_LOST
        ),
    ]


def _drawn(db: str, people: int, count: int) -> list[Table]:
    """Create an event with `count` rounds, all drawn, and return its tables."""
    name = crowd(db, people, count, played=0)
    for _round in range(count):
        apply(db, DrawRound(name))
    return [
        (table.round, table.number, [player.name for player in table.players])
        for drawn in rounds.show(db, name).rounds
        for table in drawn.tables
    ]


def _side_by_side(drawn: Path, shares: Sequence[Sequence[Table]], turns: int) -> tuple[dict[str, Rate], dict[str, int]]:
    """Return, by method, results entered a second and results lost; each turn starts with a new database."""
    rates: dict[str, list[float]] = {name: [] for name in METHODS}
    lost = dict.fromkeys(METHODS, 0)
    for _turn, (name, method) in product(range(turns), METHODS.items()):
        with tempfile.TemporaryDirectory(dir=drawn.parent) as folder:
            copy = Path(folder) / "copy.db"
            shutil.copy(drawn, copy) if name == OURS else sqlite_rows.new_database(copy).close()
            outcomes = in_processes(method, [Job(str(copy), share) for share in shares])
            rates[name].append(sum(outcome.kept for outcome in outcomes) / _span(outcomes))
            lost[name] += sum(outcome.lost for outcome in outcomes)
    check(lost[OURS] == 0, f"{lost[OURS]} results were refused")
    return {name: Rate(name, tuple(by_turn)) for name, by_turn in rates.items()}, lost


def _span(outcomes: Sequence[Outcome]) -> float:
    return max(outcome.ended for outcome in outcomes) - min(outcome.started for outcome in outcomes)


def _enter_each(job: Job, keep: Callable[[Table], object]) -> Outcome:
    wait_for_all()
    started, kept, lost = time.monotonic(), 0, 0
    for table in job.tables:
        try:
            keep(table)
            kept += 1
        except (TourneyError, sqlite3.OperationalError):
            lost += 1
    return Outcome(started, time.monotonic(), kept, lost)


def _insert(connection: sqlite3.Connection, kind: str, table: Table) -> None:
    try:
        connection.execute(f"BEGIN {kind}")
        connection.execute("SELECT count(*) FROM line").fetchone()
        game = 1000 * table[0] + table[1]
        lines = [(game, name, place) for place, name in enumerate(table[2], 1)]
        connection.executemany("INSERT INTO line VALUES (?, ?, ?)", lines)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
