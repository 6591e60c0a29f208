"""Measure the gain of one bot over another in points a hand: an ordinary league of the two, in pairs of seatings.

An ability is left out by the bot's parameter, as in `planner?guarding=off`. A block is a game, played twice: the second
time the bots exchange their seats. `tourney league run --bots planner,planner?guarding=off` plays it too.
"""

from dataclasses import dataclass

from engine.rules import Rules
from tourney.domain.leagues import League
from tourney.league.blocks import write_block
from tourney.league.playing import play_block
from tourney.league.tally import Tally, at_level

CERTAINTY = 0.99


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


def measure_gain(rules: Rules, first: str, second: str, blocks: int, seed: str) -> Gain:
    """Play `blocks` blocks (two at least) of a league of four seats, and return the gain of the first bot."""
    league = League((first, second), rules.id, 4, seed, blocks, rules_digest=rules.digest)
    tally = Tally(league)
    for number in range(blocks):
        tally.add(write_block(play_block(league, rules, number).outcome))
    table = at_level(tally.table(1), CERTAINTY)
    means = {bot.entrant: bot.mean for bot in table.bots}
    ours, theirs = (means[name] for name in league.entrants)
    (pair,) = table.pairs
    return Gain(ours, theirs, (pair.high - pair.low) / 2)
