"""The bots: what `planner` gains on `greedy`, what each of its abilities gains, and what they cost."""

from collections.abc import Mapping

from engine.bots import Bot, make_bot
from engine.bots.planner import ABILITIES, Ability, PlannerBot
from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.ablations import Gain, Maker, gain
from tests.benchmarks.machine import Build
from tests.benchmarks.report import Row, Target, number, slower, told
from tests.benchmarks.timing import Effort, Share, Work, side_by_side

RULES = load_rules("oficial")
SEED = "ablations"

BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 21_000,
    ("plain", "full"): 2_100,
    ("compiled", "quick"): 7,
    ("plain", "quick"): 7,
}
"""Pairs of hands for each comparison."""

CLEAR = Target("at least", 0, " points, all of the interval")
COST: Mapping[Build, Target] = {"compiled": Target("at most", 3, " ×")}


def measure(build: Build, effort: Effort) -> list[Row]:
    """The ladder's step, each ability against the planner without it, and the time."""
    blocks = BLOCKS[build, effort]
    rows = [_row("points a hand, planner", "greedy", gain(RULES, planner, greedy, blocks, SEED))]
    for ability in sorted(ABILITIES):
        found = gain(RULES, planner, without(ability), blocks, f"{SEED}/{ability}")
        rows.append(_row("points a hand, planner", f"without {ability}", found))
    ours, theirs = side_by_side([Work(name, _hands(name)) for name in ("planner", "greedy")], effort)
    return [*rows, slower("a hand of four planners", ours, theirs, COST.get(build))]


def greedy(seed: str) -> Bot:
    """The bot below it on the ladder."""
    return make_bot("greedy", seed)


def planner(seed: str) -> Bot:
    """The bot with all that it can."""
    return make_bot("planner", seed)


def without(ability: Ability) -> Maker:
    """The bot that lacks one ability."""
    return lambda _seed: PlannerBot(ABILITIES - {ability})


def _row(measure: str, other: str, found: Gain) -> Row:
    """What was gained, and whether the whole interval is on our side."""
    shown = f"{found.points:+.2f} ± {found.error:.2f} points"
    cells = (number(found.ours, ""), other, number(found.theirs, ""), shown)
    return Row(measure, *cells, *told(CLEAR, found.points - found.error))


def _hands(name: str) -> Share:
    """A game of four such bots, the hands played."""

    def share(seed: int) -> int:
        return len(play_results(RULES, (name,) * 4, f"{name} {seed}").hands)

    return share
