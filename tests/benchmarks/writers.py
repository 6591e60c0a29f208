"""Results entered one by one, a commit each, by one program and by several at once; beside `sqlite3` alone."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.benchmarks.harness.processes import apart, together
from tests.benchmarks.harness.report import Row, Target, against, counted
from tests.benchmarks.harness.timing import Rate, demand
from tests.benchmarks.peers import sqlite_rows
from tests.harness import desk
from tests.harness.crowd import crowd
from tourney.domain.errors import TourneyError
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound

WAIT = 60
"""Seconds that `sqlite3` waits for a lock."""
NONE_LOST = Target("at most", 0)

Table = tuple[int, int, list[str]]
"""Round, number and players of a table."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one program does: these tables into that database."""

    db: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Done:
    """When a program began and ended, how many results it has kept, how many were refused."""

    began: float
    ended: float
    kept: int
    lost: int


Enter = Callable[[Job], Done]


def enter(job: Job) -> Done:
    """By our own service: the sheet is judged, the act is chained, its rows are sealed."""
    return _each(job, lambda table: apply(job.db, EnterResult("Crowd", table[0], table[1], desk.hands(table[2]))))


def insert(kind: str, job: Job) -> Done:
    """By `sqlite3`: a transaction of that kind reads, and writes a row."""
    with closing(sqlite3.connect(job.db, isolation_level=None, timeout=WAIT)) as connection:
        return _each(job, partial(_insert, connection, kind))


OURS = "tourney"
IMMEDIATE, DEFERRED = "sqlite3, immediate transactions", "sqlite3, deferred transactions"
WAYS: Mapping[str, Enter] = {
    OURS: enter,
    IMMEDIATE: partial(insert, "IMMEDIATE"),
    DEFERRED: partial(insert, "DEFERRED"),
}


def measure(folder: Path, people: int, programs: int, turns: int) -> list[Row]:
    """One program enters a round, then several enter as many. Raises WrongAnswer if a result of ours is not kept."""
    drawn = folder / "drawn.db"
    tables = _drawn(str(drawn), people, programs)
    first = [table for table in tables if table[0] == 1]
    alone, _lost = _side_by_side(drawn, [first], turns)
    shares = [tables[number::programs] for number in range(programs)]
    together, lost = _side_by_side(drawn, shares, turns)
    several = f"{programs} programs at once"
    return [
        against("results a second, a commit each, one program", alone[OURS], alone[IMMEDIATE], ""),
        against(f"results a second, a commit each, {several}", together[OURS], together[IMMEDIATE], ""),
        counted(f"lost of {turns * len(tables):,} results, {several}", lost[OURS], DEFERRED, lost[DEFERRED], NONE_LOST),
    ]


def _drawn(db: str, people: int, count: int) -> list[Table]:
    """An event of so many rounds, all of them drawn; its tables."""
    name = crowd(db, people, count, played=0)
    for _round in range(count):
        apply(db, DrawRound(name))
    return [
        (table.round, table.number, [player.name for player in table.players])
        for drawn in rounds.show(db, name).rounds
        for table in drawn.tables
    ]


def _side_by_side(drawn: Path, shares: Sequence[Sequence[Table]], turns: int) -> tuple[dict[str, Rate], dict[str, int]]:
    """Each way's rates and losses; every turn begins with a new copy."""
    rates: dict[str, list[float]] = {name: [] for name in WAYS}
    lost = dict.fromkeys(WAYS, 0)
    for _turn in range(turns):
        for name, way in WAYS.items():
            copy = drawn.with_name("copy.db")
            shutil.copy(drawn, copy) if name == OURS else sqlite_rows.made(copy).close()
            done = apart(way, [Job(str(copy), share) for share in shares])
            rates[name].append(sum(one.kept for one in done) / _span(done))
            lost[name] += sum(one.lost for one in done)
            copy.unlink()
    demand(lost[OURS] == 0, f"{lost[OURS]} results were refused")
    return {name: Rate(name, tuple(taken)) for name, taken in rates.items()}, lost


def _span(done: Sequence[Done]) -> float:
    return max(one.ended for one in done) - min(one.began for one in done)


def _each(job: Job, keep: Callable[[Table], object]) -> Done:
    together()
    began, kept, lost = time.monotonic(), 0, 0
    for table in job.tables:
        try:
            keep(table)
            kept += 1
        except (TourneyError, sqlite3.OperationalError):
            lost += 1
    return Done(began, time.monotonic(), kept, lost)


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
