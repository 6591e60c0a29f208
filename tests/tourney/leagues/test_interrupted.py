"""Tests of interrupted leagues: finished blocks are kept, and the resumed league ends with the same table."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
from sqlalchemy.engine.default import DefaultDialect

from tests.harness import desk
from tests.harness.leagues.small_league import BLOCKS, LEAGUE, same_outcome
from tests.harness.leagues.workers import worker_ids
from tests.harness.programs import wait_until
from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.league_tables import LeagueProgress, LeagueTable
from tourney.domain.leagues import League, PlayedBlock, PlaySettings
from tourney.league import workers
from tourney.service import database
from tourney.service.change import apply
from tourney.service.leagues import leagues, play
from tourney.service.leagues.leagues import StartLeague, checked
from tourney.storage import sqlite
from tourney.text.signals import ENDINGS, listening


@pytest.fixture(autouse=True)
def signals_not_ignored() -> Iterator[None]:
    """Make the signals that end a program effective, even if the tests run under nohup."""
    before = {ending: signal.getsignal(ending) for ending in ENDINGS}
    for ending, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(ending, signal.SIG_DFL)
    yield
    for ending, handler in before.items():
        signal.signal(ending, handler)


def interrupting(ending: int, times: int, after: int = 2):
    """Return a replacement of `workers._player` that sends the signal `times` times during block number `after`."""
    real = workers._player

    def player(league: League, time_limit: int):
        play, done = real(league, time_limit), 0

        def interrupted_play(task: tuple[int, int]) -> PlayedBlock:
            nonlocal done
            done += 1
            if done == after:
                for _press in range(times):
                    signal.raise_signal(ending)
            return play(task)

        return interrupted_play

    return player


INTERRUPTED = {
    "Ctrl-C ends after the block in play": (signal.SIGINT, 1, 2),
    "a request to terminate does the same": (signal.SIGTERM, 1, 2),
    "a closed terminal hangs up twice, which stops at once": (signal.SIGHUP, 2, 1),
    "further signals change nothing": (signal.SIGINT, 5, 1),
}


@pytest.mark.parametrize(("ending", "times", "kept"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_an_interrupted_league_resumes_with_the_next_block(
    db: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch, ending: int, times: int, kept: int
) -> None:
    """Finished blocks are kept, and the hint is the command that resumes the league."""
    monkeypatch.setattr(workers, "_player", interrupting(ending, times))
    reports: list[LeagueProgress] = []
    with (
        listening(*ENDINGS),
        desk.refused(
            ExitCode.INTERRUPTED,
            f"interrupted: {kept} of {BLOCKS} blocks of league 1 are kept",
            f"`tourney league resume 1 --workers 1 --db {db}`",
        ),
    ):
        leagues.run(db, LEAGUE, progress=reports.append)
    monkeypatch.undo()
    assert reports[-1].phase == "ending"
    assert (leagues.status(db).blocks, leagues.status(db).verdict) == (kept, "open")
    assert same_outcome(leagues.resume(db), whole)


def interrupt_after(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[str]:
    """Send Ctrl-C right after the first call of the function `name`; return a list that gets an item at every call."""
    function, calls = getattr(owner, name), []

    def call_and_interrupt(*words: object, **named: object) -> object:
        result = function(*words, **named)
        calls.append(name)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(owner, name, call_and_interrupt)
    return calls


MOMENTS = {
    "the league is started": (DefaultDialect, "do_commit"),
    "earlier blocks are read": (play, "load_tally"),
    "all blocks are played": (play, "league_table"),
}


@pytest.mark.parametrize(("owner", "name"), MOMENTS.values(), ids=MOMENTS)
def test_an_interrupt_before_or_after_the_blocks_gives_the_command_that_resumes(
    db: str, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    interrupt_after(monkeypatch, owner, name)
    resume = f"`tourney league resume 1 --workers 1 --db {db}`"
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, "kept", resume):
        leagues.run(db, replace(LEAGUE, blocks=2))
    monkeypatch.undo()
    assert leagues.resume(db).verdict == "played"


def test_an_interrupt_while_storage_is_loaded_gives_the_command_that_resumes(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import of the storage takes the first half second of a command."""
    leagues.run(db, replace(LEAGUE, blocks=1))

    class InterruptedPackage(ModuleType):
        """The package `tourney.storage`, whose first use is interrupted."""

        def __getattr__(self, name: str) -> object:
            signal.raise_signal(signal.SIGINT)
            return getattr(storage, name)

    monkeypatch.setattr(leagues, "storage", InterruptedPackage("tourney.storage"))
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, "kept", f"league resume 1 --workers 2 --db {db}`"):
        leagues.resume(db, 1, PlaySettings(2))


