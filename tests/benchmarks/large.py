"""Measure how much longer commands take at a large event, and for long seasons, than for four people.

The time for four people counts as start-up.
"""

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness.processes import command_work
from tests.benchmarks.harness.report import Row, Target, value_row
from tests.benchmarks.harness.timing import Work, in_turns
from tests.harness.crowd import crowd
from tests.harness.evening.many_evenings import make_seasons

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


def measure_seasons(folder: Path, seasons: int, evenings: int, people: int, turns: int) -> list[Row]:
    """Measure the standings of all seasons together, each a command of its own."""
    large, small = str(folder / "seasons.db"), str(folder / "short seasons.db")
    make_seasons(large, seasons, evenings, people)
    make_seasons(small, seasons, 1, 4)
    names = [f"Season {number}" for number in range(1, seasons + 1)]
    seconds = sum(beyond(["season", "standings", name], large, small, turns) for name in names)
    size = f"{seasons} seasons of {evenings} evenings and {people} people"
    return [value_row(f"`season standings`, {size}, beyond start-up", seconds, " s", ANY)]


def beyond(words: list[str], large: str, small: str, turns: int) -> float:
    """Return how many processor seconds longer the command takes with the large database: the median of the turns."""
    works = [Work(db, command_work(*words, "--db", db)) for db in (large, small)]
    at_large, at_small = in_turns(works, turns)
    pairs = zip(at_large.rounds, at_small.rounds, strict=True)
    return statistics.median(1 / large_rate - 1 / small_rate for large_rate, small_rate in pairs)
