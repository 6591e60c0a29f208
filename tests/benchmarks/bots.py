"""The bots: what `planner` gains on `greedy`, what each of its abilities gains, and what they cost."""

from collections.abc import Mapping

from engine.bots.planner import ABILITIES
from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.ablations import Gain, gain, named, without
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, number, slower, told
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
    """The ladder's step, each ability against the planner without it, and the time."""
    others = {"greedy": named("greedy"), **{f"without {ability}": without(ability) for ability in sorted(ABILITIES)}}
    rows = []
    for other, maker in others.items():
        found = gain(RULES, named("planner"), maker, BLOCKS[build, effort], f"{SEED}/{other}")
        rows.append(_row(other, found, CLEAR.get(build)))
    ours, theirs = side_by_side([Work(name, _hands(name)) for name in ("planner", "greedy")], effort)
    return [*rows, slower("a hand of four planners", ours, theirs, COST.get(build))]


def _row(other: str, found: Gain, target: Target | None) -> Row:
    """What was gained, and whether the whole interval is on our side."""
    shown = f"{found.points:+.2f} ± {found.error:.2f} points"
    cells = (number(found.ours, ""), other, number(found.theirs, ""), shown)
    return Row("points a hand, planner", *cells, *told(target, found.points - found.error))


def _hands(name: str) -> Share:
    """A game of four such bots, the hands played."""

    def share(seed: int) -> int:
        return len(play_results(RULES, (name,) * 4, f"{name} {seed}").hands)

    return share
