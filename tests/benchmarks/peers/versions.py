"""Another installation of tourney beside this one, such as an older version: games rated and results files imported."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness.histories import write_results
from tests.benchmarks.harness.processes import measure_command
from tests.benchmarks.harness.report import Row, Target, rate_row
from tests.benchmarks.harness.timing import Effort, Rate, check

SCRIPT = Path(__file__).with_name("rating_speed.py")
KERNEL = Target("at least", 1.8, " ×")
IMPORT = Target("at least", 2, " ×")
ROUNDS: Mapping[Effort, int] = {"full": 9, "quick": 2}


@dataclass(frozen=True, slots=True)
class Scale:
    """Games that are rated in each turn, and games of the file that is imported."""

    rated: int
    imported: int


SCALES: Mapping[Effort, Scale] = {"full": Scale(100_000, 100_000), "quick": Scale(100, 100)}


def measure(python: str, effort: Effort) -> list[Row]:
    """Measure both installations in turns, by processor time; `python` is the other's.

    Raises WrongAnswer if the two rate games differently, or if there is no installation of tourney.
    """
    pythons, scale = (sys.executable, python), SCALES[effort]
    rows = [_rated(pythons, size, scale.rated, effort) for size in (2, 4, 8)]
    with tempfile.TemporaryDirectory() as folder:
        return [*rows, _imported(pythons, Path(folder), scale.imported, effort)]


def _rated(pythons: tuple[str, str], size: int, games: int, effort: Effort) -> Row:
    rounds: list[list[float]] = [[], []]
    for _turn in range(ROUNDS[effort]):
        skills = set()
        for at, python in enumerate(pythons):
            seconds, digest = _run(python, "-P", str(SCRIPT), str(size), str(games)).split()
            rounds[at].append(games / float(seconds))
            skills.add(digest)
        check(len(skills) == 1, f"games of {size} are rated alike, bit for bit")
    return _row(f"games of {size} rated a second", rounds, KERNEL if size == 4 else None)


def _imported(pythons: tuple[str, str], folder: Path, games: int, effort: Effort) -> Row:
    """Return the rates of the whole command, from its start."""
    rounds: list[list[float]] = [[], []]
    write_results(folder / "games.csv", 4, games)
    for _turn in range(ROUNDS[effort]):
        for at, python in enumerate(pythons):
            rounds[at].append(games / _import_seconds(python, folder))
    return _row(f"`rating import` of {games:,} games of 4, games a second", rounds, IMPORT)


def _import_seconds(python: str, folder: Path) -> float:
    db = folder / "new.db"
    words = ("rating", "import", str(folder / "games.csv"), "--pool", "bench", "--db", str(db))
    seconds = measure_command(*words, python=python).processor
    db.unlink()
    return seconds


def _row(title: str, rounds: list[list[float]], target: Target | None = None) -> Row:
    ours, theirs = (Rate(name, tuple(rates)) for name, rates in zip(("tourney", "the other"), rounds, strict=True))
    return rate_row(title, ours, theirs, "", target)


def _run(*words: str) -> str:
    done = subprocess.run(words, cwd=tempfile.gettempdir(), capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"{words[0]} fails: {done.stderr.strip()[-200:]}")
    return done.stdout
