"""The database: bulk inserts, results entered by one and by several programs, commands at a large event."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import large, writers
from tests.benchmarks.harness.histories import history
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, rate_row
from tests.benchmarks.harness.timing import Effort, Work, in_turns
from tests.benchmarks.peers import sqlite_rows
from tourney.domain.pools import Pool
from tourney.storage.journal import kinds
from tourney.storage.session import writing

POOL = Pool("bench", "imported", "25.0", "8.0", "4.0", "0.08", "0.01")
"""A pool whose games are stored but not rated."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of the measurement.

    Games inserted in bulk; people, rounds and commands of the large event; programs at once; turns of each method;
    seasons, their evenings and players.
    """

    games: int
    people: int
    rounds: int
    commands: Sequence[str]
    programs: int
    turns: int
    seasons: tuple[int, int, int]


SCALES: Mapping[Effort, Scale] = {
    "full": Scale(
        games=25_000,
        people=200,
        rounds=8,
        commands=tuple(large.COMMANDS),
        programs=8,
        turns=5,
        seasons=(10, 40, 40),
    ),
    "quick": Scale(games=20, people=8, rounds=2, commands=("standings",), programs=2, turns=1, seasons=(1, 2, 8)),
}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of the storage; targets are the same in both builds. Raises WrongAnswer if a result is lost."""
    scale = SCALES[effort]
    with tempfile.TemporaryDirectory() as folder:
        return [
            *_bulk(Path(folder), scale),
            *writers.measure(Path(folder), scale.people, scale.programs, scale.turns),
            *large.measure(Path(folder), scale.people, scale.rounds, scale.turns, scale.commands),
            *large.measure_seasons(Path(folder), *scale.seasons, scale.turns),
        ]


def _bulk(folder: Path, scale: Scale) -> list[Row]:
    games = list(history(4, scale.games, 4))
    lines = sqlite_rows.lines(games)
    databases = [_with_pool(str(folder / f"ours {turn}.db")) for turn in range(scale.turns)]

    def ours(turn: int) -> int:
        db, pool = databases[turn]
        with writing(db) as store:
            return store.pools.import_games(pool, games, "bench")[1]

    def by(method: Callable[[Path, list[sqlite_rows.Place]], None]) -> Callable[[int], int]:
        def share(turn: int) -> int:
            method(folder / f"{method.__name__} {turn}.db", lines)
            return len(lines)

        return share

    works = [Work("tourney", ours), *(Work(name, by(method)) for name, method in sqlite_rows.METHODS.items())]
    rate_of_ours, *theirs = in_turns(works, scale.turns)
    return [rate_row(f"rows a second, {len(lines):,} inserted", rate_of_ours, rate, "") for rate in theirs]


def _with_pool(db: str) -> tuple[str, int]:
    with writing(db) as store:
        return db, store.add(kinds.pools.PoolOpened.of(POOL))
