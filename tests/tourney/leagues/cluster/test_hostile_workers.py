"""Tests of workers that try to run code where the league is kept, and of who else reaches a scheduler on loopback."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.cluster.dask_processes import DaskCluster, free_port
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.leagues.cluster import replies, signed_in
from tourney.service.leagues.cluster.ticket import read_ticket

LEAGUE = ("--bots", "greedy,random", "--seats", "2", "--blocks", "6", "--seed", "7")

HOSTILE = '''
"""A worker that answers with what runs code where it is unpickled: the file `ran-PID` says in which process."""
import os
import pickle
import sys

from distributed import get_worker
from distributed.protocol.serialize import Serialized, ToPickle

from tourney.service.leagues.cluster import dask_network

FOLDER, WAY = sys.argv[-1].split("=")


class Evil(Exception):
    def __reduce__(self):
        return exec, (f"import os; open({FOLDER!r} + '/ran-' + str(os.getpid()), 'w').close()",)


def evil(function, arguments):
    open(FOLDER + "/asked", "a").close()
    worker = get_worker()
    if WAY == "pickled bytes":
        return pickle.dumps(Evil())
    if WAY == "an object":
        return Evil()
    if WAY == "an error":
        raise Evil()
    if WAY == "a warning":
        worker.log_event("warn", {"message": pickle.dumps(Evil()), "category": pickle.dumps(Evil())})
        return b"{}"
    if WAY == "a message":
        worker.log_event("print", {"args": ToPickle(Evil())})
        return b"{}"
    if WAY == "a reply of dask":
        worker.get_data = None
        async def get_data(comm, keys, who=None, serializers=None, **_rest):
            await comm.write({"status": "OK", "data": {key: ToPickle(Evil()) for key in keys}})
            await comm.read()
            from distributed.core import Status
            return Status.dont_reply
        worker.handlers["get_data"] = get_data
        return b"{}"
    raise SystemExit(WAY)


dask_network.run_here.__code__ = evil.__code__
dask_network.run_here.__globals__.update(Evil=Evil, FOLDER=FOLDER, WAY=WAY, pickle=pickle, ToPickle=ToPickle)
sys.argv = ["dask", *sys.argv[1:-1]]
from dask.__main__ import main

main()
'''
WAYS = ("pickled bytes", "an object", "a warning", "a message", "a reply of dask")


@pytest.mark.parametrize("way", ["an error", *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS)])
def test_a_hostile_worker_runs_nothing_where_the_league_is_kept(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is asked, its answer counts for nothing, and no pickle of it runs in the coordinator's process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cluster").mkdir()
    cluster = DaskCluster(tmp_path / "cluster")
    program = tmp_path / "hostile.py"
    program.write_text(HOSTILE, encoding="utf-8")
    try:
        cluster.start_scheduler()
        options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        cluster.start("evil", str(program), "worker", cluster.address, *options, f"{tmp_path}={way}")
        cluster.wait("evil", lambda: "Registered to" in cluster.log("evil"))
        words = ("league", "run", *LEAGUE, "--on", cluster.on, "--db", "club.db", "--trust-users")
        league = subprocess.Popen(
            [sys.executable, "-m", "tourney", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        out, err = league.communicate(timeout=300)
    finally:
        cluster.stop()
    assert (tmp_path / "asked").exists(), cluster.log("evil")
    assert not (tmp_path / f"ran-{league.pid}").exists()
    assert (league.returncode, out) == (ExitCode.REFUSED, ""), err


def test_a_reply_is_json_and_nothing_else() -> None:
    """Python's own pickles, objects, lists and numbers that JSON does not have are no replies."""
    assert replies.read(replies.written({"a": [1, "é"]})) == {"a": [1, "é"]}
    for other in (pickle.dumps({}), b"[]", b'{"a": NaN}', {"a": 1}, b"[" * 100_000, b"\xff", None):
        with pytest.raises(ValueError, match=r"."):
            replies.read(other)


def test_a_ticket_has_texts_and_a_number() -> None:
    program = ["1", "a", "plain", "3.11"]
    assert read_ticket([program, "rules", "block", 1]).program.build == "plain"
    for parts in ([program, 1, "b", 1], [program, "r", None, 1], [["1", "a", [], "3"], "r", "b", 1], [program], "abcd"):
        with pytest.raises((ValueError, TypeError)):
            read_ticket(parts)


def test_people_are_users_from_1000_on_without_services_nobody_and_oneself() -> None:
    """The numbers are those of Debian's `adduser` and of systemd's “Users, Groups, UIDs and GIDs”."""
    assert signed_in.people({0, 33, 999, 1000, 1001, 59999, 61184, 65534, 65535, 70000}, 1000) == {1001, 59999, 70000}


def test_a_scheduler_on_loopback_is_refused_where_others_are_signed_in(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names them; the option passes this check, so that only the scheduler is missing then."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signed_in, "other_people", lambda: ["ana", "luis"])
    on = ("--on", f"dask:tcp://127.0.0.1:{free_port()}", "--db", "club.db")
    ran = run("league", "run", *LEAGUE, *on)
    assert (ran.code, ran.out, ran.err.count("\n")) == (ExitCode.REFUSED, "", 2)
    assert "other users of this computer (ana, luis) can reach it without TLS" in ran.err
    assert "--trust-users" in ran.err
    assert run("league", "run", *LEAGUE, *on, "--trust-users").code == ExitCode.NOT_FOUND
