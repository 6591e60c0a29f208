"""A league that is broken off, by whatever it may be: what was done is kept, and it goes on to the same end."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
from sqlalchemy.engine.default import DefaultDialect

from tests.harness import desk
from tests.harness.small_league import BLOCKS, LEAGUE, same_outcome
from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League, LeagueProgress, LeagueTable, PlaySettings
from tourney.league import workers
from tourney.league.playing import PlayedBlock
from tourney.service.admin import database
from tourney.service.leagues import leagues, play
from tourney.storage import sqlite
from tourney.text.signals import ENDINGS, listening


@pytest.fixture
def club(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


@pytest.fixture(autouse=True)
def attentive() -> Iterator[None]:
    """Nothing ignores words to end, also where the tests run under nohup."""
    before = {word: signal.getsignal(word) for word in ENDINGS}
    for word, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(word, signal.SIG_DFL)
    yield
    for word, handler in before.items():
        signal.signal(word, handler)


def interrupting(word: int, times: int, after: int = 2):
    """Plays blocks, and sends that signal so often while one of them is being played."""
    real = workers._player

    def player(league: League, time_limit: int):
        play, done = real(league, time_limit), 0

        def pressed(task: tuple[int, int]) -> PlayedBlock:
            nonlocal done
            done += 1
            if done == after:
                for _press in range(times):
                    signal.raise_signal(word)
            return play(task)

        return pressed

    return player


INTERRUPTED = {
    "Ctrl-C lets the block in play end": (signal.SIGINT, 1, 2),
    "so does who is told to end": (signal.SIGTERM, 1, 2),
    "a closed terminal says it twice, which stops at once": (signal.SIGHUP, 2, 1),
    "more change nothing": (signal.SIGINT, 5, 1),
}


@pytest.mark.parametrize(("word", "times", "kept"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_an_interrupted_league_goes_on_where_it_was(
    club: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch, word: int, times: int, kept: int
) -> None:
    """What is done is kept, and the command that goes on is told."""
    monkeypatch.setattr(workers, "_player", interrupting(word, times))
    told: list[LeagueProgress] = []
    with (
        listening(*ENDINGS),
        desk.refused(
            ExitCode.INTERRUPTED,
            f"interrupted: {kept} of {BLOCKS} blocks of league 1 are kept",
            f"`tourney league resume 1 --workers 1 --db {club}`",
        ),
    ):
        leagues.run(club, LEAGUE, progress=told.append)
    monkeypatch.undo()
    assert told[-1].phase == "ending"
    assert (leagues.status(club).blocks, leagues.status(club).verdict) == (kept, "open")
    assert same_outcome(leagues.resume(club), whole)


def behind(monkeypatch: pytest.MonkeyPatch, where: object, step: str) -> list[str]:
    """Ctrl-C falls right behind the first time that this is done; how often it is done."""
    does, done = getattr(where, step), []

    def does_and_is_interrupted(*words: object, **named: object) -> object:
        found = does(*words, **named)
        done.append(step)
        if len(done) == 1:
            signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(where, step, does_and_is_interrupted)
    return done


MOMENTS = {
    "the league is begun": (DefaultDialect, "do_commit"),
    "earlier blocks are read": (play, "load_tally"),
    "all is played": (play, "league_table"),
}


@pytest.mark.parametrize(("where", "step"), MOMENTS.values(), ids=MOMENTS)
def test_whoever_interrupts_a_league_before_or_after_its_blocks_is_told_how_to_go_on(
    club: str, monkeypatch: pytest.MonkeyPatch, where: object, step: str
) -> None:
    behind(monkeypatch, where, step)
    going_on = f"`tourney league resume 1 --workers 1 --db {club}`"
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, "kept", going_on):
        leagues.run(club, replace(LEAGUE, blocks=2))
    monkeypatch.undo()
    assert leagues.resume(club).verdict == "played"


def test_whoever_interrupts_a_league_that_is_only_about_to_go_on_is_told_how_to_go_on(
    club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While what knows the database is loaded, which takes the first half second."""
    leagues.run(club, replace(LEAGUE, blocks=1))

    class Loading(ModuleType):
        """The package, interrupted where it is loaded."""

        def __getattr__(self, name: str) -> object:
            signal.raise_signal(signal.SIGINT)
            return getattr(storage, name)

    monkeypatch.setattr(leagues, "storage", Loading("tourney.storage"))
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, "kept", f"league resume 1 --workers 2 --db {club}`"):
        leagues.resume(club, 1, PlaySettings(2))


