"""Start-up: the time of commands as a multiple of an empty Python program's, side by side."""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import command_work, run_command
from tests.benchmarks.harness.report import Row, Target, time_row, value_row
from tests.benchmarks.harness.timing import Effort, Rate, Share, Work, in_turns
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

TRANSLATED: Sequence[str] = ("player list", "standings")
SPANISH = Target("at most", 5, " ms")


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure `--help`, a command of the rules, commands that read the database of an evening, and two in Spanish."""
    with tempfile.TemporaryDirectory() as folder:
        db = desk.evening(Path(folder) / "club.db")
        run_command("ratings", "--db", db)
        spanish = [f"--lang es {words}" for words in TRANSLATED]
        lines = [*(words for words, _target in COMMANDS), *spanish]
        works = [Work(EMPTY, _empty), *(Work(words, _command(words, db)) for words in lines)]
        empty, *rates = in_turns(works, TURNS[effort])
    by_words = {rate.name: rate for rate in rates}
    rows = [time_row(f"`tourney {words}`", by_words[words], empty, target) for words, target in COMMANDS]
    return rows + [
        value_row(f"`tourney {line}`, beyond English", _longer(by_words[line], by_words[words]), " ms", SPANISH)
        for line, words in zip(spanish, TRANSLATED, strict=True)
    ]


def _longer(ours: Rate, theirs: Rate) -> float:
    """Return by how many milliseconds ours takes longer, as the median of the turns."""
    pairs = zip(ours.rounds, theirs.rounds, strict=True)
    return statistics.median(1000 / our - 1000 / their for our, their in pairs)


def _empty(_turn: int) -> int:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1


def _command(words: str, db: str) -> Share:
    command = words.split()
    database = [] if command[0] in ("--help", "rules") else ["--db", db]
    return command_work(*command, *database)
