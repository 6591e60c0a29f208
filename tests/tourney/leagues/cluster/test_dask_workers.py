"""Tests of workers of dask that differ, of TLS, and of kills: each starts processes of its own, so most are slow."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.cluster.dask_processes import DaskCluster, without_progress
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

ROOT = Path(__file__).resolve().parents[4]
LEAGUE = ("--bots", "greedy,random", "--seats", "2", "--blocks", "24", "--seed", "7")


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DaskCluster]:
    """A cluster that is not started yet."""
    monkeypatch.chdir(tmp_path)
    made = DaskCluster(tmp_path / "cluster")
    (tmp_path / "cluster").mkdir()
    yield made
    made.stop()


def hash_alone(run: Runner) -> str:
    """Return the hash of the league played by one process."""
    return str(run("league", "run", *LEAGUE, "--workers", "1", "--json", "--db", "alone.db").json["hash"])


def sources(folder: Path) -> Path:
    """Return a copy of the sources, as plain Python, which a worker with PYTHONPATH imports first."""
    for package in ("engine", "tourney"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.slow
def test_workers_with_other_rules_or_another_engine_are_left_out_and_a_plain_build_plays(
    cluster: DaskCluster, run: Runner, tmp_path: Path
) -> None:
    """On a compiled build the third worker is a plain one; its sources are the same."""
    rules, engine, plain = (sources(tmp_path / name) for name in ("rules", "engine", "plain"))
    changed = rules / "engine" / "rulesets" / "oficial.toml"
    text = changed.read_text(encoding="utf-8")
    assert text.count("joker = { is = 50,") == 1
    changed.write_text(text.replace("joker = { is = 50,", "joker = { is = 25,"), encoding="utf-8")
    with open(engine / "engine" / "hand.py", "a", encoding="utf-8") as file:
        file.write("\nANOTHER = 1\n")
    cluster.start_scheduler()
    for place in (rules, engine, plain):
        cluster.start_worker(place.name, environment={"PYTHONPATH": str(place)})
    played = run("league", "run", *LEAGUE, "--on", cluster.on, "--json", "--db", "club.db")
    assert (played.code, played.json["hash"]) == (0, hash_alone(run))
    machines = {machine["name"].split()[0]: machine for machine in played.json["machines"]}
    assert {name: machine["state"] for name, machine in machines.items()} == {
        "rules": "left out",
        "engine": "left out",
        "plain": "done",
    }
    assert "its rules are different" in machines["rules"]["why"]
    assert "has different sources" in machines["engine"]["why"]
    assert (machines["plain"]["build"], machines["plain"]["blocks"]) == ("plain", 24)
    assert played.err.count("warning: worker ") == 2


@pytest.mark.slow
def test_a_worker_that_other_computers_reach_without_tls_is_left_out(cluster: DaskCluster, run: Runner) -> None:
    """Without `--host` a worker of dask listens on every interface."""
    cluster.start_scheduler()
    cluster.start_worker("open", host="")
    cluster.start_worker("closed")
    played = run("league", "run", *LEAGUE, "--on", cluster.on, "--json", "--db", "club.db")
    assert (played.code, played.json["hash"]) == (0, hash_alone(run))
    assert "worker open (127.0.0.1) is left out: other computers can reach its port tcp://" in played.err
    assert "start it with --host 127.0.0.1" in played.err


OTHER_VERSION = """
import sys
import distributed
import distributed.versions
distributed.__version__ = "2025.1.0"
ours = distributed.versions.get_package_info
distributed.versions.get_package_info = lambda names: {**ours(names), "distributed": "2025.1.0"}
from dask.__main__ import main
sys.argv[0] = "dask"
main()
"""


@pytest.mark.slow
def test_a_scheduler_of_another_version_is_refused(cluster: DaskCluster, run: Runner, tmp_path: Path) -> None:
    program = tmp_path / "other.py"
    program.write_text(OTHER_VERSION, encoding="utf-8")
    file = tmp_path / "scheduler.json"
    place = ["--host", "127.0.0.1", "--port", str(cluster.port), "--dashboard-address", "127.0.0.1:0"]
    cluster.start("scheduler", str(program), "scheduler", *place, "--scheduler-file", str(file))
    cluster.wait("scheduler", file.exists)
    ran = run("league", "run", *LEAGUE, "--on", cluster.on, "--db", "club.db")
    assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
    assert "runs dask.distributed 2025.1.0, this is " in ran.err
    assert "install the same version on all computers" in ran.err
    assert not os.path.exists("club.db")


@pytest.mark.slow
def test_a_worker_of_another_version_of_dask_is_left_out(cluster: DaskCluster, run: Runner, tmp_path: Path) -> None:
    program = tmp_path / "other.py"
    program.write_text(OTHER_VERSION, encoding="utf-8")
    cluster.start_scheduler()
    cluster.start_worker("same")
    options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", "other"]
    cluster.start("other", str(program), "worker", cluster.address, *options, "--memory-limit", "0")
    cluster.wait("other", lambda: "Registered to" in cluster.log("other"))
    played = run("league", "run", *LEAGUE, "--on", cluster.on, "--json", "--db", "club.db")
    assert (played.code, played.json["hash"]) == (0, hash_alone(run))
    assert "worker other (127.0.0.1) is left out: its dask.distributed is 2025.1.0, this one is " in played.err


def certificates(folder: Path) -> dict[str, str]:
    """Make an authority and a certificate by it, and return dask's configuration that names them."""
    folder.mkdir()

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "rsa:2048", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca-key.pem", "-out", "ca.pem", "-subj", "/CN=club", "-days", "30")
    openssl("req", *key, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=league")
    made_by = ("-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial")
    openssl("x509", "-req", "-in", "request.pem", *made_by, "-out", "cert.pem", "-days", "30")
    tls = "DASK_DISTRIBUTED__COMM__TLS__"
    roles = {f"{tls}{role}__{kind.upper()}": str(folder / f"{kind}.pem") for role in ROLES for kind in ("cert", "key")}
    return {f"{tls}CA_FILE": str(folder / "ca.pem"), "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True", **roles}


ROLES = ("SCHEDULER", "WORKER", "CLIENT")


@pytest.mark.slow
def test_a_league_runs_through_tls(cluster: DaskCluster, run: Runner, tmp_path: Path) -> None:
    """With certificates a worker may listen on every interface; without one of the same authority nobody enters."""
    environment = certificates(tmp_path / "tls")
    cluster.protocol, cluster.environment = "tls", environment
    cluster.start_scheduler()
    cluster.start_worker("w1", host="")
    command = [sys.executable, "-m", "tourney", "league", "run", *LEAGUE, "--on", cluster.on, "--json"]
    encrypted = subprocess.run(
        [*command, "--db", "club.db"], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert (encrypted.returncode, without_progress(encrypted.stderr)) == (0, [])
    assert hash_alone(run) in encrypted.stdout
    other = certificates(tmp_path / "other")
    refused = subprocess.run(
        [*command, "--db", "other.db"], capture_output=True, text=True, env={**os.environ, **other}, check=False
    )
    assert (refused.returncode, refused.stdout) == (ExitCode.NOT_FOUND, "")
    assert len(without_progress(refused.stderr)) == 2


@pytest.mark.slow
def test_a_second_ctrl_c_ends_a_league_at_once_and_resume_continues_it(cluster: DaskCluster, run: Runner) -> None:
    cluster.start_scheduler()
    cluster.start_worker("w1")
    long = ("--bots", "greedy,planner", "--seed", "7", "--blocks", "400")
    command = [sys.executable, "-m", "tourney", "league", "run", *long, "--on", cluster.on, "--db", "club.db"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    cluster.wait("w1", lambda: os.path.exists("club.db.league-1.machines.json"))
    time.sleep(random.Random(1).random())
    for _press in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (ExitCode.INTERRUPTED, "")
    assert f"continue with `tourney league resume 1 --on {cluster.on} --db club.db`" in err
    assert len(without_progress(err)) == 2