def test_no_more_workers_are_begun_once_somebody_has_asked_to_end(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything given to the one that there is."""
    begun = behind(monkeypatch, workers, "_start_worker")
    going_on = "`tourney league resume 1 --workers 3 --patience 5 --db "
    with listening(*ENDINGS), desk.refused(ExitCode.INTERRUPTED, f"0 of {BLOCKS} blocks", going_on):
        leagues.run(club, LEAGUE, PlaySettings(3, 5))
    assert len(begun) == 1
    assert multiprocessing.active_children() == []


def refusing(monkeypatch: pytest.MonkeyPatch, pragma: str) -> None:
    """From here on the database refuses what that makes SQLite itself refuse."""
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


@pytest.mark.parametrize(("pragma", "code", "what", "hint"), FAILING.values(), ids=FAILING)
def test_a_league_whose_database_fails_loses_nothing_that_was_kept(
    club: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch, pragma: str, code: ExitCode, what: str, hint: str
) -> None:
    """From the third block on; it is told once, with the command that goes on, and goes on to the same hash."""
    monkeypatch.setattr(play, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    real, played = workers._player, []

    def player(league: League, time_limit: int):
        def play(task: tuple[int, int]) -> PlayedBlock:
            played.append(task)
            if len(played) == 3 and pragma:
                refusing(monkeypatch, pragma)
            if len(played) == 3 and not pragma:
                other.execute("BEGIN IMMEDIATE")
            return real(league, time_limit)(task)

        return play

    monkeypatch.setattr(workers, "_player", player)
    going_on = f"continue with `tourney league resume 1 --workers 1 --db {club}`"
    with closing(sqlite3.connect(club, isolation_level=None)) as other, desk.refused(code, what, hint, going_on):
        leagues.run(club, replace(LEAGUE, records="all"))
    monkeypatch.undo()
    assert (len(played), leagues.status(club).blocks) == (3, 2)
    assert leagues.resume(club).hash == whole.hash
    assert database.check(club).problems == ()


def test_a_killed_worker_is_told_and_the_league_goes_on(
    club: str, whole: LeagueTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = workers._start_worker

    def begun(league: League, time_limit: int):
        worker = real(league, time_limit)
        worker.process.kill()
        return worker

    monkeypatch.setattr(workers, "_start_worker", begun)
    with desk.refused(ExitCode.REFUSED, "a worker process died", "league resume 1 --workers 2"):
        leagues.run(club, LEAGUE, PlaySettings(2))
    monkeypatch.undo()
    assert same_outcome(leagues.resume(club), whole)


def test_no_worker_is_left_behind_a_league_that_failed(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while somebody still looks at the error."""

    def fail(now: LeagueProgress) -> None:
        if now.done:
            refusing(monkeypatch, "query_only = ON")

    monkeypatch.setattr(play, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    with pytest.raises(TourneyError) as error:
        leagues.run(club, replace(LEAGUE, blocks=100), PlaySettings(2), fail)
    assert multiprocessing.active_children() == []
    assert error.value.code == ExitCode.STORAGE


def started(club: str, *words: str) -> subprocess.Popen[bytes]:
    """A league of its own process group, begun from the command line, of two workers."""
    command = [sys.executable, "-m", "tourney", "league", "run", "--seats", "2", *words, "--workers", "2", "--db", club]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def kept(club: str) -> int:
    """How many blocks another process has kept so far."""
    try:
        return desk.query(club, "SELECT count(*) FROM league_block")[0][0]
    except sqlite3.OperationalError:  # the file or its tables are not made yet
        return 0


def alive(group: int, words: str = "") -> list[str]:
    """What runs of a group of processes, with these words in its command."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [row[-1] for row in rows if row[0] == str(group) and not row[1].startswith("Z") and words in row[-1]]


def wait_until(true: Callable[[], bool]) -> None:
    """It must become so within some seconds."""
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_terminal_that_is_closed_ends_the_league_and_its_workers(club: str) -> None:
    """Its hangup reaches all its processes; the workers leave it to the one that keeps the blocks."""
    process = started(club, "--bots", "greedy,random", "--blocks", "100000")
    wait_until(lambda: kept(club) > 0)
    os.killpg(process.pid, signal.SIGHUP)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (ExitCode.INTERRUPTED, b"")
    error, hint, rest = err.decode().split("\n")
    assert error.startswith("error: interrupted: ")
    assert hint == f"hint: continue with `tourney league resume 1 --workers 2 --db {club}`"
    assert rest == ""
    wait_until(lambda: not alive(process.pid))


def test_workers_whose_league_is_killed_do_not_finish_their_blocks(club: str) -> None:
    """A block of search takes half a minute, and more."""
    process = started(club, "--bots", "search,planner", "--blocks", "2")
    wait_until(lambda: len(alive(process.pid, "spawn_main")) == 2)
    process.kill()
    process.communicate(timeout=20)
    wait_until(lambda: not alive(process.pid))
    assert kept(club) == 0
