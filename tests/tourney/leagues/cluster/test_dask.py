"""Tests of leagues on a real scheduler of dask and two workers on loopback, which the tests start themselves."""

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.bots.own_bots import write_bot
from tests.harness.cluster.dask_processes import DaskCluster, dask_cluster, free_port, without_progress
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.service.leagues import executors

LEAGUE = ("--bots", "greedy,random", "--seats", "2", "--blocks", "24", "--seed", "7")
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "club.db")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of the league played by one process."""
    db = str(tmp_path_factory.mktemp("alone") / "club.db")
    command = [sys.executable, "-m", "tourney", "league", "run", *LEAGUE, "--workers", "1", "--json", "--db", db]
    return str(Ran(0, subprocess.run(command, capture_output=True, text=True, check=True).stdout, "").json["hash"])


def test_two_workers_play_the_league_that_one_process_plays(
    cluster: DaskCluster, run: Runner, club: str, alone: str
) -> None:
    """The scheduler's file leads there, too; a finished league plays nothing more."""
    played = run("league", "run", *LEAGUE, "--on", cluster.on, "--json", "--db", club)
    assert (played.code, without_progress(played.err), played.json["hash"]) == (0, [], alone)
    machines = played.json["machines"]
    assert {machine["name"] for machine in machines} == {"w1 (127.0.0.1)", "w2 (127.0.0.1)"}
    assert sum(machine["blocks"] for machine in machines) == 24
    file = cluster.folder / "scheduler.json"
    again = run("league", "resume", "--on", f"dask:{file}", "--json", "--db", club)
    assert (again.code, again.json["hash"]) == (0, alone)
    shown = run("league", "status", "--db", club).out
    assert "w1 (127.0.0.1)" in shown


def test_a_part_and_a_scheduler_play_one_league(cluster: DaskCluster, run: Runner, club: str, alone: str) -> None:
    assert run("league", "part", "2/3", *LEAGUE, "--workers", "1", "--output", "part.league").code == 0
    assert run("league", "merge", "part.league", "--db", club).code == 0
    resumed = run("league", "resume", "--on", cluster.on, "--json", "--db", club)
    assert (resumed.code, resumed.json["hash"]) == (0, alone)


def test_files_of_a_bot_travel_by_their_digests(cluster: DaskCluster, run: Runner, club: str, tmp_path: Path) -> None:
    """The workers run in other folders, and have the file under its digest afterwards."""
    write_bot(tmp_path)
    words = ("league", "run", "--bots", "mine.py:Mine,greedy", "--seats", "2", "--blocks", "6", "--seed", "1", "--json")
    expected = run(*words, "--workers", "1", "--db", "here.db").json["hash"]
    played = run(*words, "--on", cluster.on, "--db", club)
    assert (played.code, played.json["hash"]) == (0, expected)
    assert {machine["state"] for machine in played.json["machines"]} == {"done"}
    assert len(list(cluster.folder.glob("w*/own/**/tourney/bot-files/*"))) == 2


def refused(ran: Ran, code: ExitCode, *parts: str) -> None:
    """Assert that a command was refused in one line, with a hint, and wrote nothing else."""
    assert (ran.code, ran.out) == (code, ""), ran
    error, hint, rest = ran.err.split("\n")
    assert (error.startswith("error: "), hint.startswith("hint: "), rest) == (True, True, "")
    assert all(part in ran.err for part in parts), ran.err


BAD: dict[str, tuple[str, ExitCode, str]] = {
    "no address": ("dask:", ExitCode.USAGE, "is not the address of a scheduler"),
    "no kind": ("tcp://127.0.0.1:8786", ExitCode.USAGE, "names no scheduler"),
    "another kind": ("ray:tcp://127.0.0.1:8786", ExitCode.USAGE, "names no scheduler"),
    "no port": ("dask:tcp://127.0.0.1", ExitCode.USAGE, "is not the address of a scheduler"),
    "another protocol": ("dask:ws://127.0.0.1:8786", ExitCode.USAGE, "is not the address of a scheduler"),
    "another computer": ("dask:tcp://192.168.1.5:8786", ExitCode.REFUSED, "can run programs on all of its computers"),
    "a name": ("dask:tcp://cluster.example:8786", ExitCode.REFUSED, "needs TLS"),
    "no certificates": ("dask:tls://cluster.example:8786", ExitCode.REFUSED, "lacks distributed.comm.tls.ca-file"),
    "no file": ("dask:nowhere.json", ExitCode.NOT_FOUND, "cannot be read"),
    "another file": ("dask:notes.json", ExitCode.REFUSED, "is not the file of a scheduler"),
    "a pipe": ("dask:pipe.json", ExitCode.NOT_FOUND, "cannot be read: it is not a file"),
    "a file of another computer": ("dask:far.json", ExitCode.REFUSED, "needs TLS"),
}


@pytest.mark.parametrize(("on", "code", "problem"), BAD.values(), ids=BAD)
def test_a_scheduler_that_is_named_wrongly_is_refused_before_anything_begins(
    on: str, code: ExitCode, problem: str, run: Runner, club: str, tmp_path: Path
) -> None:
    (tmp_path / "notes.json").write_text("[1, 2]", "utf-8")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "far.json").write_text('{"address": "tcp://10.1.2.3:8786"}', "utf-8")
    refused(run("league", "run", *LEAGUE, "--on", on, "--db", club), code, problem)
    assert not os.path.exists(club)


def test_a_scheduler_that_is_not_there_is_refused(run: Runner, club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tourney.service.leagues.cluster import dask_network

    monkeypatch.setattr(dask_network, "CONNECT_SECONDS", 1)
    on = f"dask:tcp://127.0.0.1:{free_port()}"
    refused(run("league", "run", *LEAGUE, "--on", on, "--db", club), ExitCode.NOT_FOUND, "no scheduler of dask")
    assert not os.path.exists(club)


def test_a_server_that_is_no_scheduler_is_refused(run: Runner, club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tourney.service.leagues.cluster import dask_network

    monkeypatch.setattr(dask_network, "CONNECT_SECONDS", 1)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        on = f"dask:tcp://127.0.0.1:{server.server_port}"
        refused(run("league", "run", *LEAGUE, "--on", on, "--db", club), ExitCode.NOT_FOUND, "no scheduler of dask")
        server.shutdown()
    assert not os.path.exists(club)


def test_without_the_extra_the_refusal_says_what_to_install(
    run: Runner, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "find_spec", lambda _name: None)
    ran = run("league", "run", *LEAGUE, "--on", "dask:tcp://127.0.0.1:8786", "--db", club)
    refused(ran, ExitCode.REFUSED, "distributed", f'{sys.executable} -m pip install "tourney-continental[cluster]"')


def test_workers_of_ones_own_and_a_scheduler_exclude_each_other(run: Runner, club: str) -> None:
    ran = run("league", "run", *LEAGUE, "--on", "dask:tcp://127.0.0.1:8786", "--workers", "2", "--db", club)
    refused(ran, ExitCode.USAGE, "exclude each other")
