"""Ratings: games a second beside other packages, agreement with them, whole imports, late corrections, rankings."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation

from tests.benchmarks import corrections, rankings
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import Costs, measure_command, run_command
from tests.benchmarks.harness.report import Row, Target, missing_row, rate_row, ratio_row, target_cells
from tests.benchmarks.harness.timing import Effort, Work, check, in_turns, side_by_side
from tests.benchmarks.histories import RatedGame, history, write_results
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
SHARE = 20

FASTER: Mapping[Build, Target] = {"compiled": Target("at least", 60, " ×"), "plain": Target("at least", 12, " ×")}
IMPORT: Mapping[Build, Target] = {"compiled": Target("at least", 8, " ×")}
MILLION: Mapping[Build, Target] = {"compiled": Target("at most", 60, " s")}
FLAT = Target("at most", 1.05, " ×")
AGREEMENT = Target("at most", 1e-9)


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers of games: to compare skills, to import beside `trueskill`, to import at most; and the turns."""

    agreement: int
    imported: int
    most: int
    turns: int


SCALES: Mapping[Effort, Scale] = {
    "full": Scale(2_000, 100_000, 1_000_000, 3),
    "quick": Scale(40, 200, 400, 1),
}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of the ratings. Raises WrongAnswer where ours differ from those of `trueskill`."""
    scale = SCALES[effort]
    rows: list[Row] = []
    for size in SIZES:
        rows += _speed(size, build, effort)
    for size in SIZES:
        rows += _agreement(size, scale)
    with tempfile.TemporaryDirectory() as folder:
        rows.append(_import_beside(Path(folder), build, scale))
        rows += _million(Path(folder), build, scale)
    return [*rows, *corrections.measure(build, effort), *rankings.measure(effort)]


def _speed(size: int, build: Build, effort: Effort) -> list[Row]:
    title = f"games of {size} rated a second"
    games = list(history(size, 10_000 if effort == "full" else 100, size))
    works, absent = [_work("tourney", Tourney(), games)], []
    for name, make in PEERS.items():
        try:
            works.append(_work(name, make(), games))
        except ImportError as error:
            absent.append(missing_row(title, name, str(error)))
    ours, *theirs = side_by_side(works, effort)
    targets = {TRUESKILL: FASTER.get(build)}
    return [*(rate_row(title, ours, rate, "", targets.get(rate.name)) for rate in theirs), *absent]


def _work(name: str, rater: Rater, games: Sequence[RatedGame]) -> Work:
    def share(number: int) -> int:
        start = number * SHARE % len(games)
        for players, places in games[start : start + SHARE]:
            rater.add(players, places)
        return SHARE

    return Work(name, share)


def _agreement(size: int, scale: Scale) -> list[Row]:
    title = f"largest difference of mu or sigma, {scale.agreement:,} games of {size}"
    games = list(history(size, scale.agreement, size, people=100))
    check(any(len(set(places)) < size for _players, places in games), "some games have ties")
    ours = _rated(Tourney(), games)
    rows = []
    for name, make in PEERS.items():
        try:
            rows.append(_compared(title, ours, name, _rated(make(), games)))
        except ImportError as error:
            rows.append(missing_row(title, name, str(error)))
    return rows


def _compared(title: str, ours: Skills, name: str, theirs: Skills) -> Row:
    found = largest_difference(ours, theirs)
    if name == OPENSKILL:
        mus = [[skills[player][0] for player in ours] for skills in (ours, theirs)]
        return Row(title, "", name, f"another model: correlation of mu {correlation(*mus):.3f}")
    target = AGREEMENT if name == TRUESKILL else None
    check(target is None or found <= target.bound, f"ours and {name}'s ratings are {found:.1e} apart")
    return Row(title, "", name, f"{found:.1e}", "", *target_cells(target, found))


def _rated(rater: Rater, games: Sequence[RatedGame]) -> Skills:
    for players, places in games:
        rater.add(players, places)
    return rater.skills()


def _import_beside(folder: Path, build: Build, scale: Scale) -> Row:
    """Measure the whole command beside `trueskill` alone, which has all games in memory already."""
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
    found = largest_difference(ranking("--pool", "bench", "--db", str(folder / "import 0.db")), theirs[0])
    check(found <= AGREEMENT.bound, f"the imported ratings and trueskill's are {found:.1e} apart")
    title = f"`rating import` of {scale.imported:,} games of 4, games a second"
    return rate_row(title, ours, by_package, "", IMPORT.get(build))


def _million(folder: Path, build: Build, scale: Scale) -> list[Row]:
    """Measure the time of the largest import, and its memory beside that of the smaller one."""
    few, most = (_import_costs(folder, games) for games in (scale.imported, scale.most))
    seconds, name = f"{most.processor:.3g} s", f"`rating import` of {scale.most:,} games, sorted"
    verdict = target_cells(MILLION.get(build), most.processor)
    return [
        Row(name, seconds, "by the clock", f"{most.clock:.3g} s", "", *verdict),
        ratio_row(f"MB of {name}", most.peak / 1e6, f"{scale.imported:,} games", few.peak / 1e6, "", FLAT),
    ]


def _import_costs(folder: Path, games: int) -> Costs:
    file = folder / f"{games}.csv"
    write_results(file, 4, games)
    return measure_command("rating", "import", str(file), "--pool", "bench", "--db", str(folder / f"{games}.db"))
