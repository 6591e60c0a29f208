"""Workers that lie and users of the same computer, against a coordinator and a scheduler on loopback."""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.campaigns.attacks.attack import each, tourney
from tests.campaigns.campaign import LackingError
from tests.harness.cluster.dask_processes import dask_cluster

EVIL: Final = '''
"""Loaded by the worker's Python before all else: what the worker returns runs a program where it is unpickled."""
import pickle, sys


class Evil:
    def __reduce__(self):
        return exec, (
            "import os, sys; open({marker!r} + str(os.getpid()), 'w').write(' '.join(sys.argv[:3]))",
        )


def replaced(module):
    kept = module.run_here

    def run_here(*words, **named):
        print("league-of-evil", file=sys.stderr, flush=True)
        {how}

    module.run_here = run_here


class Odd(Exception):
    def __reduce__(self):
        return Evil().__reduce__()


class Finder:
    busy = False

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("tourney.service.leagues.cluster.") or self.busy:
            return None
        self.busy = True
        import importlib.util
        spec = importlib.util.find_spec(name)
        self.busy = False
        first = spec.loader.exec_module

        def exec_module(module):
            first(module)
            if hasattr(module, "run_here"):
                replaced(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder())
'''
REPLIES: Final = (
    ("a reply that is an evil pickle in bytes", "return pickle.dumps(Evil())"),
    ("a reply that is an evil object", "return Evil()"),
    ("a reply that is an evil object in a list", "return [b'x', Evil()]"),
    (
        "an error whose class is an evil object",
        "raise Odd()",
    ),
    ("an error that is an evil object", "error = RuntimeError(); error.args = (Evil(),); raise error"),
    ("a reply of 200 MB", "return bytes(200_000_000)"),
    ("a reply of another form", 'return b"[[[[]]]]"'),
)


def _evil_worker(folder: Path, how: str) -> Iterator[str]:
    """A worker's reply runs nothing on the coordinator; the league ends in one line, or another worker plays it."""
    if importlib.util.find_spec("distributed") is None:
        raise LackingError("the extra `cluster` is not installed")
    ran, place = folder / "pwned", folder / "evil"
    place.mkdir()
    (place / "sitecustomize.py").write_text(EVIL.format(marker=str(ran), how=how), "utf-8")
    with dask_cluster(folder / "dask", 0) as cluster:
        cluster.start_worker("w1", environment={"PYTHONPATH": str(place)})
        words = ("--bots", "greedy,random", "--seats", "2", "--blocks", "2", "--on", cluster.on)
        done = tourney(folder, "league", "run", *words, seconds=60)
        log = cluster.log("w1")
    if "league-of-evil" not in log:
        yield "the evil worker was not reached: the attack was not tried"
    for note in folder.glob("pwned*"):
        ran_in = note.read_text("utf-8").strip()
        # The worker unpickles its own errors before it sends them: that is the attacker's process.
        if "league run" in ran_in or "scheduler" in ran_in:
            yield f"ran where the reply was read: {ran_in}"
    if "Traceback" in done.err or done.code in (-9,):
        yield done.err[-120:]


def _other_user(folder: Path, _given: str) -> Iterator[str]:
    """Another user of this computer does not run code in the scheduler of a league, or is told about in one line."""
    client = (
        "import sys\nfrom distributed import Client\n"
        "client = Client(sys.argv[1], timeout=10)\n"
        "print('ran as', client.run_on_scheduler(lambda: __import__('os').geteuid()))\n"
    )
    if shutil.which("runuser") is None:
        raise LackingError("runuser is needed")
    with tempfile.TemporaryDirectory() as open_folder, dask_cluster(folder / "dask", 1) as cluster:
        Path(open_folder).chmod(0o755)
        words = ("--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--on", cluster.on)
        done = tourney(folder, "league", "run", *words)
        user = ["runuser", "-u", "nobody", "--"] if done.code == 0 else []
        ran = subprocess.run(
            [*user, sys.executable, "-c", client, cluster.address],
            capture_output=True,
            text=True,
            cwd="/",
            timeout=60,
            check=False,
        )
    said = (done.out + done.err).lower()
    if (
        done.code == 0
        and "ran as" in ran.stdout
        and not any(word in said for word in ("tls", "other user", "this computer", "loopback"))
    ):
        yield "another user is in the scheduler, and the league said nothing about it"


ADDRESSES: Final = (
    "dask:tcp://192.0.2.1:8786",
    "dask:tcp://0.0.0.0:8786",
    "dask:tcp://evil.example:1",
    "dask:../../etc/passwd",
    "dask:tcp://127.0.0.1@192.0.2.1:1",
    "dask:inproc://x",
    "dask:ws://127.0.0.1:1",
    "dask:tcp://2130706433:1",
)


def _address(folder: Path, address: str) -> Iterator[str]:
    ran = tourney(
        folder, "league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--on", address, seconds=60
    )
    if ran.code <= 0 or "Traceback" in ran.err:
        yield f"exit code {ran.code}: {ran.err[-100:]}"


ATTACKS: Final = (
    *each(REPLIES, "row 37", _evil_worker),
    *each((("another user on loopback", ""),), "row 37", _other_user),
    *each(tuple((f"a scheduler at {a}", a) for a in ADDRESSES), "new", _address),
)
