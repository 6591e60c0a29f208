"""Tests of workers that try to run code where the league is kept, and of who else reaches a scheduler on loopback."""

import os
import pickle
from pathlib import Path

import pytest

from tests.harness.cluster.dask_processes import DaskCluster, dask_cluster, free_port
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
WAYS = ("pickled bytes", "an object", "an error", "a warning", "a message", "a reply of dask")


@pytest.mark.parametrize("way", WAYS)
def test_a_hostile_worker_runs_nothing_where_the_league_is_kept(
    way: str, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        cluster._wait("evil", lambda: "Registered to" in cluster.log("evil"))
        ran = run("league", "run", *LEAGUE, "--on", cluster.on, "--db", "club.db")
    finally:
        cluster.stop()
    assert (tmp_path / "asked").exists(), cluster.log("evil")
    assert not (tmp_path / f"ran-{os.getpid()}").exists()
    assert (ran.code, ran.out) == (ExitCode.REFUSED, ""), ran
