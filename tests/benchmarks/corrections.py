"""Corrections of an early and of a late result of a long history: time to the new ranking, beyond start-up."""

import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import command_work, run_command
from tests.benchmarks.harness.report import Row, Target, value_row
from tests.benchmarks.harness.timing import Effort, Work, check, in_turns
from tests.benchmarks.peers.raters import Skills, Tourney, largest_difference, ranking
from tests.harness import desk
from tests.harness.crowd import crowd
from tests.harness.long_history import long_history
from tourney.service.change import apply
from tourney.service.results.results import CorrectResult
from tourney.service.rounds import rounds
from tourney.storage.session import reading

ENOUGH: Mapping[Build, Target] = {"compiled": Target("at most", 2, " s")}
SAME = 1e-12
"""The largest difference allowed from ratings computed afresh."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of the history: nights of so many people and rounds, the results corrected (from 1), and turns of each."""

    nights: int
    people: int
    rounds: int
    corrected: tuple[int, ...]
    turns: int

    @property
    def results(self) -> int:
        """The number of results in the whole history."""
        return self.nights * self.rounds * self.people // 4


SCALES: Mapping[Effort, Scale] = {
    "full": Scale(nights=250, people=200, rounds=8, corrected=(1, 60_000), turns=3),
    "quick": Scale(nights=2, people=8, rounds=2, corrected=(5,), turns=1),
}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure the ranking after each correction. Raises WrongAnswer where it differs from ratings computed afresh."""
    scale = SCALES[effort]
    with tempfile.TemporaryDirectory() as folder:
        db, small = str(Path(folder) / "long.db"), str(Path(folder) / "small.db")
        long_history(db, scale.nights, scale.rounds, scale.people)
        crowd(small, 4, 1)
        for each in (db, small):
            run_command("ratings", "--db", each)
        return [_row(db, small, number, scale, build) for number in scale.corrected]


def _row(db: str, small: str, number: int, scale: Scale, build: Build) -> Row:
    seconds = []
    for turn in range(scale.turns):
        _correct(db, number, scale, turn)
        much, little = in_turns(
            [Work(each, command_work("ratings", "--json", "--db", each)) for each in (db, small)], 1
        )
        seconds.append(1 / much.middle - 1 / little.middle)
    found = largest_difference(ranking("--db", db), _fresh(db))
    check(found <= SAME, f"after a correction the ratings are {found:.1e} apart from fresh ones")
    title = f"`ratings` after a correction in result {number:,} of {scale.results:,}, beyond start-up"
    return value_row(title, statistics.median(seconds), " s", ENOUGH.get(build))


def _correct(db: str, number: int, scale: Scale, turn: int) -> None:
    """Enter another sheet for that result: in each turn another seat closes first."""
    night, rest = divmod(number - 1, scale.rounds * scale.people // 4)
    at_round, table = divmod(rest, scale.people // 4)
    name = f"Night {night + 1}"
    seated = rounds.show(db, name, at_round + 1).rounds[0].tables[table].players
    closers = [(turn + hand) % 2 for hand in range(len(desk.CONTRACTS))]
    sheet = desk.hands([player.name for player in seated], closers)
    apply(db, CorrectResult(name, at_round + 1, table + 1, sheet, "a slip of the pen"))


def _fresh(db: str) -> Skills:
    """Return the skills after all current results, computed from the first."""
    rater = Tourney()
    with reading(db) as reader:
        for table in reader.played():
            rater.add([player.shown for player in table.players], table.places)
    return rater.skills()
