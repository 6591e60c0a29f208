"""From nothing to the demo's end: the first command of the README, word for word, in an empty folder."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, value_row
from tests.benchmarks.harness.timing import Effort, check
from tests.harness.pages.examples import FENCE, README, ROOT

SOURCES = ("engine", "tourney", "pyproject.toml", "README.md", "LICENSE")

WALL = Target("at most", 60, " s")
PROCESSOR = Target("at most", 85, " s")
MEMORY = Target("at most", 300, " MB")


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure the command in the build that is installed; it loads packages, so the network is part of it."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as output:
        for name in SOURCES:
            _copy(ROOT / name, Path(folder) / name)
        variables = {**os.environ, "TOURNEY_PURE": "0" if build == "compiled" else "1"}
        begin = time.perf_counter()
        words = ["bash", "-c", _first_command()]
        process = subprocess.Popen(words, cwd=folder, env=variables, stdout=output, stderr=subprocess.STDOUT)
        _pid, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        output.seek(0)
        check(status == 0, f"the first command of the README fails: {output.read().decode()[-500:]}")
    way = "from the sources to the demo's end"
    return [
        value_row(f"{way}, by the clock", seconds, " s", WALL),
        value_row(f"{way}, processor time", used.ru_utime + used.ru_stime, " s", PROCESSOR),
        value_row(f"{way}, largest process", used.ru_maxrss / 1024, " MB", MEMORY),
    ]


def _first_command() -> str:
    """Return the first command of the README that stands alone in a fenced block."""
    blocks = (block["body"].strip() for block in FENCE.finditer(README.read_text(encoding="utf-8")))
    return next(block for block in blocks if "\n" not in block)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    else:
        shutil.copyfile(source, target)
