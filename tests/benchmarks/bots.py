"""The bots: gains of `planner` on `greedy` and of each of its abilities, and their cost in time."""

from collections.abc import Mapping

from engine.bots.planner import ABILITIES
from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.ablations import Gain, builtin, measure_gain, without
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, number_text, target_cells, time_row
from tests.benchmarks.harness.timing import Effort, Share, Work, side_by_side

RULES = load_rules("oficial")
SEED = "ablations"

BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 28_000,
    ("plain", "full"): 2_800,
    ("compiled", "quick"): 7,
    ("plain", "quick"): 7,
}
"""Pairs of hands for each comparison."""

CLEAR: Mapping[Build, Target] = {"compiled": Target("at least", 0, " points, all of the interval")}
COST: Mapping[Build, Target] = {"compiled": Target("at most", 3, " ×")}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure the step from `greedy`, each ability against `planner` without it, and the time."""
    others = {"greedy": builtin("greedy"), **{f"without {ability}": without(ability) for ability in sorted(ABILITIES)}}
    rows = []
    for other, maker in others.items():
        found = measure_gain(RULES, builtin("planner"), maker, BLOCKS[build, effort], f"{SEED}/{other}")
        rows.append(_row(other, found, CLEAR.get(build)))
    ours, theirs = side_by_side([Work(name, _hands(name)) for name in ("planner", "greedy")], effort)
    return [*rows, time_row("a hand of four planners", ours, theirs, COST.get(build))]


def _row(other: str, found: Gain, target: Target | None) -> Row:
    """Return a row with the gain; the target holds for the whole interval."""
    shown = f"{found.points:+.2f} ± {found.error:.2f} points"
    cells = (number_text(found.ours, ""), other, number_text(found.theirs, ""), shown)
    return Row("points a hand, planner", *cells, *target_cells(target, found.points - found.error))


def _hands(name: str) -> Share:
    """Return a share that plays a game of four such bots and counts its hands."""

    def share(seed: int) -> int:
        return len(play_results(RULES, (name,) * 4, f"{name} {seed}").hands)

    return share
