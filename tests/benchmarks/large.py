"""Commands at a large event, beyond start-up: less what the same command takes at one of four people."""

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness.processes import running
from tests.benchmarks.harness.report import Row, Target, alone
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


def measure(folder: Path, people: int, rounds: int, turns: int, asked: Sequence[str]) -> list[Row]:
    """These commands at an event of so many people whose last round is still to be drawn."""
    large, small = str(folder / "large.db"), str(folder / "small.db")
    crowd(large, people, rounds, played=rounds - 1)
    crowd(small, 4, rounds, played=rounds - 1)
    shown = f"{people} people and {rounds} rounds"
    return [
        alone(f"`{words}`, {shown}, beyond start-up", beyond(words.split(), large, small, turns), " s", COMMANDS[words])
        for words in asked
    ]


def beyond(words: list[str], large: str, small: str, turns: int) -> float:
    """Seconds that the command takes with the one database more than with the other: the median of the turns."""
    works = [Work(db, running(*words, "--db", db)) for db in (large, small)]
    much, little = in_turns(works, turns)
    return statistics.median(1 / one - 1 / other for one, other in zip(much.rounds, little.rounds, strict=True))
