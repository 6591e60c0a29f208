"""Commands at a large event, beyond start-up: less the time of the same command at an event of four people."""

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
    """Measure these commands at an event of so many people whose last round is still to be drawn."""
    large, small = str(folder / "large.db"), str(folder / "small.db")
    crowd(large, people, rounds, played=rounds - 1)
    crowd(small, 4, rounds, played=rounds - 1)
    shown = f"{people} people and {rounds} rounds"
    return [
        value_row(
            f"`{words}`, {shown}, beyond start-up", beyond(words.split(), large, small, turns), " s", COMMANDS[words]
        )
        for words in commands
    ]


def beyond(words: list[str], large: str, small: str, turns: int) -> float:
    """Return how many seconds longer the command takes with the large database: the median of the turns."""
    works = [Work(db, command_work(*words, "--db", db)) for db in (large, small)]
    much, little = in_turns(works, turns)
    return statistics.median(1 / one - 1 / other for one, other in zip(much.rounds, little.rounds, strict=True))
