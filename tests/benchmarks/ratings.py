"""Ratings: games a second beside other packages, agreement with them, imports, corrections, rankings."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation

from tests.benchmarks import corrections, rankings
from tests.benchmarks.harness.histories import RatedGame, history, write_results
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import Costs, measure_command, run_command
from tests.benchmarks.harness.report import Row, Target, installed, rate_row, ratio_row, target_cells, value_row
from tests.benchmarks.harness.timing import Effort, Work, check, in_turns, side_by_side
from tests.benchmarks.peers.raters import (
    OPENSKILL,
    PEERS,
    TRUESKILL,
    ByTrueSkill,
    Rater,
    Skills,
    Tourney,
    largest_difference,
    ranking,
)

SIZES = (2, 4, 8)
GAMES_A_SHARE = 20

FASTER: Mapping[Build, Target] = {"compiled": Target("at least", 60, " ×"), "plain": Target("at least", 12, " ×")}
IMPORT: Mapping[Build, Target] = {"compiled": Target("at least", 8, " ×")}
MILLION: Mapping[Build, Target] = {"compiled": Target("at most", 60, " s")}
LONG: Mapping[str, Mapping[Build, Target]] = {
    "rating peaks": {"compiled": Target("at most", 8, " s")},
    "rating compare": {"compiled": Target("at most", 15, " s")},
}
"""The commands that look at a whole history: skills that learn from later games, and models fitted."""
FLAT = Target("at most", 1.05, " ×")
AGREEMENT = Target("at most", 1e-9)


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers of games for comparing skills, for the import beside `trueskill`, for the largest import; turns; and the
    games of a long history."""

    agreement: int
    imported: int
    most: int
    turns: int
    long: int


SCALES: Mapping[Effort, Scale] = {
    "full": Scale(2_000, 100_000, 1_000_000, 3, 60_000),
    "quick": Scale(40, 200, 400, 1, 40),
}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of the ratings. Raises WrongAnswer if our ratings differ from those of `trueskill`."""
    scale = SCALES[effort]
    rows: list[Row] = []
    for size in SIZES:
        rows += _speed(size, build, effort)
    for size in SIZES:
        rows += _agreement(size, scale)
    with tempfile.TemporaryDirectory() as folder:
        rows.append(_import_beside(Path(folder), build, scale))
        rows += _million(Path(folder), build, scale)
        rows += _long(Path(folder), build, scale)
    return [*rows, *corrections.measure(build, effort), *rankings.measure(effort)]


def _speed(size: int, build: Build, effort: Effort) -> list[Row]:
    title = f"games of {size} rated a second"
    games = list(history(size, 10_000 if effort == "full" else 100, size))
    raters, missing = installed(title, PEERS)
    works = [_work(name, rater, games) for name, rater in {"tourney": Tourney(), **raters}.items()]
    ours, *theirs = side_by_side(works, effort)
    targets = {TRUESKILL: FASTER.get(build)}
    return [*(rate_row(title, ours, rate, "", targets.get(rate.name)) for rate in theirs), *missing]


def _work(name: str, rater: Rater, games: Sequence[RatedGame]) -> Work:
    def share(number: int) -> int:
        start = number * GAMES_A_SHARE % len(games)
        for players, places in games[start : start + GAMES_A_SHARE]:
            rater.add(players, places)
        return GAMES_A_SHARE

    return Work(name, share)


def _agreement(size: int, scale: Scale) -> list[Row]:
    title = f"largest difference of mu or sigma, {scale.agreement:,} games of {size}"
    games = list(history(size, scale.agreement, size, people=100))
    check(any(len(set(places)) < size for _players, places in games), "some games have ties")
    ours = _rated(Tourney(), games)
    raters, missing = installed(title, PEERS)
    return [*(_compared(title, ours, name, _rated(rater, games)) for name, rater in raters.items()), *missing]


def _compared(title: str, ours: Skills, name: str, theirs: Skills) -> Row:
    difference = largest_difference(ours, theirs)
    if name == OPENSKILL:
        mus = [[skills[player][0] for player in ours] for skills in (ours, theirs)]
        return Row(title, "", name, f"another model: correlation of mu {correlation(*mus):.3f}")
    target = AGREEMENT if name == TRUESKILL else None
    check(target is None or difference <= target.bound, f"ours and {name}'s ratings are {difference:.1e} apart")
    return Row(title, "", name, f"{difference:.1e}", "", *target_cells(target, difference))


def _rated(rater: Rater, games: Sequence[RatedGame]) -> Skills:
    for players, places in games:
        rater.add(players, places)
    return rater.skills()


def _import_beside(folder: Path, build: Build, scale: Scale) -> Row:
    """Measure the command `rating import` beside `trueskill` alone, which has all games in memory already."""
    file, games = folder / "results.csv", list(history(4, scale.imported, 4))
    write_results(file, 4, scale.imported)
    theirs: list[Skills] = []

    def imported(turn: int) -> int:
        run_command("rating", "import", str(file), "--pool", "bench", "--db", str(folder / f"import {turn}.db"))
        return scale.imported

    def by_trueskill(_turn: int) -> int:
        theirs.append(_rated(ByTrueSkill(), games))
        return scale.imported

    ours, by_package = in_turns([Work("import", imported), Work("trueskill alone", by_trueskill)], scale.turns)
    difference = largest_difference(ranking("--pool", "bench", "--db", str(folder / "import 0.db")), theirs[0])
    check(difference <= AGREEMENT.bound, f"the imported ratings and trueskill's are {difference:.1e} apart")
    title = f"`rating import` of {scale.imported:,} games of 4, games a second"
    return rate_row(title, ours, by_package, "", IMPORT.get(build))


def _million(folder: Path, build: Build, scale: Scale) -> list[Row]:
    """Measure the time of the largest import, and its memory as a multiple of the smaller import's."""
    smaller, largest = (_import_costs(folder, games) for games in (scale.imported, scale.most))
    seconds, name = f"{largest.processor:.3g} s", f"`rating import` of {scale.most:,} games, sorted"
    verdict = target_cells(MILLION.get(build), largest.processor)
    return [
        Row(name, seconds, "by the clock", f"{largest.clock:.3g} s", "", *verdict),
        ratio_row(f"MB of {name}", largest.peak / 1e6, f"{scale.imported:,} games", smaller.peak / 1e6, "", FLAT),
    ]


def _import_costs(folder: Path, games: int) -> Costs:
    file = folder / f"{games}.csv"
    write_results(file, 4, games)
    return measure_command("rating", "import", str(file), "--pool", "bench", "--db", str(folder / f"{games}.db"))


def _long(folder: Path, build: Build, scale: Scale) -> list[Row]:
    """Measure the processor time of the commands that look at a whole history."""
    file, db = folder / "long.csv", str(folder / "long.db")
    write_results(file, 8, scale.long, 8)
    run_command("rating", "import", str(file), "--pool", "bench", "--db", db)
    rows = []
    for command, targets in LONG.items():
        costs = measure_command(*command.split(), "--pool", "bench", "--db", db)
        title = f"`{command}` of {scale.long:,} games of 8, processor time"
        rows.append(value_row(title, costs.processor, " s", targets.get(build)))
    return rows
