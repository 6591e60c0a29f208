"""Tests of workers that try to run code where the league is kept, and of who else reaches a scheduler on loopback."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import distributed
import pytest

from tests.harness.cluster.dask_processes import DaskCluster, free_port
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.chained_lines import MALFORMED
from tourney.service.leagues import executors
from tourney.service.leagues.cluster import dask_network, wire
from tourney.service.leagues.cluster.address import parsed
from tourney.service.leagues.cluster.checked_replies import entry_of, facts_of

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
        out, err = league.communicate(timeout=1800)
    finally:
        cluster.stop()
    assert (tmp_path / "asked").exists(), cluster.log("evil")
    assert not (tmp_path / f"ran-{league.pid}").exists()
    assert (league.returncode, out) == (ExitCode.REFUSED, ""), err


def test_a_reply_is_json_and_nothing_else() -> None:
    """Python's own pickles, objects, lists and numbers that JSON does not have are no replies."""
    assert wire.read(wire.written({"a": [1, "é"]})) == {"a": [1, "é"]}
    for other in (pickle.dumps({}), b"[]", b'{"a": NaN}', {"a": 1}, b"[" * 100_000, b"\xff", None):
        with pytest.raises(ValueError, match=r"."):
            wire.read(other)


PROGRAM = ["1", "a", "plain", "3.11"]
NO_NUMBERS = (-1, -0.5, float("inf"), float("nan"), 10**400, True, "1", None, [], 1e300)
"""Values that are not a time: below 0, beyond all times, or not a number."""
NO_TICKETS = (
    *[[PROGRAM, "r", "b", seconds] for seconds in NO_NUMBERS],
    *([PROGRAM, 1, "b", 1], [PROGRAM, "r", None, 1], [["1", "a", [], "3"], "r", "b", 1], [PROGRAM], "abcd", {}, None),
    *([[*PROGRAM, "5"], "r", "b", 1], [PROGRAM[1:], "r", "b", 1], [PROGRAM, "\ud800", "b", 1]),
    *(
        [PROGRAM, "r" * 3000, "b", 1],
        ["abcd", "r", "b", 1],
        [[PROGRAM], "r", "b", 1],
        [PROGRAM, "r", "b" * (1 << 25), 1],
    ),
)
NO_ENTRIES = (
    *[
        {"lacks": lacks}
        for lacks in ([], ["c"], ["a", "b", "a"], "ab", [["a"]], [1], {"a": 1}, None, True, ["a"] * 10**6)
    ],
    *[{"refused": refused} for refused in (1, None, ["no"], "x" * 10**6, "\udc80")],
    {},
    {"admitted": True},
)


def test_a_ticket_has_texts_and_a_possible_time() -> None:
    found = entry_of({"ticket": [PROGRAM, "rules", "block", 1], "admitted": "what"}, ()).ticket
    assert found is not None
    assert (found.program.build, found.rules, found.block, found.seconds) == ("plain", "rules", "block", 1.0)
    for parts in NO_TICKETS:
        with pytest.raises(MALFORMED):
            entry_of({"ticket": parts}, ())


def test_a_worker_lacks_only_files_that_the_league_has_and_says_why_it_refuses_in_one_text() -> None:
    assert entry_of({"lacks": ["b"]}, ("a", "b")).lacks == {"b"}
    assert entry_of({"refused": "no bubblewrap"}, ()).refused == "no bubblewrap"
    for reply in NO_ENTRIES:
        with pytest.raises(MALFORMED):
            entry_of(reply, ("a", "b"))


def test_each_reply_says_in_texts_where_it_comes_from() -> None:
    facts = {"dask": "1", "address": "tcp://127.0.0.1:1"}
    assert facts_of({**facts, "error": "no"}).error == "no"
    for name in ("dask", "address", "error"):
        for value in (1, None, [], {"a": 1}, "\ud800"):
            with pytest.raises(MALFORMED):
                facts_of({**facts, name: value})
    with pytest.raises(MALFORMED):
        facts_of({"dask": "1"})


def test_a_reply_of_more_than_64_megabytes_is_not_read() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        wire.read(b'{"a": "' + b"x" * (64 << 20) + b'"}')


ADDRESSES = {
    "tcp://127.0.0.1:8786": True,
    "tcp://[::1%lo]:8786": True,
    "tls://192.0.2.2:8786": True,
    "inproc://192.0.2.2/7/1": True,
    "tcp://192.0.2.2:8786": False,
    "tcp://[fe80::1%eth0]:8786": False,
    "ws://0.0.0.0:8786": False,
    "wss://192.0.2.2:8786": False,
    "ucx://127.0.0.1:8786": False,
    "tcp://127.0.0.1": False,
    "": False,
}
"""Addresses as workers and schedulers describe themselves, and whether these are known to be safe."""


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_not_read_as_safe_is_refused(address: str) -> None:
    refusal = dask_network._refusal(distributed.__version__, address)
    assert (refusal == "") == ADDRESSES[address]
    assert address in refusal or not refusal


def test_an_address_with_the_name_of_a_network_card_is_read() -> None:
    read = parsed("tls://[fe80::1%eth0]:8786")
    assert read is not None
    assert (read.host, str(read)) == ("fe80::1%eth0", "tls://[fe80::1%eth0]:8786")


def test_people_are_users_from_1000_on_without_services_nobody_and_oneself() -> None:
    """The numbers are those of Debian's `adduser` and of systemd's “Users, Groups, UIDs and GIDs”."""
    users = {0, 33, 999, 1000, 1001, 59999, 61184, 65534, 65535, 70000, None}
    assert executors.people(users, 1000) == {1001, 59999, 70000, None}


@pytest.mark.parametrize("case", ["all are there", "those of others are not listed", "an owner cannot be read"])
def test_a_process_counts_by_the_owner_of_its_folder(case: str, tmp_path: Path) -> None:
    """With `hidepid=1` nothing else of a process can be read. A link without an end has no owner that can be read."""
    for name in ("self", "12", "net", *(["1"] if case != "those of others are not listed" else [])):
        (tmp_path / name).mkdir()
    (tmp_path / "13").symlink_to(tmp_path / "has-ended")
    if case == "an owner cannot be read":
        (tmp_path / "14").symlink_to(tmp_path / "14")
    assert executors.owners(str(tmp_path)) == {os.getuid(), *([] if case == "all are there" else [None])}


def test_a_scheduler_on_loopback_is_refused_where_others_are_signed_in(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names them; the option passes this check, so that only the scheduler is missing then."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(executors, "other_people", lambda: ["ana", "luis"])
    on = ("--on", f"dask:tcp://127.0.0.1:{free_port()}", "--db", "club.db")
    ran = run("league", "run", *LEAGUE, *on)
    assert (ran.code, ran.out, ran.err.count("\n")) == (ExitCode.REFUSED, "", 2)
    assert "other users of this computer (ana, luis) can reach it without TLS" in ran.err
    assert "--trust-users" in ran.err
    assert run("league", "run", *LEAGUE, *on, "--trust-users").code == ExitCode.NOT_FOUND
