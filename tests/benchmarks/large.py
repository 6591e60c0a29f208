"""Measure how much longer commands take at a large event than at an event of four people.

The time at the event of four counts as start-up.
"""

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness.processes import command_work
from tests.benchmarks.harness.report import Row, Target, value_row
from tests.benchmarks.harness.timing import Work, in_turns
from tests.harness.crowd import crowd

STANDINGS = Target("at most", 0.3, " s")
ANY = Target("at most", 1, " s")
COMMANDS: Mapping[str, Target] = {
    "standings": STANDINGS,
    "ratings": ANY,
    "round show": ANY,
    "round draw --dry-run": ANY,
    "db check": ANY,
}


def measure(folder: Path, people: int, rounds: int, turns: int, commands: Sequence[str]) -> list[Row]:
    """Measure the commands at an event of `people` players whose last round is not drawn yet."""
    large, small = str(folder / "large.db"), str(folder / "small.db")
    crowd(large, people, rounds, played=rounds - 1)
    crowd(small, 4, rounds, played=rounds - 1)
    size = f"{people} people and {rounds} rounds"
    return [
        value_row(
            f"`{words}`, {size}, beyond start-up", beyond(words.split(), large, small, turns), " s", COMMANDS[words]
        )
        for words in commands
    ]


def beyond(words: list[str], large: str, small: str, turns: int) -> float:
    """Return how many processor seconds longer the command takes with the large database: the median of the turns."""
    works = [Work(db, command_work(*words, "--db", db)) for db in (large, small)]
    at_large, at_small = in_turns(works, turns)
    pairs = zip(at_large.rounds, at_small.rounds, strict=True)
    return statistics.median(1 / large_rate - 1 / small_rate for large_rate, small_rate in pairs)
