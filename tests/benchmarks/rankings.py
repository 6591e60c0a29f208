"""`ratings` and `rating show` among a thousand people, beside a command that only opens the database."""

import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness.processes import command_work, run_command
from tests.benchmarks.harness.report import Row, Target, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, Rate, Work, in_turns
from tests.harness.crowd import crowd

OPENED = "rating pool"
COMMANDS = ("ratings", "rating show")
SOON = Target("at most", 0.5, " s")
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
        words = (OPENED, *COMMANDS)
        opened, *rates = in_turns([Work(each, command_work(*_asked(each), "--db", db)) for each in words], scale.turns)
    return [row for rate in rates for row in _rows(rate, opened, scale)]


def _asked(words: str) -> list[str]:
    return [*words.split(), *(["Player 007"] if words == "rating show" else [])]


def _rows(rate: Rate, opened: Rate, scale: Scale) -> list[Row]:
    title = f"`{rate.name}` among {scale.people:,}"
    beyond = statistics.median(1 / one - 1 / other for one, other in zip(rate.rounds, opened.rounds, strict=True))
    whole = ratio_row(title, 1 / rate.middle, f"`{OPENED}`", 1 / opened.middle, " s")
    return [whole, value_row(f"{title}, beyond start-up", beyond, " s", SOON)]
