"""Time of `ratings` and `rating show` with a thousand people, beside a command that only opens the database."""

import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness.processes import command_work, run_command
from tests.benchmarks.harness.report import Row, Target, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, Rate, Work, in_turns
from tests.harness.crowd import crowd

ONLY_OPENS = "rating pool"
COMMANDS = ("ratings", "rating show")
BEYOND_START_UP = Target("at most", 0.5, " s")
"""Target for the time beyond start-up."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of the measurement: people of one event, its rounds, and turns of each command."""

    people: int
    rounds: int
    turns: int


SCALES: Mapping[Effort, Scale] = {"full": Scale(1_000, 8, 9), "quick": Scale(8, 2, 1)}


def measure(effort: Effort) -> list[Row]:
    """Measure seconds beyond start-up, and the whole command as a multiple of start-up."""
    scale = SCALES[effort]
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "club.db")
        crowd(db, scale.people, scale.rounds)
        run_command("ratings", "--db", db)
        commands = (ONLY_OPENS, *COMMANDS)
        works = [Work(command, command_work(*_words(command), "--db", db)) for command in commands]
        opened, *rates = in_turns(works, scale.turns)
    return [row for rate in rates for row in _rows(rate, opened, scale)]


def _words(command: str) -> list[str]:
    return [*command.split(), *(["Player 007"] if command == "rating show" else [])]


def _rows(rate: Rate, opened: Rate, scale: Scale) -> list[Row]:
    title = f"`{rate.name}` among {scale.people:,}"
    pairs = zip(rate.rounds, opened.rounds, strict=True)
    beyond = statistics.median(1 / command - 1 / start_up for command, start_up in pairs)
    whole = ratio_row(title, 1 / rate.middle, f"`{ONLY_OPENS}`", 1 / opened.middle, " s")
    return [whole, value_row(f"{title}, beyond start-up", beyond, " s", BEYOND_START_UP)]
