"""Start-up: the time of commands as a multiple of an empty Python program's, side by side."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import command_work, run_command
from tests.benchmarks.harness.report import Row, Target, time_row
from tests.benchmarks.harness.timing import Effort, Share, Work, in_turns
from tests.harness import desk

EMPTY = "python -c pass"
TURNS: Mapping[Effort, int] = {"full": 21, "quick": 1}
HELP = Target("at most", 7, " ×")
READING = Target("at most", 40, " ×")

COMMANDS: Sequence[tuple[str, Target | None]] = (
    ("--help", HELP),
    ("rules score oficial 7h", None),
    ("player list", READING),
    ("event list", READING),
    ("status", READING),
    ("round show", READING),
    ("standings", READING),
    ("ratings", READING),
)


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure `--help`, a command of the rules, and commands that read the database of a club evening."""
    with tempfile.TemporaryDirectory() as folder:
        db = desk.evening(Path(folder) / "club.db")
        run_command("ratings", "--db", db)
        works = [Work(EMPTY, _empty), *(Work(words, _command(words, db)) for words, _target in COMMANDS)]
        empty, *rates = in_turns(works, TURNS[effort])
    targets = dict(COMMANDS)
    return [time_row(f"`tourney {rate.name}`", rate, empty, targets[rate.name]) for rate in rates]


def _empty(_turn: int) -> int:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1


def _command(words: str, db: str) -> Share:
    command = words.split()
    database = [] if command[0] in ("--help", "rules") else ["--db", db]
    return command_work(*command, *database)
