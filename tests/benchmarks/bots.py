"""The bots: the gain of `planner` on `greedy` and of each of its abilities, and the time that it takes."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.bots.planner import ABILITIES
from engine.play import play_results
from engine.rules import Rules, load_rules
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, number_text, target_cells, time_row
from tests.benchmarks.harness.timing import Effort, Share, Work, side_by_side
from tourney.domain.leagues import League
from tourney.league.playing import play_block
from tourney.league.tally import Tally, at_level

RULES = load_rules("oficial")
SEED = "ablations"

CERTAINTY = 0.99

BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 4_000,
    ("plain", "full"): 400,
    ("compiled", "quick"): 2,
    ("plain", "quick"): 2,
}
"""Blocks of each comparison: games of seven hands, played twice."""

CLEAR: Mapping[Build, Target] = {"compiled": Target("at least", 0, " points, all of the interval")}
COST: Mapping[Build, Target] = {"compiled": Target("at most", 3, " ×")}


@dataclass(frozen=True, slots=True)
class Gain:
    """Mean points a hand of both bots, and half the width of the 99 % interval of their difference."""

    ours: float
    theirs: float
    error: float

    @property
    def points(self) -> float:
        """Points a hand that the first bot gains on the second; points count against a player."""
        return self.theirs - self.ours


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


def measure_gain(rules: Rules, first: str, second: str, blocks: int, seed: str) -> Gain:
    """Play `blocks` blocks (two at least) of a league of four seats, and return the gain of the first bot.

    An ability is left out by the bot's parameter, as in `planner?guarding=off`.
    """
    league = League((first, second), rules.id, 4, seed, blocks, rules_digest=rules.digest)
    tally = Tally(league)
    for number in range(blocks):
        tally.add(play_block(league, rules, number).text)
    table = at_level(tally.table(1), CERTAINTY)
    means = {bot.entrant: bot.mean for bot in table.bots}
    ours, theirs = (means[name] for name in league.entrants)
    (pair,) = table.pairs
    return Gain(ours, theirs, (pair.high - pair.low) / 2)
