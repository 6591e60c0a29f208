"""Tests of worker processes: they begin before anybody asks for blocks, and import nothing from where they run."""

import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.leagues.small_league import BLOCKS, LEAGUE
from tourney.domain.errors import ExitCode, TemplateError, TourneyError
from tourney.domain.leagues import OutsideBot, PlaySettings
from tourney.league import workers
from tourney.service.leagues.leagues import checked

TWO = PlaySettings(workers=2)
PLAYED = checked(LEAGUE)
BINDS = pytest.mark.skipif(sys.platform != "linux", reason="the program binds workers to cores on Linux only")


def started(monkeypatch: pytest.MonkeyPatch) -> list[workers._Worker]:
    """Return a list that gets every worker that is started."""
    real, found = workers._start_worker, []

    def start_worker(*arguments: object) -> workers._Worker:
        found.append(real(*arguments))
        return found[-1]

    monkeypatch.setattr(workers, "_start_worker", start_worker)
    return found


def numbers_played(league: workers.League) -> list[int]:
    """Return the numbers of the blocks that two workers play, in order."""
    blocks = workers.play_blocks(league, iter(range(league.blocks)), TWO, lambda: False)
    return sorted(block.number for block in blocks)


def test_workers_with_a_head_start_have_played_before_they_are_asked_and_no_block_is_played_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = started(monkeypatch)
    with workers.head_start(PLAYED, TWO, range(PLAYED.blocks)):
        assert len(wait([worker.pipe for worker in found], timeout=300)) >= 1
        assert numbers_played(PLAYED) == list(range(BLOCKS))
    assert len(found) == 2
    assert multiprocessing.active_children() == []


WITH_PROGRAMS = replace(PLAYED, outside=(OutsideBot("mine", "class:mine.py:Mine"),))
CORES: Mapping[str, tuple[workers.League, int, list[int | None]]] = {
    "a worker for each core": (WITH_PROGRAMS, 3, [2, 5, 7]),
    "two workers for each core": (WITH_PROGRAMS, 6, [2, 5, 7, 2, 5, 7]),
    "another number of workers": (WITH_PROGRAMS, 4, [None] * 4),
    "no bots from outside": (PLAYED, 3, [None] * 3),
}


@BINDS
@pytest.mark.parametrize(("league", "number", "cores"), CORES.values(), ids=list(CORES))
def test_workers_with_programs_share_the_cores_evenly_if_their_number_allows(
    league: workers.League, number: int, cores: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.os, "sched_getaffinity", lambda _process: {7, 2, 5})
    settings = PlaySettings(workers=number)
    assert [workers._core(league, settings, worker) for worker in range(number)] == cores


@BINDS
def test_a_worker_that_has_played_runs_on_its_core_alone() -> None:
    core = min(os.sched_getaffinity(0))
    worker = workers._start_worker(PLAYED, 60, core)
    worker.begin([(0, 0)])
    blocks, _left = worker.receive()
    assert worker.process.pid is not None
    assert ([block.number for block in blocks], os.sched_getaffinity(worker.process.pid)) == ([0], {core})
    workers._end([worker])


@pytest.mark.parametrize(
    "error",
    [TourneyError(ExitCode.REFUSED, "no", "hint"), TemplateError(ExitCode.USAGE, "no {name}", "hint", name="Ana")],
)
def test_a_refusal_is_the_same_in_another_process(error: TourneyError) -> None:
    """A process that waited for the refusal of another one waited for ever."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, vars(again)) == (type(error), error.args, vars(error))


def test_a_head_start_that_nobody_takes_over_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of another league are played by workers of its own."""
    found = started(monkeypatch)
    with workers.head_start(PLAYED, TWO, range(PLAYED.blocks)):
        assert numbers_played(replace(PLAYED, seed="another")) == list(range(BLOCKS))
    assert len(found) == 4
    assert multiprocessing.active_children() == []


def test_what_a_worker_leaves_of_its_head_start_is_played_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time each worker plays one block of its half."""
    monkeypatch.setattr(workers, "HEAD_START_SECONDS", 0.0)
    with workers.head_start(PLAYED, TWO, range(PLAYED.blocks)):
        assert numbers_played(PLAYED) == list(range(BLOCKS))


def test_a_worker_that_dies_in_its_head_start_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    found = started(monkeypatch)
    with workers.head_start(PLAYED, TWO, range(PLAYED.blocks)):
        found[0].process.kill()
        found[0].process.join()
        assert numbers_played(PLAYED) == list(range(BLOCKS))
    assert len(found) == 3


KILLER = """
import os
import signal
from tourney.bots import Bot

class Mine(Bot):
    def choose(self, view, legal):
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_bot_that_ends_every_worker_is_found_after_a_few(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of two workers has half of 200 blocks when it dies; the first block is tried again at once."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(KILLER, encoding="utf-8")
    found = started(monkeypatch)
    words = ("--bots", "mine.py:Mine,random", "--seats", "2", "--blocks", "200", "--workers", "2", "--db", "club.db")
    words = (*words, "--isolation", "trusted")
    refused = run("league", "run", *words)
    assert refused.code == ExitCode.REFUSED
    assert "worker processes died again and again at block" in refused.err
    assert len(found) <= 8


OWN = {"__main__", "antigravity", "this"}
HIDING = sorted({*sys.stdlib_module_names, "engine", "tourney", "typer", "sqlalchemy", "trueskill", "rich"} - OWN)
BOT = """
import os
from tourney.bots import Bot

class Mine(Bot):
    def choose(self, view, legal):
        assert "PYTHONSAFEPATH" not in os.environ
        return legal[0]
"""


def test_modules_of_the_folder_hide_none_of_the_programs_with_python_m(tmp_path: Path) -> None:
    """Nor do bots see how the server was started: a bot that does would fail in its game."""
    for name in ("engine", "random", "selectors", "struct"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(BOT, encoding="utf-8")
    words = ("--bots", "mine.py:Mine,random", "--seats", "2", "--blocks", "2", "--workers", "2", "--db", "club.db")
    command = [sys.executable, "-m", "tourney", "league", "run", *words, "--json"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, '"faults_total": 0' in ran.stdout) == (0, True), ran.stderr


LEAGUE = ("--bots", "mine.py:Mine,random", "--seats", "2", "--blocks", "2", "--workers", "2", "--isolation", "sandbox")
COMMANDS = {
    "run": ("league", "run", *LEAGUE, "--db", "club.db"),
    "refused": ("league", "run", "--bots", "greedy,none.py:Mine", "--seats", "2", "--workers", "2", "--db", "club.db"),
    "part": ("league", "part", "1/2", *LEAGUE, "--seed", "7", "--output", "one.league"),
    "check": ("bot", "check", "mine.py:Mine", "--isolation", "sandbox"),
    "doctor": ("doctor", "--db", "club.db"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=list(COMMANDS))
def test_no_module_of_the_folder_where_a_command_runs_is_imported(words: tuple[str, ...], tmp_path: Path) -> None:
    """The folder has a module of each name of the standard library."""
    imported, folder = tmp_path / "imported", tmp_path / "author"
    folder.mkdir()
    trap = f"print(__name__, file=open({str(imported)!r}, 'a'))\nraise SystemExit('the wrong module')\n"
    for name in HIDING:
        (folder / f"{name}.py").write_text(trap, encoding="utf-8")
    (folder / "mine.py").write_text(BOT, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("tourney")), *words]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not imported.exists(), imported.read_text(encoding="utf-8")
    assert ran.returncode == (ExitCode.NOT_FOUND if "greedy,none.py:Mine" in words else 0), ran.stderr
