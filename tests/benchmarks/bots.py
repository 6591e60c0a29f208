"""The bots: the gain of `planner` on `greedy` and of each of its abilities, and the time that it takes."""

from collections.abc import Mapping

from engine.bots.planner import ABILITIES
from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.ablations import Gain, measure_gain
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, number_text, target_cells, time_row
from tests.benchmarks.harness.timing import Effort, Share, Work, side_by_side

RULES = load_rules("oficial")
SEED = "ablations"

BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 4_000,
    ("plain", "full"): 400,
    ("compiled", "quick"): 2,
    ("plain", "quick"): 2,
}
"""Blocks of each comparison: games of seven hands, played twice."""

CLEAR: Mapping[Build, Target] = {"compiled": Target("at least", 0, " points, all of the interval")}
COST: Mapping[Build, Target] = {"compiled": Target("at most", 3, " ×")}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure `planner` against `greedy` and against itself without each ability, then the time of a hand."""
    rows = []
    for other in ("greedy", *[f"planner?{ability}=off" for ability in sorted(ABILITIES)]):
        gain = measure_gain(RULES, "planner", other, BLOCKS[build, effort], f"{SEED}/{other}")
        rows.append(_row(other, gain, CLEAR.get(build)))
    ours, theirs = side_by_side([Work(name, _hands(name)) for name in ("planner", "greedy")], effort)
    return [*rows, time_row("a hand of four planners", ours, theirs, COST.get(build))]


def _row(other: str, gain: Gain, target: Target | None) -> Row:
    """Return a row with the gain; the target applies to the lower end of its interval."""
    gain_text = f"{gain.points:+.2f} ± {gain.error:.2f} points"
    cells = (number_text(gain.ours, ""), other, number_text(gain.theirs, ""), gain_text)
    return Row("points a hand, planner", *cells, *target_cells(target, gain.points - gain.error))


def _hands(name: str) -> Share:
    """Return a share that plays a game of four bots of this name and returns the number of hands."""

    def share(seed: int) -> int:
        return len(play_results(RULES, (name,) * 4, f"{name} {seed}").hands)

    return share
