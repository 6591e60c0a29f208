"""Time to the new ranking, beyond start-up, after correcting an early and a late result of a long history."""

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

TARGET: Mapping[Build, Target] = {"compiled": Target("at most", 2, " s")}
TOLERANCE = 1e-12
"""The largest difference of a mu or sigma allowed from ratings computed from the first result."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Nights of the history, people and rounds of a night, numbers of the corrected results (from 1), turns of each."""

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
    """Measure the ranking after each correction.

    Raises WrongAnswer if it differs from ratings computed from the first result.
    """
    scale = SCALES[effort]
    with tempfile.TemporaryDirectory() as folder:
        db, small = str(Path(folder) / "long.db"), str(Path(folder) / "small.db")
        long_history(db, scale.nights, scale.rounds, scale.people)
        crowd(small, 4, 1)
        for path in (db, small):
            run_command("ratings", "--db", path)
        return [_row(db, small, number, scale, build) for number in scale.corrected]


def _row(db: str, small: str, number: int, scale: Scale, build: Build) -> Row:
    seconds = []
    for turn in range(scale.turns):
        _correct(db, number, scale, turn)
        works = [Work(path, command_work("ratings", "--json", "--db", path)) for path in (db, small)]
        long, short = in_turns(works, 1)
        seconds.append(1 / long.middle - 1 / short.middle)
    difference = largest_difference(ranking("--db", db), _recomputed(db))
    check(difference <= TOLERANCE, f"after a correction the ratings are {difference:.1e} apart from recomputed ones")
    title = f"`ratings` after a correction in result {number:,} of {scale.results:,}, beyond start-up"
    return value_row(title, statistics.median(seconds), " s", TARGET.get(build))


def _correct(db: str, number: int, scale: Scale, turn: int) -> None:
    """Correct the result with another sheet: the seat that closes first changes from turn to turn."""
    night, rest = divmod(number - 1, scale.rounds * scale.people // 4)
    round_index, table = divmod(rest, scale.people // 4)
    name = f"Night {night + 1}"
    players = rounds.show(db, name, round_index + 1).rounds[0].tables[table].players
    closers = [(turn + hand) % 2 for hand in range(len(desk.CONTRACTS))]
    sheet = desk.hands([player.name for player in players], closers)
    apply(db, CorrectResult(name, round_index + 1, table + 1, sheet, "a slip of the pen"))


def _recomputed(db: str) -> Skills:
    """Return the skills after all current results, computed from the first one."""
    rater = Tourney()
    with reading(db) as reader:
        names = {str(player.id): player.shown for player in reader.people.players()}
        history = reader.pools.played_rounds()
        for batch in history.batches("people"):
            for players, places in history.games(batch):
                rater.add([names[player] for player in players], places)
    return rater.skills()
