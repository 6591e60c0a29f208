"""A real scheduler of dask and its workers on loopback, each a process of its own that can be killed."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tourney
from tests.harness.programs import wait_until

PRODUCT = Path(tourney.__file__).parent


def without_progress(err: str) -> list[str]:
    """Return the lines that a league has written to standard error, but for its progress on a slow machine."""
    return [line for line in err.splitlines() if not re.match(r"[0-9]+ of [0-9]+ blocks", line)]


def free_port() -> int:
    """Return a port of this computer that nobody uses."""
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def quiet(folder: Path) -> dict[str, str]:
    """Write the settings of the guide with which dask measures itself less often; return the environment for them."""
    guide = (PRODUCT / "guide" / "machines.md").read_text(encoding="utf-8")
    (settings,) = (block for block in re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL) if "profile" in block)
    folder.mkdir()
    (folder / "quiet.yaml").write_text(settings, encoding="utf-8")
    return {"DASK_CONFIG": str(folder)}


@dataclass
class DaskCluster:
    """A scheduler and workers, whose folders and logs are in `folder`."""

    folder: Path
    protocol: str = "tcp"
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return f"{self.protocol}://127.0.0.1:{self.port}"

    @property
    def on(self) -> str:
        """The value of `--on`."""
        return f"dask:{self.address}"

    def start(self, name: str, *words: str, environment: Mapping[str, str] | None = None) -> None:
        """Start a process of dask under a name."""
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        with open(place / "log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *words],
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment, **(environment or {})},
            )

    def start_scheduler(self, *words: str) -> None:
        """Start the scheduler, and wait until it listens."""
        tls = ["--protocol", "tls"] if self.protocol == "tls" else []
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--dashboard-address", "127.0.0.1:0"]
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self.start("scheduler", "-m", "dask", "scheduler", *tls, *place, "--scheduler-file", str(file), *words)
        self.wait("scheduler", lambda: file.exists() and "address" in json.loads(file.read_text() or "{}"))

    def start_worker(
        self, name: str, *words: str, host: str = "127.0.0.1", environment: Mapping[str, str] | None = None
    ) -> None:
        """Start a worker, and wait until it is registered."""
        place = ["--host", host] if host else []
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--name", name]
        folder = ["--local-directory", str(self.folder / name / "own")]
        words = ("-m", "dask", "worker", self.address, *place, *options, *folder, *words)
        before = self.log(name).count("Registered to")
        self.start(name, *words, environment=environment)
        self.wait(name, lambda: self.log(name).count("Registered to") > before)

    def log(self, name: str) -> str:
        """Return what a process has written."""
        file = self.folder / name / "log"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def wait(self, name: str, condition: Callable[[], object]) -> None:
        wait_until(lambda: self.processes[name].poll() is not None or condition())
        assert self.processes[name].poll() is None, self.log(name)

    def kill(self, name: str) -> None:
        """Kill a process at once."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """End all processes, the workers first."""
        for process in reversed(self.processes.values()):
            process.send_signal(signal.SIGKILL)
        for process in self.processes.values():
            process.wait()
        self.processes.clear()


@contextmanager
def dask_cluster(folder: Path, workers: int = 2, environment: Mapping[str, str] | None = None) -> Iterator[DaskCluster]:
    """Run a scheduler and workers `w1`, `w2` … within the block."""
    cluster = DaskCluster(folder, environment=environment or {})
    try:
        cluster.start_scheduler()
        for number in range(1, workers + 1):
            cluster.start_worker(f"w{number}")
        yield cluster
    finally:
        cluster.stop()