def test_no_more_workers_are_started_after_an_interrupt(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one worker that has been started gets no block."""
    apply(db, StartLeague(checked(LEAGUE)))
    calls = interrupt_after(monkeypatch, workers, "_start_worker")
    resume = "`tourney league resume 1 --workers 3 --patience 5 --db "
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, f"0 of {BLOCKS} blocks", resume):
        leagues.resume(db, 1, PlaySettings(3, 5))
    assert len(calls) == 1
    assert multiprocessing.active_children() == []


def test_an_interrupt_before_a_league_is_kept_leaves_neither_a_league_nor_a_worker(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers begin with the first blocks of a new league before it is in the database."""
    desk.event(db)
    calls = interrupt_after(monkeypatch, workers, "_start_worker")
    with listening(*ENDINGS), pytest.raises(KeyboardInterrupt):
        leagues.run(db, LEAGUE, PlaySettings(3))
    assert len(calls) == 1
    assert multiprocessing.active_children() == []
    with desk.refused(ExitCode.NOT_FOUND, "there is no league yet"):
        leagues.status(db)


def make_database_refuse(monkeypatch: pytest.MonkeyPatch, pragma: str) -> None:
    """Set a pragma on every new connection that makes SQLite refuse to write."""
    real = sqlite.connect

    def connect(path: Path, access: Literal["create", "write", "read"]) -> sqlite3.Connection:
        connection = real(path, access)
        connection.execute(f"PRAGMA {pragma}")
        return connection

    monkeypatch.setattr(sqlite, "connect", connect)


FAILING = {
    "full": ("max_page_count = 1", ExitCode.STORAGE, "the disk is full", "make room and try again"),
    "read-only": ("query_only = ON", ExitCode.STORAGE, "is read-only", "allow writing"),
    "locked": ("", ExitCode.CONFLICT, "is locked", "wait until that program is done"),
}


@pytest.mark.parametrize(("pragma", "code", "message", "hint"), FAILING.values(), ids=FAILING)
def test_a_failing_database_loses_no_kept_block(
    db: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch, pragma: str, code: ExitCode, message: str, hint: str
) -> None:
    """The database fails from the third block on; the hint names the command that resumes the league."""
    monkeypatch.setattr(play, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    real, played = workers._player, []

    def player(league: League, time_limit: int):
        def play(task: tuple[int, int]) -> PlayedBlock:
            played.append(task)
            if len(played) == 3 and pragma:
                make_database_refuse(monkeypatch, pragma)
            if len(played) == 3 and not pragma:
                other.execute("BEGIN IMMEDIATE")
            return real(league, time_limit)(task)

        return play

    monkeypatch.setattr(workers, "_player", player)
    resume = f"continue with `tourney league resume 1 --workers 1 --db {db}`"
    with closing(sqlite3.connect(db, isolation_level=None)) as other, desk.refused(code, message, hint, resume):
        leagues.run(db, replace(LEAGUE, records="all"))
    monkeypatch.undo()
    assert (len(played), leagues.status(db).blocks) == (3, 2)
    assert leagues.resume(db).hash == whole.hash
    assert database.check(db).problems == ()


def test_a_worker_that_dies_is_replaced_and_its_block_played_again(
    db: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first two workers are killed as soon as they are started."""
    real, started = workers._start_worker, []

    def start_worker(*arguments: object):
        worker = real(*arguments)
        started.append(worker)
        if len(started) <= 2:
            worker.process.kill()
        return worker

    monkeypatch.setattr(workers, "_start_worker", start_worker)
    assert same_outcome(leagues.run(db, LEAGUE, PlaySettings(2)), whole)
    assert len(started) == 4


def test_workers_that_die_again_and_again_are_reported_and_the_league_can_be_resumed(
    db: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = workers._start_worker

    def start_worker(*arguments: object):
        worker = real(*arguments)
        worker.process.kill()
        return worker

    monkeypatch.setattr(workers, "_start_worker", start_worker)
    message = "worker processes died again and again at block"
    with desk.refused(ExitCode.REFUSED, message, "league resume 1 --workers 2"):
        leagues.run(db, LEAGUE, PlaySettings(2))
    monkeypatch.undo()
    assert same_outcome(leagues.resume(db), whole)


def test_no_worker_outlives_a_league_that_failed(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers have ended although the error is still referenced."""

    def fail(now: LeagueProgress) -> None:
        if now.done:
            make_database_refuse(monkeypatch, "query_only = ON")

    monkeypatch.setattr(play, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    with pytest.raises(TourneyError) as error:
        leagues.run(db, replace(LEAGUE, blocks=100), PlaySettings(2), fail)
    assert multiprocessing.active_children() == []
    assert error.value.code == ExitCode.STORAGE


def started(db: str, *words: str) -> subprocess.Popen[bytes]:
    """Start a league with two workers from the command line, in a process group of its own."""
    command = [sys.executable, "-m", "tourney", "league", "run", "--seats", "2", *words, "--workers", "2", "--db", db]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def kept_blocks(db: str) -> int:
    """Return the number of blocks that another process has kept so far."""
    try:
        return desk.query(db, "SELECT count(*) FROM league_block")[0][0]
    except sqlite3.OperationalError:  # the file or its tables do not exist yet
        return 0


def alive(group: int, words: str = "") -> list[str]:
    """Return the running commands of a process group that contain these words."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [row[-1] for row in rows if row[0] == str(group) and not row[1].startswith("Z") and words in row[-1]]


def test_a_closed_terminal_ends_the_league_and_its_workers(db: str) -> None:
    """The hang-up signal reaches all processes; workers ignore it, and the process that keeps the blocks ends."""
    process = started(db, "--bots", "greedy,random", "--blocks", "100000", "--seed", "1")
    wait_until(lambda: kept_blocks(db) > 0)
    os.killpg(process.pid, signal.SIGHUP)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (ExitCode.INTERRUPTED, b"")
    error, hint, rest = err.decode().split("\n")
    assert error.startswith("error: interrupted: ")
    assert hint == f"hint: continue with `tourney league resume 1 --workers 2 --db {db}`"
    assert rest == ""
    wait_until(lambda: not alive(process.pid))


def test_workers_of_a_killed_league_do_not_finish_their_blocks(db: str) -> None:
    """A block of `search` would take half a minute or more."""
    process = started(db, "--bots", "search,planner", "--blocks", "2")
    wait_until(lambda: len(worker_ids(process.pid)) == 2)
    process.kill()
    process.communicate(timeout=300)
    wait_until(lambda: not alive(process.pid))
    assert kept_blocks(db) == 0
