"""Count the hands that each design of a league needs to separate two bots, for a clear pair and a close one."""

from collections.abc import Mapping
from typing import get_args

from engine.rules import load_rules
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, target_cells
from tests.benchmarks.harness.timing import Effort
from tourney.domain.league_tables import DesignNeed
from tourney.domain.leagues import Design, League
from tourney.league.blocks import read_block
from tourney.league.pilot import PilotBlocks, design_needs
from tourney.league.playing import block_games, play_block

RULES = load_rules("oficial")
CLOSE = "planner?guarding=off"
PAIRS = {"clear": ("planner", "greedy"), "close": ("planner", CLOSE)}
DESIGNS: tuple[Design, ...] = ("fresh", *(design for design in get_args(Design) if design != "fresh"))
"""All designs, `fresh` first, which the others are compared with."""
GAP = 0.5
CERTAINTY = 0.95

GAMES: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 2_400,
    ("plain", "full"): 240,
    ("compiled", "quick"): 8,
    ("plain", "quick"): 8,
}
"""Games of each pair in each design."""

FEWER: Mapping[tuple[Build, Design], Target] = {
    ("compiled", "pairs"): Target("at least", 1, " ×, all of the interval"),
    ("compiled", "replace"): Target("at least", 1, " ×, all of the interval"),
}
"""Targets; none for the plain build, which plays too few games for them."""


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure every pair of bots in every design beside `fresh`."""
    rows = []
    for name, bots in PAIRS.items():
        played = {design: _play(bots, design, GAMES[build, effort]) for design in DESIGNS}
        fresh, *others = design_needs(played, bots, GAP, CERTAINTY)
        rows += [_row(name, need, fresh, FEWER.get((build, need.design))) for need in others]
    return rows


def _play(bots: tuple[str, str], design: Design, games: int) -> PilotBlocks:
    """Play `games` games of two bots in whole blocks; return their hands and each block's mean points a hand."""
    league = League(bots, RULES.id, 4, "designs", 1, design)
    hands, rows = 0, []
    for number in range(games // len(block_games(league, 0))):
        outcome = read_block(play_block(league, RULES, number).text)
        hands += outcome.hands
        rows.append([totals.points / totals.hands for totals in outcome.totals])
    return PilotBlocks(hands, rows)


def _row(name: str, need: DesignNeed, fresh: DesignNeed, target: Target | None) -> Row:
    """Return a row with the hands needed, those that fresh deals need, and how many times fewer they are."""
    gap = f"{need.better} by {need.gap:.2f} ± {need.error:.2f}"
    measure = f"hands to separate a gap of {GAP}, {name} pair ({gap}), {need.design}"
    if need.fewer is None or need.fewer_low is None:
        return Row(measure, f"{need.hands:,}", "fresh", f"{fresh.hands:,}")
    times = f"{need.fewer:.3g} × ({need.fewer_low:.3g}–{need.fewer_high:.3g})"
    return Row(measure, f"{need.hands:,}", "fresh", f"{fresh.hands:,}", times, *target_cells(target, need.fewer_low))
